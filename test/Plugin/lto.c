// Full and ThinLTO: compiling annotates, and the link, whose pipeline runs the
// plugin once more when it is loaded there, does not annotate again.

// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -flto=thin -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -c a.c -o a.thin.o
// RUN: %clang_inlay -O2 -flto=thin -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -c main.c -o main.thin.o
// RUN: ld.lld --load-pass-plugin=%inlay_plugin -mllvm -load=%inlay_plugin -mllvm -inlay-profile=app.prof -mllvm -pass-remarks=inlay --lto-O2 -e main a.thin.o main.thin.o -o thin 2>&1 | FileCheck a.c --allow-empty --check-prefix=LINK
// RUN: %clang_inlay -O2 -flto -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -c a.c -o a.full.o
// RUN: %clang_inlay -O2 -flto -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -c main.c -o main.full.o
// RUN: ld.lld --load-pass-plugin=%inlay_plugin -mllvm -load=%inlay_plugin -mllvm -inlay-profile=app.prof -mllvm -pass-remarks=inlay --lto-O2 -e main a.full.o main.full.o -o full 2>&1 | FileCheck a.c --allow-empty --check-prefix=LINK
// The link does run it (after thin LTO), as objects show that were compiled
// without.
// RUN: %clang -O2 -flto=thin -gmlt -fdebug-info-for-profiling -c a.c -o a.plain.o
// RUN: %clang -O2 -flto=thin -gmlt -fdebug-info-for-profiling -c main.c -o main.plain.o
// RUN: ld.lld --load-pass-plugin=%inlay_plugin -mllvm -load=%inlay_plugin -mllvm -inlay-profile=app.prof -mllvm -pass-remarks=inlay --lto-O2 -e main a.plain.o main.plain.o -o plain 2>&1 | FileCheck a.c --check-prefix=PLAIN
// RUN: llvm-dis a.thin.o -o - | FileCheck a.c
// RUN: llvm-dis a.full.o -o - | FileCheck a.c

//--- a.c
int a(int N) {
  return N * 3;
}
// CHECK: define {{.*}}@a({{.*}} !prof
// CHECK: !{i32 7, !"inlay-annotated", i32 1}
// LINK-NOT: {{.}}
// PLAIN: used {{[0-9]+}} of {{[0-9]+}} counts
//--- main.c
int a(int);
int main(int Count, char **Arguments) {
  return a(Count);
}
//--- app.prof
a:10:0
 1: 10
main:10:0
 1: 10 a:10
