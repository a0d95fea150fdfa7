# Lua 5.4 from Debian's source package: an interpreter in C with one big
# dispatch loop. The workloads are two sets of small scripts, in
# benchmarks/workloads/lua. See build.sh for what the functions mean.

program_about="Lua 5.4 (C, Debian's source package lua5.4)"
program_needs="lua"

# Debian's build writes a header with the directories that modules lie in.
fetch_program() {
  fetch_debian_source lua5.4 "$1" || return
  printf '#define DEB_HOST_MULTIARCH ""\n' \
    >"$1/source/src/lua5.4-deb-multiarch.h"
}

program_key() {
  key_of "$1"/source/src/*.[ch] \
    "$INLAY_ROOT"/benchmarks/workloads/lua/{*.lua,*/*.lua}
}

# Without dlopen and readline, which only the interactive use needs, and with a
# fixed seed for the hashes of strings, so that every run does the same.
build_program() {
  local sources=("$1"/source/src/l*.c)
  compile_program "$2" c "-std=gnu99 -DLUA_USE_POSIX -Dluai_makeseed(...)=1 -lm" -- \
    $(printf '%s\n' "${sources[@]}" | grep -v '/luac\.c$')
}

set_workload() {
  workload=("$3" "$INLAY_ROOT/benchmarks/workloads/lua/all.lua")
  case $1 in
  train) workload+=(train 130) ;;
  trace) workload+=(train 2) ;;
  time) workload+=(time 50) ;;
  count | check) workload+=(time 4) ;;
  esac
}
