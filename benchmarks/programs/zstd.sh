# zstd from Debian's source package: compression and decompression of data made
# by zstd/driver.c. See build.sh for what the functions mean.

program_about="zstd 1.5 (C, Debian's source package libzstd)"
program_needs="zstd"

fetch_program() { fetch_debian_source libzstd "$1"; }

program_key() {
  key_of "$1"/source/lib/*/*.[ch] "$INLAY_ROOT"/benchmarks/programs/zstd/*
}

# What is written in assembly no profile can improve.
build_program() {
  local lib=$1/source/lib
  compile_program "$2" c "-std=gnu99 -DNDEBUG -DZSTD_DISABLE_ASM=1 -I$lib" -- \
    "$INLAY_ROOT"/benchmarks/programs/zstd/driver.c \
    "$lib"/{common,compress,decompress}/*.c
}

# Level 3 is the default. The profile comes from other data at other levels, most
# of which choose the same strategies.
set_workload() {
  case $1 in
  train)
    workload=("$3" 1:text:12000000:1 4:records:20000000:2 3:log:20000000:3
      8:log:6000000:4 13:text:2000000:5 17:records:1500000:6)
    ;;
  trace)
    workload=("$3" 1:text:600000:1 4:records:1000000:2 3:log:1000000:3
      8:log:300000:4 13:text:100000:5 17:records:75000:6)
    ;;
  time)
    workload=("$3" 1:log:12000000:11 2:records:8000000:12 3:text:10000000:13
      6:text:5000000:14 9:records:6000000:15 16:log:1500000:16
      3:noise:8000000:17)
    ;;
  count | check)
    workload=("$3" 1:log:1200000:21 2:records:800000:22 3:text:1000000:23
      6:text:500000:24 9:records:600000:25 16:log:150000:26
      3:noise:800000:27)
    ;;
  esac
}
