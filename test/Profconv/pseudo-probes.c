// REQUIRES: valgrind
// Pseudo probes, from the build that is profiled to the one that uses the profile:
// with exact counts each block and call has the executions that the program has by
// construction, and the plugin and clang's own loader annotate by them. Here a line
// cannot tell: all blocks of spread() are on one.

// RUN: rm -rf %t && split-file %s %t && cd %t
// DEFINE: %{flags} = -O2 -gmlt -fdebug-info-for-profiling -fpseudo-probe-for-profiling
// RUN: %clang %{flags} app.c -o app
// RUN: llvm-objcopy -g app app.copy
// RUN: valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes --callgrind-out-file=app.out ./app.copy
// RUN: llvm-profconv --quiet app.out --binary=app -o app.prof
// RUN: llvm-profconv --quiet app.out --binary=app -o app.text --format=text
// RUN: FileCheck %s --check-prefix=TEXT --input-file=app.text
// RUN: llvm-profdata show --sample app.prof | FileCheck %s --check-prefix=SHOW
// RUN: llvm-profdata show --sample --show-sec-info-only app.prof | FileCheck %s --check-prefix=SECTION

// The counts are those of the probes as the compiler numbered them: entry, loop,
// both sides, the calls. What was inlined has a context, and its own checksum.
// TEXT: spread:{{[0-9]+}}:1{{$}}
// TEXT-DAG: {{^}} {{[0-9]+}}: 1000{{$}}
// TEXT-DAG: {{^}} {{[0-9]+}}: 100 rare:100{{$}}
// TEXT-DAG: {{^}} {{[0-9]+}}: 900 often:900{{$}}
// TEXT: {{^}} !CFGChecksum:
// TEXT: main:{{[0-9]+}}:1{{$}}
// TEXT: {{^}} {{[0-9]+}}: {{.*}}twice{{.*}}:79
// TEXT-NEXT:  1: 30{{$}}
// TEXT-NEXT:  3: 19{{$}}
// TEXT-NEXT:  5: 30{{$}}
// TEXT-NEXT:  !CFGChecksum:
// TEXT-NEXT: {{^}} !CFGChecksum:
// SHOW: Function: {{.*}}: CFG checksum {{[0-9]+}}
// SECTION: FunctionMetadata - {{.*}}{probe}

// DEFINE: %{compile} = -O1 -gmlt -fdebug-info-for-profiling -fpseudo-probe-for-profiling -S -emit-llvm app.c -o -
// DEFINE: %{plugin} = %clang_inlay -mllvm -inlay-flow=profi -mllvm
// RUN: %{plugin} -inlay-profile=app.prof %{compile} | FileCheck %s --check-prefix=USE
// RUN: %{plugin} -inlay-profile=app.text %{compile} | FileCheck %s --check-prefix=USE
// RUN: %clang -fprofile-sample-use=app.prof %{compile} | FileCheck %s --check-prefix=LOADER

// 100 and 900 times 2^22, and a part of a sample for what was not seen; as a signed
// number the latter is less by 2^32.
// USE: define {{.*}}@spread({{.*}} !prof ![[ENTRY:[0-9]+]] {
// USE: br i1
// USE: br i1 {{.*}} !prof ![[SIDES:[0-9]+]]
// USE: call void @rare
// USE-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 8388608}
// USE-DAG: ![[SIDES]] = !{!"branch_weights", i32 4194{{[0-9]+}}, i32 -5200{{[0-9]+}}}
// LOADER: define {{.*}}@spread({{.*}} !prof ![[ENTRY:[0-9]+]] {
// LOADER: br i1
// LOADER: br i1 {{.*}} !prof ![[SIDES:[0-9]+]]
// LOADER-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 1}
// LOADER-DAG: ![[SIDES]] = !{!"branch_weights", i32 100, i32 900}

// Lines, if they are asked for:
// RUN: llvm-profconv --quiet app.out --binary=app -o - --format=text --anchors=lines | FileCheck %s --check-prefix=LINES
// LINES: spread:
// LINES-NOT: !CFGChecksum

// And what does not go.
// RUN: not llvm-profconv --quiet app.out --binary=app -o app.none --anchors=blocks 2>&1 | FileCheck %s --check-prefix=BLOCKS
// BLOCKS: error: unknown anchors 'blocks'; --anchors takes lines or probes
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling app.c -o plain
// RUN: llvm-objcopy -g plain plain.copy
// RUN: valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes --callgrind-out-file=plain.out ./plain.copy
// RUN: not llvm-profconv --quiet plain.out --binary=plain -o plain.none --anchors=probes 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: plain: has no pseudo probes; compile with -fpseudo-probe-for-profiling and record again
// RUN: perfdata-compose samples -o perf.data
// RUN: not llvm-profconv --quiet --estimator=max perf.data -o app.none 2>&1 | FileCheck %s --check-prefix=MAX
// MAX: error: app: pseudo probes need estimated executions (--estimator=model), not samples of single instructions; or take lines (--anchors=lines)
// RUN: llvm-objcopy --update-section .pseudo_probe=samples app broken
// RUN: not llvm-profconv --quiet app.out --binary=broken -o app.none 2>&1 | FileCheck %s --check-prefix=BROKEN
// BROKEN: error: broken: damaged pseudo probes: .pseudo_probe: a function of which there is no description at offset
// RUN: not ls *.none

//--- app.c
#define NOP __asm__ volatile("nop")
__attribute__((noinline)) void rare(int N) { NOP; }
__attribute__((noinline)) void often(int N) { NOP; NOP; }
static inline void twice(int N) { NOP; if (N > 10) NOP; }
// clang-format off
__attribute__((noinline)) void spread(int N) { for (int I = 0; I < N; ++I) { if (I % 10 == 0) rare(I); else often(I); } }
// clang-format on
int main(int ArgCount, char **Arguments) {
  for (int I = 0; I < 30 * ArgCount; ++I)
    twice(I);
  spread(1000 * ArgCount);
  return 0;
}
//--- samples
event cpu-clock:u
map pid=10 file=app base=0x555555554000
sample app+rare x40
