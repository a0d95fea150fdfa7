// A profile may list what the profiled binary defined. A function of that list
// without samples never ran: entry count 0. One that is in neither is new since,
// and nothing is known of it; so it is with one that has no profile of its own, but
// was inlined in a function of another module, or called from there.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: llvm-profdata merge --sample --extbinary --prof-sym-list=symbols app.prof -o app.extbinary
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.extbinary>' -S app.ll | FileCheck app.c
// RUN: llvm-profdata merge --sample --extbinary --compress-all-sections --prof-sym-list=symbols app.prof -o app.compressed
// RUN: %opt_inlay -passes='inlay<profile=app.compressed>' -S app.ll | FileCheck app.c

//--- app.c
int ran(int N) {
  return N;
}
int never(int N) {
  return N;
}
int later(int N) {
  return N;
}
int inlined(int N) {
  return N;
}
int called(int N) {
  return N;
}
// CHECK: define {{.*}}@ran({{.*}} !prof
// CHECK: define {{.*}}@never({{.*}} !prof ![[ZERO:[0-9]+]]
// CHECK: define {{.*}}@later(
// CHECK-NOT: !prof
// CHECK: define {{.*}}@inlined(
// CHECK-NOT: !prof
// CHECK: define {{.*}}@called(
// CHECK-NOT: !prof
// CHECK: ret i32
// CHECK: ![[ZERO]] = !{!"function_entry_count", i64 0}
//--- symbols
ran
never
inlined
called
elsewhere
//--- app.prof
ran:10:0
 1: 10
elsewhere:20:0
 1: 10 called:10
 2: inlined:10
  1: 10
