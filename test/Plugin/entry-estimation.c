// A timer often misses the first line of an inlined copy. How often the copy was
// entered then follows from the flow of the callee's control-flow graph, and the
// call site is raised to that.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;no-inline>' -S app.ll | FileCheck app.c -D#S=8192

//--- app.c
int sink(int);
int elsewhere(int);
int straight(int N) {
  sink(N);
  if (N > 5)
    sink(1);
  return sink(3);
}
int loop(int N) {
  sink(N);
  for (int I = 0; I < N; ++I)
    sink(I);
  return sink(3);
}
int outer(int N) {
  sink(N);
  if (N > 5)
    sink(1);
  return straight(N);
}
int calls_straight(int N) {
  if (N > 5)
    return straight(N);
  return sink(4);
}
int calls_loop(int N) {
  if (N > 5)
    return loop(N);
  return sink(4);
}
int calls_outer(int N) {
  if (N > 5)
    return outer(N);
  return sink(4);
}
int calls_elsewhere(int N) {
  if (N > 5)
    return elsewhere(N);
  return sink(4);
}
int calls_known(int N) {
  if (N > 5)
    return straight(N);
  return sink(4);
}
// CHECK-LABEL: define {{.*}}@calls_straight(
// CHECK: br i1 {{.*}} !prof ![[STRAIGHT:[0-9]+]]
// CHECK-LABEL: define {{.*}}@calls_loop(
// CHECK: br i1 {{.*}} !prof ![[LOOP:[0-9]+]]
// CHECK-LABEL: define {{.*}}@calls_outer(
// CHECK: br i1 {{.*}} !prof ![[OUTER:[0-9]+]]
// CHECK-LABEL: define {{.*}}@calls_elsewhere(
// CHECK: br i1 {{.*}} !prof ![[ELSEWHERE:[0-9]+]]
// CHECK-LABEL: define {{.*}}@calls_known(
// CHECK: br i1 {{.*}} !prof ![[KNOWN:[0-9]+]]
// Every entry reaches the last line, which has 400.
// CHECK-DAG: ![[STRAIGHT]] = !{!"branch_weights", i32 [[#mul(S,400)+2]], i32 [[#mul(S,50)+2]]}
// The iterations of a loop say nothing about how often it was entered, but that
// it was: a 16th of a sample.
// CHECK-DAG: ![[LOOP]] = !{!"branch_weights", i32 [[#div(S,16)+2]], i32 [[#mul(S,50)+2]]}
// From the inside out: all that is known of outer is the copy in it.
// CHECK-DAG: ![[OUTER]] = !{!"branch_weights", i32 [[#mul(S,300)+2]], i32 [[#mul(S,50)+2]]}
// No definition, no flow; but what ran was entered.
// CHECK-DAG: ![[ELSEWHERE]] = !{!"branch_weights", i32 [[#div(S,16)+2]], i32 [[#mul(S,60)+2]]}
// The profile knows the entry: nothing to estimate.
// CHECK-DAG: ![[KNOWN]] = !{!"branch_weights", i32 [[#mul(S,7)+2]], i32 [[#mul(S,50)+2]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
calls_straight:450:0
 3: 50
 2: straight:400
  1: 0
  4: 400
calls_loop:1050:0
 3: 50
 2: loop:1000
  1: 0
  3: 1000
calls_outer:350:0
 3: 50
 2: outer:300
  1: 0
  4: straight:300
   1: 0
   4: 300
calls_elsewhere:460:0
 3: 60
 2: elsewhere:400
  1: 0
  4: 400
calls_known:57:0
 3: 50
 2: straight:7
  1: 7
