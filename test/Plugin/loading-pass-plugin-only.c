// From LLVM 22 on, clang knows a pass plugin's options without -fplugin=.

// REQUIRES: llvm-22
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O2 -gmlt -fpass-plugin=%inlay_plugin -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c

//--- app.c
int f(int N) {
  return N;
}
// CHECK: define {{.*}}@f({{.*}} !prof
//--- app.prof
f:10:0
 1: 10
