// What LLVM's and the linker's layout goes by: hot and cold functions in sections of
// their own, the cold blocks of a warm function split off (-fsplit-machine-functions),
// and the calls between functions for the linker's order (cg-profile).

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: llvm-profdata merge --sample --extbinary --prof-sym-list=symbols app.prof -o app.extbinary
// RUN: %clang_inlay -mllvm -inlay-profile=app.extbinary -mllvm -inlay-resolution=1 --target=x86_64-linux-gnu -O2 -gmlt -fdebug-info-for-profiling -ffunction-sections -fsplit-machine-functions -c app.c -o app.o
// RUN: llvm-readelf -SW app.o | FileCheck app.c --check-prefix=SECTIONS
// RUN: llvm-readobj --cg-profile app.o | FileCheck app.c --check-prefix=CALLS

//--- app.c
int sink;
void rare(int);
__attribute__((noinline)) int never(int N) {
  sink -= N;
  return N;
}
__attribute__((noinline)) int once(int N) {
  sink *= N;
  return N;
}
__attribute__((noinline)) int busy(int N) {
  if (N < 0) {
    rare(sink ^ N);
    rare(N + 3);
    return sink;
  }
  sink += N;
  return N;
}
int caller(int N) {
  for (int I = 0; I < N; ++I)
    N += busy(I);
  if (N == 7)
    never(N);
  return once(N);
}
// What runs now and then is neither hot nor cold.
// SECTIONS-DAG: .text.unlikely.never
// SECTIONS-DAG: .text.once
// SECTIONS-DAG: .text.hot.busy
// SECTIONS-DAG: .text.split.busy
// SECTIONS-DAG: .text.hot.caller
// CALLS:      From: caller
// CALLS-NEXT: To: busy
// CALLS-NEXT: Weight: [[#]]
//--- symbols
caller
busy
never
once
//--- app.prof
busy:300000:100000
 1: 100000
 2: 0
 3: 0
 4: 0
 6: 100000
 7: 100000
caller:200000:1000
 1: 1000
 1.1: 100001
 1.2: 100000
 2: 100000 busy:100000
 3: 1000
 4: 0
 5: 1000 once:1000
once:2000:1000
 1: 1000
 2: 1000
elsewhere:20000:0
 1: 4000
 2: 4000
 3: 4000
 4: 4000
 5: 4000
