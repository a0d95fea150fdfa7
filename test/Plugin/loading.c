// The plugin is loaded by clang for the pass and its options, and by opt.

// RUN: rm -rf %t && split-file %s %t && cd %t
// -fplugin= makes the options known in all versions.
// RUN: %clang -O2 -gmlt -fplugin=%inlay_plugin -fpass-plugin=%inlay_plugin -mllvm -inlay-profile=app.prof -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: env INLAY_PROFILE=app.prof %clang -O2 -gmlt -fpass-plugin=%inlay_plugin -S -emit-llvm app.c -o - | FileCheck app.c
// RUN: %clang -O2 -gmlt -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: opt -load-pass-plugin=%inlay_plugin -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.c
// RUN: opt -load-pass-plugin=%inlay_plugin -inlay-profile=app.prof -passes='default<O2>' -S app.ll | FileCheck app.c

//--- app.c
int f(int N) {
  return N;
}
// CHECK: define {{.*}}@f({{.*}} !prof
// CHECK: inlay-annotated
//--- app.prof
f:10:0
 1: 10
