# Cppcheck from Debian's source package: a static analyzer, a big C++ program
# whose time is spread over thousands of functions. It checks its own sources. See
# build.sh for what the functions mean.

program_about="Cppcheck 2.10 (C++, Debian's source package cppcheck)"
program_needs="cppcheck"

fetch_program() { fetch_debian_source cppcheck "$1"; }

program_key() {
  key_of "$1"/source/{cli,lib,externals/*}/*.{h,cpp} "$1"/source/cfg/std.cfg
}

build_program() {
  local source=$1/source
  compile_program "$2" c++ "-std=c++11 -DNDEBUG -DFILESDIR=\"$source\" -w \
-I$source/lib -I$source/externals/picojson -I$source/externals/simplecpp \
-I$source/externals/tinyxml2 -pthread" -- \
    "$source"/{cli,lib,externals/simplecpp,externals/tinyxml2}/*.cpp
}

# Only its own headers are found, so that the system's do not matter, and one
# configuration of the preprocessor is enough. The profile comes from other files
# and other checks.
set_workload() {
  local source=$2/source
  workload=("$3" --quiet --max-configs=1)
  case $1 in
  train)
    workload+=(--enable=style,performance --output-file=/dev/null
      "$source"/externals/tinyxml2/tinyxml2.cpp
      "$source"/lib/{mathlib,checkvaarg}.cpp)
    ;;
  trace)
    workload+=(--enable=style,performance --output-file=/dev/null
      "$source"/lib/{color,errortypes,analyzerinfo}.cpp)
    ;;
  time)
    workload+=(--enable=warning,portability --output-file=/dev/null
      "$source"/lib/{ctu,infer}.cpp)
    ;;
  count)
    workload+=(--enable=warning,portability --output-file=/dev/null
      "$source"/lib/{pathmatch,platform}.cpp)
    ;;
  check)
    # Messages are for standard error.
    workload=(sh -c '"$@" 2>&1' sh "${workload[@]}" --enable=warning,style
      "$source"/lib/{pathmatch,platform,infer}.cpp)
    ;;
  esac
}
