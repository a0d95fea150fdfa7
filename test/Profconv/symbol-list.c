// The profile lists the functions that the binary has code of. Those without
// samples never ran: the plugin and clang's own loader give them the entry count
// 0. Functions that are not in the list are new, and nothing is known of them;
// only for -fprofile-sample-accurate they are as cold. A profile in text has no
// list. The same input gives the same bytes.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling app.c -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv --estimator=max --quiet perf.data -o app.prof
// RUN: llvm-profconv --estimator=max --quiet perf.data -o again.prof
// RUN: cmp app.prof again.prof
// RUN: llvm-profdata show --sample --show-prof-sym-list app.prof | FileCheck %s --check-prefix=LIST
// RUN: llvm-profdata show --sample --show-sec-info-only app.prof | FileCheck %s --check-prefix=SECTION
// RUN: llvm-profconv --estimator=max --quiet perf.data --format=text -o app.text
// RUN: not grep never app.text

// LIST:     Dump profile symbol list
// LIST-DAG: {{^}}main{{$}}
// LIST-DAG: {{^}}never{{$}}
// LIST-DAG: {{^}}ran{{$}}
// LIST-DAG: {{^}}under_two_names{{$}}
// LIST-DAG: {{^}}second_name{{$}}
// SECTION: ProfileSymbolListSection - {{.*}} Flags: {compressed}

// DEFINE: %{compile} = -O1 -gmlt -fdebug-info-for-profiling -DCHANGED -S -emit-llvm app.c -o -
// RUN: %clang_inlay -mllvm -inlay-profile=app.prof %{compile} | FileCheck %s --check-prefixes=USE,UNKNOWN
// RUN: %clang -fprofile-sample-use=app.prof %{compile} | FileCheck %s --check-prefixes=USE,UNKNOWN
// RUN: %clang -fprofile-sample-use=app.prof -fprofile-sample-accurate %{compile} | FileCheck %s --check-prefixes=USE,ACCURATE
// RUN: %clang -fprofile-sample-use=app.prof -mllvm -profile-accurate-for-symsinlist=false %{compile} | FileCheck %s --check-prefix=OFF

// USE: define {{.*}}@never({{.*}} !prof ![[ZERO:[0-9]+]] {
// USE: define {{.*}}@second_name({{.*}} !prof ![[ZERO]] {
// ACCURATE: define {{.*}}@later({{.*}} !prof ![[ZERO]] {
// UNKNOWN: define {{.*}}@later(
// UNKNOWN-NOT: !prof ![[ZERO]]
// USE: ret void
// USE: ![[ZERO]] = !{!"function_entry_count", i64 0}
// OFF-NOT: "function_entry_count", i64 0}

//--- app.c
#define NOP(Label) __asm__ volatile(".globl " #Label "\n" #Label ": nop")
void later(int N);
__attribute__((noinline)) void never(int N) {
  NOP(cold);
}
__attribute__((noinline)) void second_name(int N) {
  NOP(second);
}
void under_two_names(int N) __attribute__((alias("second_name")));
__attribute__((noinline)) void ran(int N) {
  NOP(hot);
}
int main(int ArgCount, char **Arguments) {
  if (ArgCount > 1)
    never(ArgCount);
#ifdef CHANGED
  later(ArgCount);
#endif
  ran(ArgCount);
  return 0;
}
#ifdef CHANGED
__attribute__((noinline)) void later(int N) {
  __asm__ volatile("nop");
}
#endif
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+hot x40
