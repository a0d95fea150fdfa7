// Profiles of other converters say less: only lines with samples, a total for
// inlined calls, no entry counts. The text is of the kind that llvm-profgen
// makes from branch records.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -Rpass=inlay -S -emit-llvm app.c -o app.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: FileCheck app.c --input-file=app.ll

//--- app.c
int sink(int);
static int check(int A, int B) {
  if (A != B)
    return sink(A);
  return 0;
}
int longest(const int *P, int N) {
  int Best = 0;
  for (int I = 0; I < N; ++I)
    if (check(P[I], Best))
      Best = I;
  return Best;
}
// REMARK: inlined hot context of check into longest
// CHECK: define {{.*}}@longest({{.*}} !prof ![[ENTRY:[0-9]+]]
// CHECK-NOT: call {{.*}}@check
// CHECK: br i1 {{.*}} !prof
//--- app.prof
longest:1798791:1548
 0: 1548
 2: 22414
 2.1: 22415
 3: check:44000
  1: 22414
  2: 5532 sink:5532
 4: 1347
 5: 1548
