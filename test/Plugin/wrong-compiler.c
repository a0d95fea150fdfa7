// Loaded into a compiler of another major version, the plugin says so and ends
// the compilation: two LLVMs in one process would crash sooner or later.

// REQUIRES: other-clang
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: not %other_clang -O2 -fplugin=%inlay_plugin -fpass-plugin=%inlay_plugin -c %s -o out.o 2>&1 | FileCheck %s
// RUN: not %other_clang -O2 -fpass-plugin=%inlay_plugin -c %s -o out.o 2>&1 | FileCheck %s
// RUN: not ls out.o
// CHECK-NOT: Stack dump
// CHECK: error: {{.*}}Inlay.so
// CHECK-NOT: Stack dump
int f(int N) { return N; }
