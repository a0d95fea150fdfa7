# The program that shows what calling contexts are for, in examples/contexts. See
# build.sh for what the functions mean.

program_about="generic sort with two kinds of callers (C), examples/contexts"
program_needs=""

fetch_program() { :; }

program_key() { key_of "$INLAY_ROOT"/examples/contexts/*; }

build_program() {
  compile_program "$2" c "-std=c11" -- "$INLAY_ROOT"/examples/contexts/contexts.c
}

set_workload() {
  workload=("$3")
  case $1 in
  train) workload+=(12000 1) ;;
  trace) workload+=(2500 1) ;;
  time) workload+=(6000 7) ;;
  count | check) workload+=(600 7) ;;
  esac
}
