// The inliner takes each call that it inlines from the callee's entries. A caller
// of which the profile knows nothing finds some left, so that the callee is not
// cold there; without such a caller the count is the profile's.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-inline=false -S app.ll | FileCheck app.c
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=INLINED

//--- app.c
int sink(int);
static int common(int N) { return sink(N) + sink(N + 1) + sink(N + 2) * sink(N + 3); }
static int private(int N) { return sink(N) - sink(N + 1) + sink(N + 2) * sink(N + 3); }
int known(int N) {
  return common(N) + private(N);
}
int unknown(int N) {
  return common(N);
}
// Four times what the caller is known to call, though its own counts are fewer.
// CHECK-DAG: define {{.*}}@common({{.*}} !prof ![[#MANY:]]
// CHECK-DAG: define {{.*}}@private({{.*}} !prof ![[#FEW:]]
// CHECK-DAG: ![[#MANY]] = !{!"function_entry_count", i64 2048016001}
// CHECK-DAG: ![[#FEW]] = !{!"function_entry_count", i64 512000000}
// INLINED-LABEL: define {{.*}}@unknown(
// INLINED-NOT: call {{.*}}@common(
// INLINED: ret i32
//--- app.prof
anchor:10485760:0
 1: 10485760
common:1000:1000
 0: 1000
private:10000:1000000
 0: 1000000
known:10000:1000000
 1: 1000000 common:1000000 private:1000000
