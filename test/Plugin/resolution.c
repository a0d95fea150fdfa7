// What one sample amounts to is what the profile says on top, or an option. A
// 2048th of it goes to the edges of each branch by static probability, cold is
// less than a 32nd of it, and with -inlay-hot-samples nothing is hot that has
// less than so many times as much. LLVM's tools do not mind the comment.
//
// The function "anchor" is in no module: its count makes 1 8192 (S) in the IR.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=said.prof>' -S app.ll | FileCheck app.c -D#S=8192 --check-prefixes=CHECK,COLD
// RUN: sed 1d said.prof > unsaid.prof
// RUN: %opt_inlay -inlay-flow=profi -inlay-resolution=8 -passes='inlay<profile=unsaid.prof>' -S app.ll | FileCheck app.c -D#S=8192 --check-prefixes=CHECK,COLD
// RUN: %opt_inlay -inlay-flow=profi -inlay-hot-samples=70000 -passes='inlay<profile=said.prof>' -S app.ll | FileCheck app.c -D#S=8192 --check-prefixes=CHECK,HOT
// RUN: llvm-profdata merge --sample --text said.prof -o merged.prof
// RUN: llvm-profdata merge --sample --text unsaid.prof -o expected.prof
// RUN: diff merged.prof expected.prof

//--- app.c
int sink(int);
int f(int N) {
  if (N)
    sink(1);
  else
    sink(2);
  return N;
}
// COLD: ![[#]] = !{i32 999999, i64 [[#div(mul(S,8),32)]], i32 {{[0-9]+}}}
// HOT: ![[#]] = !{i32 990000, i64 [[#mul(S,560000)]], i32 {{[0-9]+}}}
// CHECK: ![[#]] = !{!"branch_weights", i32 [[#mul(S,1000)+20]], i32 [[#mul(S,5)+12]]}
//--- said.prof
# resolution: 8
anchor:524288:0
 1: 524288
f:2010:0
 1: 1005
 2: 1000
 4: 5
