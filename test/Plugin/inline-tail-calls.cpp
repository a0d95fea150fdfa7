// Calls whose inlining takes care: one that must be a tail call is inlined, also
// through a pointer, and what it calls stays a tail call; a callee with another
// way of handling exceptions stays a call; a call that may throw is inlined
// together with its handler.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clangxx -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.cpp -o plain.ll
// RUN: sed '/^define .*@foreign(/s/@__gxx_personality_v0/@__gcc_personality_v0/' plain.ll >app.ll
// RUN: echo 'declare i32 @__gcc_personality_v0(...)' >>app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -verify-each -pass-remarks-missed=inlay -pass-remarks=inlay -S app.ll -o out.ll 2>remarks
// RUN: FileCheck app.cpp --check-prefix=REMARK <remarks
// RUN: FileCheck app.cpp <out.ll

//--- app.cpp
extern "C" {
int sink(int);
int step(int N) {
  if (N > 3)
    [[clang::musttail]] return sink(N + 4444);
  return N;
}
int direct(int N) {
  [[clang::musttail]] return step(N);
}
int indirect(int N) {
  int (*volatile F)(int) = step;
  [[clang::musttail]] return F(N);
}
int foreign(int N) {
  try { return sink(N + 1); } catch (...) { return N; }
}
int own(int N) {
  try { return sink(N + 5555); } catch (int) { return N; }
}
int caller(int N) {
  try {
    return foreign(N) +
           own(N);
  } catch (...) { return 0; }
}
}
// REMARK-DAG: inlined hot context of step into direct
// REMARK-DAG: inlined hot context of step into indirect
// REMARK-DAG: inlined hot context of own into caller
// REMARK-DAG: hot context of foreign in caller (5000 samples) is not inlined: {{.*}}personality
// CHECK-LABEL: define {{.*}}@direct(
// CHECK-NOT: @step
// CHECK: add {{.*}}, 4444
// CHECK: musttail call {{.*}}@sink(
// CHECK-LABEL: define {{.*}}@indirect(
// CHECK: icmp eq ptr %[[F:.*]], @step
// CHECK-DAG: add {{.*}}, 4444
// CHECK-DAG: musttail call {{.*}}@sink(
// CHECK-DAG: musttail call {{.*}}%[[F]](
// CHECK-LABEL: define {{.*}}@caller(
// CHECK: invoke {{.*}}@foreign(
// CHECK: add {{.*}}, 5555
// CHECK: invoke {{.*}}@sink(
//--- app.prof
direct:10000:5000
 1: step:10000
  1: 5000
  2: 5000
indirect:10000:5000
 2: step:10000
  1: 5000
  2: 5000
caller:20000:5000
 2: foreign:5000
  1: 5000
 3: own:5000
  1: 5000
