// A hot context at an indirect call whose target takes something else than the
// call passes, or is not defined here, is left to the pointer.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --input-file=out.ll

//--- app.c
int sink(int);
int target(double A, double B, double C) {
  return sink(A + B + C);
}
int elsewhere(int);
int call(int (*F)(int), int N) {
  return F(N) + elsewhere(N);
}
// REMARK: hot context of target in call (5000 samples) is not inlined: the indirect call cannot be promoted
// CHECK-LABEL: define {{.*}}@call(
// CHECK-NOT: icmp
// CHECK: call i32 %{{.*}} !prof ![[TARGETS:[0-9]+]]
// CHECK: ![[TARGETS]] = !{!"VP", i32 0, i64 8000, i64 {{-?[0-9]+}}, i64 5000, i64 {{-?[0-9]+}}, i64 3000}
//--- app.prof
anchor:4294967296:0
 1: 4294967296
call:8000:0
 1: target:5000
  1: 5000
 1: elsewhere:3000
  1: 3000
