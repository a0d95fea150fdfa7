// calibrate --from learns from recordings that are there: here of a loop that
// executed a million times, whose divisions take the samples. By skid, it is the
// instruction after a division that gets them, and for the class of what stands
// after divisions that rates are high.

// RUN: rm -rf %t && split-file %s %t && cd %t
// RUN: %clang --target=x86_64-linux-gnu -O2 -c app.s -o app.o
// RUN: ld.lld -Ttext=0x201000 -e work app.o -o app
// RUN: perfdata-compose samples -o perf.data
// RUN: llvm-profconv calibrate --from=app,perf.data,callgrind.out --from=app,perf.data,callgrind.out -o rates.json 2>&1 | FileCheck %s
// CHECK: note: rates from 8040 samples of cpu-clock:u on A CPU, exact counts from callgrind; 1 programs, written to rates.json
// RUN: FileCheck %s --input-file=rates.json --check-prefix=TABLE
// TABLE: "name": "GenuineIntel,6,207,2"
// TABLE: "cpu": {"vendor": "GenuineIntel", "families": [6], "models": [207]}
// TABLE: "event": "timer"

// RUN: %python mean.py rates.json | FileCheck %s --check-prefix=MEAN
// MEAN: divide high
// MEAN: alu low

// Two CPUs do not go into one table.
// RUN: sed 's/6,207,2/6,143,8/' samples > samples2 && perfdata-compose samples2 -o other.data
// RUN: not llvm-profconv calibrate --from=app,perf.data,callgrind.out --from=app,other.data,callgrind.out -o x 2>&1 | FileCheck %s --check-prefix=CPUS
// CPUS: error: other.data: was recorded on the CPU GenuineIntel,6,143,8 with the event cpu-clock:u, others on GenuineIntel,6,207,2 with cpu-clock:u; a table is for one CPU and event

// Forty samples teach nothing.
// RUN: sed 's/x4000/x30/' samples > few && perfdata-compose few -o few.data
// RUN: not llvm-profconv calibrate --from=app,few.data,callgrind.out -o x 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: only 50 samples to learn from; record for longer
// RUN: not ls x

//--- app.s
        .globl  work
        .type   work,@function
work:   divl    %ecx
after:  incl    %esi
next:   incl    %edi
        incl    %ebx
        incl    %r8d
        decl    %r9d
        jne     work
        ret
        .size   work, .-work
//--- samples
cpudesc A CPU
cpuid GenuineIntel,6,207,2
event cpu-clock:u
map pid=10 file=app base=0
sample app+after x4000
sample app+next x10
sample app+next+2 x10
//--- mean.py
import json, sys
table = json.load(open(sys.argv[1]))
def mean(name):
    weights = table["classes"][name]
    return sum(w * (-6 + k / 2) for k, w in enumerate(weights)) / sum(weights)
print("divide", "high" if mean("divide@0") > mean("alu") + 0.5 else "like alu")
print("alu", "low" if mean("alu") < 0 else "high")
//--- callgrind.out
# callgrind format
version: 1
creator: by hand
cmd: ./app
part: 1
positions: instr line
events: Ir
summary: 7000001
ob=./app
fl=???
fn=work
0x201000 0 1000000
0x201002 0 1000000
0x201004 0 1000000
0x201006 0 1000000
0x201008 0 1000000
0x20100b 0 1000000
0x20100e 0 1000000
0x201010 0 1
totals: 7000001
