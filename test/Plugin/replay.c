// In replay mode all is inlined that the profiled binary had inlined, hot or not,
// costly or not, and nothing else; what may not be inlined still is not.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-inline-cost=1 -verify-each -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o /dev/null 2>&1 | FileCheck app.c --check-prefix=HOT
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -inlay-inline-cost=1 -inlay-replay -verify-each -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REPLAY
// RUN: FileCheck app.c < out.ll

//--- app.c
int sink(int);
int rare(int N) { return sink(N + 1111); }
int small(int N) { return N * 2222; }
__attribute__((noinline)) int out(int N) { return sink(N + 3333); }
int other(int N) { return sink(N + 4444); }
int caller(int N) {
  return rare(N)
       + small(N)
       + out(N)
       + other(N);
}
// HOT: context of rare in caller is not inlined: 1 samples are below the hot threshold of
// HOT: inlined 0 hot contexts
// REPLAY-DAG: inlined context of rare into caller: 1 samples, as in the profiled binary
// REPLAY-DAG: inlined context of small into caller: 1 samples, as in the profiled binary
// REPLAY-DAG: context of out in caller (1 samples) is not inlined: noinline function attribute
// CHECK-LABEL: define {{.*}}@caller(
// CHECK-DAG: add {{.*}}, 1111
// CHECK-DAG: mul {{.*}}, 2222
// CHECK-DAG: call i32 @out(
// CHECK-DAG: call i32 @other(
// CHECK: ret i32
//--- app.prof
anchor:100000000:0
 1: 100000000
caller:1004:1
 1: rare:1
  0: 1
 2: small:1
  0: 1
 3: out:1
  0: 1
 4: 1 other:1
