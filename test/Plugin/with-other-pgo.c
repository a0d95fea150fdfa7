// Two profiles for one module. With clang's own sample profile the module
// already has a summary: a warning, and it is left alone. Instrumented PGO would
// meet a control flow that we have changed: an error.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: llvm-profdata merge instr.proftext -o instr.profdata
// RUN: %clang_inlay -O2 -gmlt -mllvm -inlay-profile=app.prof -fprofile-sample-use=sample.prof -S -emit-llvm app.c -o sample.ll 2>&1 | FileCheck app.c --check-prefix=SAMPLE
// RUN: FileCheck app.c --input-file=sample.ll
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=app.prof -fprofile-generate -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=INSTR
// RUN: not %clang_inlay -O2 -gmlt -mllvm -inlay-profile=app.prof -fprofile-use=instr.profdata -c app.c -o out.o 2>&1 | FileCheck app.c --check-prefix=INSTR
// RUN: not ls out.o

//--- app.c
int f(int N) {
  return N;
}
// SAMPLE: warning: app.prof: Inlay: the module already carries a profile (-fprofile-use or -fprofile-sample-use?); it is left alone
// CHECK: !{!"ProfileFormat", !"SampleProfile"}
// CHECK-NOT: inlay-annotated
// INSTR: error: Inlay: a sample profile (-inlay-profile) cannot be combined with -fprofile-generate or -fprofile-use: choose one
//--- app.prof
f:10:0
 1: 10
//--- sample.prof
f:99:0
 1: 99
//--- instr.proftext
:ir
f
146835647075900052
1
7
