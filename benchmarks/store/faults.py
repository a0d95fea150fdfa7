#!/usr/bin/env python3
"""faults.py --profstore BIN/llvm-profstore [--engine sqlite|postgresql]
             [--rounds 200] [--seed 1]

Kills whoever is at work, at random moments, again and again, and then counts:
every capture that was acknowledged must be in the store exactly once, and none
may be there that nobody made.

In each round some captures are delivered by processes of their own, one of
which also folds (`gc') and one of which exports; SIGKILL hits one of them, and
in PostgreSQL also a server process now and then, which makes the server throw
everybody out and recover. What a process acknowledged before it died is noted;
what it did not acknowledge is delivered again in the end, as the spool would.
Some captures claim to be from 1970 or from the next century.

The n-th capture has one address, n, so that one that is lost, or counted twice,
is seen by its address.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profstore", required=True)
    parser.add_argument("--engine", default="sqlite",
                        choices=["sqlite", "postgresql"])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    arguments.profstore = os.path.abspath(arguments.profstore)
    if arguments.engine == "postgresql" and "PG_BIN" not in os.environ:
        helper = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                              "test", "Profstore", "Inputs", "postgres.py")
        os.execv(sys.executable, [sys.executable, helper, sys.executable, *sys.argv])
    with tempfile.TemporaryDirectory() as scratch:
        Faults(arguments, scratch).run()


def varint(number):
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


def capture(index, when):
    """One address, INDEX, with INDEX % 7 + 1 samples."""
    base = 0x400000
    out = text(1, number(1, 1) + number(2, 2))
    out += text(2, number(1, 1) + number(2, index % 7 + 1))
    out += text(3, number(1, 1) + number(2, base) + number(3, base + (1 << 30))
                + number(5, 5) + number(6, 6))
    out += text(4, number(1, 1) + number(2, 1) + number(3, base + index))
    for string in (b"", b"samples", b"count", b"cpu", b"nanoseconds", b"/srv/app",
                   b"0123456789abcdef"):
        out += text(6, string)
    out += number(9, when * 10**9 + index)
    return out + text(11, number(1, 3) + number(2, 4)) + number(12, 10000000)


class Faults:
    def __init__(self, arguments, scratch):
        self.profstore = arguments.profstore
        self.is_sqlite = arguments.engine == "sqlite"
        self.url = (f"sqlite:{scratch}/p.db" if self.is_sqlite
                    else "postgresql:///profiles")
        self.rounds = arguments.rounds
        self.random = random.Random(arguments.seed)
        self.scratch = scratch
        self.made = 0
        self.acknowledged = set()
        self.kills = {"delivery": 0, "gc": 0, "export": 0, "server": 0}

    def start(self, *command):
        return subprocess.Popen([self.profstore, command[0], "--store", self.url,
                                 *command[1:]],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True)

    def make(self):
        index = self.made
        self.made += 1
        path = os.path.join(self.scratch, f"{index}.pb")
        now = int(time.time())
        # A clock that jumps: now, 1970, or sixty years ahead.
        when = self.random.choice([now, now, now - 86400, 0, now + 60 * 31557600])
        with open(path, "wb") as file:
            file.write(capture(index, when))
        return path

    def note(self, output):
        for line in output.splitlines():
            if ": stored " in line or "is in the store already" in line:
                name = line.split("note: ")[1].split(":")[0]
                self.acknowledged.add(int(os.path.basename(name)[:-3]))

    def kill_server_process(self):
        listing = subprocess.run(
            [os.path.join(os.environ["PG_BIN"], "psql"), "-d", "profiles", "-qAtc",
             "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
             " AND application_name = 'llvm-profstore'"],
            capture_output=True, text=True)
        pids = listing.stdout.split()
        if pids:
            try:
                os.kill(int(self.random.choice(pids)), signal.SIGKILL)
                self.kills["server"] += 1
            except ProcessLookupError:
                pass

    def round(self):
        workers = []
        for _ in range(2):
            files = [self.make() for _ in range(self.random.randint(1, 6))]
            workers.append(("delivery", self.start("ingest", "--app", "shop", *files)))
        workers.append(("gc", self.start("gc", "--quiet")))
        workers.append(("export", self.start("export", "--app", "shop", "-o", "/dev/null",
                                             "--debug-dir", "/none")))
        time.sleep(self.random.random() * self.longest)
        if not self.is_sqlite and self.random.random() < 0.2:
            self.kill_server_process()
        else:
            what, victim = self.random.choice(workers)
            if victim.poll() is None:
                victim.kill()
                self.kills[what] += 1
        for what, worker in workers:
            output, _ = worker.communicate()
            if what == "delivery":
                self.note(output)

    def counts(self):
        """Address -> samples, straight from the tables."""
        if self.is_sqlite:
            import sqlite3
            with sqlite3.connect(self.url[len("sqlite:"):]) as database:
                rows = list(database.execute("SELECT a, SUM(samples) FROM folded"
                                             " GROUP BY a"))
            return dict(rows)
        listing = subprocess.run(
            [os.path.join(os.environ["PG_BIN"], "psql"), "-d", "profiles", "-qAtc",
             "SELECT a, SUM(samples) FROM inlay.folded GROUP BY a"],
            capture_output=True, text=True, check=True)
        return {int(a): int(n) for a, n in
                (line.split("|") for line in listing.stdout.split())}

    def must(self, *command):
        # A server that has just lost a process recovers first, which takes a
        # moment in which it answers nobody.
        for _ in range(60):
            worker = self.start(*command)
            output, _ = worker.communicate()
            if worker.returncode == 0:
                return
            if "cannot be reached" not in output:
                break
            time.sleep(0.5)
        sys.exit(f"faults.py: {' '.join(command)}: {output}")

    def verify(self, expected, what):
        # Folding is exact (the unit tests say so); afterwards there is one table
        # to look at.
        self.must("gc", "--quiet")
        self.must("check", "--quiet")
        counts = self.counts()
        lost = [i for i in expected if i not in counts]
        wrong = [i for i, n in counts.items() if n != i % 7 + 1]
        unknown = [i for i in counts if i >= self.made]
        if lost or wrong or unknown:
            sys.exit(f"faults.py: {what}: lost {lost}, counted wrongly {wrong},"
                     f" never made {unknown}")

    def run(self):
        self.must("init", "--quiet")
        start = time.monotonic()
        self.must("ingest", "--app", "shop", "--quiet", self.make())
        self.acknowledged.add(0)
        self.longest = 2 * (time.monotonic() - start) + 0.1
        for index in range(self.rounds):
            self.round()
            if (index + 1) % 50 == 0:
                self.verify(self.acknowledged, f"after round {index + 1}")
        self.verify(self.acknowledged, "in the end")
        died_with = self.made - len(self.acknowledged)
        # What was not acknowledged comes again, and so does everything else.
        for first in range(0, self.made, 100):
            files = [os.path.join(self.scratch, f"{i}.pb")
                     for i in range(first, min(first + 100, self.made))]
            self.must("ingest", "--app", "shop", "--quiet", *files)
        self.verify(range(self.made), "after delivering all again")
        print(f"{self.rounds} rounds on {self.url.split(':')[0]}: {self.made} captures,"
              f" {died_with} of them not acknowledged at first; killed: "
              + ", ".join(f"{n} {what}" for what, n in self.kills.items())
              + "; every capture is there exactly once")


if __name__ == "__main__":
    main()
