// A module flag marks what has been annotated: a second run, as in the step
// after linking of an LTO build, leaves it alone.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -S app.ll -o once.ll
// RUN: FileCheck app.c --input-file=once.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>,inlay<profile=app.prof>' -S app.ll -o twice.ll
// RUN: %opt_inlay -passes='inlay<profile=other.prof>' -S once.ll -o other.ll
// RUN: diff once.ll twice.ll
// RUN: sed 1d once.ll > once.body
// RUN: sed 1d other.ll | diff once.body -

//--- app.c
int sink(int);
int f(int N) {
  if (N)
    sink(1);
  return 3;
}
// CHECK: !{i32 7, !"inlay-annotated", i32 1}
//--- app.prof
f:10:0
 1: 8
 2: 1
//--- other.prof
f:10:0
 1: 8
 2: 7
