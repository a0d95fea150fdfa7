// Recursion was inlined into itself several levels deep in the profiled binary:
// all levels end up in the function's one profile, each counted once.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;hot-count=1>' -S app.ll | FileCheck app.c -D#S=8192

//--- app.c
int walk(int N) {
  if (N)
    return walk(N - 1);
  return 7;
}
// CHECK: define {{.*}}@walk({{.*}} !prof ![[ENTRY:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// 100 + 50 + 40 entries, 80 + 45 + 0 calls, 20 + 5 + 40 ends.
// CHECK-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 [[#mul(S,190)]]}
// CHECK-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 [[#mul(S,125)+2]], i32 [[#mul(S,65)+1]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
walk:500:0
 1: 100
 2: 80
 3: 20
 2: walk:300
  1: 50
  2: 45
  3: 5
  2: walk:80
   1: 40
   2: 0
   3: 40
