// -O0 does nothing, whatever else is asked for; -O1 and up, and -Os, annotate.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O0 -gmlt -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=NONE
// RUN: %clang_inlay -O0 -gmlt -mllvm -inlay-profile=missing.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=NONE
// RUN: %clang_inlay -O1 -gmlt -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: %clang_inlay -Os -gmlt -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: %clang_inlay -O3 -gmlt -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c
// Without a profile the plugin is inert.
// RUN: %clang_inlay -O2 -gmlt -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=NONE

//--- app.c
int f(int N) {
  return N;
}
// CHECK: define {{.*}}@f({{.*}} !prof
// NONE-NOT: !prof
// NONE-NOT: inlay-annotated
//--- app.prof
f:10:0
 1: 10
