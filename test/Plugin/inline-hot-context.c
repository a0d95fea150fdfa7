// A context whose total reaches the hot threshold is inlined, and a remark says
// why. The copy gets the context's own counts.
//
// The function "anchor" of the profile is in no module: its greatest count
// makes a sample 8192 (S) in the IR, and its least one makes one sample the
// resolution. Of the latter a 2048th, 4, goes to the edges of each branch by
// static probability, so that what was not seen is not impossible.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
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
// REMARK: app.c:7:10: inlined hot context of callee into caller: 2000 samples reach the hot threshold of 1000, cost {{-?[0-9]+}} is within 3000{{$}}

// IR-LABEL: define {{.*}}@callee(
// IR: define {{.*}}@caller({{.*}} !prof ![[ENTRY:[0-9]+]]
// IR-NOT: call {{.*}}@callee
// IR: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
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
