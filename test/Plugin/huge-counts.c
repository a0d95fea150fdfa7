// Counts up to 2^64-1 keep their proportions; nothing overflows.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -pass-remarks-analysis=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --input-file=out.ll

//--- app.c
int sink(int);
int f(int N, int (*F)(int)) {
  if (N)
    sink(1);
  else
    sink(2);
  return F(3);
}
// REMARK: annotated f: entry count 184467440737
// CHECK: define {{.*}}@f({{.*}} !prof ![[#]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// Half of what 32 bits hold each: 2^31, as a signed number.
// CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 -2147483648, i32 {{-2147483648|2147483647}}}
//--- app.prof
f:18446744073709551615:18446744073709551615
 1: 18446744073709551615
 2: 9223372036854775807
 4: 9223372036854775807
 5: 18446744073709551615 g:18446744073709551615 h:18446744073709551615
