# MiniSat from Debian's source package: a solver of formulas, small loops over
# lists that miss the cache. The formulas are made by minisat2/driver.cpp. See
# build.sh for what the functions mean.

program_about="MiniSat 2.2 (C++, Debian's source package minisat2)"
program_needs="minisat2"

fetch_program() { fetch_debian_source minisat2 "$1"; }

program_key() {
  key_of "$1"/source/minisat/*/*.{h,cc} \
    "$INLAY_ROOT"/benchmarks/programs/minisat2/*
}

# It was written before C++11, in which a string and a macro need a space
# between them.
build_program() {
  local minisat=$1/source/minisat
  compile_program "$2" c++ "-std=c++11 -DNDEBUG -D__STDC_LIMIT_MACROS \
-D__STDC_FORMAT_MACROS -Wno-reserved-user-defined-literal \
-Wno-dangling-else -I$1/source" -- \
    "$INLAY_ROOT"/benchmarks/programs/minisat2/driver.cpp \
    "$minisat"/core/Solver.cc "$minisat"/simp/SimpSolver.cc \
    "$minisat"/utils/{Options,System}.cc
}

set_workload() {
  case $1 in
  train) workload=("$3" factor:2147302921 random:270:1150:1) ;;
  trace) workload=("$3" factor:1073602561 random:200:860:7) ;;
  time)
    workload=("$3" coloring:120:540:4:2 random:220:940:2 pigeons:8
      factor:2146689977)
    ;;
  count | check)
    workload=("$3" coloring:100:440:4:1 random:180:760:3 pigeons:7
      factor:1073602561)
    ;;
  esac
}
