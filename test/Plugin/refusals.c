// A hot context that may not or should not be inlined stays a call, and a missed
// remark gives the reason: attributes, the cost of the callee, the growth of the
// caller.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK --implicit-check-not=remark:
// RUN: FileCheck app.c --check-prefix=IR --input-file=out.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -inlay-inline-cost=10 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=COST
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -inlay-growth-min=0 -inlay-growth-factor=1 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=GROWTH
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -inlay-growth-min=0 -inlay-growth-max=7 -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=MAX

//--- app.c
int sink(int);
__attribute__((noinline)) int not_inlined(int N) {
  return sink(N);
}
__attribute__((optnone, noinline)) int not_optimized(int N) {
  return sink(N);
}
int recursive(int N) {
  return N ? recursive(N - 1) : 0;
}
int ordinary(int N) {
  return sink(sink(N) + sink(N + 1));
}
int elsewhere(int);
int caller(int N) {
  return not_inlined(N) +
         not_optimized(N) +
         ordinary(N) +
         elsewhere(N);
}
// REMARK-DAG: remark: app.c:16:10: hot context of not_inlined in caller (5000 samples) is not inlined: noinline function attribute
// REMARK-DAG: remark: app.c:17:10: hot context of not_optimized in caller (4000 samples) is not inlined: {{optnone attribute|noinline function attribute}}
// COST: app.c:18:10: hot context of ordinary in caller (3000 samples) is not inlined: cost {{[0-9]+}} exceeds 10
// GROWTH: app.c:18:10: hot context of ordinary in caller (3000 samples) is not inlined: the caller would grow to {{[0-9]+}} instructions, more than its budget of {{[0-9]+}}
// MAX: app.c:18:10: hot context of ordinary in caller (3000 samples) is not inlined: the caller would grow to {{[0-9]+}} instructions, more than its budget of 7{{$}}

// A function is never inlined into itself.
// IR-LABEL: define {{.*}}@recursive(
// IR: call {{.*}}@recursive(
// IR-NOT: call {{.*}}@recursive(
// IR-LABEL: define {{.*}}@caller(
// IR: call {{.*}}@not_inlined(
// IR: call {{.*}}@not_optimized(
// IR-NOT: call {{.*}}@ordinary(
// IR: call {{.*}}@elsewhere(
//--- app.prof
anchor:4294967296:0
 1: 4294967296
caller:13000:0
 1: not_inlined:5000
  1: 5000
 2: not_optimized:4000
  1: 4000
 3: ordinary:3000
  1: 3000
 4: elsewhere:1000
  1: 1000
recursive:4000:0
 1: 2000
 1: recursive:2000
  1: 2000
