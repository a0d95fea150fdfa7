"""pprof.py BINARY KIND: writes a pprof profile of BINARY to standard output, of
three days ago.

Its samples are at the symbols in_hot and in_main. Written by hand, field by
field, so that it shares nothing with the reader under test.
"""

import gzip
import subprocess
import sys
import time

binary, kind = sys.argv[1:]


def symbols():
    listing = subprocess.run(["llvm-nm", binary], capture_output=True, text=True,
                             check=True).stdout
    lines = (line.split() for line in listing.splitlines())
    return {line[2]: int(line[0], 16) for line in lines if len(line) == 3}


def segment():
    """(file offset, virtual address, size) of the code."""
    listing = subprocess.run(["llvm-readelf", "-lW", binary], capture_output=True,
                             text=True, check=True).stdout
    for line in listing.splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in words[6:-1]:
            return int(words[1], 16), int(words[2], 16), int(words[4], 16)
    sys.exit("no code")


def varint(number):
    encoded = bytearray()
    number &= (1 << 64) - 1
    while number >= 0x80:
        encoded.append(number & 0x7F | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number(field, value):
    return varint(field << 3) + varint(value)


def text(field, value):
    return varint(field << 3 | 2) + varint(len(value)) + value


strings = [""]


def string(value):
    if value not in strings:
        strings.append(value)
    return strings.index(value)


def value_type(name, unit):
    return number(1, string(name)) + number(2, string(unit))


def packed(field, values):
    return text(field, b"".join(varint(value) for value in values))


PERIOD = 10000000
BASE = 0x7F0000000000
offset, address, size = segment()
at = symbols()
out = bytearray()
is_time = kind == "elf"
if kind == "heap":
    out += text(1, value_type("alloc_space", "bytes"))
else:
    if not is_time:
        out += text(1, value_type("samples", "count"))
    out += text(1, value_type("cpu", "nanoseconds"))


def sample(location, count):
    values = [count * PERIOD] if is_time else [count, count * PERIOD]
    if kind == "heap":
        values = values[:1]
    return text(2, packed(1, [location, 9]) + packed(2, values))


if kind != "empty":
    out += sample(1, 60) + sample(2, 50) + sample(1, 40)
if kind == "process":
    # Without an address; without a mapping; outside of it; a location and a
    # mapping that are not there.
    out += sample(3, 2) + sample(4, 1) + sample(5, 2)

build_id = "0102030405060708" if kind != "no-build-id" else "go.buildid/x"
mapping = number(1, 1)
if kind != "elf":
    mapping += number(2, BASE) + number(3, BASE + size) + number(4, offset)
mapping += number(5, string("/srv/app")) + number(6, string(build_id))
out += text(3, mapping)
for number_of, symbol in ((1, "in_hot"), (2, "in_main")):
    place = at[symbol] - address + BASE if kind != "elf" else at[symbol]
    location = number(1, number_of) + number(2, 1)
    if kind != "symbolized":
        location += number(3, place)
    out += text(4, location)
out += text(4, number(1, 3) + number(2, 1))
out += text(4, number(1, 4) + number(2, 77) + number(3, BASE + 1))
out += text(4, number(1, 5) + number(2, 1) + number(3, BASE - 5))
out += number(9, int(time.time() - 3 * 86400) * 10**9) + number(10, 20 * 10**9)
out += text(11, value_type("cpu" if kind != "heap" else "space",
                           "nanoseconds" if kind != "heap" else "bytes"))
out += number(12, PERIOD)
# Last, for by now all are known.
for value in strings:
    out += text(6, value.encode())
out = bytes(out)
sys.stdout.buffer.write(out if kind == "elf" else gzip.compress(out, mtime=0))
