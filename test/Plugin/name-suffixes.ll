; Names that a compiler made by appending to another are looked up without what
; was appended, in the profile and in the module: .llvm.HASH and .part.N.
; .__uniq.HASH tells apart functions of the same name and is kept, and so is
; what makes another function of it. The table of functions in an extended binary
; profile is searched by the same rule.
; RUN: rm -rf %t && split-file %s %t && cd %t
; RUN: %opt_inlay -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.ll
; RUN: llvm-profdata merge --sample --extbinary app.prof -o app.extbinary
; RUN: %opt_inlay -passes='inlay<profile=app.extbinary>' -S app.ll | FileCheck app.ll

;--- app.ll
; CHECK: define void @imported.llvm.123456() {{.*}} !prof ![[#IMPORTED:]]
define void @imported.llvm.123456() !dbg !4 {
  call void @sink(), !dbg !5
  ret void
}
; CHECK: define void @unique.__uniq.111() {{.*}} !prof ![[#UNIQUE:]]
define void @unique.__uniq.111() !dbg !14 {
  call void @sink(), !dbg !15
  ret void
}
; CHECK: define void @unique.__uniq.222() !dbg ![[#]] {
define void @unique.__uniq.222() !dbg !24 {
  call void @sink(), !dbg !25
  ret void
}
; CHECK: define void @main() {{.*}} !prof ![[#MAIN:]]
define void @main() !dbg !34 {
  call void @sink(), !dbg !35
  ret void
}
; CHECK: define void @main.omp_outlined() {{.*}} !prof ![[#OUTLINED:]]
define void @main.omp_outlined() !dbg !44 {
  call void @sink(), !dbg !45
  ret void
}
declare void @sink()
; CHECK-DAG: ![[#MAIN]] = !{!"function_entry_count", i64 70}
; CHECK-DAG: ![[#OUTLINED]] = !{!"function_entry_count", i64 80}
; CHECK-DAG: ![[#IMPORTED]] = !{!"function_entry_count", i64 50}
; CHECK-DAG: ![[#UNIQUE]] = !{!"function_entry_count", i64 60}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.c", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "imported", file: !1, line: 10, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 11, scope: !4)
!14 = distinct !DISubprogram(name: "unique", linkageName: "unique.__uniq.111", file: !1, line: 20, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!15 = !DILocation(line: 21, scope: !14)
!24 = distinct !DISubprogram(name: "unique", linkageName: "unique.__uniq.222", file: !1, line: 20, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!25 = !DILocation(line: 21, scope: !24)
!34 = distinct !DISubprogram(name: "main", file: !1, line: 30, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!35 = !DILocation(line: 31, scope: !34)
!44 = distinct !DISubprogram(name: "main.omp_outlined", file: !1, line: 30, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!45 = !DILocation(line: 31, scope: !44)
!9 = !DISubroutineType(types: !10)
!10 = !{}
;--- app.prof
anchor:4294967296:0
 1: 4294967296
main:70:0
 1: 70
main.omp_outlined:80:0
 1: 80
imported:50:0
 1: 50
unique.__uniq.111:60:0
 1: 60
