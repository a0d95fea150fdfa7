// Evidence by line becomes branch weights and entry counts, on the control flow
// of common statements. What has no line of its own follows from the rest.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.c

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
// An endless loop: how often it is entered is not known, but it is.
// CHECK: define {{.*}}@server({{.*}} !prof ![[#]]
// CHECK: br i1 {{.*}} !prof ![[SERVER:[0-9]+]]
// CHECK-DAG: ![[C1000]] = !{!"function_entry_count", i64 1000}
// CHECK-DAG: ![[DIAMOND]] = !{!"branch_weights", i32 950, i32 50}
// CHECK-DAG: ![[C10]] = !{!"function_entry_count", i64 10}
// CHECK-DAG: ![[LOOP]] = !{!"branch_weights", i32 990, i32 10}
// CHECK-DAG: ![[C700]] = !{!"function_entry_count", i64 700}
// The default comes first.
// CHECK-DAG: ![[SWITCH]] = !{!"branch_weights", i32 0, i32 100, i32 200, i32 400}
// CHECK-DAG: ![[C33]] = !{!"function_entry_count", i64 33}
// CHECK-DAG: ![[C50]] = !{!"function_entry_count", i64 50}
// CHECK-DAG: ![[CHECKED]] = !{!"branch_weights", i32 0, i32 50}
// CHECK-DAG: ![[SERVER]] = !{!"branch_weights", i32 20, i32 {{[0-9]+}}}
//--- app.prof
anchor:4294967296:0
 1: 4294967296
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
