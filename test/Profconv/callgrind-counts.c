// Exact counts of callgrind become a profile: lines, entries as head samples,
// calls as call targets. A call through the PLT, to which callgrind adds the
// stub's instruction, has the count of its neighbours. The input is recognised,
// and the program found although what ran was a copy under another name.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang --target=x86_64-linux-gnu -O2 -gmlt -fdebug-info-for-profiling -c app.c -o app.o
// RUN: ld.lld -Ttext=0x201000 -e work app.o -o app
// RUN: llvm-objdump -d --no-show-raw-insn app | FileCheck app.c --check-prefix=CODE
// RUN: llvm-profconv callgrind.out --binary=app -o app.prof --format=text 2>notes
// RUN: FileCheck app.c --input-file=app.prof --match-full-lines --strict-whitespace
// RUN: FileCheck %s --input-file=notes --check-prefix=NOTES
// NOTES: note: taking the counts of /nowhere/app.copy for those of app: it is the program that callgrind ran, and there are no two build IDs to compare
// NOTES: note: converting app: 92.5 % of 280 instructions
// NOTES: note: app: callgrind added the PLT's instructions to the counts of 1 call, which were taken from the code around instead (--skip-plt=no keeps them apart)
// NOTES: note: 280 instructions read, 217 used, in 3 functions, written to app.prof

// The same when told what it is, and as llvm-profdata reads it.
// RUN: llvm-profconv convert --input=callgrind callgrind.out --binary=app -o again.prof --quiet 2>&1 | count 0
// RUN: llvm-profdata merge --sample --text again.prof -o again.txt
// RUN: FileCheck app.c --input-file=again.txt --check-prefix=MERGED

//--- app.c
// One instruction a line; the comments are addresses.
__attribute__((naked)) void work(void) {
  __asm__("push %rbx");                            // 201000
  __asm__("loop: dec %ebx");                       // 201001
  __asm__("call callee");                          // 201003
  __asm__("test %ebx, %ebx");                      // 201008
  __asm__("jne loop");                             // 20100a
  __asm__("call *%rdx; ret");                      // 20100c
}
// CODE: 201001: {{.*}}decl
// CODE: 201003: {{.*}}call
// CODE: 201008: {{.*}}test
// CODE: 20100a: {{.*}}jne
// CODE: 20100c: {{.*}}call
// CODE: 20100e: {{.*}}ret
// CODE: <callee>:
// CODE: 201010: {{.*}}ret
// CODE: <other>:
// CODE: 201020: {{.*}}ret
__attribute__((naked)) void callee(void) { __asm__("ret"); }
__attribute__((naked)) void other(void) { __asm__("ret"); }
//      CHECK:# resolution: 1
// CHECK-NEXT:work:174:2
// CHECK-NEXT: 1: 2
// CHECK-NEXT: 2: 42
// CHECK-NEXT: 3: 42 callee:42
// CHECK-NEXT: 4: 42
// CHECK-NEXT: 5: 42
// CHECK-NEXT: 6: 2 other:1 printf:1
// CHECK-NEXT:callee:42:42
// CHECK-NEXT: 0: 42
// CHECK-NEXT:other:1:1
// CHECK-NEXT: 0: 1
// MERGED: 3: 42 callee:42

//--- callgrind.out
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 4711
cmd:  ./app.copy --fast
part: 1


desc: I1 cache: 
desc: Trigger: Program termination

positions: instr line
events: Ir
summary: 280


ob=(1) /nowhere/app.copy
fl=(1) ???
fn=(1) work
0x201000 0 2
+1 0 42
+2 0 42
cfn=(2) callee
calls=42 0x201010 0 
* 0 42
cob=(2) /lib/ld.so
cfi=(2) ???
cfn=(3) resolve
calls=1 0x70 0 
* 0 19
* 0 42
+5 0 42
+2 0 42
jcnd=40/42 -9 0 
* 0 
+2 0 2
cfn=(4) other
calls=1 0x201020 0 
* 0 1
cob=(3) /lib/libc.so
cfn=(5) printf'work
calls=1 0x1000 0 
* 0 2
+2 0 2

fn=(2)
0x201010 0 42

fn=(4)
0x201020 0 1

ob=(2)
fl=(2)
fn=(3)
0x70 0 19

ob=(3)
fn=(5)
0x1000 0 2

totals: 280
