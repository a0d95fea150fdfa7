// Few samples: counts are scaled by one factor that depends on the profile's
// summary alone, so that flow keeps fractions of a sample.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.c

//--- app.c
int sink(int);
int f(int N) {
  if (N)
    sink(1);
  return 3;
}
// CHECK: define {{.*}}@f({{.*}} !prof ![[ENTRY:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// The greatest count, 8, becomes 2^32.
// CHECK-DAG: !{!"MaxCount", i64 4294967296}
// CHECK-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 4294967296}
// One sample is 2^29. 2^18 more, a 2048th of that, is for what was not seen: 5/8
// of it at this edge, 3/8 at the other, 7 * 2^29 + 98304 as a signed number.
// CHECK-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 [[#536870912+163840]], i32 -536772608}
//--- app.prof
f:10:0
 1: 8
 2: 1
elsewhere:2:0
 1: 1
 2: 1
