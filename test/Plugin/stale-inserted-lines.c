// Lines were inserted into a function and deleted from it since the profile:
// counts follow the lines they were counted on, and those of deleted lines are
// dropped. Discriminators, call targets and inlined copies move with their lines.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang -O1 -gmlt -fdebug-info-for-profiling -Xclang -disable-llvm-passes -S -emit-llvm app.c -o app.ll
// RUN: %opt_inlay -passes='function(add-discriminators),print<inlay-contexts>' -inlay-profile=app.prof -disable-output app.ll | FileCheck app.c --check-prefix=MOVED --match-full-lines --strict-whitespace
// RUN: %opt_inlay -passes='function(add-discriminators),print<inlay-contexts>' -inlay-profile=app.prof -inlay-stale-matching=false -disable-output app.ll | FileCheck app.c --check-prefix=LEFT
// RUN: %opt_inlay -passes='function(add-discriminators),inlay<profile=app.prof>' -pass-remarks-analysis=inlay -disable-output app.ll 2>&1 | FileCheck app.c --check-prefix=REMARK

//--- old.c
int first(int), second(int), third(int), gone(int);
static int inlined(int N) {
  return N > 3 ? 5 : N;
}
int edited(int N) {
  int Sum = first(N);
  for (int I = 0; I < N; ++I) {
    Sum += second(I);
    Sum ^= inlined(Sum);
  }

  gone(Sum);

  return third(Sum);
}
//--- app.c
int first(int), second(int), third(int), reset(void);
static int inlined(int N) {
  return N > 3 ? 5 : N;
}
int edited(int N) {
  // A comment has
  // come in.
  int Sum = first(N);

  for (int I = 0; I < N; ++I) {
    if (I == 100)
      reset();
    Sum += second(I);
    Sum ^= inlined(Sum);
  }

  return third(Sum);
}
//      MOVED:edited total 5310, entry 10
// MOVED-NEXT:  3: 10 first:10
// MOVED-NEXT:  5: 1010
// MOVED-NEXT:  5.1: 1000
// MOVED-NEXT:  8: 1000 second:1000
// MOVED-NEXT:  12: 10 third:10
// MOVED-NEXT:  @ 9: inlined total 2280, entry 1000
// MOVED-NEXT:    1: 1000
// MOVED-NEXT:    1.1: 280
// MOVED-NEXT:    1.2: 1000

// LEFT: edited total 5330, entry 10
// LEFT:   1: 10 first:10

// REMARK: app.c:5:0: edited has changed since the profile: moved 5 of 6 lines, dropped 1; 81% alike
// REMARK: the profile is of older source: of its counts for this module 0 are where they were, 5310 were recovered, 20 dropped (functions that have changed: 1)
//--- app.prof
edited:5330:10
 1: 10 first:10
 2: 1010
 2.1: 1000
 3: 1000 second:1000
 7: 20 gone:20
 9: 10 third:10
 4: inlined:2280
  1: 1000
  1.1: 280
  1.2: 1000
