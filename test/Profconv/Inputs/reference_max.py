#!/usr/bin/env python3
# ===----------------------------------------------------------------------=== #
#
# Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------=== #
"""What `llvm-profconv --estimator=max --format=text` must print, computed
another way: `perf script` reads perf.data, llvm-objdump lists the instructions,
llvm-symbolizer tells the inline stack of every one of them, and this script
adds up. Nothing here is shared with Inlay.

usage: reference_max.py perf.data binary > profile.txt
"""

import collections
import json
import os
import re
import subprocess
import sys


def lines_of(*command, **options):
    result = subprocess.run(
        command, check=True, capture_output=True, text=True, **options
    )
    return result.stdout.splitlines()


# --- Samples: how many at each virtual address of the binary -----------------


def code_segments(binary):
    """(file offset, file size, virtual address) of executable segments."""
    segments = []
    for line in lines_of("llvm-readelf", "-lW", binary):
        match = re.match(r"\s+LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ (...)", line)
        if match and "E" in match[4]:
            offset, address, size = (int(match[i], 16) for i in (1, 2, 3))
            segments.append((offset, size, address))
    return segments


MMAP = re.compile(
    r".*PERF_RECORD_MMAP2? (-?\d+)/-?\d+: "
    r"\[(0x\w+)\((0x\w+)\) @ (\w+) [^\]]*\]: (....) (.*)"
)
SAMPLE = re.compile(r"\s*.*?\s(\d+)\s+\d+\.\d+:\s+\S+\s+([0-9a-f]+)\s*$")


def samples_by_address(perf_data, binary):
    segments = code_segments(binary)
    mappings = collections.defaultdict(list)  # pid -> newest last
    counts = collections.Counter()
    script = lines_of(
        "perf", "script", "-i", perf_data, "--show-mmap-events",
        "-F", "comm,pid,time,event,ip",
    )  # fmt: skip
    for line in script:
        match = MMAP.match(line)
        if match:
            pid, start, length, file_offset = match.group(1, 2, 3, 4)
            mappings[pid].append(
                (int(start, 16), int(length, 16), int(file_offset, 16), match[6])
            )
            continue
        match = SAMPLE.match(line)
        if not match:
            continue
        address = int(match[2], 16)
        for start, length, file_offset, path in reversed(mappings[match[1]]):
            if not start <= address < start + length:
                continue
            if os.path.exists(path) and os.path.samefile(path, binary):
                offset = address - start + file_offset
                for begin, size, virtual in segments:
                    if begin <= offset < begin + size:
                        counts[offset - begin + virtual] += 1
            break
    return counts


# --- Functions: symbols, instructions, inline stacks -------------------------

Function = collections.namedtuple("Function", "begin end name")
SUFFIX = re.compile(
    r"\.(cold|(llvm|part|isra|constprop|lto_priv|cold|__part)\.\d+)$"
)


def canonical(name):
    while SUFFIX.search(name) and not SUFFIX.match(name):
        name = SUFFIX.sub("", name)
    return name


def debug_names(binary):
    """All names of subprograms, for the choice between aliases."""
    names = set()
    for line in lines_of("llvm-dwarfdump", "--debug-info", binary):
        match = re.search(r'DW_AT_(?:linkage_name|name)\s+\("(.*)"\)', line)
        if match:
            names.add(match[1])
    return names


def functions(binary):
    by_address = {}
    for line in lines_of("llvm-readelf", "-sW", binary):
        match = re.match(
            r"\s*\d+: (\w+)\s+(\d+|0x\w+) (FUNC|IFUNC)\s+(\w+)\s+\w+\s+(?:\[.*?\]\s+)?(\w+) (\S+)",
            line,
        )
        if not match or match[5] == "UND":
            continue
        address, size = int(match[1], 16), int(match[2], 0)
        rank = {"GLOBAL": 0, "WEAK": 1}.get(match[4], 2)
        by_address.setdefault(address, []).append((rank, match[6], size))

    known = None
    result = []
    addresses = sorted(by_address)
    for i, address in enumerate(addresses):
        symbols = sorted(by_address[address])
        size = max(s[2] for s in symbols)
        end = address + size
        if i + 1 < len(addresses):
            end = min(end, addresses[i + 1])
        if size == 0:
            continue  # nothing that a compiler makes
        names = [s[1] for s in symbols]
        if len(set(names)) > 1:
            if known is None:
                known = debug_names(binary)
            names = [n for n in names if n in known] or names
        result.append(Function(address, end, canonical(names[0])))
    return result


def instructions(binary):
    """Addresses of all instructions, in order."""
    addresses = []
    for line in lines_of("llvm-objdump", "-d", "--no-show-raw-insn", binary):
        match = re.match(r"\s*([0-9a-f]+):\s", line)
        if match:
            addresses.append(int(match[1], 16))
    return addresses


def inline_stacks(binary, addresses):
    """Address -> frames as llvm-symbolizer prints them, innermost first."""
    output = lines_of(
        "llvm-symbolizer", "--inlines", "--output-style=JSON", "--no-demangle",
        "--functions=linkage", "-e", binary,
        input="\n".join("0x%x" % a for a in addresses) + "\n",
    )  # fmt: skip
    return {a: json.loads(line)["Symbol"] for a, line in zip(addresses, output)}


# --- Discriminators, as LLVM's DILocation encodes them ----------------------


def component(bits):
    """A prefix-coded number: 1 says 0; else 5 bits, or 12 if the 6th is set."""
    if bits & 1:
        return 0
    bits >>= 1
    return (bits & 0x1F) | ((bits >> 1) & 0xFE0) if bits & 0x20 else bits & 0x1F


def next_component(bits):
    if bits & 1:
        return bits >> 1
    return bits >> (14 if bits & 0x40 else 7)


def base_discriminator(discriminator):
    return component(discriminator)


def duplication_factor(discriminator):
    return component(next_component(discriminator)) or 1


# --- The profile -------------------------------------------------------------


class Node:
    def __init__(self):
        self.total = 0
        self.lines = {}  # (line offset, discriminator) -> count
        self.callees = {}  # (line offset, discriminator) -> name -> Node

    def callee(self, location, name):
        return self.callees.setdefault(location, {}).setdefault(name, Node())


def location(frame):
    """(line offset, base discriminator), or None for a frame without a line."""
    if frame["Line"] == 0 or frame["StartLine"] == 0:
        return None
    offset = (frame["Line"] - frame["StartLine"]) & 0xFFFF
    return offset, base_discriminator(frame["Discriminator"])


def add(root, frames, count):
    frames = list(reversed(frames))
    node = root
    node.total += count
    for frame, inner in zip(frames, frames[1:]):
        where = location(frame)
        if where is None:
            return
        node = node.callee(where, canonical(inner["FunctionName"]))
        node.total += count
    where = location(frames[-1])
    if where is not None:
        node.lines[where] = max(node.lines.get(where, 0), count)


def profile(perf_data, binary):
    counts = samples_by_address(perf_data, binary)
    all_instructions = instructions(binary)
    roots = collections.defaultdict(Node)
    for function in functions(binary):
        inside = [a for a in all_instructions if function.begin <= a < function.end]
        if not any(counts[a] for a in inside):
            continue
        stacks = inline_stacks(binary, inside)
        for address in inside:
            frames = stacks[address]
            if len(frames) == 1 and not (frames[0]["Line"] or frames[0]["StartLine"]):
                continue  # no debug information
            factor = duplication_factor(frames[0]["Discriminator"])
            if location(frames[0]) is None:
                factor = 1
            add(roots[function.name], frames, counts[address] * factor)
    return roots


# --- LLVM's text format ------------------------------------------------------


def print_node(node, indent):
    def place(where):
        return "%d.%d" % where if where[1] else "%d" % where[0]

    for where in sorted(node.lines):
        print("%s%s: %d" % (indent, place(where), node.lines[where]))
    for where in sorted(node.callees):
        for name, callee in sorted(node.callees[where].items()):
            print("%s%s: %s:%d" % (indent, place(where), name, callee.total))
            print_node(callee, indent + " ")


def main():
    perf_data, binary = sys.argv[1:]
    roots = profile(perf_data, binary)
    for name, root in sorted(roots.items(), key=lambda r: (-r[1].total, r[0])):
        print("%s:%d:0" % (name, root.total))
        print_node(root, " ")


main()
