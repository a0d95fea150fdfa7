// Without debug information no count finds its instruction: a warning that says
// what to add. A module without functions needs none.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -mllvm -inlay-profile=app.prof -c app.c -o app.o 2>&1 | FileCheck app.c
// RUN: %clang_inlay -O2 -mllvm -inlay-profile=app.prof -Werror -c data.c -o data.o

//--- app.c
int f(int N) {
  return N;
}
// CHECK: warning: app.prof: Inlay: the module has no debug information, so that the profile cannot be used; add -gmlt -fdebug-info-for-profiling
// CHECK-NOT: warning:
//--- data.c
int Data = 3;
//--- app.prof
f:10:0
 1: 10
 2: 10
 3: 10
 4: 10
