// What an inlined context brings along competes in its turn: contexts are
// inlined from the outside in, each copy by its own context.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --check-prefix=IR --input-file=out.ll

//--- app.c
int leaf(int N) {
  return N ? N * 3 : 7;
}
int middle(int N) {
  return leaf(N);
}
int outer(int N) {
  return middle(N) +
         middle(N);
}
// The second copy of middle is entered more often than the first, 1790 times, and
// the leaf in it is not hot; the leaf in the first copy competes when it is there.
// REMARK: app.c:9:10: inlined hot context of middle into outer: 1800 samples
// REMARK-NEXT: app.c:5:10: context of leaf in outer is not inlined: 10 samples are below the hot threshold of 1000
// REMARK-NEXT: app.c:8:10: inlined hot context of middle into outer: 2000 samples
// REMARK-NEXT: app.c:5:10: inlined hot context of leaf into outer: 1500 samples

// IR-LABEL: define {{.*}}@outer(
// IR-NOT: @middle
// IR: call {{.*}}@leaf
// IR-NOT: call {{.*}}@leaf
// IR: ret i32
//--- app.prof
anchor:4294967296:0
 1: 4294967296
outer:3800:0
 1: middle:2000
  1: leaf:1500
   1: 1500
 2: middle:1800
  1: 1790
  1: leaf:10
   1: 10
