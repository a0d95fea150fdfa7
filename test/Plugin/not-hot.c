// A context below the hot threshold stays a call; a missed remark names its
// samples and the threshold. Its counts go to the callee's own profile.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=2001>' -pass-remarks=inlay -pass-remarks-missed=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --check-prefix=IR --input-file=out.ll

//--- app.c
int callee(int N) {
  if (N)
    return N * 3;
  return 7;
}
int caller(int N) {
  return callee(N);
}
// REMARK-NOT: inlined hot context
// REMARK: app.c:7:10: context of callee in caller is not inlined: 2000 samples are below the hot threshold of 2001

// IR: define {{.*}}@callee({{.*}} !prof ![[ENTRY:[0-9]+]]
// IR: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
// IR-LABEL: define {{.*}}@caller(
// IR: call {{.*}}@callee
// IR-DAG: ![[ENTRY]] = !{!"function_entry_count", i64 1000}
// IR-DAG: ![[WEIGHTS]] = !{!"branch_weights", i32 900, i32 100}
//--- app.prof
anchor:4294967296:0
 1: 4294967296
caller:2000:0
 1: callee:2000
  1: 1000
  2: 900
  3: 100
