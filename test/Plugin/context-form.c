// CSSPGO's context form, a line for each calling context: read as a tree of
// contexts in which totals include what was called. An attribute tells what was
// inlined; so was what leads to others and has no profile itself.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='print<inlay-contexts>' -inlay-profile=app.prof -disable-output app.ll | FileCheck app.c --match-full-lines --strict-whitespace --check-prefix=TREE
// RUN: llvm-profdata merge --sample --extbinary app.prof -o ext.prof
// RUN: %opt_inlay -passes='print<inlay-contexts>' -inlay-profile=ext.prof -disable-output app.ll | FileCheck app.c --match-full-lines --strict-whitespace --check-prefix=TREE
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=300>' -pass-remarks=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=REMARK

//--- app.c
int leaf(int N) {
  return N ? N * 3 : 7;
}
int main(int Count, char **Arguments) {
  return leaf(Count) +
         leaf(7);
}
//      TREE:main total 612, entry 5
// TREE-NEXT:  1: 5
// TREE-NEXT:  @ 1: leaf total 500, entry 500
// TREE-NEXT:    1: 500
// TREE-NEXT:  @ 2: leaf, called, total 100, entry 100
// TREE-NEXT:    1: 100
// TREE-NEXT:  @ 3: between total 7, entry 7
// TREE-NEXT:    @ 1: leaf, called, total 7, entry 7
// TREE-NEXT:      1: 7
// TREE-NEXT:leaf total 3, entry 3
// TREE-NEXT:  1: 3
// REMARK: app.c:5:10: inlined hot context of leaf into main: 500 samples
// REMARK-NOT: inlined hot context
//--- app.prof
[main:1 @ leaf]:500:500
 1: 500
 !Attributes: 1
[main:2 @ leaf]:100:100
 1: 100
[main:3 @ between:1 @ leaf]:7:7
 1: 7
[main]:5:5
 1: 5
[leaf]:3:3
 1: 3
