// A context whose total reaches the hot threshold is inlined, and a remark says
// why. The copy gets the context's own counts.
//
// The function "anchor" of the profile is in no module. Its count of 2^32 is
// there so that counts are not scaled and can be read in the IR.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof;hot-count=1000>' -pass-remarks=inlay -S app.ll -o out.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
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
// REMARK: app.c:7:10: inlined hot context of callee into caller: 2000 samples reach the hot threshold of 1000, cost {{-?[0-9]+}} is within {{[0-9]+}}

// IR-LABEL: define {{.*}}@callee(
// IR: define {{.*}}@caller({{.*}} !prof ![[ENTRY:[0-9]+]]
// IR-NOT: call {{.*}}@callee
// IR: br i1 {{.*}} !prof ![[WEIGHTS:[0-9]+]]
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
