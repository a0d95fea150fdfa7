// Call targets of an indirect call become value-profile metadata, hottest first;
// those of static functions, too: targets are known by their plain names.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.c
// The compiler's pipeline promotes the hot target.
// RUN: %clang_inlay -O2 -gmlt -fdebug-info-for-profiling -mllvm -inlay-profile=alone.prof -S -emit-llvm app.c -o - | FileCheck app.c --check-prefix=PROMOTED

//--- app.c
extern int elsewhere(int);
__attribute__((noinline)) static int local(int N) { return N * 3; }
int (*Table[2])(int) = {local, elsewhere};
int call(int N) {
  return Table[N & 1](N);
}
// 8689012302251286005 is the lower half of MD5("local").
// CHECK: call i32 {{.*}} !prof ![[TARGETS:[0-9]+]]
// CHECK: ![[TARGETS]] = !{!"VP", i32 0, i64 1000, i64 8689012302251286005, i64 900, i64 {{-?[0-9]+}}, i64 90, i64 {{-?[0-9]+}}, i64 10}
// PROMOTED-LABEL: define {{.*}}@call(
// PROMOTED: icmp eq ptr {{.*}}, @local
// PROMOTED: br i1 {{.*}} !prof
//--- app.prof
anchor:4294967296:0
 1: 4294967296
call:1000:0
 1: 1000 another:10 local:900 elsewhere:90
//--- alone.prof
call:1000:0
 1: 1000 another:10 local:900 elsewhere:90
