// Every format of LLVM's gives the same annotation.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=text.prof>' -S app.ll -o text.ll
// RUN: FileCheck app.c --input-file=text.ll
// RUN: llvm-profdata merge --sample --binary text.prof -o binary.prof
// RUN: llvm-profdata merge --sample --extbinary text.prof -o ext.prof
// RUN: llvm-profdata merge --sample --extbinary --compress-all-sections text.prof -o compressed.prof
// RUN: llvm-profdata merge --sample --extbinary --use-md5 text.prof -o md5.prof
// RUN: llvm-profdata merge --sample --extbinary --use-md5 --compress-all-sections text.prof -o both.prof
// RUN: not cmp ext.prof compressed.prof
// RUN: %opt_inlay -passes='inlay<profile=binary.prof>' -S app.ll | diff text.ll -
// RUN: %opt_inlay -passes='inlay<profile=ext.prof>' -S app.ll | diff text.ll -
// RUN: %opt_inlay -passes='inlay<profile=compressed.prof>' -S app.ll | diff text.ll -
// RUN: %opt_inlay -passes='inlay<profile=md5.prof>' -S app.ll | diff text.ll -
// RUN: %opt_inlay -passes='inlay<profile=both.prof>' -S app.ll | diff text.ll -
// Through a pipe, too.
// RUN: cat text.prof | %opt_inlay -passes='inlay<profile=/dev/stdin>' -S app.ll | diff text.ll -

//--- app.c
int sink(int);
int callee(int N) {
  if (N)
    sink(2);
  return sink(1);
}
int caller(int N, int (*F)(int)) {
  callee(N);
  return F(N);
}
// CHECK: define {{.*}}@callee({{.*}} !prof
// CHECK: define {{.*}}@caller({{.*}} !prof
// CHECK-NOT: call {{.*}}@callee
// CHECK: call {{.*}} !prof
//--- text.prof
caller:6000:9
 1: callee:5000
  1: 1000
  2: 900
  3: 1000
 2: 1000 one:900 two:100
callee:10:4
 1: 4
 2: 1
 3: 4
