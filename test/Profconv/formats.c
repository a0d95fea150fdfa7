// LLVM's own tools read both formats, and see the same profile in them; clang's
// sample loader takes them, and finds the function hot.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o text.prof --format=text --quiet
// RUN: llvm-profconv --estimator=max perf.data -o binary.prof --format=extbinary --quiet
// RUN: llvm-profconv --estimator=max perf.data -o default.prof --quiet
// RUN: cmp binary.prof default.prof
// RUN: not cmp binary.prof text.prof

// RUN: llvm-profdata show --sample binary.prof | FileCheck app.c --check-prefix=SHOW
// RUN: llvm-profdata show --sample text.prof | FileCheck app.c --check-prefix=SHOW
// RUN: llvm-profdata merge --sample --text binary.prof -o from-binary.prof
// RUN: llvm-profdata merge --sample --text text.prof -o from-text.prof
// RUN: cmp from-binary.prof from-text.prof
// RUN: llvm-profdata overlap --sample binary.prof text.prof | FileCheck app.c --check-prefix=OVERLAP
// RUN: llvm-profdata show --sample --detailed-summary binary.prof | FileCheck app.c --check-prefix=SUMMARY

// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fprofile-sample-use=binary.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=IR
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fprofile-sample-use=text.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=IR

//--- app.c
#define NOP(Label) __asm__ volatile(".globl " #Label "\n" #Label ": nop")
__attribute__((noinline)) void work(int N) {
  NOP(entry);
  if (N)
    NOP(likely);
  else
    NOP(unlikely);
}
int main(int ArgCount, char **Arguments) {
  work(ArgCount);
  return 0;
}
// SHOW: Function: work: 8200, 0, {{[0-9]+}} sampled lines
// SHOW-DAG: 1: 4100
// SHOW-DAG: 3: 4000
// SHOW-DAG: 5: 100
// OVERLAP: Whole program profile similarity: 100.000%
// SUMMARY: Total functions: 1
// SUMMARY: Total count: 8200
// SUMMARY: 2 blocks {{.*}}with count >= 4000 account for 90{{%| percentage}} of the total counts.
// IR: define {{.*}}@work({{.*}} !prof
// IR: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// IR: ![[WEIGHTS]] = !{!"branch_weights", i32 {{10[0-9]}}, i32 {{40[0-9][0-9]}}}
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+entry x4100
sample app+likely x4000
sample app+unlikely x100
