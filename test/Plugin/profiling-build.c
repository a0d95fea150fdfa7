// Equal calls through a pointer in two blocks become one, which belongs to no
// line: how often which callee was called can be told to neither call site. In a
// build for profiling each keeps its line, with or without a profile in use.

// RUN: %clang -O2 -gmlt -S -emit-llvm %s -o - | FileCheck %s --check-prefix=MERGED
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profiling-build -S -emit-llvm %s -o - | FileCheck %s
// RUN: echo 'visit:10:10' > %t.prof
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profiling-build -mllvm -inlay-profile=%t.prof -S -emit-llvm %s -o - | FileCheck %s
// Not without optimization, where nothing is merged.
// RUN: %clang_inlay -O0 -mllvm -inlay-profiling-build -S -emit-llvm %s -o - | FileCheck %s --check-prefix=O0

// MERGED-LABEL: define {{.*}}@visit(
// MERGED-COUNT-1: call void %
// MERGED-NOT: call void %
// MERGED: ret void
// CHECK-LABEL: define {{.*}}@visit(
// CHECK: call void %{{.*}}, !dbg ![[#FIRST:]]
// CHECK: call void %{{.*}}, !dbg ![[#SECOND:]]
// CHECK: attributes #{{.*}} = { nomerge
// CHECK-DAG: ![[#FIRST]] = !DILocation(line: [[#@LINE+10]],
// CHECK-DAG: ![[#SECOND]] = !DILocation(line: [[#@LINE+12]],
// O0-NOT: nomerge

extern int State;
void note(void);
void visit(void (*Handler)(int), int N) {
  if (N > 3) {
    State = 1;
    note();
    Handler(N);
  } else {
    State = 2;
    Handler(N);
  }
}
