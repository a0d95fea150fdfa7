// INLAY_PROFILE names the profile where no option does; an option wins.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: env INLAY_PROFILE=app.prof %clang_inlay -O2 -gmlt -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: env INLAY_PROFILE=missing.prof %clang_inlay -O2 -gmlt -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: env INLAY_PROFILE= %clang_inlay -O2 -gmlt -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=NONE
// RUN: not env INLAY_PROFILE=missing.prof %clang_inlay -O2 -gmlt -S -emit-llvm app.c -o - 2>&1 | FileCheck app.c --check-prefix=MISSING

//--- app.c
int f(int N) {
  return N;
}
// CHECK: define {{.*}}@f({{.*}} !prof
// NONE-NOT: !prof
// MISSING: error: missing.prof: Inlay: cannot read the profile: No such file or directory
//--- app.prof
f:10:0
 1: 10
