// Evidence by line becomes branch weights and entry counts, on the control flow
// of common statements. What has no line of its own follows from the rest.
//
// The function "anchor" of the profile is in no module: its greatest count
// makes a sample 8192 (S) in the IR, and its least one makes one sample the
// resolution. Of the latter a 2048th, 4, goes to the edges of each branch by
// static probability, so that what was not seen is not impossible.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.c -D#S=8192

//--- app.c
int sink(int);
int diamond(int N) {
  if (N)
    sink(1);
  else
    sink(2);
  return 3;
}
int loop(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sink(I);
  return Sum;
}
int many(int N) {
  switch (N) {
  case 1:
    return sink(1);
  case 5:
    return sink(5);
  case 9:
    return sink(9);
  default:
    return 0;
  }
}
int single(int N) { 
  return sink(N);
}
_Noreturn void die(void);
int checked(int N) {
  if (N < 0)
    die();
  return sink(N);
}
void server(int N) {
  for (;;)
    if (sink(N))
      sink(1);
}
// CHECK: define {{.*}}@diamond({{.*}} !prof ![[C1000:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[DIAMOND:[0-9]+]]
// CHECK: define {{.*}}@loop({{.*}} !prof ![[C10:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[LOOP:[0-9]+]]
// CHECK: define {{.*}}@many({{.*}} !prof ![[C700:[0-9]+]]
// CHECK: switch
// CHECK: ], !dbg {{.*}} !prof ![[SWITCH:[0-9]+]]
// CHECK: define {{.*}}@single({{.*}} !prof ![[C33:[0-9]+]]
// CHECK: define {{.*}}@checked({{.*}} !prof ![[C50:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[CHECKED:[0-9]+]]
// An endless loop: how often it is entered is not known, but it is. That counts
// as a 16th of a sample.
// CHECK: define {{.*}}@server({{.*}} !prof ![[SERVERENTRY:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[SERVER:[0-9]+]]
// CHECK-DAG: ![[C1000]] = !{!"function_entry_count", i64 [[#mul(S,1000)]]}
// CHECK-DAG: ![[DIAMOND]] = !{!"branch_weights", i32 [[#mul(S,950)+2]], i32 [[#mul(S,50)+1]]}
// CHECK-DAG: ![[C10]] = !{!"function_entry_count", i64 [[#mul(S,10)]]}
// CHECK-DAG: ![[LOOP]] = !{!"branch_weights", i32 [[#mul(S,990)+3]], i32 [[#mul(S,10)]]}
// CHECK-DAG: ![[C700]] = !{!"function_entry_count", i64 [[#mul(S,700)]]}
// The default comes first; all four are as likely.
// CHECK-DAG: ![[SWITCH]] = !{!"branch_weights", i32 1, i32 [[#mul(S,100)+1]], i32 [[#mul(S,200)+1]], i32 [[#mul(S,400)+1]]}
// CHECK-DAG: ![[C33]] = !{!"function_entry_count", i64 [[#mul(S,33)]]}
// CHECK-DAG: ![[C50]] = !{!"function_entry_count", i64 [[#mul(S,50)]]}
// Calls that do not return are next to impossible by static probability, too.
// CHECK-DAG: ![[CHECKED]] = !{!"branch_weights", i32 0, i32 [[#mul(S,50)+3]]}
// CHECK-DAG: ![[SERVERENTRY]] = !{!"function_entry_count", i64 [[#div(S,16)]]}
// CHECK-DAG: ![[SERVER]] = !{!"branch_weights", i32 [[#mul(S,20)+2]], i32 [[#mul(S,880)+1]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
diamond:2000:0
 1: 1000
 2: 950
 5: 1000
loop:2000:0
 1: 10
 3: 990
 4: 10
many:2000:0
 1: 700
 3: 100
 5: 200
 7: 400
 9: 0
single:33:0
 1: 33
checked:100:0
 1: 50
 3: 50
server:1000:0
 2: 900
 3: 20
