# LevelDB from Debian's source package: a store of keys and values, many small
# classes. It is driven by leveldb/driver.cpp. See build.sh for what the functions
# mean.

program_about="LevelDB 1.23 (C++, Debian's source package leveldb)"
program_needs="leveldb"

fetch_program() { fetch_debian_source leveldb "$1"; }

program_key() {
  key_of "$1"/source/*/*.{h,cc} "$1"/source/*/*/*.{h,cc} \
    "$INLAY_ROOT"/benchmarks/programs/leveldb/*
}

# What its build system would find out and write into a header.
build_program() {
  local source=$1/source file files=()
  for file in "$source"/{db,table,util}/*.cc "$source"/helpers/memenv/memenv.cc; do
    case $file in
    *_test.cc | */leveldbutil.cc | */testutil.cc | *_windows.cc) ;;
    *) files+=("$file") ;;
    esac
  done
  compile_program "$2" c++ "-std=c++17 -DNDEBUG -DLEVELDB_PLATFORM_POSIX=1 \
-DHAVE_FDATASYNC=1 -DHAVE_FULLFSYNC=0 -DHAVE_O_CLOEXEC=1 -DHAVE_CRC32C=0 \
-DHAVE_SNAPPY=0 -I$source -I$source/include -pthread" -- \
    "$INLAY_ROOT"/benchmarks/programs/leveldb/driver.cpp "${files[@]}"
}

# Other keys and values, in other proportions, and for the profile with a filter.
set_workload() {
  case $1 in
  train)
    workload=("$3" 250000 80 10 fill:80000:1 write:200000:2 read:450000:3
      seek:40000:4 scan:2:1 delete:50000:5 hot:200000:6)
    ;;
  trace)
    workload=("$3" 20000 80 10 fill:5000:1 write:12000:2 read:25000:3
      seek:2400:4 scan:1:1 delete:3000:5 hot:12000:6)
    ;;
  time)
    workload=("$3" 100000 120 0 write:150000:11 read:120000:12 scan:3:1
      hot:80000:13 seek:15000:14)
    ;;
  count | check)
    workload=("$3" 20000 120 0 write:30000:21 read:24000:22 scan:3:1
      hot:16000:23 seek:3000:24)
    ;;
  esac
}
