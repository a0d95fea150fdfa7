#!/usr/bin/env python3
"""end_to_end.py --profstore BIN --clang CLANG++ --plugin Inlay.so [--seconds 10]

From two hosts to a faster build: the example interpreter in two versions, on two
"hosts" with different workloads, under the collector; one store in PostgreSQL;
one export; a rebuild of the newer version with the plugin. Executed instructions
(callgrind) on both workloads, beside those of builds with a profile of either
host alone, and without one.

The first version works on text, the second on numbers. The second has an
additional function and other line numbers: what is known of the first must find
its way by function and line offset.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "..", "..", "examples", "interpreter")
FILES = ["Builtins.cpp", "Main.cpp", "Parser.cpp", "Tree.cpp", "Value.cpp"]

# What the example's own workload does in one round, divided among two hosts.
ROUNDS = {
    "text": """
fn round(number) {
  let ranked = count_words(words_of(input()))
  let sum = 0
  for i = 0 to 20 {
    for j = 0 to 10 {
      sum = sum + distance(ranked[(i + number) % length(ranked)], ranked[random(length(ranked))])
    }
  }
  for i = 0 to 12 {
    source = formula(7)
    position = 0
    sum = (sum + total()) % 1000003
  }
  print("text " + sum)
}
""",
    "numbers": """
fn round(number) {
  let sum = count_primes(20000) + fibonacci(19) + mandelbrot(30)
  sum = sum + queens(6, 0, filled(6, false), filled(12, false), filled(13, false))
  print("numbers " + sum)
}
""",
}


def run(*command, **how):
    done = subprocess.run(command, capture_output=True, text=True, **how)
    if done.returncode != 0:
        sys.exit(f"end_to_end.py: {' '.join(command)}: {done.stdout}{done.stderr}")
    return done


class Test:
    def __init__(self, arguments):
        self.arguments = arguments
        self.store = "postgresql:///profiles"

    def write_sources(self, directory, is_second):
        os.mkdir(directory)
        for name in os.listdir(EXAMPLE):
            path = os.path.join(EXAMPLE, name)
            if not os.path.isfile(path):
                continue
            with open(path) as file:
                contents = file.read()
            if is_second and name == "Tree.cpp":
                # Lines move, and so does all code behind the new function.
                contents = ("// Version 2.\n\n\n"
                            "extern \"C\" __attribute__((used, noinline)) unsigned long\n"
                            "releaseNumber(unsigned long N) { return N * 3 + 2; }\n\n"
                            + contents)
            with open(os.path.join(directory, name), "w") as file:
                file.write(contents)

    def build(self, directory, output, profile=None):
        flags = ["-std=c++20", "-O2", "-gmlt", "-fdebug-info-for-profiling"]
        if profile:
            plugin = self.arguments.plugin
            flags += [f"-fplugin={plugin}", f"-fpass-plugin={plugin}", "-mllvm",
                      f"-inlay-profile={os.path.abspath(profile)}"]
        run(self.arguments.clang, *flags, "-Wl,--build-id", *FILES, "-o",
            os.path.abspath(output), cwd=directory)

    def collect(self, program, workload, host, version):
        work = subprocess.Popen([program, workload + ".script",
                                 os.path.join(EXAMPLE, "input.txt"), "1000000"],
                                stdout=subprocess.DEVNULL)
        try:
            done = run(self.arguments.profstore, "collect", "--store", self.store,
                       "--app", "interpreter", "--version", version, "--host", host,
                       "--pid", str(work.pid), "--frequency", "999", "--duration",
                       f"{self.arguments.seconds}s", "--every", "5m", "--captures", "1",
                       "--spool", "spool-" + host)
        finally:
            work.kill()
        print(done.stderr.strip().splitlines()[-1])

    def export(self, output, *options):
        run(self.arguments.profstore, "export", "--store", self.store, "--app",
            "interpreter", "--binary", "v1", "--binary", "v2", "-o", output,
            *options)

    def instructions(self, program, workload):
        # valgrind does not read the newest DWARF.
        run("strip", "-o", program + ".stripped", program)
        program += ".stripped"
        done = run("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                   program, workload + ".script", os.path.join(EXAMPLE, "input.txt"),
                   "1")
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))

    def run(self):
        with open(os.path.join(EXAMPLE, "workload.script")) as file:
            functions = file.read().split("# --- All of it")[0]
        for name, text in ROUNDS.items():
            with open(name + ".script", "w") as file:
                file.write(functions + text + "\nfor number = 0 to rounds { round(number) }\n")
        self.write_sources("src1", False)
        self.write_sources("src2", True)
        self.build("src1", "v1")
        self.build("src2", "v2")
        run(self.arguments.profstore, "init", "--store", self.store)
        self.collect("./v1", "text", "texthost", "1")
        self.collect("./v2", "numbers", "numberhost", "2")

        # Each host as much as the other.
        self.export("both.prof", "--max-host-share", "50")
        run(self.arguments.profstore, "export", "--store", self.store, "--app",
            "interpreter", "--hosts", "texthost", "--binary", "v1", "-o", "text.prof")
        run(self.arguments.profstore, "export", "--store", self.store, "--app",
            "interpreter", "--hosts", "numberhost", "--binary", "v2", "-o",
            "numbers.prof")
        counts = {}
        print(f"{'profile of':>16} {'text':>12} {'numbers':>12}")
        for name in (None, "both", "text", "numbers"):
            output = f"optimized-{name}"
            if name:
                self.build("src2", output, name + ".prof")
            else:
                output = "v2"
            counts[name] = [self.instructions("./" + output, workload)
                            for workload in ROUNDS]
            saved = [100 * (1 - n / base) for n, base in zip(counts[name], counts[None])]
            print(f"{name or 'no host':>16} {counts[name][0]:12} {counts[name][1]:12}"
                  + (f"   {saved[0]:+.1f} % {saved[1]:+.1f} % saved" if name else ""),
                  flush=True)
        fleet = counts["both"]
        if not all(n < base for n, base in zip(fleet, counts[None])):
            sys.exit("end_to_end.py: the fleet's profile does not save instructions on "
                     "both workloads")
        print("the fleet's profile saves instructions on both workloads")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--profstore", "--clang", "--plugin"):
        parser.add_argument(option, required=True)
    parser.add_argument("--seconds", type=int, default=10)
    arguments = parser.parse_args()
    if "PG_BIN" not in os.environ:
        helper = os.path.join(HERE, "..", "..", "test", "Profstore", "Inputs",
                              "postgres.py")
        os.execv(sys.executable, [sys.executable, helper, sys.executable, *sys.argv])
    arguments.profstore = os.path.abspath(arguments.profstore)
    arguments.plugin = os.path.abspath(arguments.plugin)
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        Test(arguments).run()


if __name__ == "__main__":
    main()
