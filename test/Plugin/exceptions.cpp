// Landing pads: without evidence an exception is taken to be rare; where the
// profile says that it was thrown, the landing pad gets its count.
//
// A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
// not seen: see inline-hot-context.c.

// Counts that agree come out of profi's flow to the last digit.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clangxx -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.cpp -o app.ll
// RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -pass-remarks-analysis=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.cpp -D#S=8192 --check-prefix=REMARK
// RUN: FileCheck app.cpp -D#S=8192 --input-file=out.ll

//--- app.cpp
int sink(int);
extern "C" int quiet(int N) {
  try {
    sink(N);
  } catch (int) {
    if (N)
      sink(1);
  }
  return sink(3);
}
extern "C" int throwing(int N) {
  try {
    sink(N);
  } catch (int) {
    if (N)
      sink(1);
  }
  return sink(3);
}
// REMARK-DAG: annotated quiet: entry count [[#mul(S,100)]],
// REMARK-DAG: annotated throwing: entry count [[#mul(S,100)]],
// CHECK-LABEL: define {{.*}}@quiet(
// CHECK: call void @__cxa_end_catch
// CHECK-LABEL: define {{.*}}@throwing(
// CHECK: @__cxa_begin_catch
// CHECK: br i1 {{.*}} !prof ![[THROWN:[0-9]+]]
// CHECK: ![[THROWN]] = !{!"branch_weights", i32 [[#mul(S,30)+2]], i32 [[#mul(S,10)+1]]}
//--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
quiet:200:0
 2: 100
 7: 100
throwing:240:0
 2: 100
 4: 40
 5: 30
 7: 100
