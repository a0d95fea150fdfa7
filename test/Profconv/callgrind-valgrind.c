// REQUIRES: valgrind
// What valgrind writes, in all its forms, gives the counts that the program's
// loops have by construction: of executables at fixed and at free addresses,
// and of a shared library. valgrind runs copies without debug information, in
// which it does not know the newest DWARF.

// RUN: rm -rf %t && split-file %s %t && cd %t && mkdir run profiles
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fPIC -shared library.c -o library.so
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -pie app.c library.so -Wl,-rpath,%t/run -o app
// RUN: llvm-objcopy -g library.so run/library.so
// RUN: llvm-objcopy -g app run/app
// DEFINE: %{valgrind} = valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes --callgrind-out-file
// DEFINE: %{convert} = llvm-profconv --quiet --format=text

// RUN: %{valgrind}=pie.out run/app
// RUN: %{convert} pie.out --binary=app -o app.prof
// RUN: FileCheck app.c --input-file=app.prof
// RUN: %{convert} pie.out --binary=library.so -o library.prof
// RUN: FileCheck library.c --input-file=library.prof

// The same counts, written otherwise:
// RUN: %{valgrind}=verbose.out --compress-pos=no --compress-strings=no --cache-sim=yes --branch-sim=yes --collect-systime=yes --separate-callers=2 --separate-recs=2 run/app
// RUN: %{convert} verbose.out --binary=app -o verbose.prof
// RUN: diff app.prof verbose.prof
// RUN: %{valgrind}=parts.out --skip-plt=no --dump-line=no --combine-dumps=yes --dump-before=called run/app
// RUN: %{convert} parts.out --binary=app -o parts.prof
// RUN: diff app.prof parts.prof
// RUN: %{valgrind}=dumps.out --dump-after=loops --demangle=no run/app
// RUN: %{convert} dumps.out dumps.out.1 dumps.out.2 --binary=app -o dumps.prof
// RUN: diff app.prof dumps.prof
// RUN: %{valgrind}=threads.out --separate-threads=yes run/app
// RUN: %{convert} threads.out threads.out-01 --binary=app -o threads.prof
// RUN: diff app.prof threads.prof

// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -no-pie app.c library.so -Wl,-rpath,%t/run -o app
// RUN: llvm-objcopy -g app run/app
// RUN: %{valgrind}=fixed.out run/app
// RUN: %{convert} fixed.out --binary=app -o fixed.prof
// RUN: FileCheck app.c --input-file=fixed.prof

// Code in sections other than .text, of which valgrind does not know whose it is:
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -pie sections.c -o sections-pie
// RUN: llvm-objcopy -g sections-pie run/sections-pie
// RUN: %{valgrind}=sections.out run/sections-pie
// RUN: %{convert} sections.out --binary=sections-pie -o sections.prof
// RUN: FileCheck sections.c --input-file=sections.prof
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -no-pie sections.c -o sections
// RUN: llvm-objcopy -g sections run/sections
// RUN: %{valgrind}=sections.out run/sections
// RUN: %{convert} sections.out --binary=sections -o sections.prof
// RUN: FileCheck sections.c --input-file=sections.prof

// Without --dump-instr=yes:
// RUN: valgrind --tool=callgrind --callgrind-out-file=lines.out run/app
// RUN: not %{convert} lines.out --binary=app -o none.prof 2>&1 | FileCheck %s --check-prefix=LINES
// LINES: error: lines.out:{{[0-9]+}}: holds no addresses of instructions (positions: 'line'); run valgrind --tool=callgrind --dump-instr=yes

//--- library.c
__attribute__((noinline)) void from_library(int N) {
  __asm__ volatile("nop");
  for (int I = 0; I < N; ++I)
    __asm__ volatile("nop");
}
// CHECK: from_library:{{[0-9]+}}:13
// CHECK-NEXT: 1: 13
// CHECK: 3: 91

//--- sections.c
__attribute__((noinline, section("elsewhere"))) void apart(int N) {
  __asm__ volatile("nop");
  for (int I = 0; I < N; ++I)
    __asm__ volatile("nop");
}
int main(void) {
  for (int I = 0; I < 11; ++I)
    apart(5);
  return 0;
}
// CHECK-DAG: apart:{{[0-9]+}}:11
// CHECK-DAG: 3: 55
// CHECK-DAG: 2: 11 apart:11

//--- app.c
void from_library(int N);
__attribute__((noinline)) int called(int N) {
  __asm__ volatile("nop");
  return N;
}
__attribute__((noinline)) int other(int N) {
  __asm__ volatile("nop");
  return N + 1;
}
int (*volatile Functions[2])(int) = {called, other};
__attribute__((noinline)) int loops(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I) {
    __asm__ volatile("nop");
    if (I % 4 == 0)
      __asm__ volatile("nop; nop");
    Sum += Functions[I % 8 == 7](I);
  }
  return Sum;
}
int main(void) {
  loops(80);
  loops(40);
  for (int I = 0; I < 13; ++I)
    from_library(7);
  return 0;
}
// The indirect call is made 120 times, one in eight goes to other.
// CHECK-DAG: called:{{[0-9]+}}:105
// CHECK-DAG: {{^}}other:{{[0-9]+}}:15
// CHECK-DAG: loops:{{[0-9]+}}:2
// CHECK-DAG: 3: 120{{$}}
// CHECK-DAG: 5: 30{{$}}
// CHECK-DAG: 6: 120 called:105 other:15
// CHECK-DAG: main:{{[0-9]+}}:1
// CHECK-DAG: 1: 1 loops:1
// CHECK-DAG: 2: 1 loops:1
// CHECK-DAG: 4: 13 from_library:13
