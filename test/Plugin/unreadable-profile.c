// A profile that cannot be read is a compile error that names the file, the
// place, and what is wrong; there is no object file.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: mkdir directory && touch empty && llvm-profdata merge --sample --extbinary good.prof -o good.extbinary
// RUN: %python -c "d = open('good.extbinary', 'rb').read(); open('cut', 'wb').write(d[:-5]); open('head', 'wb').write(d[:40])"
// RUN: %python -c "import random; random.seed(1); open('random', 'wb').write(random.randbytes(1000))"
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=missing -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=MISSING
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=directory -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=DIRECTORY
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=empty -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=EMPTY
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=app.c -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=SOURCE
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=random -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=RANDOM
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=bad.prof -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=LINE
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=cut -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=CUT
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=head -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=HEAD
// RUN: not ls out.o
// The same through opt, and through the printer.
// RUN: %clang -O2 -gmlt -S -emit-llvm app.c -o app.ll
// RUN: not %opt_inlay -passes='inlay<profile=missing>' -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=MISSING
// RUN: not %opt_inlay -passes='print<inlay-contexts>' -inlay-profile=missing -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=MISSING

//--- app.c
int f(int N) {
  return N;
}
// MISSING: error: missing: Inlay: cannot read the profile: No such file or directory
// DIRECTORY: error: directory: Inlay: cannot read the profile: Is a directory
// EMPTY: error: empty: Inlay: the file is empty; llvm-profconv makes a profile from perf.data
// SOURCE: error: app.c: Inlay: not a sample profile in any of LLVM's formats; llvm-profconv makes one from perf.data
// RANDOM: error: random: Inlay:
// LINE: error: bad.prof:3: Inlay: Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found what is this
// CUT: error: cut: Inlay: corrupt profile: {{.*}}truncated
// HEAD: error: head: Inlay: corrupt profile: {{.*}}truncated
//--- good.prof
f:10:0
 1: 10
//--- bad.prof
f:10:0
 1: 10
 what is this
