// What is not inlined is merged into the callee: line by line the sum over all
// contexts and the callee's own profile. At the call site the caller keeps the
// greater of its own count and what entered the inlinee: not their sum, which
// would count the same calls twice.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;no-inline>' -pass-remarks-analysis=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c -D#S=8192 --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=8192 --check-prefix=IR --input-file=out.ll

//--- app.c
int callee(int N) {
  if (N)
    return N * 3;
  return 7;
}
int first(int N) {
  if (N > 5)
    return callee(N);
  return 0;
}
int second(int N) {
  if (N > 5)
    return callee(N);
  return 0;
}
// The sum over both contexts and the root: 100 + 1000 + 10.
// REMARK-DAG: annotated callee: entry count [[#mul(S,1110)]],
// The call site: 100 went into the inlinee, more than its own 60.
// REMARK-DAG: annotated first: entry count [[#mul(S,400)]],
// Here the line's own count is the greater: 1500.
// REMARK-DAG: annotated second: entry count [[#mul(S,2000)]],

// IR-LABEL: define {{.*}}@callee(
// IR: br i1 {{.*}} !prof ![[CALLEE:[0-9]+]]
// IR-LABEL: define {{.*}}@first(
// IR: br i1 {{.*}} !prof ![[FIRST:[0-9]+]]
// IR-LABEL: define {{.*}}@second(
// IR: br i1 {{.*}} !prof ![[SECOND:[0-9]+]]
// IR-DAG: ![[CALLEE]] = !{!"branch_weights", i32 [[#mul(S,92)+2]], i32 [[#mul(S,1018)+1]]}
// IR-DAG: ![[FIRST]] = !{!"branch_weights", i32 [[#mul(S,100)+2]], i32 [[#mul(S,300)+2]]}
// IR-DAG: ![[SECOND]] = !{!"branch_weights", i32 [[#mul(S,1500)+2]], i32 [[#mul(S,500)+2]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
first:560:0
 1: 400
 2: 60
 3: 300
 2: callee:200
  1: 100
  2: 90
  3: 10
second:5500:0
 1: 2000
 2: 1500
 3: 500
 2: callee:2000
  1: 1000
  2: 0
  3: 1000
callee:20:0
 1: 10
 2: 2
 3: 8
