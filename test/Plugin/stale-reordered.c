// Functions in another order, in another place of their file: counts are by
// offset in their function, and nothing has to be moved.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -Rpass=inlay -Rpass-analysis=inlay -c app.c -o app.o 2>&1 | FileCheck app.c

//--- app.c
// The profile is of a source where `second' came first.
int sink(int);
int first(int N) {
  return sink(N);
}
int second(int N) {
  if (N)
    return sink(3);
  return 4;
}
// CHECK-NOT: older source
// CHECK: used 50 of 50 counts (100.0%)
//--- app.prof
second:30:0
 1: 20
 2: 10 sink:10
first:20:0
 1: 20 sink:20
