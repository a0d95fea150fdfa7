// Several targets of one call through a pointer are hot: contexts of two are
// inlined behind comparisons, hottest first; of the others the compiler's own
// promotion takes those that make up enough of what is left, and metadata keeps
// the rest. The thresholds are options.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=contexts.prof;hot-count=1000>' -verify-each -pass-remarks=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=8192 --input-file=out.ll
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=targets.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefixes=PIPELINE,THREE
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=targets.prof -mllvm -icp-max-prom=1 -S -emit-llvm app.c -o - | FileCheck app.c --check-prefixes=PIPELINE,ONE
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=targets.prof -mllvm -icp-total-percent-threshold=40 -S -emit-llvm app.c -o - | FileCheck app.c --check-prefixes=PIPELINE,ONE

//--- app.c
int sink(int);
int first(int N) { return sink(N + 1111); }
int second(int N) { return sink(N + 2222); }
int third(int N) { return sink(N + 3333); }
int fourth(int N) { return sink(N + 4444); }
int call(int (*F)(int), int N) {
  return F(N);
}
// REMARK: app.c:7:10: inlined hot context of first into call: 50000 samples
// REMARK: app.c:7:10: inlined hot context of second into call: 30000 samples
// REMARK: promoted 2 indirect calls
// CHECK-LABEL: define {{.*}}@call(
// CHECK: icmp eq ptr %[[F:.*]], @first
// CHECK: icmp eq ptr %[[F]], @second
// CHECK: call i32 %[[F]]({{.*}} !prof ![[REST:[0-9]+]]
// CHECK: ![[REST]] = !{!"VP", i32 0, i64 [[#mul(S,20000)]], i64 {{-?[0-9]+}}, i64 [[#mul(S,15000)]], i64 {{-?[0-9]+}}, i64 [[#mul(S,5000)]]}
// PIPELINE-LABEL: define {{.*}}@call(
// PIPELINE: icmp eq ptr %{{.*}}, @first
// THREE: icmp eq ptr %{{.*}}, @second
// THREE: icmp eq ptr %{{.*}}, @third
// ONE-NOT: icmp eq ptr %{{.*}}, @
// PIPELINE: ret i32
//--- contexts.prof
anchor:524290:0
 1: 524288
call:100000:0
 1: 20000 third:15000 fourth:5000
 1: first:50000
  0: 50000
 1: second:30000
  0: 30000
//--- targets.prof
call:100000:0
 1: 100000 first:50000 second:30000 third:15000 fourth:5000
