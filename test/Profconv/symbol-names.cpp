// Names are those that the next compilation knows: without the suffixes of
// late passes, and of a constructor's two names the one that is defined.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clangxx -O2 -gmlt -fdebug-info-for-profiling app.cpp -o built
// RUN: llvm-nm built | FileCheck app.cpp --check-prefix=SYMBOLS
// RUN: llvm-objcopy --redefine-sym=work=work.llvm.4711 built app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max perf.data -o app.prof --format=text --quiet
// RUN: FileCheck app.cpp --input-file=app.prof --implicit-check-not=C1 --implicit-check-not=.llvm

//--- app.cpp
struct Widget {
  int Size;
  explicit Widget(int);
};
__attribute__((noinline)) Widget::Widget(int N) {
  __asm__ volatile(".globl in_constructor\nin_constructor: nop");
  Size = N;
}
extern "C" __attribute__((noinline)) void work() {
  __asm__ volatile(".globl in_work\nin_work: nop");
}
int main(int ArgCount, char **) {
  work();
  return Widget(ArgCount).Size;
}
// SYMBOLS-DAG: [[#%x,ADDRESS:]] T _ZN6WidgetC2Ei
// SYMBOLS-DAG: {{W|T}} _ZN6WidgetC1Ei
// CHECK: {{^}}work:40:0
// CHECK: {{^}}_ZN6WidgetC2Ei:7:0
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+in_work x40
sample app+in_constructor x7
