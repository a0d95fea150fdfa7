"""How the benchmarks measure, and what they conclude from it.

Instructions are counted by callgrind: the count of a binary is the same to
within some thousand whenever it is repeated, whatever else the machine does.
Times are user times of whole processes, as the kernel accounts for them. A
machine that others use as well drifts by more than the differences of interest,
so callers interleave their runs and compare within a round.
"""

import json
import math
import os
import re
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

# What a run sees of the environment: strings on the stack move everything that
# lies below them.
ENVIRONMENT = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C"}


class Failure(Exception):
    """An error to report in one line."""


def progress(message):
    print(message, file=sys.stderr, flush=True)


@dataclass
class Usage:
    wall: float  # seconds
    user: float  # seconds
    system: float  # seconds
    peak: int  # bytes resident, at most


def run(command, log=None):
    """Runs a command to its end with its output in a file, or nowhere."""
    with open(os.devnull, "rb") as null, open(log or os.devnull, "wb") as out:
        start = time.monotonic()
        child = subprocess.Popen(
            command, stdin=null, stdout=out, stderr=out, env=ENVIRONMENT
        )
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise Failure(
            f"`{' '.join(map(str, command))}' exited with {child.returncode}"
            + (f"; its output is in {log}" if log else "")
        )
    return Usage(wall, usage.ru_utime, usage.ru_stime, usage.ru_maxrss * 1024)


def run_apart(command, log):
    """The same from a fresh process. The kernel counts as a child's peak what its
    parent had in memory when it started it, which must be little where the peak
    is of interest."""
    apart = [sys.executable, __file__, str(log), *command]
    return Usage(**json.loads(output_of(apart)))


def output_of(command, **options):
    """The standard output of a command that must succeed, as bytes."""
    result = subprocess.run(command, capture_output=True, **options)
    if result.returncode != 0:
        text = result.stderr.decode(errors="replace").strip()
        raise Failure(
            f"`{' '.join(map(str, command))}' exited with {result.returncode}"
            + (f": {text[-2000:]}" if text else "")
        )
    return result.stdout


def callgrind(command, out, *options):
    """Runs a command in callgrind, which writes to the file `out'. Instructions
    that it executed, in its own process alone."""
    result = subprocess.run(
        ["nice", "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"]
        + [*options, *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )
    collected = re.search(rb"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or not collected:
        raise Failure(
            f"callgrind failed on `{' '.join(command)}': "
            + result.stderr.decode(errors="replace").strip()[-500:]
        )
    return int(collected[1])


def mapped_at(child, path):
    """Where a running process has the first byte of a file in memory, once it
    has."""
    path = os.path.realpath(path)
    while child.poll() is None:
        with open(f"/proc/{child.pid}/maps") as maps:
            for line in maps:
                fields = line.split(maxsplit=5)
                if fields[-1].strip() == path and int(fields[2], 16) == 0:
                    return int(fields[0].split("-")[0], 16)
        time.sleep(0.01)
    raise Failure(f"`{path}' ended before it was mapped")


def branch_stacks(command, binary, out, tool, every):
    """Runs a command in valgrind and writes to the file `out' what a processor
    that records branches would have told perf: after every so many taken
    branches, the last 32. `binary' is what the command runs, or the same with
    debug information. How it is done is said in `tool', branch-stacks."""
    trace, log = os.pipe()
    tracer = subprocess.Popen(
        ["nice", "valgrind", "--tool=lackey", "--basic-counts=no"]
        + ["--trace-superblocks=yes", "--vex-guest-chase=no"]
        + ["--vex-iropt-unroll-thresh=0", "--vex-guest-max-insns=100"]
        + [f"--log-fd={log}", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[log],
        env=ENVIRONMENT,
    )
    os.close(log)
    try:
        # The pipe is full long before the program can be at its end.
        base = mapped_at(tracer, command[0])
        options = [f"--base={base:#x}", f"--every={every}", "-o", str(out)]
        output_of([str(tool), str(binary), *options], stdin=trace)
    finally:
        os.close(trace)
        status = tracer.wait()
    if status != 0:
        raise Failure(f"`{' '.join(command)}' exited with {status} in valgrind")


# --- Statistics ---------------------------------------------------------------

# Student's t, one-sided 95 %, for 1, 2, ... degrees of freedom.
STUDENT_95 = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812]
STUDENT_95 += [1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725]


def lower_bound_of_mean(values):
    """The lower end of a one-sided 95 % interval for the mean, by Student's t;
    None for fewer than two values. Past the table, its last entry: a little too
    careful."""
    if len(values) < 2:
        return None
    quantile = STUDENT_95[min(len(values) - 1, len(STUDENT_95)) - 1]
    return statistics.mean(values) - quantile * statistics.stdev(values) / math.sqrt(
        len(values)
    )


def lower_bound_of_median(values):
    """The same for the median, by order statistics, which suppose nothing about
    the distribution: the number of values below the median is binomial. None
    for fewer than five values, which bound nothing at 95 %."""
    count, bound = len(values), None
    for k, value in enumerate(sorted(values)):
        if sum(math.comb(count, i) for i in range(k + 1)) / 2**count > 0.05:
            break
        bound = value
    return bound


# --- The report ---------------------------------------------------------------


def markdown_table(header, rows):
    """The first column is text, the others are numbers."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def signed(value, digits=1):
    return f"{value:+.{digits}f}".replace("-", "−")


def machine():
    """One line on where the figures come from, and how busy it was."""
    model = "unknown processor"
    with open("/proc/cpuinfo") as info:
        for line in info:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return (
        f"{os.cpu_count()} × {model}, load average {os.getloadavg()[0]:.1f}, "
        + time.strftime("%Y-%m-%d %H:%M")
    )


if __name__ == "__main__":  # see run_apart
    try:
        print(json.dumps(asdict(run(sys.argv[2:], log=sys.argv[1]))))
    except Failure as failure:
        sys.exit(str(failure))
