// print<inlay-contexts> shows the profile as the pass sees it: what concerns the
// functions defined here, hottest first, whatever the format.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='print<inlay-contexts>' -inlay-profile=app.prof -disable-output app.ll | FileCheck app.c --match-full-lines --strict-whitespace --implicit-check-not=total
// RUN: not %opt_inlay -passes='print<inlay-contexts>' -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=NONE

//--- app.c
int callee(int N) { return N; }
int caller(int N) { return callee(N); }
//      CHECK:caller total 2005, entry 20
// CHECK-NEXT:  1: 20
// CHECK-NEXT:  2.3: 1000 callee:30 other:7
// CHECK-NEXT:  @ 5: callee total 900, entry 11
// CHECK-NEXT:    1: 11
// CHECK-NEXT:callee total 10, entry 4
// CHECK-NEXT:  1: 10
// NONE: no profile given: use -inlay-profile=FILE
//--- app.prof
elsewhere:5000:0
 1: 5000
callee:10:4
 1: 10
caller:2005:20
 1: 20
 2.3: 1000 callee:30 other:7
 5: callee:900
  1: 11
