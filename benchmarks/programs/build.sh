# How the demo and the benchmarks fetch, build and run a program; sourced by
# them together with one of the files beside it, which hold what is particular
# to a program:
#
#   program_about             one line: what it is
#   program_needs             what utils/setup must install besides: its argument
#   fetch_program DIR         gets its sources into DIR
#   program_key DIR           one line that changes when those sources do
#   build_program DIR OUT     compiles them to the executable OUT
#   set_workload NAME DIR EXE sets the array `workload' to a command that runs
#                             EXE: `train' (two to four seconds, for perf and,
#                             fifty times slower, for callgrind), `trace' (the
#                             same in small: half a billion instructions), `time'
#                             (one to two seconds, for a comparison in pairs),
#                             `count' (under a minute in valgrind), `check'
#                             (prints what must not depend on the compiler)
#
# A profile must serve runs that it has not seen: `train' and `trace' differ from
# the others in their inputs, or in what they ask of the program, not only in
# length (but for the example). `time', `count' and `check' are alike. All execute
# the same instructions whenever they are run: nothing depends on the clock, on
# threads, or on chance.
#
# The builder sets CC, CXX and the array `flags': all flags that may matter to a
# comparison, -O2 included; what the program itself needs is added.

# compile_program OUT LANGUAGE OPTIONS -- SOURCE...: compiles sources in
# parallel and links. Objects, and optimization records, lie in OUT.objects.
# OPTIONS is one string; its words are the program's own options, and what
# starts with -l goes to the linker.
compile_program() {
  local out=$1 compiler=$CC words=($3) own=() libraries=() word
  [ "$2" = c++ ] && compiler=$CXX
  shift 4
  for word in "${words[@]}"; do
    case $word in
    -l*) libraries+=("$word") ;;
    *) own+=("$word") ;;
    esac
  done
  rm -rf "$out.objects"
  mkdir -p "$out.objects"
  # One argument of the inner shell is one source.
  printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -I '{}' sh -c '
    source=$1 objects=$2
    shift 2
    name=${source##*/}
    "$@" -c "$source" -o "$objects/${name%.*}.o"' \
    sh '{}' "$out.objects" "$compiler" "${flags[@]}" "${own[@]}"
  "$compiler" "${flags[@]}" "$out.objects"/*.o "${libraries[@]}" -o "$out"
}

# fetch_debian_source PACKAGE DIR: `apt-get source' into DIR/source, without
# touching the system's configuration: the machine's own package sources, turned
# from deb into deb-src, in an apt directory of our own. Keys, proxies and other
# settings stay those of the system. With INLAY_DEBIAN_RELEASE=trixie it is that
# release of Debian, and not the one that the machine runs.
fetch_debian_source() {
  local package=$1 directory=$2 apt=$2/apt list found own
  [ -d "$directory/source" ] && return
  rm -rf "$apt" "$directory/unpacked"
  mkdir -p "$apt"/parts "$apt"/lists/partial "$apt"/cache/archives/partial \
    "$directory/unpacked"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    case $list in
    *.list)
      # One line for each source.
      [ -f "$list" ] && sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' \
        "$list" >"$apt/parts/${list##*/}"
      ;;
    *.sources)
      # Paragraphs; the types are a field.
      [ -f "$list" ] && sed 's/^[Tt]ypes:.*/Types: deb-src/' \
        "$list" >"$apt/parts/${list##*/}"
      ;;
    esac
  done
  if [ -n "${INLAY_DEBIAN_RELEASE:-}" ]; then
    own=$(. /etc/os-release && printf '%s' "$VERSION_CODENAME")
    sed -i "s/$own/$INLAY_DEBIAN_RELEASE/g" "$apt"/parts/*
  fi
  local options=(-q -o Dir::Etc::sourcelist=/dev/null
    -o Dir::Etc::sourceparts="$apt/parts" -o Dir::State::lists="$apt/lists"
    -o Dir::Cache="$apt/cache" -o Acquire::Languages=none
    # As root, apt would download as a user who may not write here.
    -o APT::Sandbox::User=root)
  # One source without deb-src spoils no others.
  apt-get "${options[@]}" update ||
    echo "apt-get update failed for some source; trying with the others"
  # The newest version; a mirror that lacks its files may have an older one.
  local wanted versions
  versions=$(apt-cache "${options[@]}" showsrc --only-source "$package" |
    sed -n "s/^Version: /$package=/p" | sort -rV)
  for wanted in "$package" $versions; do
    (cd "$directory/unpacked" &&
      apt-get "${options[@]}" --only-source source "$wanted") && break
  done
  found=$(find "$directory/unpacked" -mindepth 1 -maxdepth 1 -type d)
  [ -n "$found" ] || return 1
  mv "$found" "$directory/source"
  # The indices are big, and of no use any more.
  rm -rf "$apt"
}
