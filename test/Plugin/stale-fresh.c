// A profile of this very source stays as it is, however much of it is not in the
// IR: with matching the result is the same, byte for byte, and nothing is said.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -Rpass-analysis=inlay -c app.c -o with.o 2>&1 | FileCheck app.c
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-stale-matching=false -c app.c -o without.o
// RUN: cmp with.o without.o

//--- app.c
int sink(int);
static int helper(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sink(I);
  return Sum;
}
int run(int N, int (*Call)(int)) {
  if (N > 100)
    return helper(N);
  sink(1);
  return Call(N);
}
// CHECK-NOT: since the profile
// CHECK-NOT: of older source
//--- app.prof
# The targets of an indirect call are in no source, prologues are on line 0, and
# what was cold on line 6 has been optimized away.
run:900:100
 0: 100
 1: 100
 2: 20
 3: 80 sink:80
 4: 80 outside:50 another:30
 6: 0
 2: helper:500
  2: 200
  2.1: 200
  3: 200 sink:200
  4: 20
