// What was inlined is nested in its callers, by call site; its samples count in
// their totals, and what has none is there with explicit zeros.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o app.prof --format=text --quiet
// RUN: FileCheck app.c --input-file=app.prof --match-full-lines --strict-whitespace

//--- app.c
#define NOP(Label) __asm__ volatile(".globl " #Label "\n" #Label ": nop")
static inline __attribute__((always_inline)) void leaf(int N) {
  NOP(in_leaf);
}
static inline __attribute__((always_inline)) void middle(int N) {
  NOP(in_middle);
  leaf(N);
}
__attribute__((noinline)) void outer(int N) {
  NOP(in_outer);
  if (N) NOP(then_branch); else middle(N);
}
int main(int ArgCount, char **Arguments) {
  outer(ArgCount);
  return 0;
}
//      CHECK:outer:50:0
// CHECK-NEXT: 1: 7
// CHECK-NEXT: 2: 0
// CHECK-NEXT: 2.1: 0
// CHECK-NEXT: 3: 0
// CHECK-NEXT: 2.2: middle:43
// CHECK-NEXT:  1: 3
// CHECK-NEXT:  2: leaf:40
// CHECK-NEXT:   1: 40
//  CHECK-NOT:{{.}}
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+in_leaf x40
sample app+in_middle x3
sample app+in_outer x7
