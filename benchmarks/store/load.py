#!/usr/bin/env python3
"""load.py --profstore BIN/llvm-profstore [--engine sqlite|postgresql] [--quick]

What a profile store bears. Simulated hosts, a process each, deliver captures at
once; then the store is measured with 10, 1 000 and 10 000 captures of the same
program: its size, the time of `list' (which reads totals) and of the sums of an
export, before and after `gc' has folded the captures.

A capture is as the collector makes it of a busy program: 990 samples (10 s at
99 Hz) at addresses drawn from a skewed distribution over 20 000 instructions.

Times are of the clock, and of the processor for the client (`user'); say under
what load they were taken. Writes a table to standard output.
"""

import argparse
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

SAMPLES = 990
INSTRUCTIONS = 20000


def write_varint(out, number):
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)


class Pprof:
    """Captures as files in pprof's format, which takes no perf to write."""

    def __init__(self):
        self.random = random.Random(1)

    def capture(self, number):
        counts = {}
        for _ in range(SAMPLES):
            at = int(INSTRUCTIONS * self.random.random() ** 4)
            counts[at] = counts.get(at, 0) + 1
        out = bytearray()

        def field_number(into, field, value):
            write_varint(into, field << 3)
            write_varint(into, value)

        def field_bytes(into, field, value):
            write_varint(into, field << 3 | 2)
            write_varint(into, len(value))
            into += value

        def message(*fields):
            inner = bytearray()
            for field, value in fields:
                if isinstance(value, int):
                    field_number(inner, field, value)
                else:
                    field_bytes(inner, field, value)
            return bytes(inner)

        strings = [b"", b"samples", b"count", b"cpu", b"nanoseconds", b"/srv/app",
                   b"0123456789abcdef0123456789abcdef01234567"]
        field_bytes(out, 1, message((1, 1), (2, 2)))
        base = 0x400000
        for location, count in enumerate(counts.values(), 1):
            field_bytes(out, 2, message((1, location), (2, count)))
        field_bytes(out, 3, message((1, 1), (2, base), (3, base + (1 << 20)),
                                    (5, 5), (6, 6)))
        for location, at in enumerate(counts, 1):
            field_bytes(out, 4, message((1, location), (2, 1), (3, base + 4 * at)))
        for string in strings:
            field_bytes(out, 6, string)
        # A time of its own makes each a capture of its own.
        field_number(out, 9, (int(time.time()) - 86400) * 10**9 + number)
        field_bytes(out, 11, message((1, 3), (2, 4)))
        field_number(out, 12, 10101010)
        return bytes(out)


def run(command, **how):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, **how)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"load.py: {' '.join(command)}: {done.stderr}")
    return wall, after.ru_utime - before.ru_utime, done.stdout


class Store:
    def __init__(self, arguments, url, scratch):
        self.profstore = arguments.profstore
        self.url = url
        self.scratch = scratch

    def command(self, name, *options):
        return [self.profstore, name, "--store", self.url, *options]

    def size(self):
        if self.url.startswith("sqlite:"):
            path = self.url[len("sqlite:"):]
            # What is still in the log is in no table.
            import sqlite3
            with sqlite3.connect(path) as database:
                database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                database.execute("VACUUM")
            database.close()
            return os.path.getsize(path)
        psql = os.path.join(os.environ["PG_BIN"], "psql")
        query = ["-d", "profiles", "-qAtc"]
        run([psql, *query, "VACUUM FULL"])
        _, _, text = run([psql, *query,
                          "SELECT SUM(pg_total_relation_size(c.oid)) FROM pg_class c"
                          " JOIN pg_namespace n ON n.oid = c.relnamespace"
                          " WHERE n.nspname = 'inlay' AND c.relkind = 'r'"])
        return int(text)

    def deliver(self, files, hosts):
        """Each host delivers its part, all at the same time. Captures/s."""
        start = time.monotonic()
        pids = []
        for host in range(hosts):
            part = files[host::hosts]
            if part:
                pids.append(subprocess.Popen(
                    self.command("ingest", "--quiet", "--app", "shop", "--host",
                                 f"h{host}", *part)))
        if any(pid.wait() != 0 for pid in pids):
            sys.exit("load.py: a delivery failed")
        return len(files) / (time.monotonic() - start)

    def export(self):
        """Time of the sums: the export then finds no binary, and says so."""
        start = time.monotonic()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            self.command("export", "--app", "shop", "-o",
                         os.path.join(self.scratch, "out"), "--debug-dir", "/none"),
            capture_output=True, text=True)
        if "can be symbolized" not in done.stderr:
            sys.exit("load.py: " + done.stderr)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return time.monotonic() - start, after.ru_utime - before.ru_utime


def measure(arguments, url, steps):
    print(f"{'captures':>9} {'state':>9} {'captures/s':>11} {'KiB/capture':>12}"
          f" {'export s':>9} {'user s':>7}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        store = Store(arguments, url, scratch)
        run(store.command("init", "--quiet"))
        empty = store.size()
        pprof = Pprof()
        present = 0
        for total in steps:
            files = []
            for number in range(present, total):
                files.append(os.path.join(scratch, f"{number}.pb"))
                with open(files[-1], "wb") as file:
                    file.write(pprof.capture(number))
            rate = store.deliver(files, arguments.hosts)
            for file in files:
                os.remove(file)
            present = total
            size = (store.size() - empty) / total / 1024
            wall, user = store.export()
            print(f"{total:9} {'delivered':>9} {rate:11.1f} {size:12.2f}"
                  f" {wall:9.2f} {user:7.2f}", flush=True)
            fold, _, _ = run(store.command("gc", "--quiet"))
            size = (store.size() - empty) / total / 1024
            wall, user = store.export()
            print(f"{total:9} {'folded':>9} {'':11} {size:12.2f} {wall:9.2f}"
                  f" {user:7.2f}   (folding took {fold:.2f} s)", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profstore", required=True)
    parser.add_argument("--engine", default="sqlite",
                        choices=["sqlite", "postgresql"])
    parser.add_argument("--hosts", type=int, default=16)
    parser.add_argument("--quick", action="store_true", help="no 10 000 captures")
    arguments = parser.parse_args()
    arguments.profstore = os.path.abspath(arguments.profstore)
    steps = [10, 1000] if arguments.quick else [10, 1000, 10000]
    if arguments.engine == "sqlite":
        with tempfile.TemporaryDirectory() as directory:
            measure(arguments, f"sqlite:{directory}/p.db", steps)
        return
    if "PG_BIN" not in os.environ:
        helper = os.path.join(os.path.dirname(__file__), "..", "..", "test",
                              "Profstore", "Inputs", "postgres.py")
        os.execv(sys.executable, [sys.executable, helper, sys.executable, *sys.argv])
    measure(arguments, "postgresql:///profiles", steps)


if __name__ == "__main__":
    main()
