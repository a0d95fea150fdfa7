// One remark for each module says how much of the profile was used: counts that
// met an instruction, of all that the profile has for functions defined here.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-hot-count=500 -Rpass=inlay -c app.c -o app.o 2>&1 | FileCheck app.c --check-prefix=TEXT
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -mllvm -inlay-hot-count=500 -fsave-optimization-record -foptimization-record-passes=inlay -c app.c -o app.o
// RUN: FileCheck app.c --check-prefix=YAML --input-file=app.opt.yaml
// A module that the profile does not know is a missed remark and no more.
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=app.prof -Werror -Rpass-missed=inlay -c library.c -o library.o 2>&1 | FileCheck app.c --check-prefix=UNKNOWN

//--- app.c
int sink(int);
int callee(int N) {
  return sink(N + 1);
}
int caller(int N) {
  return callee(N);
}
int cold(int N) {
  return callee(N);
}
// 700 + 20 + 10 meet an instruction: the 20 are in callee now, to which their
// context was merged, and the call that they were raised to in cold does not
// count them again. Line 77 of caller is not there any more.
// TEXT: used 730 of 1000 counts (73.0%) that app.prof has for this module: annotated 3 of 3 profiled functions, inlined 1 hot contexts, merged 1 others, promoted 0 indirect calls
// YAML: Name: ProfileUsed
// YAML: Function: callee
// YAML: SamplesUsed: '730'
// YAML: SamplesTotal: '1000'
// UNKNOWN: remark: {{.*}}no function of library.c is in the profile app.prof
//--- library.c
int library(int N) {
  return N;
}
//--- app.prof
elsewhere:5000:0
 1: 5000
caller:970:0
 77: 270
 1: callee:700
  1: 700
cold:20:0
 1: callee:20
  1: 20
callee:10:0
 1: 10
