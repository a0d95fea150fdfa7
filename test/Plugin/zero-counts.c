// Explicit zeros are evidence: the other side of a branch gets all of the flow,
// and the zero no more than what is left for the unseen.
// A function with nothing but zeros is left untouched: it says nothing about
// its branches. A branch that never ran keeps its static estimate.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=8192 --input-file=out.ll

//--- app.c
int sink(int);
int known(int N) {
  if (N)
    sink(1);
  else
    sink(2);
  return 3;
}
int zeros(int N) {
  if (N)
    sink(1);
  return 3;
}
int dead_branch(int N) {
  if (N)
    if (N > 5)
      sink(1);
  return 3;
}
// REMARK: zeros is in the profile, but no count meets an instruction
// CHECK-LABEL: define {{.*}}@known({{.*}} !prof
// CHECK: br i1 {{.*}} !prof ![[KNOWN:[0-9]+]]
// CHECK-LABEL: define {{.*}}@zeros(
// CHECK-NOT: !prof
// CHECK-LABEL: define {{.*}}@dead_branch({{.*}} !prof
// CHECK: br i1 {{.*}} !prof ![[OUTER:[0-9]+]]
// CHECK: br i1
// CHECK-NOT: !prof
// CHECK: ret i32
// CHECK-DAG: ![[KNOWN]] = !{!"branch_weights", i32 2, i32 [[#mul(S,100)+1]]}
// CHECK-DAG: ![[OUTER]] = !{!"branch_weights", i32 2, i32 [[#mul(S,200)+1]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
known:100:0
 1: 100
 2: 0
zeros:0:0
 1: 0
 2: 0
 3: 0
dead_branch:100:0
 1: 200
 2: 0
 3: 0
 4: 200
