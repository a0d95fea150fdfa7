// Of an extended binary profile only what concerns the module is read, except
// before a link with optimization: then contexts of this module's functions may be
// below any function. LLVM 19 does not tell passes what they are run for.

// UNSUPPORTED: llvm-19
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: llvm-profdata merge --sample --extbinary app.prof -o app.extbinary
// RUN: %clang_inlay -O2 -flto=thin -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.extbinary -S -emit-llvm library.c -o - | FileCheck library.c --check-prefixes=CHECK,LTO
// RUN: %clang_inlay -O2 -flto -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.extbinary -S -emit-llvm library.c -o - | FileCheck library.c --check-prefixes=CHECK,LTO
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.extbinary -S -emit-llvm library.c -o - | FileCheck library.c --check-prefixes=CHECK,PLAIN

//--- library.c
int sink(int);
int known(int N) {
  return sink(N);
}
int inlined_elsewhere(int N) {
  return N < 3 ? 1 : sink(N);
}
// CHECK: define {{.*}}@known({{.*}} !prof
// LTO: define {{.*}}@inlined_elsewhere({{.*}} !prof
// PLAIN: define {{.*}}@inlined_elsewhere(
// PLAIN-NOT: !prof
// PLAIN: ret i32
//--- app.prof
known:50:50
 1: 50
main:150:1
 1: 50
 2: inlined_elsewhere:100
  1: 100
