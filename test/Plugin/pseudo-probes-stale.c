// A function whose probes were numbered in another graph has changed since the
// profile: its checksum is another. Its counts are moved to where their blocks and
// calls are now, by the calls' names and by what lies between them; if that is
// switched off, they are dropped, for the same number is another block. How often
// the function was entered has no number and stays.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='pseudo-probe,print<inlay-contexts>' -inlay-profile=app.prof -disable-output app.ll | FileCheck app.c --check-prefix=MOVED --match-full-lines --strict-whitespace
// RUN: %opt_inlay -passes='pseudo-probe,print<inlay-contexts>' -inlay-profile=app.prof -inlay-stale-matching=false -disable-output app.ll | FileCheck app.c --check-prefix=DROPPED --match-full-lines --strict-whitespace
// RUN: %opt_inlay -passes='pseudo-probe,inlay<profile=app.prof>' -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=REMARK
// RUN: %opt_inlay -passes='pseudo-probe,inlay<profile=app.prof>' -inlay-stale-matching=false -S app.ll 2>&1 | FileCheck app.c --check-prefix=ENTRY

// A module without probes is left alone, with a warning.
// RUN: %opt_inlay -passes='inlay<profile=app.prof>' -S app.ll 2>&1 | FileCheck app.c --check-prefixes=WITHOUT,NONE

//--- old.c
int first(int), second(int), third(int), gone(int);
int edited(int N) {
  int Sum = first(N);
  for (int I = 0; I < N; ++I)
    Sum += second(I);
  gone(Sum);
  return third(Sum);
}
//--- app.c
int first(int), second(int), third(int), reset(void);
int edited(int N) {
  int Sum = first(N);
  if (N > 100)
    reset();
  for (int I = 0; I < N; ++I)
    Sum += second(I);
  return third(Sum);
}
//      MOVED:edited total 4060, entry 10
// MOVED-NEXT:  1: 10
// MOVED-NEXT:  2: 10 first:10
// MOVED-NEXT:  6: 1010
// MOVED-NEXT:  7: 10
// MOVED-NEXT:  8: 1000
// MOVED-NEXT:  9: 1000 second:1000
// MOVED-NEXT:  10: 1000
// MOVED-NEXT:  11: 10
// MOVED-NEXT:  12: 10 third:10

//      DROPPED:edited total 0, entry 10
//  DROPPED-NOT:{{.}}

// REMARK: remark: app.c:2:0: edited has changed since the profile: moved 7 of 10 lines, dropped 1;
// REMARK: of its counts for this module 20 are where they were, 4040 were recovered, 10 dropped (functions that have changed: 1)

// WITHOUT: warning: {{.*}}Inlay: the profile is based on pseudo probes, and the module has none, so that it is left alone; add -fpseudo-probe-for-profiling, or make a profile of lines (llvm-profconv --anchors=lines)
// ENTRY: define {{.*}}@edited({{.*}} !prof ![[ENTRY:[0-9]+]] {
// ENTRY: ![[ENTRY]] = !{!"function_entry_count", i64 {{[1-9][0-9]*}}}
// NONE: define {{.*}}@edited(
// NONE-NOT: !prof
// NONE: ret i32
//--- app.prof
edited:4070:10
 1: 10
 2: 10 first:10
 3: 1010
 4: 10
 5: 1000
 6: 1000 second:1000
 7: 1000
 8: 10
 9: 10 gone:10
 10: 10 third:10
 !CFGChecksum: 7
