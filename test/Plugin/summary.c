// The whole program's summary, of the InstrProf kind, is attached to every
// module byte for byte alike: otherwise they would not link.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm a.c -o a.ll
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm b.c -o b.ll
// RUN: llvm-profdata merge --sample --extbinary ab.prof -o ab.extbinary
// RUN: %opt_inlay -passes='inlay<profile=ab.prof>' -S a.ll -o a.out.ll
// RUN: %opt_inlay -passes='inlay<profile=ab.extbinary>' -S b.ll -o b.out.ll
// RUN: FileCheck a.c --input-file=a.out.ll
// RUN: FileCheck a.c --input-file=b.out.ll
// RUN: grep -A45 ProfileSummary a.out.ll | sed 's/![0-9]*/!N/g' | grep '"\|i32 [0-9]*, i64' > a.summary
// RUN: grep -A45 ProfileSummary b.out.ll | sed 's/![0-9]*/!N/g' | grep '"\|i32 [0-9]*, i64' > b.summary
// RUN: llvm-link a.out.ll b.out.ll -S | FileCheck a.c

//--- a.c
int a(int N) {
  return N;
}
// CHECK: !{i32 1, !"ProfileSummary", ![[#]]}
// CHECK: !{!"ProfileFormat", !"InstrProf"}
// CHECK: !{!"NumCounts", i64 3}
// CHECK: !{!"NumFunctions", i64 3}
//--- b.c
int b(int N) {
  return N;
}
//--- ab.prof
a:10:0
 1: 10
b:1000:0
 1: 1000
c:100:0
 1: 100
