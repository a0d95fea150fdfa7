#!/usr/bin/env python3
"""same-branches.py OURS REFERENCE

Compares two text profiles that were made of the same branch records, the second
by llvm-profgen: the counts of lines, head samples and call targets must be the
same. Three things llvm-profgen does in its own way: it adds to totals by bytes and
not by instructions; it raises a line's count to the sum of its call targets; and
of code without a line it makes a line before the function's first."""

import re
import sys


def read(path):
    """From contexts to head samples, and from their lines to (count, targets)."""
    heads, lines, stack = {}, {}, []
    for text in open(path):
        if text.startswith("#"):
            continue
        depth = len(text) - len(text.lstrip())
        del stack[depth:]
        if re.match(r"\s*6[45]\d\d\d: \d+$", text):
            continue
        if found := re.match(r"\s*([\d.]+): (\d+)((?: \S+:\d+)*)$", text):
            targets = dict(t.rsplit(":", 1) for t in found[3].split())
            lines[(*stack, found[1])] = (int(found[2]), targets)
        elif found := re.match(r"\s*([\d.]+): (\S+):\d+$", text):
            stack.append(f"{found[1]} {found[2]}")
        elif found := re.match(r"(\w+):\d+:(\d+)$", text):
            stack.append(found[1])
            heads[found[1]] = int(found[2])
        elif "!" not in text:
            sys.exit(f"{path}: what is this? {text}")
    return heads, lines


ours, reference = read(sys.argv[1]), read(sys.argv[2])
if ours[0] != reference[0]:
    sys.exit(f"head samples differ:\n{ours[0]}\n{reference[0]}")
if ours[1].keys() != reference[1].keys():
    sys.exit(f"other lines: {ours[1].keys() ^ reference[1].keys()}")
for line, (count, targets) in reference[1].items():
    mine = ours[1][line]
    calls = sum(map(int, targets.values()))
    if mine[1] != targets or mine[0] != count and max(mine[0], calls) != count:
        sys.exit(f"{line}: {mine}, and by llvm-profgen {(count, targets)}")
print(f"{len(ours[0])} functions, {len(ours[1])} lines alike")
