// --estimator=model, the default, estimates executions: they are conserved, so
// that what follows each other executes alike however its samples vary; they are
// on an absolute scale; the function's entry becomes head samples, calls become
// targets. What was never seen beside what was is 0, but the way into a loop is
// not.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang --target=x86_64-linux-gnu -O2 -gmlt -fdebug-info-for-profiling -c app.c -o app.o
// RUN: %clang --target=x86_64-linux-gnu -fuse-ld=lld -nostdlib -pie -Wl,-e,main app.o -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv perf.data -o app.prof --format=text 2>&1 | FileCheck %s --check-prefix=NOTE
// NOTE: note: the recording does not tell its CPU; going by those of {{.*}}amd-zen3
// NOTE: note: app: {{[5-9][0-9]}} % of the executed instructions are counted within a factor of two{{$}}
// NOTE: note: 6720 samples read, 6720 used, in 2 functions

// RUN: FileCheck %s --input-file=app.prof --match-full-lines
//      CHECK: work:{{[0-9]+}}:{{[1-9][0-9]*}}
//      CHECK: 1: {{[1-9][0-9]*}}
//      CHECK: 3: [[HOT:[0-9]+]]
// CHECK-NEXT: 3.1: [[HOT]]
// CHECK-NEXT: 3.2: [[HOT]]
// CHECK-NEXT: 3.3: [[HOT]]
// CHECK-NEXT: 4: [[HOT]]
// CHECK-NEXT: 5: 0
// CHECK-NEXT: 5.1: 0
// CHECK-NEXT: 5.2: 0
// CHECK-NEXT: 7: [[NEXT:[0-9]+]] leaf:[[NEXT]]
// CHECK-NEXT: 8: [[NEXT]]
//      CHECK: leaf:{{[0-9]+}}:[[LEAF:[0-9]+]]
// CHECK-NEXT: 0: [[LEAF]]
// CHECK-NEXT: 1: [[LEAF]]

// About 450 samples at 1 kHz: half a second. By one instruction or so in a
// quarter of a nanosecond that is 10^9 and more executions.
// RUN: FileCheck %s --input-file=app.prof --check-prefix=SCALE
// SCALE: leaf:{{[0-9]+}}:{{[0-9]{9,10}$}}

// The scale goes by the sampling frequency.
// RUN: sed 's/freq=1000/freq=100000/' samples > often
// RUN: perfdata-compose often -o often.data
// RUN: llvm-profconv often.data -o often.prof --format=text --quiet
// RUN: FileCheck %s --input-file=often.prof --check-prefix=OFTEN
// OFTEN: leaf:{{[0-9]+}}:{{[0-9]{7,8}$}}

//--- app.c
#define STEP(Label)                                                            \
  __asm__ volatile(".globl " #Label "\n" #Label ": incl %0" : "+r"(X))
__attribute__((noinline)) int leaf(int X) {
  STEP(leaf1); STEP(leaf2); STEP(leaf3); STEP(leaf4);
  return X;
}
__attribute__((noinline)) int work(int X, int *Data, int Size) {
  STEP(enter1); STEP(enter2);
  for (int I = 0; I < Size; ++I) {
    STEP(hot1); STEP(hot2); STEP(hot3); STEP(hot4);
    if (__builtin_expect(Data[I], 0)) {
      STEP(cold1); STEP(cold2); STEP(cold3);
    }
    X += leaf(X);
    STEP(next1); STEP(next2); STEP(next3); STEP(next4);
  }
  return X;
}
int main(int ArgCount, char **Arguments) {
  return work(ArgCount, &ArgCount, 1);
}
//--- samples
event cpu-clock:u freq=1000
map pid=10 file=app base=0x555555554000
sample app+hot1 x400
sample app+hot2 x500
sample app+hot3 x450
sample app+hot4 x550
sample app+next1 x440
sample app+next2 x530
sample app+next3 x420
sample app+next4 x520
sample app+leaf1 x480
sample app+leaf2 x470
sample app+leaf3 x1500
sample app+leaf4 x460
