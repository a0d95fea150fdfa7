// A function of which nothing has been left but the name and two calls is not
// stretched over its successor: its counts stay, and nobody claims to have
// recovered them.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --allow-empty
// With a lower threshold it is.
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-stale-similarity=1 -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=LOW

//--- app.c
int sink(int), another(int);
int rewritten(int N) {
  int Table[8];
  for (int I = 0; I < 8; ++I)
    Table[I] = N * I;
  sink(Table[N & 7]);
  return another(4);
}
// CHECK-NOT: has changed
// LOW: rewritten has changed since the profile
//--- app.prof
rewritten:1200:100
 20: 100 alpha:100
 21: 100 beta:100
 22: 100 gamma:100
 23: 100 delta:100
 24: 100 epsilon:100
 25: 100 zeta:100
 26: 100 eta:100
 27: 100 theta:100
 28: 100 iota:100
 29: 100 kappa:100
 30: 100 sink:100
 31: 100 another:100
