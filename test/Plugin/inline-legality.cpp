// What LLVM's inliner would not inline stays a call, however hot its context:
// the remark says why. What must be inlined is, however cold.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clangxx -std=c++20 -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.cpp -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -verify-each -pass-remarks-missed=inlay -pass-remarks=inlay -S app.ll -o out.ll 2> remarks
// RUN: FileCheck app.cpp < remarks
// RUN: FileCheck app.cpp --check-prefix=IR < out.ll
// In the compiler's pipeline, which ends with the same machine code every time.
// RUN: %clangxx_inlay -std=c++20 -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-hot-count=1000 -c app.cpp -o app.o
// RUN: %clangxx_inlay -std=c++20 -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-hot-count=1000 -c app.cpp -o again.o
// RUN: cmp app.o again.o
// RUN: %clangxx_inlay -std=c++20 -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-hot-count=1000 -S -emit-llvm app.cpp -o - | FileCheck app.cpp --check-prefix=ALWAYS

//--- app.cpp
#include <coroutine>
#include <cstdarg>
extern "C" {
int sink(int);
__attribute__((noinline)) int outOfLine(int N) { if (N) sink(N); return N; }
__attribute__((target("avx2"))) int wide(int N) { if (N) sink(N + 1); return N; }
int list(int N, ...) {
  va_list L;
  va_start(L, N);
  while (N--)
    sink(va_arg(L, int));
  va_end(L);
  return N;
}
int jump(int N) {
  static void *Where[] = {&&A, &&B};
  goto *Where[N & 1];
A:
  return sink(N);
B:
  return sink(-N);
}
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
Task later(int N) {
  sink(N);
  co_return;
}
int again(int N) { return N ? again(N - 1) + sink(N) : 0; }
__attribute__((always_inline)) inline int always(int N) { return N ? sink(N + 7777) : 0; }
int caller(int N) {
  outOfLine(N);
  wide(N);
  list(N, 1, 2);
  jump(N);
  later(N);
  again(N);
  return always(N);
}
}
// CHECK-DAG: remark: app.cpp:39:3: hot context of outOfLine in caller (5000 samples) is not inlined: noinline function attribute
// CHECK-DAG: remark: app.cpp:40:3: hot context of wide in caller (5000 samples) is not inlined: conflicting attributes
// CHECK-DAG: remark: app.cpp:41:3: hot context of list in caller (5000 samples) is not inlined: varargs
// CHECK-DAG: remark: app.cpp:42:3: hot context of jump in caller (5000 samples) is not inlined: indirect branch
// CHECK-DAG: remark: app.cpp:43:3: hot context of later in caller (5000 samples) is not inlined: unsplited coroutine call
// CHECK-DAG: remark: app.cpp:44:3: hot context of again in caller (5000 samples) is not inlined: recursive
// IR-LABEL: define {{.*}}@caller(
// IR-DAG: call i32 @outOfLine(
// IR-DAG: call i32 @wide(
// IR-DAG: call i32 (i32, ...) @list(
// IR-DAG: call i32 @jump(
// IR-DAG: call void @later(
// IR-DAG: call i32 @again(
// IR: {{^}}}
// ALWAYS-LABEL: define {{.*}}@caller(
// ALWAYS: add {{.*}}, 7777
//--- app.prof
caller:30005:100
 1: outOfLine:5000
  0: 5000
 2: wide:5000
  0: 5000
 3: list:5000
  3: 5000
 4: jump:5000
  2: 5000
 5: later:5000
  1: 5000
 6: again:5000
  0: 5000
 7: always:5
  0: 5
