// One line makes up nearly all of the profile, more than 99.9999 %: its count is
// the resolution, and all else is cold. Yet what was seen of the rest keeps its
// proportions.
//
// The greatest count is 2^32, so that counts are not scaled.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof;no-inline>' -S app.ll | FileCheck app.c

//--- app.c
int sink(int);
int diamond(int N) {
  if (N > 5)
    sink(1);
  else
    sink(2);
  return sink(3);
}
int calls(int N) {
  if (N > 5)
    return diamond(N);
  return sink(4);
}
// CHECK: define {{.*}}@diamond({{.*}} !prof ![[ENTRY:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// CHECK-LABEL: define {{.*}}@calls(
// CHECK: br i1 {{.*}} !prof ![[CALLS:[0-9]+]]
// CHECK-DAG: !{i32 999999, i64 [[#div(4294967296,32)]], i32 1}
// The greatest count of the function, 1024, is its resolution, and 64 the unit.
// CHECK-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 1024}
// CHECK-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 768, i32 256}
// The entry of the copy follows from its last line.
// CHECK-DAG: ![[CALLS]] = !{!"branch_weights", i32 1024, i32 512}
//--- app.prof
anchor:4294967296:0
 1: 4294967296
calls:1536:0
 3: 512
 2: diamond:1024
  1: 0
  2: 768
  4: 256
  5: 1024
