// A profile of another program is not silently nothing. The module with main()
// defines or calls something that ran, or else a warning asks; so does one whose
// functions have counts of which none meets an instruction. A module that never
// ran is no reason for more than a remark.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profile=other.prof -c main.c -o main.o 2>&1 | FileCheck main.c
// RUN: %clang_inlay -O2 -gmlt -Werror -mllvm -inlay-profile=other.prof -c library.c -o library.o
// RUN: %clang_inlay -O2 -gmlt -Werror -mllvm -inlay-profile=app.prof -c main.c -o main.o
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profile=stale.prof -c main.c -o main.o 2>&1 | FileCheck main.c --check-prefix=STALE
// Names that the profiled binary had are enough, even if nothing of them ran.
// RUN: llvm-profdata merge --sample --extbinary --prof-sym-list=symbols other.prof -o listed.prof
// RUN: %clang_inlay -O2 -gmlt -Werror -mllvm -inlay-profile=listed.prof -c main.c -o main.o
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profile=empty.prof -c library.c -o library.o 2>&1 | FileCheck main.c --check-prefix=EMPTY

//--- main.c
int run(int);
int main(int Count, char **Arguments) {
  return run(Count);
}
// CHECK: warning: other.prof: Inlay: the profile has none of the functions that the module of main() defines or calls: was it made from this program?
// STALE: warning: stale.prof: Inlay: the profile has counts for 1 functions of this module, but none meets an instruction: was it made from this program?
// EMPTY: warning: empty.prof: Inlay: the profile holds no counts
//--- library.c
int helper(int N) {
  return N;
}
//--- other.prof
compress:10:0
 1: 10
//--- app.prof
run:10:0
 1: 10
//--- stale.prof
main:70:0
 31: 10
 32: 10
 33: 20
 34: 30
//--- empty.prof
none:0:0
//--- symbols
main
