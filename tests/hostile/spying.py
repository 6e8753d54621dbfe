"""For bots in containers that spy: every counter that can be read, and whether any tells a bit.

Both bots of a pair know the same chance bits, and one of them acts on them. If what the other reads
differs between ones and zeros by more than chance, then a bit has been passed, or a secret has been
seen. The statistic is that of Mann and Whitney, for each counter: the share of pairs of a one and a
zero in which the one's figure is higher. Chance is what it does to the bits; a counter counts as
telling if its p, times the number of counters, is below LEVEL.
"""

from __future__ import annotations

import contextlib
import ctypes
import math
import random
import re
import struct
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from millearena.v1 import views_pb2
from tests.hostile import wire

__all__ = ["BITS", "Clock", "Spy", "counters", "suspects"]

_chance: Final = random.Random(20_260_101)
BITS: Final = [_chance.getrandbits(1) for _ in range(10_000)]

LEVEL: Final = 0.001

FILES: Final = (
    *("/proc/buddyinfo", "/proc/cgroups", "/proc/diskstats", "/proc/interrupts"),
    *("/proc/key-users", "/proc/loadavg", "/proc/locks", "/proc/meminfo", "/proc/pressure/cpu"),
    *("/proc/pressure/io", "/proc/pressure/memory", "/proc/pressure/irq", "/proc/schedstat"),
    *("/proc/slabinfo", "/proc/softirqs", "/proc/stat", "/proc/swaps", "/proc/timer_list"),
    *("/proc/uptime", "/proc/vmstat", "/proc/zoneinfo", "/proc/self/schedstat", "/proc/self/stat"),
    *("/proc/sys/fs/aio-nr", "/proc/sys/fs/dentry-state", "/proc/sys/fs/file-nr"),
    *("/proc/sys/fs/inode-nr", "/proc/sys/fs/inode-state", "/proc/sys/kernel/ns_last_pid"),
    *("/proc/sys/kernel/pty/nr", "/proc/sys/kernel/random/entropy_avail"),
    *("/proc/sys/fs/epoll/max_user_watches", "/proc/sys/kernel/tainted", "/proc/net/sockstat"),
)
_FOLDERS: Final = (
    *("/sys/fs/cgroup", "/sys/block", "/sys/devices/system/cpu/cpu0", "/sys/devices/system/node"),
    *("/sys/kernel/mm", "/sys/class/thermal"),
)
_SYSINFO: Final = (
    *("uptime", "load1", "load5", "load15", "total", "free", "shared", "buffer", "swap"),
    *("swapfree", "procs"),
)
_NUMBER: Final = re.compile(r"-?\d+")
_LONGEST: Final = 64 * 1024
_MOST_EVENTS: Final = 1000
_SPIN: Final = 0.002  # seconds
_LIBC: Final = ctypes.CDLL(None)


def _sources() -> list[Path]:
    """The files that can be read here and hold numbers."""
    found = [Path(name) for name in FILES]
    for folder in _FOLDERS:
        for depth in ("*", "*/*", "*/*/*"):
            found += [path for path in Path(folder).glob(depth) if path.is_file()]
    return [path for path in found if _numbers(path)]


def _numbers(path: Path) -> list[int]:
    with contextlib.suppress(OSError), path.open(errors="replace") as file:
        return [int(one) for one in _NUMBER.findall(file.read(_LONGEST))]
    return []


SOURCES: Final = _sources()


def counters(*, sysinfo: bool = True) -> dict[str, int]:
    """Every figure that can be read now, by where it is; those of `sysinfo(2)` or not."""
    found = {"the time": time.monotonic_ns() // 1_000_000}
    answer = ctypes.create_string_buffer(256)
    if sysinfo and _LIBC.sysinfo(answer) == 0:
        # Of `struct sysinfo` on 64 bits: ten longs, then the number of processes as a short.
        values = struct.unpack_from("@l9LH", answer)
        found |= {f"sysinfo {name}": one for name, one in zip(_SYSINFO, values, strict=True)}
    for path in SOURCES:
        found |= {f"{path} {place}": one for place, one in enumerate(_numbers(path))}
    found["spinning"] = _spin()
    return found


def _spin() -> int:
    count, until = 0, time.monotonic() + _SPIN
    while time.monotonic() < until:
        count += 1
    return count


class Clock:
    """What time it is for both bots of a pair: the hand, and the number of an event in it."""

    def __init__(self) -> None:
        self._hand = self._last = 0

    def see(self, view: views_pb2.View) -> None:
        """Notice if a new hand has begun."""
        self._hand += view.event_count < self._last
        self._last = view.event_count

    def bit(self, event: int) -> int:
        """The bit that is meant from this event of the hand on."""
        return BITS[self._hand * _MOST_EVENTS + event]


class Spy:
    """Collects what the counters say for each bit, and tells what they tell."""

    def __init__(self, enough: int) -> None:
        self._enough = enough
        self._samples: list[dict[str, int]] = []
        self._bits: list[int] = []

    @property
    def is_sated(self) -> bool:
        return len(self._samples) >= self._enough

    def add(self, sample: Mapping[str, int], bit: int) -> None:
        """Take what was seen for a bit; with the last one, write to the log what came of it."""
        self._samples.append(dict(sample))
        self._bits.append(bit)
        if self.is_sated:
            self._report()

    def _report(self) -> None:
        found, tried = suspects(self._samples, self._bits)
        for name, share, chance in found[:20]:
            wire.log(f"LEAKS {name}: {share:.2f} of pairs, p {chance:.1e}")
        count = len(self._samples)
        wire.log(f"{count} bits, {tried} counters, {len(found)} of which tell them")


def suspects(
    samples: Sequence[Mapping[str, int]], bits: Sequence[int]
) -> tuple[list[tuple[str, float, float]], int]:
    """The counters that tell the bits, the worst first, and how many there are that vary.

    Each with the share of pairs in which a one's figure is the higher, and p times the counters.
    """
    names = set(samples[0]).intersection(*samples)
    varying = [name for name in names if len({one[name] for one in samples}) > 1]
    found = []
    for name in varying:
        share, chance = _mann_whitney([one[name] for one in samples], bits)
        if chance * len(varying) < LEVEL:
            found.append((name, share, chance * len(varying)))
    return sorted(found, key=lambda one: one[2]), len(varying)


def _mann_whitney(values: Sequence[int], bits: Sequence[int]) -> tuple[float, float]:
    """The share of pairs in which a one's value is higher (equal ones count half), and its p."""
    ones, zeros = sum(bits), len(bits) - sum(bits)
    if not ones or not zeros:
        return 0.5, 1.0
    order = sorted(zip(values, bits, strict=True))
    ranks, ties, start = 0.0, 0, 0
    while start < len(order):
        end = start
        while end < len(order) and order[end][0] == order[start][0]:
            end += 1
        ranks += (start + 1 + end) / 2 * sum(bit for _, bit in order[start:end])
        ties += (end - start) ** 3 - (end - start)
        start = end
    share = (ranks - ones * (ones + 1) / 2) / (ones * zeros)
    count = len(bits)
    spread = math.sqrt((count + 1 - ties / (count * (count - 1))) / (12 * ones * zeros))
    return share, math.erfc(abs(share - 0.5) / spread / math.sqrt(2)) if spread > 0 else 1.0
