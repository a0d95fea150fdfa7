// A hot context at an indirect call: its target is compared for and inlined; all
// other targets still go through the pointer.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=8192 --input-file=out.ll

//--- app.c
int sink(int);
int target(int N) {
  return sink(N + 12345);
}
int other(int N) {
  return sink(N + 999);
}
int call(int (*F)(int), int N) {
  return F(N);
}
// REMARK: app.c:9:10: inlined hot context of target into call: 5000 samples
// REMARK: promoted 1 indirect calls
// CHECK-LABEL: define {{.*}}@call(
// CHECK: icmp eq ptr %[[F:.*]], @target
// CHECK-NEXT: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// CHECK-DAG: call i32 %[[F]](
// CHECK-DAG: add nsw i32 {{.*}}, 12345
// CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 [[#mul(S,5000)+1]], i32 [[#mul(S,100)+2]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
call:10100:0
 1: 5100 other:100
 1: target:5000
  1: 5000
