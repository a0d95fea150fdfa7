// How near raw samples come to exact counts: metrics of one function, computed
// by hand below, as a table and as JSON.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang --target=x86_64-linux-gnu -O2 -gmlt -fdebug-info-for-profiling -c app.c -o app.o
// RUN: ld.lld -Ttext=0x201000 -e work app.o -o app
// RUN: llvm-objdump -d --no-show-raw-insn app | FileCheck app.c --check-prefix=CODE
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --json=max.json | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --input-file=max.json --check-prefix=JSON
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --json=- | diff max.json -

// Block: instructions without no-ops, exact, estimate; weights are the products.
//   201000: 1   1  0
//   201001: 3 100 30
//   201007: 1  25 15
//   20100a: 2 100 20
//   20100e: 1   1  0      sums 527 and 145
// ovi = 300/527 + 25/527 + 40/145; the second and the third block are more than
// a factor of two apart. The branch at 201005 is taken with 0.75, by its
// successors with 20/35, that at 20100c with 0.99 and with 1.
// TABLE: app: estimator max, 75 samples of 80 (cpu-clock:u), 552 instructions counted
// TABLE:      ovi      0.893   share of the execution that is in the right blocks
// TABLE-NEXT: ovf      0.893   the same within each function
// TABLE-NEXT: |p-q|    0.094   mean error
// TABLE-NEXT: dir      1.000   share of the branches
// TABLE-NEXT: within2  0.949   share of the execution
// TABLE:      functions: 1, with samples: 1; blocks: 5; conditional branches that executed: 2
// TABLE-NEXT: 0.00 % of the execution is in functions without samples
// TABLE:      misplaced exact estimate ovf |p-q| dir samples function
// TABLE-NEXT: 10.74 % 100.00 % 100.00 % 0.893 0.094 1.000 75 work
// TABLE-NEXT: 5.18 % 0x20100a: exact 100, estimate 73, 2 instructions, 20 samples, work:4
// TABLE-NEXT: 2.80 % 0x201007: exact 25, estimate 55, 1 instruction, 15 samples, work:3
// TABLE-NEXT: 2.57 % 0x201001: exact 100, estimate 109, 3 instructions, 40 samples, work:2

// JSON:      "binary": "app",
// JSON-NEXT: "blocks": 5,
// JSON-NEXT: "branch_error": 0.094285714285714
// JSON-NEXT: "branches": 2,
// JSON-NEXT: "build_id": "none",
// JSON-NEXT: "claimed_within_two": null,
// JSON-NEXT: "direction": 1,
// JSON-NEXT: "dominating_target": null,
// JSON-NEXT: "estimator": "max",
// JSON-NEXT: "event": "cpu-clock:u",
// JSON-NEXT: "functions": 1,
// JSON-NEXT: "functions_with_samples": 1,
// JSON-NEXT: "indirect_calls": 0,
// JSON-NEXT: "instructions": 552,
// JSON-NEXT: "ovf": 0.89256
// JSON-NEXT: "ovi": 0.89256
// JSON-NEXT: "samples_drawn": 80,
// JSON-NEXT: "samples_in_binary": 75,
// JSON-NEXT: "samples_recorded": 80,
// JSON-NEXT: "seed": 0,
// JSON-NEXT: "share_without_samples": 0,
// JSON-NEXT: "target_overlap": null,
// JSON-NEXT: "within_two": 0.9487
// JSON-NEXT: "worst": [
// JSON:        "address": 2101258,
// JSON-NEXT:   "estimate": 72.6896551
// JSON-NEXT:   "exact": 100,
// JSON-NEXT:   "instructions": 2,
// JSON-NEXT:   "location": "work:4",
// JSON-NEXT:   "misplaced": 0.0518
// JSON-NEXT:   "samples": 20
// JSON:      "name": "work",

// Limits of what is shown:
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --functions=0 | FileCheck %s --check-prefix=NONE --implicit-check-not=0x
// NONE: ovi 0.893
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --blocks=1 | FileCheck %s --check-prefix=ONE --implicit-check-not=0x201007
// ONE: 0x20100a

// Fewer samples, drawn from all 80: the same by the same seed.
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --samples=40 --json=a.json | FileCheck %s --check-prefix=FEWER
// FEWER: app: estimator max, {{3[5-9]|40}} samples of 40 (
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --samples=40 --seed=0 --json=b.json
// RUN: diff a.json b.json
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --samples=40 --seed=1 --json=c.json
// RUN: grep -v seed a.json > a.txt && grep -v seed c.json > c.txt && not diff a.txt c.txt
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=max --samples=81 2>&1 | FileCheck %s --check-prefix=ALL
// ALL: warning: --samples=81: there are 80; all of them are used
// ALL: 75 samples of 80

// Twice the counts are the same; counts of two runs that are added up are not.
// RUN: llvm-profconv accuracy --exact callgrind.out --exact callgrind.out perf.data --estimator=max | FileCheck %s --check-prefix=TWICE
// TWICE: 1104 instructions counted
// TWICE: ovi 0.893

// Without jumps nobody knows how often branches were taken.
// RUN: grep -v -e jcnd -e '^\* 0 $' callgrind.out > no-jumps.out
// RUN: llvm-profconv accuracy --exact no-jumps.out perf.data --estimator=max 2>&1 | FileCheck %s --check-prefix=NOJUMPS
// NOJUMPS: warning: callgrind recorded no jumps: how often branches were taken is not known; run valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes
// NOJUMPS: ovi 0.893
// NOJUMPS: |p-q| - mean error
// NOJUMPS: dir - share

// The other estimators run as well.
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=mean | FileCheck %s --check-prefix=OTHER
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data --estimator=mean-flow | FileCheck %s --check-prefix=OTHER
// RUN: llvm-profconv accuracy --exact callgrind.out perf.data 2>/dev/null | FileCheck %s --check-prefix=OTHER
// OTHER: app: estimator m{{[a-z-]+}}, 75 samples
// OTHER: ovi {{0\.[6-9]|1\.0}}

//--- app.c
__attribute__((naked)) void work(void) {
  __asm__("push %rbx");                                                   // 1
  __asm__("loop: dec %ebx; test %ebx, %ebx; jne skip");                   // 2
  __asm__("nop; inc %eax");                                               // 3
  __asm__("skip: cmp %ebx, %ecx; jne loop");                              // 4
  __asm__("ret");                                                         // 5
}
// CODE: 201000: {{.*}}push
// CODE: 201001: {{.*}}dec
// CODE: 201003: {{.*}}test
// CODE: 201005: {{.*}}jne
// CODE: 201007: {{.*}}nop
// CODE: 201008: {{.*}}inc
// CODE: 20100a: {{.*}}cmp
// CODE: 20100c: {{.*}}jne
// CODE: 20100e: {{.*}}ret

//--- samples
event cpu-clock:u
map pid=10 file=app
sample 0x201003 x30
sample 0x201005 x10
sample 0x201008 x15
sample 0x20100a x20
mmap2 pid=10 addr=0x7f0000000000 len=0x1000 path=/nowhere/libc.so
sample 0x7f0000000010 x5

//--- callgrind.out
version: 1
creator: callgrind-3.19.0
cmd: ./app
positions: instr line
events: Ir

ob=(1) /nowhere/app
fn=(1) work
0x201000 0 1
+1 0 100
+2 0 100
+2 0 100
jcnd=75/100 +5 0 
* 0 
+2 0 25
+1 0 25
+2 0 100
+2 0 100
jcnd=99/100 -11 0 
* 0 
+2 0 1
totals: 552
