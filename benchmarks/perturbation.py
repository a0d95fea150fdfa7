"""The same profile, measured another time: as if.

One build says little about a profile. Counts that differ by a few percent, as
those of two recordings do, tip decisions that were close, and the resulting
programs differ by as much as one would like to detect. What is compared are
therefore several builds from perturbed counts.

Counts are multiplied by 1000 first, so that a count of 3 is not always 3 again,
and then by a factor drawn from a normal distribution around 1. Zeros remain:
they are evidence of another kind. The random numbers follow from the seed
alone.

In a sample profile every count gets its own factor; the totals of functions and
of inlined calls follow from those of what they comprise. Counters of an
instrumented build are no independent observations: the compiler computes the
other edges as their differences, and small errors of two big counters would
become big ones of an edge that is never taken. Those of a function therefore
share one factor.
"""

import random
import re

from measurement import Failure

SCALE = 1000

FUNCTION = re.compile(r"(\S.*):(\d+):(\d+)$")
BODY = re.compile(r"( +[0-9.]+: )(\d+)((?: \S+:\d+)*)$")
INLINED = re.compile(r"( +[0-9.]+: .+:)(\d+)$")
METADATA = re.compile(r" +!")
RESOLUTION = re.compile(r"(# resolution: )(\d+)$")


class Noise:
    def __init__(self, seed, deviation):
        self.random = random.Random(seed)
        self.deviation = deviation

    def factor(self):
        return SCALE * max(0.0, self.random.gauss(1, self.deviation))

    def count(self, value):
        return round(int(value) * self.factor())


def perturb_sample_profile(text, seed, deviation):
    """LLVM's text format for sample profiles, in and out."""
    noise = Noise(seed, deviation)
    lines = []
    # The functions and inlined calls around the current line: their depth,
    # place in `lines', text before and after the total, old total, and the sums
    # of the counts in them before and after.
    open_totals = []

    def close(depth):
        while open_totals and open_totals[-1][0] >= depth:
            _, index, head, tail, total, old, new = open_totals.pop()
            total = total * new / old if old else noise.count(total)
            lines[index] = f"{head}{round(total)}{tail}"

    def add(old, new):
        for entry in open_totals:
            entry[5] += old
            entry[6] += new

    for number, line in enumerate(text.splitlines(), 1):
        if found := RESOLUTION.match(line):
            lines.append(f"{found[1]}{int(found[2]) * SCALE}")
            continue
        depth = len(line) - len(line.lstrip(" "))
        if not line or METADATA.match(line):
            lines.append(line)
            continue
        close(depth)
        if depth == 0 and (found := FUNCTION.match(line)):
            name, total, head = found.groups()
            entry = [0, len(lines), f"{name}:", f":{noise.count(head)}", int(total)]
            open_totals.append(entry + [0, 0])
            lines.append(None)
        elif depth and (found := BODY.match(line)):
            place, count, targets = found.groups()
            new = noise.count(count)
            add(int(count), new)
            targets = re.sub(
                r":(\d+)(?= |$)", lambda m: f":{noise.count(m[1])}", targets
            )
            lines.append(f"{place}{new}{targets}")
        elif depth and (found := INLINED.match(line)):
            entry = [depth, len(lines), found[1], "", int(found[2])]
            open_totals.append(entry + [0, 0])
            lines.append(None)
        else:
            raise Failure(f"line {number} of the sample profile is none: {line!r}")
    close(0)
    return "\n".join(lines) + "\n"


def perturb_instrumented_profile(text, seed, deviation):
    """The text format of `llvm-profdata merge -text', in and out. Its comments
    say what follows."""
    noise = Noise(seed, deviation)
    factor = SCALE
    section = ""
    lines = []
    for line in text.splitlines():
        if line.startswith("#"):
            section = line
            if line.startswith("# Func Hash"):
                factor = noise.factor()
        elif section.startswith("# Counter Values") and line.isdigit():
            line = str(round(int(line) * factor))
        elif section.startswith("# NumValueSites") and ":" in line:
            value, count = line.rsplit(":", 1)
            line = f"{value}:{round(int(count) * factor)}"
        lines.append(line)
    return "\n".join(lines) + "\n"
