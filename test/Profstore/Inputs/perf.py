#!/usr/bin/env python3
"""Stands in for perf: `perf record ... -o FILE -- sleep S' writes the next of the
recordings in PERF_RECORDINGS (0.data, 1.data, ...) to FILE, in two halves with a
moment between them, and ends as perf does when it is interrupted: soon, and
with a whole file.

  PERF_FILL   a file to write until the disk is full, once the recording is done
"""

import os
import signal
import sys
import time

output = sys.argv[sys.argv.index("-o") + 1]
recordings = os.environ["PERF_RECORDINGS"]
hurry = []
signal.signal(signal.SIGINT, lambda *_: hurry.append(True))


def nothing(*_):
    pass


signal.signal(signal.SIGTERM, nothing)


def take():
    """Nobody else gets the same one. Waits for one if there are no more."""
    number = 0
    while True:
        if not os.path.exists(os.path.join(recordings, f"{number}.data")):
            if hurry:
                sys.exit(0)
            time.sleep(0.01)
            continue
        try:
            path = os.path.join(recordings, f"{number}.taken")
            os.close(os.open(path, os.O_CREAT | os.O_EXCL))
            return number
        except FileExistsError:
            number += 1


number = take()
with open(os.path.join(recordings, f"{number}.data"), "rb") as file:
    contents = file.read()
half = len(contents) // 2
with open(output, "wb", buffering=0) as file:
    file.write(contents[:half])
    if not hurry:
        time.sleep(0.01 * (number % 5))
    file.write(contents[half:])
os.close(os.open(os.path.join(recordings, f"{number}.done"), os.O_CREAT))
if "PERF_FILL" in os.environ:
    with open(os.environ["PERF_FILL"], "wb", buffering=0) as file:
        size = 65536
        while size:
            try:
                file.write(bytes(size))
            except OSError:
                size //= 2
