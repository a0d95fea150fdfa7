; Blocks that cannot be reached, an entry without successors that return, an
; indirectbr, several edges to one block, and no debug location at all: none of
; this stops the annotation.
;
; A sample is 8192 (S) in the IR, and a branch's edges share 4 more for what was
; not seen: see inline-hot-context.c.
; Counts that agree come out of profi's flow to the last digit.

; RUN: rm -rf %t && split-file %s %t && cd %t
; RUN: %opt_inlay -inlay-flow=profi -passes='inlay<profile=app.prof>' -S app.ll | FileCheck app.ll -D#S=8192

;--- app.ll
define void @f(i32 %n, ptr %p) !dbg !4 {
entry:
  call void @sink(), !dbg !5
  switch i32 %n, label %a [ i32 1, label %b
                            i32 2, label %b
                            i32 3, label %i ], !dbg !5
; CHECK: ], !dbg {{.*}}!prof ![[SWITCH:[0-9]+]]
a:
  call void @sink(), !dbg !6
  unreachable
b:
  call void @sink(), !dbg !7
  ret void
i:
  indirectbr ptr %p, [label %b, label %b, label %i], !dbg !8
; CHECK: indirectbr
nowhere:
  call void @sink(), !dbg !6
  br i1 poison, label %nowhere, label %b
}
; CHECK: define void @no_location() {
define void @no_location() {
  call void @sink()
  ret void
}
declare void @sink()
; Two cases share a block: its flow is divided between them. What the unreachable
; block does not take, the three others do, 1 of the unseen each.
; CHECK: ![[SWITCH]] = !{!"branch_weights", i32 [[#mul(S,30)]], i32 [[#CASE:]],
; CHECK-SAME: i32 [[#CASE]], i32 [[#sub(mul(S,70)+3,add(CASE,CASE))]]}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "app.c", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 10, type: !9, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DILocation(line: 11, scope: !4)
!6 = !DILocation(line: 12, scope: !4)
!7 = !DILocation(line: 13, scope: !4)
!8 = !DILocation(line: 14, scope: !4)
!9 = !DISubroutineType(types: !10)
!10 = !{}
;--- app.prof
anchor:524290:0
 1: 524288
 2: 1
 3: 1
f:200:0
 1: 100
 2: 30
 3: 70
no_location:10:0
 1: 10
