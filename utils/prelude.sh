# What the scripts in utils/ share; they source this file first.
#
# It sets strict mode and the root of the tree, knows how to report steps and
# failures, and answers the two questions whose answers differ from machine to
# machine: which LLVM to build against, and which perf to run. It installs
# nothing and writes nothing.

set -euo pipefail
export LC_ALL=C.UTF-8

INLAY_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
INLAY_SUPPORTED_LLVM="22 21 20 19"

# The name the user typed starts every message.
say() { printf '%s: %s\n' "${0##*/}" "$*"; }
fail() {
  printf '%s: error: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

# Prints the comment at the top of the running script: its manual.
usage() { sed -n '2,/^$/{/^#/!q;s/^# \{0,1\}//;p}' "$0"; }

# step DESCRIPTION LOG COMMAND...: runs a command with its output in a file,
# says what is going on and how long it took, and shows the end of the file
# when the command fails.
step() {
  local description=$1 log=$2 start status=0
  shift 2
  mkdir -p "$(dirname "$log")"
  printf '%s: %-58s' "${0##*/}" "$description"
  start=$(date +%s%N)
  # A subshell, so that `set -e' holds in functions and a failure comes back.
  set +e
  (set -e; "$@") >"$log" 2>&1 </dev/null
  status=$?
  set -e
  if [ "$status" -ne 0 ]; then
    printf ' failed\n'
    tail -n 30 "$log" >&2
    fail "\`$1' exited with $status; all of its output is in $log"
  fi
  printf ' %6.1f s\n' "$((($(date +%s%N) - start) / 1000000))e-3"
}

# is_current STAMP KEY: true if STAMP was made for exactly this key. Keys list
# every input of a step (see key_of); a step that is current is skipped.
is_current() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }
mark_current() { printf '%s\n' "$2" >"$1"; }

# key_of ARGUMENT...: one line that changes when an argument, or the contents of
# an argument that names a file, changes.
key_of() {
  local argument
  for argument in "$@"; do
    if [ -f "$argument" ]; then
      sha256sum <"$argument"
    else
      printf '%s\n' "$argument"
    fi
  done | sha256sum | cut -d' ' -f1
}

llvm_prefix() { printf '/usr/lib/llvm-%s\n' "$1"; }

# True if the development files and the compiler of LLVM $1 are installed.
llvm_is_installed() {
  [ -e "$(llvm_prefix "$1")/lib/cmake/llvm/LLVMConfig.cmake" ] &&
    [ -x "$(llvm_prefix "$1")/bin/clang" ]
}

# True if apt could install package $1 right now.
is_packaged() {
  local candidate
  candidate=$(apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: //p')
  [ -n "$candidate" ] && [ "$candidate" != "(none)" ]
}

# The LLVM to use: $INLAY_LLVM, or the newest supported one that is installed or
# packaged; nothing if there is none.
choose_llvm() {
  local version
  if [ -n "${INLAY_LLVM:-}" ]; then
    case " $INLAY_SUPPORTED_LLVM " in
    *" $INLAY_LLVM "*) ;;
    *) fail "INLAY_LLVM=$INLAY_LLVM, but Inlay supports LLVM 19 to 22" ;;
    esac
    printf '%s\n' "$INLAY_LLVM"
    return
  fi
  for version in $INLAY_SUPPORTED_LLVM; do
    if llvm_is_installed "$version" || is_packaged "llvm-$version-dev"; then
      printf '%s\n' "$version"
      return
    fi
  done
}

# A perf that runs. Ubuntu's /usr/bin/perf is a wrapper that refuses when no
# perf of exactly the running kernel is installed; perf is compatible both ways,
# so that any of the versions it knows will do.
find_perf() {
  local candidate
  for candidate in "$(command -v perf || true)" \
    $(printf '%s\n' /usr/lib/linux-tools*/perf /usr/lib/linux-tools/*/perf |
      sort -rV); do
    if [ -x "$candidate" ] && "$candidate" --version >/dev/null 2>&1; then
      printf '%s\n' "$candidate"
      return
    fi
  done
  return 1
}

# Where Inlay is built with LLVM $1: build/release for the default version.
build_directory() {
  local default
  default=$(INLAY_LLVM='' choose_llvm)
  if [ "$1" = "$default" ]; then
    printf '%s\n' "$INLAY_ROOT/build/release"
  else
    printf '%s\n' "$INLAY_ROOT/build/llvm-$1"
  fi
}

# configure_inlay LLVM DIRECTORY [OPTION...]: clang of that very LLVM builds
# Inlay, except for the oldest, which g++ builds, so that utils/check covers both
# compilers. A directory that is configured keeps its compiler.
configure_inlay() {
  local llvm=$1 directory=$2 c cxx defaults=()
  shift 2
  if [ ! -f "$directory/CMakeCache.txt" ]; then
    c=$(llvm_prefix "$llvm")/bin/clang
    cxx=$c++
    if [ "$llvm" = "${INLAY_SUPPORTED_LLVM##* }" ]; then
      c=$(command -v gcc) cxx=$(command -v g++)
    fi
    defaults=(-DCMAKE_BUILD_TYPE=Release
      -DCMAKE_C_COMPILER="$c" -DCMAKE_CXX_COMPILER="$cxx")
    if command -v ccache >/dev/null; then
      defaults+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
        -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
  fi
  cmake -S "$INLAY_ROOT" -B "$directory" -G Ninja "${defaults[@]}" \
    -DLLVM_DIR="$(llvm_prefix "$llvm")/lib/cmake/llvm" "$@"
}
