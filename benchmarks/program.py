"""The programs of the benchmarks, and builds of them.

What is particular to a program is in programs/*.sh, which utils/demo uses as
well. A build lives in build/bench/PROGRAM/KEY, where the key comes from
everything that goes into it: the sources, the compiler, the flags, and the
contents of the plugin and the profile. What has been built is not built again.
"""

import fcntl
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import measurement
from measurement import Failure, output_of, progress

ROOT = Path(__file__).resolve().parent.parent
# The suite: programs that figures are reported for. The examples are small, and one
# has but one workload.
SUITE = ("lua", "sqlite", "cxx", "zstd", "minisat2", "leveldb", "cppcheck")
NAMES = (*SUITE, "example", "contexts")

EVENT = "cpu-clock:u"
FREQUENCY = 9973  # Hz, not a divisor of anything that a program may do regularly
SAMPLES = 70000
# A prime, too; with it, traces give some tens of thousands of stacks.
BRANCHES_FROM_STACK_TO_STACK = 1009

# The same for all builds; the line tables change no code.
COMMON_FLAGS = ["-O2", "-gmlt", "-fdebug-info-for-profiling"]


def key_of(*parts):
    """A short text that changes when a part does; a Path stands for what the
    file holds."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else str(part).encode()
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:16]


def write(path, text):
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_text(text)
    partial.rename(path)


def made(path, make, again=False):
    """The path, after make(partial) has made the file if it was not there. It
    appears whole or not at all; another process that wants the same waits."""
    with open(f"{path}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if again or not path.exists():
            partial = path.with_name(path.name + ".partial")
            make(partial)
            partial.rename(path)
    return path


class Toolchain:
    """The compiler and the tools beside it: those of the LLVM that Inlay was
    built for, as no other clang can load the plugin."""

    def __init__(self, build_directory):
        cache = build_directory / "CMakeCache.txt"
        if not cache.exists():
            raise Failure(f"{build_directory} is no build of Inlay; see --build-dir")
        pattern = r"^LLVM_DIR:\w+=(.*)/lib/cmake/llvm/?$"
        found = re.search(pattern, cache.read_text(), re.M)
        if not found:
            raise Failure(f"{cache} does not say where LLVM is")
        self.directory = Path(found[1]) / "bin"
        if not (self.directory / "clang").exists():
            raise Failure(f"no clang in {self.directory}")
        self.version = output_of([self.tool("clang"), "--version"]).decode()

    def tool(self, name):
        return str(self.directory / name)


class Build:
    """A program compiled with certain flags."""

    def __init__(self, program, key, flags):
        self.program = program
        self.flags = flags
        self.key = key
        self.directory = program.directory / key
        self.executable = self.directory / "program"
        # Callgrind would spend its time on the line tables.
        self.stripped = self.directory / "program.stripped"

    def make(self):
        """Seconds it took; 0 if it was there."""
        if self.stripped.exists():
            return 0.0
        self.directory.mkdir(parents=True, exist_ok=True)
        start = time.monotonic()

        def build(partial):
            self.program.drive(
                "build", self.program.sources, self.executable, *self.flags,
                log=self.directory / "build.log",
            )  # fmt: skip
            shutil.rmtree(f"{self.executable}.objects")
            output_of(["strip", "-g", "-o", str(partial), str(self.executable)])

        made(self.stripped, build)
        return time.monotonic() - start

    def workload(self, name, stripped=False):
        return self.program.workload(
            name, self.stripped if stripped else self.executable
        )

    def result(self, workload, suffix, *how):
        """The file for what was measured of the named workload."""
        key = key_of(*self.program.workload(workload, "program"), *how)
        return self.directory / f"{workload}-{key}.{suffix}"

    def result_of_check(self):
        """What the program prints, as far as it does not depend on time."""
        return output_of(self.workload("check"), env=measurement.ENVIRONMENT)

    def instructions(self, workload):
        """Of the named workload. Counted once, for they do not change."""

        def count(partial):
            command = self.workload(workload, stripped=True)
            partial.write_text(json.dumps(measurement.callgrind(command, "/dev/null")))

        path = made(self.result(workload, "instructions.json"), count)
        return json.loads(path.read_text())

    def recording(
        self, workload, flags=(), frequency=FREQUENCY, samples=SAMPLES, again=False
    ):
        """A perf.data file of as many runs of the named workload as it takes to
        get about so many samples; 0: of one run. Recorded once, unless `again'."""
        perf = ["-e", EVENT, "-F", str(frequency), *flags]

        def record(partial):
            command = self.workload(workload)
            runs = 1
            if samples:
                seconds = measurement.run(command).user
                runs = math.ceil(samples / (frequency * max(seconds, 0.01)))
            progress(f"{self.program.name}: recording {runs} runs")
            repeat = 'for _ in $(seq "$0"); do "$@" || exit; done'
            measurement.run(
                ["perf", "record", "-q", *perf, "-o", str(partial), "--"]
                + ["sh", "-c", repeat, str(runs), *command],
                log=self.directory / "record.log",
            )

        path = self.result(workload, "perf.data", samples, *perf)
        return made(path, record, again)

    def exact_counts(self, workload):
        """Callgrind's file of how often each instruction executed, and each
        branch was taken, in one run of the named workload."""

        def count(partial):
            progress(f"{self.program.name}: counting the {workload} workload exactly")
            measurement.callgrind(
                self.workload(workload, stripped=True), partial,
                "--dump-instr=yes", "--collect-jumps=yes", "--skip-plt=no",
            )  # fmt: skip

        return made(self.result(workload, "callgrind"), count)

    def branch_stacks(self, workload, tool):
        """What perf script would print of a processor that records branches."""
        every = BRANCHES_FROM_STACK_TO_STACK

        def trace(partial):
            progress(f"{self.program.name}: tracing the {workload} workload")
            command = self.workload(workload, stripped=True)
            measurement.branch_stacks(command, self.executable, partial, tool, every)

        return made(self.result(workload, "stacks", every), trace)

    def text_size(self):
        for line in output_of(["size", "-A", str(self.executable)]).splitlines():
            if line.startswith(b".text "):
                return int(line.split()[1])
        raise Failure(f"{self.executable} has no .text")


class Program:
    """`release': the program as that release of Debian has it; else as the machine's
    own."""

    def __init__(self, name, toolchain, work, release=None):
        self.name = name
        self.toolchain = toolchain
        self.release = release
        self.directory = Path(work) / name
        # utils/demo's, so that nothing is downloaded twice.
        self.sources = ROOT / "build/demo" / f"{name}-source"
        if release:
            self.sources = self.directory / f"{release}-source"
        self.directory.mkdir(parents=True, exist_ok=True)
        self.drive("fetch", self.sources, log=self.directory / "fetch.log")
        self.key = key_of(self.drive("key", self.sources), toolchain.version)

    def drive(self, action, *arguments, log=None):
        """See programs/run."""
        environment = dict(
            os.environ,
            CC=self.toolchain.tool("clang"),
            CXX=self.toolchain.tool("clang++"),
        )
        if self.release:
            environment["INLAY_DEBIAN_RELEASE"] = self.release
        command = [ROOT / "benchmarks/programs/run", self.name, action]
        command = [str(word) for word in (*command, *arguments)]
        if not log:
            return output_of(command, env=environment)
        with open(log, "wb") as out:
            status = subprocess.run(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                stderr=out,
            ).returncode  # fmt: skip
        if status != 0:
            tail = log.read_text(errors="replace")[-2000:]
            raise Failure(f"{action} of {self.name} failed, see {log}:\n{tail}")

    def workload(self, name, executable):
        words = self.drive("workload", name, self.sources, executable)
        return words.decode().rstrip("\0").split("\0")

    def build(self, *flags, inputs=()):
        """Not made yet. `inputs' are files that the flags name: their contents
        count, not their names."""
        names = {str(path): path.name for path in inputs}
        plain = []
        for flag in flags:
            for path, name in names.items():
                flag = flag.replace(path, name)
            plain.append(flag)
        key = key_of(self.key, *COMMON_FLAGS, *plain, *inputs)
        return Build(self, key, [*COMMON_FLAGS, *flags])

    def base(self):
        """Without a profile, made."""
        build = self.build()
        if seconds := build.make():
            progress(f"{self.name}: base built in {seconds:.0f} s")
        return build
