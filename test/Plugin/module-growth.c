// Contexts compete for what their function may grow by: the one that is entered
// most often for its size comes first, though another has more samples in total.
// What all functions together may grow by has a limit, too.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o /dev/null 2>&1 | FileCheck app.c
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -inlay-growth-max=40 -inlay-growth-min=0 -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o /dev/null 2>&1 | FileCheck app.c --check-prefix=FUNCTION
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -inlay-growth-max=70 -inlay-growth-min=0 -inlay-module-growth=0 -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o /dev/null 2>&1 | FileCheck app.c --check-prefix=MODULE

//--- app.c
int sink(int);
int heavy(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sink(I) * sink(I + 1) - sink(I + 2) * sink(I + 3);
  return Sum;
}
int often(int N) {
  if (N)
    sink(N);
  return N;
}
int caller(int N) {
  return heavy(N)
       + often(N);
}
int another(int N) {
  return heavy(N);
}
// CHECK: inlined hot context of often into caller
// CHECK: inlined hot context of heavy into caller
// CHECK: inlined hot context of heavy into another
// FUNCTION: inlined hot context of often into caller
// FUNCTION: hot context of heavy in caller (9000 samples) is not inlined: the caller would grow to [[#]] instructions, more than its budget of 40
// MODULE: inlined hot context of often into caller
// MODULE: inlined hot context of heavy into caller
// MODULE: hot context of heavy in another (9000 samples) is not inlined: the module may grow by no more than [[#]] instructions
//--- app.prof
caller:16100:100
 1: heavy:9000
  1: 10
  3: 9000
 2: often:7000
  1: 3500
  2: 3500
another:9000:10
 1: heavy:9000
  1: 10
  3: 9000
