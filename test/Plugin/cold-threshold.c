// What has one sample or less is not cold, as it would be by LLVM's threshold
// where one sample is the least there is: cold is what no flow reaches.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: llvm-profdata merge --sample --extbinary --prof-sym-list=app.symbols app.prof -o app.extbinary
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.extbinary>,require<profile-summary>,function(codegenprepare)' -S app.ll | FileCheck app.c -D#S=8192

// Where every line that ran is as hot as the others, a function that the flow gives a
// little less is not cold: the threshold is a 32th of the hot one.
// RUN: %opt_inlay -passes='inlay<profile=flat.prof>' -S app.ll | FileCheck app.c --check-prefix=FLAT

//--- app.c
int sink(int);
int once(int N) {
  return sink(N);
}
// One sample in all, and that in a loop: its entry is a 16th of a sample.
int loop(int N) {
  sink(N);
  for (int I = 0; I < N; ++I)
    sink(I);
  return sink(3);
}
int never(int N) {
  return sink(N);
}
// CHECK: define {{.*}}@once({{.*}} !prof
// CHECK-NOT: section_prefix
// CHECK: define {{.*}}@loop({{.*}} !prof ![[ENTERED:[0-9]+]]
// CHECK-NOT: section_prefix
// CHECK: define {{.*}}@never({{.*}} !section_prefix ![[COLD:[0-9]+]]
// Of the thresholds only that of one sample is lowered, to a 32th.
// CHECK-DAG: !{i32 999990, i64 [[#mul(S,524288)]], i32 1}
// CHECK-DAG: !{i32 999999, i64 [[#div(S,32)]], i32 3}
// CHECK-DAG: ![[ENTERED]] = !{!"function_entry_count", i64 [[#div(S,16)]]}
// LLVM 19 says function_section_prefix.
// CHECK-DAG: ![[COLD]] = !{!"{{(function_)?}}section_prefix", !"unlikely"}
// FLAT: !{i32 990000, i64 [[#HOT:]], i32 2}
// FLAT: !{i32 999990, i64 [[#HOT]], i32 2}
// FLAT: !{i32 999999, i64 [[#div(HOT,32)]], i32 2}
//--- flat.prof
# resolution: 1
loop:2000:1000
 1: 1000
 4: 1000
//--- app.symbols
never
//--- app.prof
anchor:524288:0
 1: 524288
once:1:0
 1: 1
loop:1:0
 1: 0
 3: 1
