// A context below the hot threshold stays a call; a missed remark names its
// samples and the threshold. Its counts go to the callee's own profile.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;hot-count=2001>' -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --check-prefix=IR -D#S=8192 --input-file=out.ll

//--- app.c
int callee(int N) {
  if (N)
    return N * 3;
  return 7;
}
int caller(int N) {
  return callee(N);
}
// REMARK-NOT: inlined hot context
// REMARK: app.c:7:10: context of callee in caller is not inlined: 2000 samples are below the hot threshold of 2001

// IR: define {{.*}}@callee({{.*}} !prof ![[ENTRY:[0-9]+]]
// IR: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// IR-LABEL: define {{.*}}@caller(
// IR: call {{.*}}@callee
// IR-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 [[#mul(S,1000)]]}
// IR-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 [[#mul(S,900)+2]], i32 [[#mul(S,100)+1]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
caller:2000:0
 1: callee:2000
  1: 1000
  2: 900
  3: 100
