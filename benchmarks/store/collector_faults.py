#!/usr/bin/env python3
"""collector_faults.py --profstore BIN/llvm-profstore --compose BIN/perfdata-compose
             [--engine sqlite|postgresql] [--rounds 200] [--seed 1]

Kills the collector at random moments, again and again, on PostgreSQL also the
server under its hands, and then counts: every recording that perf had finished
must be in the store exactly once, acknowledged or not.

perf is a stand-in that hands out recordings made beforehand, of which the n-th
has n + 1 samples at an address of its own: so a capture that is lost, or counted
twice, is seen. In some rounds the collector is asked to end instead, and must
end well; in some the store is away, and captures wait in the spool.
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
INPUTS = os.path.join(HERE, "..", "..", "test", "Profstore", "Inputs")
FIRST = 0x10000


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--profstore", required=True)
    parser.add_argument("--compose", required=True)
    parser.add_argument("--engine", default="sqlite",
                        choices=["sqlite", "postgresql"])
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name in ("profstore", "compose"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    if arguments.engine == "postgresql" and "PG_BIN" not in os.environ:
        os.execv(sys.executable, [sys.executable, os.path.join(INPUTS, "postgres.py"),
                                  sys.executable, *sys.argv])
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        Faults(arguments).run()


class Faults:
    def __init__(self, arguments):
        self.arguments = arguments
        self.is_sqlite = arguments.engine == "sqlite"
        self.url = "sqlite:p.db" if self.is_sqlite else "postgresql:///profiles"
        self.random = random.Random(arguments.seed)
        self.acknowledged = set()
        self.made = 0
        self.kills = {"collector": 0, "server": 0, "asked to end": 0, "store away": 0}
        self.environment = dict(os.environ, PERF_RECORDINGS=os.path.abspath("recordings"))
        self.target = subprocess.Popen(["sleep", "86400"])

    def make(self, number):
        """Some recordings more than have been taken."""
        taken = sum(name.endswith(".taken") for name in os.listdir("recordings"))
        while self.made < taken + number:
            index = self.made
            with open("composed", "w") as text:
                text.write("event cpu-clock type=1 freq=999\n"
                           "mmap2 pid=1 addr=0x400000 len=0x1000000 path=/srv/app"
                           " buildid=0123456789abcdef0123456789abcdef01234567\n"
                           f"sample {0x400000 + FIRST + index:#x} x{index + 1}\n")
            subprocess.run([self.arguments.compose, "composed", "-o", "composed.data"],
                           check=True)
            os.rename("composed.data", f"recordings/{index}.data")
            self.made += 1

    def collect(self, url, *options):
        return subprocess.Popen(
            [self.arguments.profstore, "collect", "--store", url, "--app", "shop",
             "--perf", os.path.join(INPUTS, "perf.py"), "--event", "cpu-clock:u",
             "--pid", str(self.target.pid), "--duration", "10ms", "--every", "40ms",
             "--spool", "spool", *options],
            env=self.environment, stderr=subprocess.PIPE, text=True)

    def note(self, output):
        for number in re.findall(r"captured (\d+) sample", output):
            self.acknowledged.add(int(number) - 1)

    def wait_for_perf(self):
        """What a dead collector's perf writes is complete; the next collector is
        not started by systemd before that either."""
        while any(name.endswith(".taken") and
                  not os.path.exists(f"recordings/{name[:-6]}.done")
                  for name in os.listdir("recordings")):
            time.sleep(0.01)

    def restart_server(self, mode):
        subprocess.run([sys.executable, os.path.join(INPUTS, "postgres.py"),
                        "--restart", mode], check=True)
        self.kills["server"] += 1

    def round(self):
        self.make(40)
        url = self.url
        if self.random.random() < 0.15:
            url = "postgresql://no-such-host.invalid/profiles"
            self.kills["store away"] += 1
        collector = self.collect(url)
        time.sleep(self.random.random() * self.longest)
        if not self.is_sqlite and url == self.url and self.random.random() < 0.3:
            self.restart_server(self.random.choice(["fast", "immediate"]))
            time.sleep(self.random.random() * self.longest)
        if self.random.random() < 0.2:
            collector.send_signal(signal.SIGTERM)
            self.kills["asked to end"] += 1
            output = collector.communicate()[1]
            # Before it has begun, a signal ends it as it ends any program.
            has_begun = collector.returncode != -signal.SIGTERM or output
            if has_begun and collector.returncode != 0:
                sys.exit(f"collector_faults.py: asked to end, the collector ended with"
                         f" {collector.returncode}: {output}")
        else:
            collector.kill()
            self.kills["collector"] += 1
            output = collector.communicate()[1]
        self.note(output)
        self.wait_for_perf()

    def counts(self):
        if self.is_sqlite:
            import sqlite3
            database = sqlite3.connect("p.db")
            return dict(database.execute("SELECT a, SUM(samples) FROM folded"
                                         " GROUP BY a"))
        listing = subprocess.run(
            [os.path.join(os.environ["PG_BIN"], "psql"), "-d", "profiles", "-qAtc",
             "SELECT a, SUM(samples) FROM inlay.folded GROUP BY a"],
            capture_output=True, text=True, check=True)
        return {int(a): int(n) for a, n in
                (line.split("|") for line in listing.stdout.split())}

    def must(self, *command):
        done = subprocess.run([self.arguments.profstore, command[0], "--store", self.url,
                               *command[1:]], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"collector_faults.py: {' '.join(command)}: {done.stderr}")

    def run(self):
        os.mkdir("recordings")
        try:
            self.must("init", "--quiet")
            self.make(2)
            start = time.monotonic()
            self.note(self.collect(self.url, "--captures", "1").communicate()[1])
            # So that some die before their first capture, and some after several.
            self.longest = 3 * (time.monotonic() - start)
            for _ in range(self.arguments.rounds):
                self.round()
            # One that lives.
            self.make(2)
            last = self.collect(self.url, "--captures", "1")
            output = last.communicate()[1]
            self.note(output)
            if last.returncode != 0 or "not delivered yet" in output:
                sys.exit("collector_faults.py: the last collector: " + output)
        finally:
            self.target.kill()
        self.must("gc", "--quiet")
        self.must("check", "--quiet")
        done = {int(name[:-5]) for name in os.listdir("recordings")
                if name.endswith(".done")}
        counts = self.counts()
        lost = [i for i in done | self.acknowledged if FIRST + i not in counts]
        wrong = [a - FIRST for a, n in counts.items() if n != a - FIRST + 1]
        if lost or wrong:
            sys.exit(f"collector_faults.py: lost {lost}, counted wrongly {wrong}")
        print(f"{self.arguments.rounds} rounds on {self.url.split(':')[0]}: {len(done)}"
              f" recordings, {len(self.acknowledged)} of them acknowledged; "
              + ", ".join(f"{n} {what}" for what, n in self.kills.items() if n)
              + "; every recording is there exactly once")


if __name__ == "__main__":
    main()
