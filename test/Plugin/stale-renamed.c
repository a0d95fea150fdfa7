// A function has been renamed: it takes the profile of the function that was
// called where it is called now, if the two are alike. What is not alike takes
// nothing, nor does a function take the profile of one that the module still
// knows.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='function(add-discriminators),print<inlay-contexts>' -inlay-profile=app.prof -disable-output app.ll | FileCheck app.c --match-full-lines --strict-whitespace
// RUN: %opt_inlay -passes='function(add-discriminators),inlay<profile=app.prof>' -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: llvm-profdata merge --sample --extbinary --use-md5 app.prof -o app.md5
// RUN: %opt_inlay -passes='function(add-discriminators),inlay<profile=app.md5>' -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=MD5

//--- app.c
int sink(int), source(void);
int new_name(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sink(I);
  return Sum;
}
int rewritten(int N) {
  switch (N) {
  case 1: return source();
  case 2: return source() + 1;
  case 3: return source() + 2;
  case 4: return source() + 3;
  case 5: return source() + 4;
  }
  return 0;
}
int unrelated(int N) {
  int Sum = 0;
  for (int I = 0; I < N; ++I)
    Sum += sink(I);
  return Sum;
}
int caller(int N) {
  int Sum = new_name(N);
  Sum += rewritten(N);
  Sum += unrelated(N);
  return Sum;
}
//      CHECK:new_name total 1250, entry 10
// CHECK-NEXT:  2: 210
// CHECK-NEXT:  2.1: 200
// CHECK-NEXT:  3: 200 sink:200
// CHECK-NEXT:  4: 10
//      CHECK:caller total 700, entry 100
// CHECK-NEXT:  1: 100 new_name:100
// CHECK-NEXT:  2: 100 old_rewritten:100
// CHECK-NEXT:  3: 100 sink:100
// CHECK-NEXT:  4: 100
// CHECK-NEXT:  @ 1: new_name total 600, entry 300
// CHECK-NEXT:    2: 300
// CHECK-NEXT:    2.1: 300
// CHECK-NOT: rewritten total
// CHECK-NOT: unrelated total

// REMARK: new_name takes the profile of old_name, which is not in this module: 100% alike
// MD5: new_name takes the profile of {{[0-9]+}}, which is not in this module: {{[0-9]+}}% alike
//--- app.prof
old_name:1250:10
 2: 210
 2.1: 200
 3: 200 sink:200
 4: 10
old_rewritten:300:100
 1: 100
 2: 100
 7: 100 sink:100
caller:700:100
 1: 100 old_name:100
 2: 100 old_rewritten:100
 3: 100 sink:100
 4: 100
 1: old_name:600
  2: 300
  2.1: 300
