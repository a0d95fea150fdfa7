// Contexts of two functions that call each other, merged in turn, end: the
// second visit of a function does not wait for the first.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;no-inline>' -S app.ll | FileCheck app.c

//--- app.c
int odd(int N);
int even(int N) {
  return N ? odd(N - 1) : 1;
}
int odd(int N) {
  return N ? even(N - 1) : 0;
}
// CHECK: define {{.*}}@even({{.*}} !prof
// CHECK: define {{.*}}@odd({{.*}} !prof
//--- app.prof
even:1000:0
 1: 100
 1: odd:500
  1: 100
  1: even:400
   1: 100
   1: odd:300
    1: 300
odd:800:0
 1: 50
 1: even:700
  1: 200
