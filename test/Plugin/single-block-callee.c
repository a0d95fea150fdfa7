// A callee of one block without calls runs as often as it is called: its
// context knows nothing more, and LLVM's inliner sees to it. That goes from
// callees to callers, and finds that the shifts of rotate() make a rotation once
// their number is known; inlined here, the left shift would become part of the
// multiplication in front.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -Rpass=inlay -Rpass-missed=inlay -S -emit-llvm app.c -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// LLVM 19 makes no rotation of the first one, with or without a profile.
// RUN: FileCheck app.c --input-file=out.ll --check-prefix=%if llvm-19 %{OLD%} %else %{CHECK%}

//--- app.c
static unsigned rotate(unsigned X, int R) { return (X << R) | (X >> (32 - R)); }
static unsigned mix(unsigned H, unsigned K) {
  K = rotate(K * 0xcc9e2d51u, 15);
  return rotate(H ^ K, 13);
}
unsigned hash(const unsigned *P, int N) {
  unsigned H = 0;
  for (int I = 0; I < N; ++I)
    H = mix(H, P[I]);
  return H;
}
// REMARK-DAG: app.c:9:9: remark: inlined hot context of mix into hash
// REMARK-DAG: app.c:3:7: remark: hot context of rotate in hash (4000 samples) is not inlined: it is a single block without calls, which LLVM's inliner sees to
// REMARK-DAG: app.c:4:10: remark: hot context of rotate in hash (4000 samples) is not inlined: it is a single block without calls, which LLVM's inliner sees to
// CHECK-LABEL: define {{.*}}@hash(
// CHECK: mul i32 {{.*}}, -862048943
// CHECK: call {{.*}}@llvm.fshl.i32({{.*}}, i32 15)
// CHECK: call {{.*}}@llvm.fshl.i32({{.*}}, i32 13)
// CHECK-LABEL: !llvm.
// OLD-LABEL: define {{.*}}@hash(
// OLD: call {{.*}}@llvm.fshl.i32({{.*}}, i32 13)
//--- app.prof
hash:22010:10
 1: 10
 2.1: 2010
 3: 2000
 3: mix:12000
  1: 2000
  2: 2000
  1: rotate:4000
   0: 2000
  2: rotate:4000
   0: 2000
 4: 10
