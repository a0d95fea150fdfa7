// For benchmarks, a conversion can use fewer samples than there are, drawn at
// random: the same by the same seed. The drawing itself is accuracy's.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang --target=x86_64-linux-gnu -O2 -gmlt -fdebug-info-for-profiling -c app.c -o app.o
// RUN: ld.lld -Ttext=0x201000 -e work app.o -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv perf.data --estimator=max --samples=400 -o a.prof 2>&1 | FileCheck %s
// CHECK: 100.0 % of 400 samples
// RUN: llvm-profconv perf.data --estimator=max --samples=400 -o b.prof --quiet
// RUN: cmp a.prof b.prof
// RUN: llvm-profconv perf.data --estimator=max --samples=400 --seed=1 -o c.prof --quiet
// RUN: not cmp a.prof c.prof

// All of them are no others.
// RUN: llvm-profconv perf.data --estimator=max -o all.prof --quiet
// RUN: llvm-profconv perf.data --estimator=max --samples=1000 -o same.prof --quiet
// RUN: cmp all.prof same.prof

//--- app.c
__attribute__((naked)) void work(void) {
  __asm__("inc %eax");
  __asm__("inc %ebx");
  __asm__("ret");
}

//--- samples
event cpu-clock:u
map pid=10 file=app
sample 0x201000 x600
sample 0x201002 x400
