// Counts up to 2^64-1 keep their proportions; nothing overflows.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -pass-remarks-analysis=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
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
// The profile's total saturates, so that its greatest count is the resolution,
// and 2^59 the unit of flow: 31 units enter, 16 go one way and 15 the other.
// REMARK: annotated f: entry count 17870283321406128128,
// CHECK: define {{.*}}@f({{.*}} !prof ![[#]]
// CHECK: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// 32 bits hold a 2^32th: 16 and 15 times 2^27, and a 2048th of the resolution for
// what was not seen, 5/8 of 2^21 here and 3/8 there. The first is above 2^31, and
// so printed as a negative number.
// CHECK: ![[WEIGHTS]] = !{!"branch_weights", i32 -2146172928, i32 [[#mul(15,134217728)+786432]]}
//--- app.prof
f:18446744073709551615:18446744073709551615
 1: 18446744073709551615
 2: 9223372036854775807
 4: 9223372036854775807
 5: 18446744073709551615 g:18446744073709551615 h:18446744073709551615
