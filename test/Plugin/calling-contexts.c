// A context-sensitive profile, as llvm-profgen writes it, tells callers apart
// that called a function and did not inline it. `work' takes other branches
// under `first' than elsewhere: it is inlined there, with branch weights of its
// own. Under `second' it does what it does on the whole: it stays a call, which
// LLVM's inliner may take. What is not inlined is `work' itself: the sum of the
// contexts of `second' and `third' and of what has none.
//
// A sample is 32768 (S) in the IR, and a branch's edges share 16 more for what
// was not seen.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -inlay-resolution=1 -inlay-flow=profi -passes='inlay<profile=app.prof;hot-count=500>' -verify-each -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c -D#S=32768 --input-file=out.ll
// RUN: llvm-profdata merge --sample --extbinary app.prof -o app.extbinary
// RUN: %opt_inlay -inlay-resolution=1 -inlay-flow=profi -passes='inlay<profile=app.extbinary;hot-count=500>' -verify-each -S app.ll -o ext.ll
// RUN: diff out.ll ext.ll

// With a higher threshold nothing is inlined, and all contexts are one.
// RUN: %opt_inlay -inlay-resolution=1 -inlay-flow=profi -inlay-context-difference=30 -passes='inlay<profile=app.prof;hot-count=500>' -verify-each -S app.ll | FileCheck app.c -D#S=32768 --check-prefix=FLAT
// RUN: %opt_inlay -inlay-context-cost=-100000 -passes='inlay<profile=app.prof;hot-count=500>' -pass-remarks-missed=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=COST

// The same with what was inlined in the profiled binary: no caller is asked
// whether it is like the others.
// RUN: %python inlined.py app.prof >inlined.prof
// RUN: %opt_inlay -passes='inlay<profile=inlined.prof;hot-count=500>' -pass-remarks=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=INLINED

//--- app.c
int left(int);
int right(int);
int work(int X) {
  if (X & 1)
    return left(X);
  return right(X);
}
int first(int X) {
  return work(X) + 1;
}
int second(int X) {
  return work(X) + 2;
}
int third(int X) {
  return work(X) + 3;
}
// REMARK: app.c:9:10: inlined hot context of work into first: 1000 samples reach the hot threshold of 500, cost
// REMARK: app.c:12:10: hot context of work in second ({{.*}} samples) is not inlined: it was not inlined before, and differs from the function's other contexts by 2 %, less than 10 %
// REMARK: app.c:15:10: context of work in third is not inlined: 8 samples are below the hot threshold of 500
// COST: hot context of work in first {{.*}} is not inlined: cost {{.*}} exceeds -100000
// INLINED: inlined hot context of work into first
// INLINED: inlined hot context of work into second

// CHECK: define {{.*}}@work({{.*}} !prof ![[WORK:[0-9]+]]
// CHECK: br i1 {{.*}} !prof ![[REST:[0-9]+]]
// CHECK: define {{.*}}@first(
// CHECK-NOT: @work
// CHECK: br i1 {{.*}} !prof ![[FIRST:[0-9]+]]
// CHECK: define {{.*}}@second(
// CHECK: call {{.*}}@work
// CHECK: define {{.*}}@third(
// CHECK: call {{.*}}@work
// CHECK-DAG: ![[WORK]] = !{!"function_entry_count", i64 [[#mul(S,9010)]]}
// CHECK-DAG: ![[REST]] = !{!"branch_weights", i32 [[#mul(S,4509)+8]], i32 [[#mul(S,4501)+8]]}
// CHECK-DAG: ![[FIRST]] = !{!"branch_weights", i32 [[#mul(S,1000)+8]], i32 8}
// FLAT: define {{.*}}@work({{.*}} !prof ![[WORK:[0-9]+]]
// FLAT: br i1 {{.*}} !prof ![[ALL:[0-9]+]]
// FLAT: define {{.*}}@first(
// FLAT: call {{.*}}@work
// FLAT-DAG: ![[WORK]] = !{!"function_entry_count", i64 [[#mul(S,10010)]]}
// FLAT-DAG: ![[ALL]] = !{!"branch_weights", i32 [[#mul(S,5509)+8]], i32 [[#mul(S,4501)+8]]}
//--- app.prof
[anchor]:131072:0
 1: 131072
[main:2 @ second:1 @ work]:18000:9000
 1: 9000
 2: 4500 left:4500
 3: 4500 right:4500
[main:1 @ first:1 @ work]:2000:1000
 1: 1000
 2: 1000 left:1000
[main:3 @ third:1 @ work]:16:8
 1: 8
 2: 8 left:8
[work]:4:2
 1: 2
 2: 1 left:1
 3: 1 right:1
[main:1 @ first]:1000:1000
 1: 1000 work:1000
[main:2 @ second]:9000:9000
 1: 9000 work:9000
[main:3 @ third]:8:8
 1: 8 work:8
//--- inlined.py
import re
import sys

lines = open(sys.argv[1]).read().split("\n")
pending = False
for line in lines:
    if pending and not line.startswith(" "):
        print(" !Attributes: 1")
        pending = False
    print(line)
    pending |= bool(re.match(r"\[.* @ work\]", line))
