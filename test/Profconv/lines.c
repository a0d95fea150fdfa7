// One location per (line offset, discriminator): the maximum over its
// instructions, an explicit 0 without samples; the function's total is the sum.
// The same from DWARF 4 and 5, at a fixed and at a free address.

// RUN: rm -rf %t && split-file %s %t && cd %t

// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -gdwarf-5 app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o app.prof --format=text --quiet
// RUN: FileCheck %s --input-file=app.prof --match-full-lines --strict-whitespace
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -gdwarf-4 app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o app.prof --format=text --quiet
// RUN: FileCheck %s --input-file=app.prof --match-full-lines --strict-whitespace
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -no-pie app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o app.prof --format=text --quiet
// RUN: FileCheck %s --input-file=app.prof --match-full-lines --strict-whitespace

//      CHECK:work:114:0
// CHECK-NEXT: 1: 40
// CHECK-NEXT: 1.1: 60
// CHECK-NEXT: 2: 5
// CHECK-NEXT: 3: 0
// CHECK-NEXT: 3.1: 0
// CHECK-NEXT: 3.2: 7
// CHECK-NEXT: 4: 0

//--- app.c
#define NOP(Label) __asm__ volatile(".globl " #Label "\n" #Label ": nop")
__attribute__((noinline)) void work(int N) {
  NOP(one); NOP(two); // one discriminator for each statement
  __asm__ volatile(".globl three, more\nthree: nop\nmore: nop");
  if (N) NOP(four); else NOP(five);
}
int main(int ArgCount, char **Arguments) {
  work(ArgCount);
  return 0;
}
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+one x40
sample app+two x60
sample app+three x2
sample app+more x5
sample app+five x7
