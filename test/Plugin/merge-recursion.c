// Recursion was inlined into itself several levels deep in the profiled binary:
// all levels end up in the function's one profile, each counted once.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1>' -S app.ll | FileCheck app.c

//--- app.c
int walk(int N) {
  if (N)
    return walk(N - 1);
  return 7;
}
// CHECK: define {{.*}}@walk({{.*}} !prof ![[ENTRY:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// 100 + 50 + 40 entries, 80 + 45 + 0 calls, 20 + 5 + 40 ends.
// CHECK-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 190}
// CHECK-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 125, i32 65}
//--- app.prof
anchor:4294967296:0
 1: 4294967296
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
