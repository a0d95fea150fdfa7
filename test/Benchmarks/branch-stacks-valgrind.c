// REQUIRES: valgrind
// Branch stacks of a program in valgrind give llvm-profgen the counts that the
// program's loops have by construction. benchmarks/compare makes such stacks.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling %s -o app
// RUN: mkdir run && llvm-objcopy -g app run/app
// RUN: env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%inlay_src/benchmarks \
// RUN:   %python -c "import measurement; measurement.branch_stacks(['run/app'], 'app', 'app.stacks', 'branch-stacks', 32)"
// RUN: llvm-profgen --perfscript=app.stacks --binary=app --format=text -o app.prof
// RUN: FileCheck %s --input-file=app.prof

__attribute__((noinline)) int called(int N) {
  __asm__ volatile("nop");
  return N;
}
__attribute__((noinline)) int loops(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I) {
    __asm__ volatile("nop");
    if (I % 4 == 0)
      __asm__ volatile("nop; nop");
    Sum += called(I);
  }
  return Sum;
}
int main(void) {
  for (int I = 0; I < 100; ++I)
    loops(80);
  return 0;
}

// A stack of 32 branches after every 32 branches: each is in one, but for the last
// few of the run, and so are all ranges from one branch to the next but 1 in 32.
// CHECK-DAG: {{^}}loops:{{[0-9]+}}:{{99|100}}{{$}}
// CHECK-DAG: 3: {{77[0-9][0-9]$}}
// CHECK-DAG: 5: {{19[0-9][0-9]$}}
// CHECK-DAG: 6: [[CALLS:79[0-9][0-9]|8000]] called:[[CALLS]]{{$}}
// CHECK-DAG: {{^}}called:{{[0-9]+}}:{{79[0-9][0-9]|8000}}{{$}}
