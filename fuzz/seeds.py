#!/usr/bin/env python3
"""fuzz/seeds.py BUILD_DIR LLVM_BIN OUTPUT_DIR [TARGET...]

Makes what fuzzers start from, OUTPUT_DIR/TARGET/*, out of the inputs of tests:
descriptions of recordings, callgrind's output, profiles in text, assembly. So
whatever gets a test gets fuzzed, and no binary file is kept.

An input that a tool refuses (some tests are about that) makes no seed.
"""

import functools
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MOST_BYTES = 1 << 15  # a fuzzer gets nowhere with large inputs
SECTION = re.compile(r"^(?://|#|;)--- (\S+)\n", re.MULTILINE)


def read(path):
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def inputs(*folders):
    """(path, text) of each input in the tests of these folders: what split-file
    would make of them, or the test itself."""
    for folder in folders:
        folder = os.path.join(ROOT, "test", folder)
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if not os.path.isfile(path):
                continue
            pieces = SECTION.split(read(path))
            if len(pieces) == 1:
                yield name, pieces[0]
            yield from zip(pieces[1::2], pieces[2::2])


class Seeds:
    """Files named by their content: equal ones are kept once."""

    def __init__(self, output, target):
        self.folder = os.path.join(output, target)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def add(self, content):
        if isinstance(content, str):
            content = content.encode("utf-8", "surrogateescape")
        if not 0 < len(content) <= MOST_BYTES:
            return
        name = hashlib.sha1(content).hexdigest()[:16]
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def count(self):
        return len(os.listdir(self.folder))


class Tools:
    def __init__(self, build, llvm, scratch):
        self.folders = [os.path.join(build, "bin"), llvm]
        self.scratch = scratch

    def run(self, tool, *arguments, content=None):
        """What the tool writes, or nothing if it fails."""
        for folder in self.folders:
            if os.path.exists(os.path.join(folder, tool)):
                tool = os.path.join(folder, tool)
                break
        done = subprocess.run(
            [tool, *arguments], input=content, capture_output=True, cwd=self.scratch
        )
        return done.stdout if done.returncode == 0 else b""

    def path(self, name):
        return os.path.join(self.scratch, name)

    def output(self, tool, *arguments, content=None):
        """What the tool writes to the file that its option -o names."""
        result = self.path("output")
        if os.path.exists(result):
            os.remove(result)
        self.run(tool, *arguments, "-o", result, content=content)
        if not os.path.exists(result):
            return b""
        with open(result, "rb") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)
        return self.path(name)


@functools.cache
def recordings(tools):
    """Every recording that tests describe, also as a stream, and as a machine of
    the other byte order would have written it."""
    result = []
    for _, text in inputs("Perf", "Sampling"):
        if not re.search(r"^event ", text, re.MULTILINE):
            continue
        text = re.sub(r"^sample (.*) x\d+", r"sample \1 x3", text, flags=re.MULTILINE)
        for first in ("", "pipe\n", "big-endian\n", "pipe\nbig-endian\n"):
            content = (first + text).encode("utf-8", "replace")
            result.append(tools.output("perfdata-compose", content=content))
    return result


def perf_data(seeds, tools):
    for recording in recordings(tools):
        seeds.add(recording)


def perf_directory(seeds, tools):
    # Records alone are what stands between a header and its end.
    for recording in recordings(tools):
        if len(recording) < 56 or recording[8] != 104:
            continue
        begin, size = (
            int.from_bytes(recording[at : at + 8], "little") for at in (40, 48)
        )
        seeds.add(recording + b"data.0\n" + recording[begin : begin + size])


def raw_profile(seeds, tools):
    for recording in recordings(tools):
        path = tools.write("perf.data", recording)
        seeds.add(tools.run("perfdata-dump", "--raw", path))
    # What takes most memory for its size: binaries with one place of each kind.
    place, pair = b"\x01\x00\x01", b"\x01\x00\x00\x01"
    binary = bytes(4) + place + pair + place + place + pair
    event = bytes(13) + b"\x82\x01" + 130 * binary + bytes(1)
    version = b"\x01" + bytes(7)
    seeds.add(b"InlayRaw" + version + bytes(16) + bytes(4) + b"\x01" + event)


def callgrind(seeds, tools):
    for _, text in inputs("Profconv"):
        if re.search(r"^positions:.*\n(.*\n)?events:", text, re.MULTILINE):
            seeds.add(text)


def sample_profile(seeds, tools):
    for _, text in inputs("Plugin", "Profconv"):
        if not re.match(r"(#.*\n)*\[?[^\s:]+.*:\d+:\d+\n +\d", text):
            continue
        seeds.add(text)
        path = tools.write("text.prof", text.encode())
        for options in (
            ["--binary"],
            ["--extbinary"],
            ["--extbinary", "--compress-all-sections"],
            ["--extbinary", "--use-md5"],
            ["--extbinary", "--gen-partial-profile"],
        ):
            seeds.add(
                tools.output("llvm-profdata", "merge", "--sample", *options, path)
            )


PROGRAM = r"""
static volatile int sink;
static inline int inner(int x) { return x * 3 + sink; }
static inline int outer(int x) { return inner(x) + inner(x + 1); }
int choose(int x) {
  switch (x) {
  case 0: return outer(1);
  case 1: sink = 2; return 7;
  case 2: return outer(x) - 1;
  case 3: return sink;
  case 4: sink++; return -1;
  default: return x;
  }
}
void _start(void) {
  for (int i = 0; i < 100; ++i)
    sink += choose(i % 7);
}
"""


def binary(seeds, tools):
    source = tools.write("program.c", PROGRAM.encode())
    common = ["-O2", "-ffreestanding", "-fno-pic", "-c", source]
    for target in ("x86_64-linux-gnu", "aarch64-linux-gnu"):
        for options in (
            ["-gmlt", "-fdebug-info-for-profiling"],
            ["-g", "-gdwarf-4", "-fdebug-info-for-profiling"],
            ["-g", "-gdwarf-5", "-gz=zlib"],
            ["-g", "-gdwarf-5", "-gsplit-dwarf"],
            ["-g", "-gdwarf-5", "-fdebug-types-section", "-mcmodel=large"],
            ["-gmlt", "-fpseudo-probe-for-profiling"],
        ):
            code = tools.output("clang", f"--target={target}", *options, *common)
            path = tools.write("program.o", code)
            seeds.add(tools.output("ld.lld", "--build-id", path))
            seeds.add(tools.output("ld.lld", "-shared", "-z", "notext", path))
            seeds.add(tools.output("ld.lld", "-r", path))
            seeds.add(
                tools.output(
                    "ld.lld",
                    "--image-base=0xffffffff80000000",
                    "--defsym=_text=_start",
                    "--emit-relocs",
                    path,
                )
            )
    for _, text in inputs("Object"):
        for arguments in re.findall(r"RUN: llvm-mc (.*) -filetype=obj(.*) %s", text):
            words = " ".join(arguments).split()
            assembly = tools.write("code.s", text.encode("utf-8", "replace"))
            code = tools.output("llvm-mc", *words, "-filetype=obj", assembly)
            path = tools.write("code.o", code)
            seeds.add(tools.output("ld.lld", "-shared", "--eh-frame-hdr", path))


def pprof(seeds, tools):
    program = (
        'int main(void) { __asm__("in_main:"); return 0; }\n'
        'void hot(void) { __asm__("in_hot:"); }\n'
    )
    source = tools.write("app.c", program.encode())
    code = tools.output("clang", "--target=x86_64-linux-gnu", "-c", source)
    app = tools.output("ld.lld", "-e", "main", tools.write("app.o", code))
    path = tools.write("app", app)
    script = os.path.join(ROOT, "test/Profstore/Inputs/pprof.py")
    for kind in ("process", "elf", "symbolized", "no-build-id", "heap", "empty"):
        packed = tools.run(sys.executable, script, path, kind)
        seeds.add(packed)
        if packed.startswith(b"\x1f\x8b"):
            seeds.add(gzip.decompress(packed))


TARGETS = {
    "perf-data": perf_data,
    "perf-directory": perf_directory,
    "raw-profile": raw_profile,
    "callgrind": callgrind,
    "sample-profile": sample_profile,
    "binary": binary,
    "pprof": pprof,
}


def main():
    build, llvm, output, *targets = sys.argv[1:]
    os.environ["PATH"] = llvm + os.pathsep + os.environ["PATH"]
    with tempfile.TemporaryDirectory() as scratch:
        tools = Tools(os.path.abspath(build), llvm, scratch)
        for target in targets or TARGETS:
            seeds = Seeds(output, target)
            TARGETS[target](seeds, tools)
            if not seeds.count():
                sys.exit(f"seeds.py: error: there are none for {target}")
            print(f"{target}: {seeds.count()} seeds")


if __name__ == "__main__":
    main()
