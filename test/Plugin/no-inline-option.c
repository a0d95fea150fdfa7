// Inlining can be turned off, by a parameter and by an option; counts are
// annotated all the same.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1;no-inline>' -S app.ll | FileCheck app.c --check-prefix=CALL
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1>' -inlay-inline=false -S app.ll | FileCheck app.c --check-prefix=CALL
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1>' -S app.ll | FileCheck app.c --check-prefix=NONE

//--- app.c
int callee(int N) {
  return N ? N * 3 : 7;
}
int caller(int N) {
  return callee(N);
}
// CALL: define {{.*}}@callee({{.*}} !prof
// CALL: define {{.*}}@caller({{.*}} !prof
// CALL: call {{.*}}@callee
// NONE: define {{.*}}@caller({{.*}} !prof
// NONE-NOT: call {{.*}}@callee
// NONE: ret i32
//--- app.prof
caller:2000:0
 1: callee:2000
  1: 2000
