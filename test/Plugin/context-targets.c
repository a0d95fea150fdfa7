// Contexts of an indirect call. A context-sensitive profile has a call's targets
// twice: as targets of the line, and as contexts below it. The one that is
// promoted and inlined is gone from the value profile of the call that remains;
// the others stay there, for LLVM's promotion. The targets of a copy are those of
// its own context: `apply' calls `twice' for `first' and `thrice' for `second'.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-resolution=1 -passes='inlay<profile=app.prof;hot-count=500>' -verify-each -pass-remarks=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=8192 --input-file=out.ll

//--- app.c
int sink(int);
int twice(int X) {
  if (X > 3)
    return sink(2 * X + 22222);
  return 0;
}
int thrice(int X) {
  if (X > 3)
    return sink(3 * X + 33333);
  return 0;
}
int apply(int (*F)(int), int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += F(I);
  return Sum;
}
int (*function)(int);
int first(int N) {
  return apply(function, N);
}
int second(int N) {
  return apply(function, N);
}
// REMARK-DAG: inlined hot context of apply into first
// REMARK-DAG: inlined hot context of apply into second
// REMARK-DAG: inlined hot context of twice into first
// REMARK: promoted 1 indirect calls
// CHECK-LABEL: define {{.*}}@first(
// CHECK: icmp eq ptr %{{.*}}, @twice
// CHECK-NOT: icmp eq ptr
// CHECK: call i32 %{{.*}}(i32 {{.*}}) {{.*}}!prof ![[FIRST:[0-9]+]]
// CHECK-LABEL: define {{.*}}@second(
// CHECK-NOT: icmp eq ptr
// CHECK: call i32 %{{.*}}(i32 {{.*}}) {{.*}}!prof ![[SECOND:[0-9]+]]
// CHECK-DAG: ![[FIRST]] = !{!"VP", i32 0, i64 [[#mul(S,100)]], i64 [[THRICE:-?[0-9]+]], i64 [[#mul(S,100)]]}
// CHECK-DAG: ![[SECOND]] = !{!"VP", i32 0, i64 [[#mul(S,9000)]], i64 {{.*}}, i64 [[#mul(S,9000)]]}
//--- app.prof
[anchor]:524288:0
 1: 524288
[first]:10:10
 1: 10 apply:10
[first:1 @ apply]:20000:10
 0: 10
 1: 10
 2: 9100
 3: 9100 twice:9000 thrice:100
 4: 10
[first:1 @ apply:3 @ twice]:18000:9000
 1: 9000
 2: 8000 sink:8000
 3: 1000
[second]:10:10
 1: 10 apply:10
[second:1 @ apply]:20000:10
 0: 10
 1: 10
 2: 9000
 3: 9000 thrice:9000
 4: 10
[thrice]:18000:9100
 1: 9100
 2: 8000 sink:8000
 3: 1000
[twice]:18000:9000
 1: 9000
 2: 500 sink:500
 3: 8500
