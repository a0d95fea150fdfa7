# The C++ program in cxx/: five kernels full of the standard library. See
# build.sh for what the functions mean.

program_about="containers, sorting, virtual calls (C++, benchmarks/programs/cxx)"
program_needs=""

fetch_program() { :; }

program_key() { key_of "$INLAY_ROOT"/benchmarks/programs/cxx/*; }

build_program() {
  compile_program "$2" c++ "-std=c++20 -Wno-deprecated-declarations" -- \
    "$INLAY_ROOT"/benchmarks/programs/cxx/cxx.cpp
}

# Other data in other proportions.
set_workload() {
  case $1 in
  train) workload=("$3" 65 1234567891234567 320 45000 5000 7000 190000) ;;
  trace) workload=("$3" 3 1234567891234567 320 45000 5000 7000 190000) ;;
  time) workload=("$3" 40) ;;
  count | check) workload=("$3" 2) ;;
  esac
}
