// The profiled binary was optimized at link time: functions of one module ran
// inlined in those of another. The module that defines them adopts those contexts;
// the module that called them notes what to import, for ThinLTO, whose index then
// says that calls are hot that are nowhere in the IR.

// REQUIRES: lld
// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -flto=thin -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -c main.c -o main.o
// RUN: %clang_inlay -O2 -flto=thin -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-inline=false -c library.c -o library.o
// RUN: llvm-dis main.o -o - | FileCheck main.c
// RUN: llvm-dis library.o -o - | FileCheck library.c
// Both modules have the same summary, that of the program.
// RUN: llvm-dis main.o -o - | sed -n 's/^![0-9]* = \(!{!"[A-Z][A-Za-z]*", i64\|!{i32 [0-9]*, i64\)/\1/p' > main.summary
// RUN: llvm-dis library.o -o - | sed -n 's/^![0-9]* = \(!{!"[A-Z][A-Za-z]*", i64\|!{i32 [0-9]*, i64\)/\1/p' > library.summary
// RUN: FileCheck main.c --check-prefix=SUMMARY --input-file=main.summary
// RUN: diff main.summary library.summary
// The linker imports what is hot, and what main called before.
// RUN: ld.lld --lto-O2 -e main -mllvm -import-instr-limit=1 --save-temps main.o library.o -o app
// RUN: llvm-dis main.o.3.import.bc -o - | FileCheck main.c --check-prefix=IMPORTED
// RUN: %clang -O2 -flto=thin -gmlt -fdebug-info-for-profiling -c main.c -o main.plain.o
// RUN: %clang -O2 -flto=thin -gmlt -fdebug-info-for-profiling -c library.c -o library.plain.o
// RUN: ld.lld --lto-O2 -e main -mllvm -import-instr-limit=1 --save-temps main.plain.o library.plain.o -o plain
// RUN: llvm-dis main.plain.o.3.import.bc -o - | FileCheck main.c --check-prefix=PLAIN

//--- main.c
int outer(int N, int (*Call)(int));
int inner(int);
int main(int Count, char **Arguments) {
  return outer(Count, inner);
}
// inner is not called here, but ran here.
// CHECK: define {{.*}}@main({{.*}} !prof ![[PROF:[0-9]+]]
// CHECK: ![[PROF]] = !{!"function_entry_count", i64 {{[1-9][0-9]*}}, i64 {{[0-9-]+}}, i64 {{[0-9-]+}}}
// CHECK: hotness: critical{{.*}}hotness: critical

// SUMMARY: MaxCount
// SUMMARY: i32 990000, i64

// IMPORTED-DAG: define available_externally {{.*}}@outer(
// IMPORTED-DAG: define available_externally {{.*}}@inner(
// PLAIN-NOT: define available_externally
//--- library.c
int table[64];
int inner(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += table[I & 63];
  return Sum;
}
int outer(int N, int (*Call)(int)) {
  if (N < 3)
    return 1;
  return Call(N) + Call(N + 1);
}
// CHECK: define {{.*}}@inner({{.*}} !prof
// CHECK: define {{.*}}@outer({{.*}} !prof
//--- app.prof
main:10200:1
 1: outer:10200
  1: 100
  3: 100
  3: inner:10000
   2: 5000
   3: 5000
