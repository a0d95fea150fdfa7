# The program that ships with Inlay: the script interpreter in
# examples/interpreter. See build.sh for what the functions mean.

program_about="script interpreter (C++, tree of virtual nodes), examples/interpreter"
program_needs=""

fetch_program() { :; }

program_key() { key_of "$INLAY_ROOT"/examples/interpreter/*; }

build_program() {
  compile_program "$2" c++ "-std=c++20" -- \
    "$INLAY_ROOT"/examples/interpreter/*.cpp
}

set_workload() {
  local here=$INLAY_ROOT/examples/interpreter
  workload=("$3" "$here/workload.script" "$here/input.txt")
  case $1 in
  train) workload+=(100) ;;
  trace) workload+=(2) ;;
  time) workload+=(30) ;;
  count | check) workload+=(3) ;;
  esac
}
