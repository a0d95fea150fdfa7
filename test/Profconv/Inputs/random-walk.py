#!/usr/bin/env python3
"""random-walk.py BINARY DISASSEMBLY SEED COMPOSED SCRIPT

Branch stacks of a program that was never run: walks through the code that
`llvm-objdump -d' printed, from the function `start' on, and decides by chance
where conditional branches and indirect calls go. The stacks are written for
perfdata-compose, and once more as `perf script -F ip,brstack' prints them."""

import random
import re
import sys

_, binary, disassembly, seed, composed, script = sys.argv
random.seed(int(seed))

DEPTH, EVERY, STACKS = 32, 97, 3000
functions, code, after = {}, {}, {}
previous = None
for line in open(disassembly):
    if found := re.match(r"([0-9a-f]+) <(\w+)>:$", line):
        functions[found[2]] = int(found[1], 16)
        previous = None
    elif found := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*([^#<]*)", line):
        address = int(found[1], 16)
        code[address] = (found[2], found[3].strip())
        if previous is not None:
            after[previous] = address
        previous = address

targets = [a for name, a in functions.items() if name.startswith("target")]
pc, calls, stack, samples, taken = functions["start"], [], [], [], 0
while len(samples) < STACKS:
    mnemonic, operands = code[pc]
    to = None
    if mnemonic.startswith("ret"):
        to = calls.pop() if calls else functions["start"]
    elif mnemonic.startswith("call") or mnemonic.startswith("jmp"):
        if operands.startswith("*"):
            to = random.choices(targets, range(1, len(targets) + 1))[0]
        else:
            to = int(operands, 16)
        if mnemonic.startswith("call"):
            if len(calls) < 20:
                calls.append(after[pc])
            else:
                to = None
    elif mnemonic.startswith("j") and random.random() < (pc * 7919 % 100) / 100:
        to = int(operands, 16)
    if to is None:
        pc = after[pc]
        continue
    stack = [(pc, to), *stack[: DEPTH - 1]]
    taken += 1
    pc = to
    if taken % EVERY == 0:
        samples.append((pc, list(stack)))

low, high = min(code) & -4096, (max(code) + 4096) & -4096
with open(composed, "w") as out:
    out.write("event branches:u type=4 config=0xc4 period=97 ")
    out.write("sample_type=IP|TID|TIME|PERIOD|BRANCH_STACK branch_type=9\n")
    out.write(f"map pid=1 file={binary}\n")
    for ip, records in samples:
        text = ",".join(f"{a:#x}>{b:#x}" for a, b in records)
        out.write(f"sample {ip:#x} period=97 branches={text}\n")
with open(script, "w") as out:
    out.write(f"PERF_RECORD_MMAP2 1/1: [{low:#x}({high - low:#x}) @ ")
    out.write(f"{low - 0x200000:#x} 00:00 0 0]: r-xp {binary}\n")
    for ip, records in samples:
        text = " ".join(f"{a:#x}/{b:#x}/P/-/-/0" for a, b in records)
        out.write(f" {ip:x} {text}\n")
