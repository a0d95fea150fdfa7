// What is hot: an absolute count, or the share of all counts that the hottest
// lines make up together.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// By default lines that make up 95% are hot, the last of which has 90 here.
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c -DHOT=90
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-hot-percentile=990000 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c -DHOT=20
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-hot-percentile=800000 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c -DHOT=900
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-hot-count=77 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c -DHOT=77
// The parameter of the pass wins.
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=66>' -inlay-hot-count=77 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c -DHOT=66

//--- app.c
int callee(int N) {
  return N * 3;
}
int caller(int N) {
  return callee(N);
}
// CHECK: context of callee in caller is not inlined: 1 samples are below the hot threshold of [[HOT]]{{$}}
//--- app.prof
anchor:1010:0
 1: 900
 2: 90
 3: 20
caller:1:0
 1: callee:1
  1: 1
