"""How much of the machine a program can take."""

from __future__ import annotations

import ctypes
import functools
import os
import resource
import struct
from pathlib import Path
from typing import Final

from .checks import CHECKS, Check, Finding, check
from .mounts import mounts

__all__: list[str] = []

_CGROUP: Final = Path("/sys/fs/cgroup")
_MIB: Final = 1024 * 1024
_FLAGS: Final = "Start seats with the arena's own launcher, which sets this."
_CONTROLLER: Final = "The engine cannot limit this: turn the controller on in the kernel."

_MOST_PROCESSES: Final = 1024
_MOST_SCRATCH: Final = 512 * _MIB
_MOST_FILES: Final = 65_536
_LEAST_BADNESS: Final = 300


@check(
    "pids-limit",
    "A1",
    f"At most {_MOST_PROCESSES} processes and threads.",
    remedy=_CONTROLLER,
)
def _pids_limit() -> Finding:
    text = _setting("pids/pids.max", "pids.max")
    return _at_most(text, _MOST_PROCESSES)


@check("memory-limit", "A2", "Memory is limited below what the machine has.", remedy=_CONTROLLER)
def _memory_limit() -> Finding:
    text = _setting("memory/memory.limit_in_bytes", "memory.max")
    return _at_most(text, _of_machine("MemTotal") - 1)


@check(
    "swap-limit",
    "A16",
    "The memory limit cannot be passed by swapping.",
    remedy="Turn swap accounting on (swapaccount=1 on the kernel's command line), or swap off.",
)
def _swap_limit() -> Finding:
    if _of_machine("SwapTotal") == 0:
        return Finding(holds=True, seen="the machine has no swap")
    beyond = _setting("memory/memory.memsw.limit_in_bytes", "memory.swap.max")
    if beyond is None:
        return Finding(holds=False, seen="swap is not counted")
    own = _setting("memory/memory.limit_in_bytes", "") or "0"
    return Finding(holds=beyond in (own, "0"), seen=f"limit {own}, with swap {beyond}")


@check("cpu-limit", "A14", "A program gets no more than its share of time.", remedy=_CONTROLLER)
def _cpu_limit() -> Finding:
    text = _setting("cpu/cpu.cfs_quota_us", "cpu.max")
    if text is None:
        text = _setting("cpu,cpuacct/cpu.cfs_quota_us", "")
    if text is None:
        return Finding(holds=None, seen="the quota cannot be read")
    quota = text.split()[0]
    return Finding(holds=quota not in ("max", "-1"), seen=f"quota {text}")


@check("tmp-size", "A4", "What /tmp holds is limited, both in bytes and in files.", remedy=_FLAGS)
def _tmp_size() -> Finding:
    return _scratch("/tmp", _MOST_FILES)  # noqa: S108


@check("shm-size", "A4", "What /dev/shm holds is limited.", remedy=_FLAGS)
def _shm_size() -> Finding:
    return _scratch("/dev/shm", None)  # noqa: S108


@check(
    "oom-first",
    "H18",
    "When the machine runs out of memory, bots die before the referee.",
    remedy=_FLAGS,
)
def _oom_first() -> Finding:
    score = int(Path("/proc/self/oom_score_adj").read_text())
    return Finding(holds=score >= _LEAST_BADNESS, seen=f"oom_score_adj {score}")


_RESOURCES: Final = (
    # name, which, the most that is allowed, threat, promise
    ("nofile", resource.RLIMIT_NOFILE, 1024, "A6", "Open descriptors are limited."),
    ("core", resource.RLIMIT_CORE, 0, "A17", "No core dump is written."),
    ("fsize", resource.RLIMIT_FSIZE, 1024 * _MIB, "A4", "The size of a file is limited."),
    ("memlock", resource.RLIMIT_MEMLOCK, 8 * _MIB, "A2", "Little memory can be locked."),
    ("msgqueue", resource.RLIMIT_MSGQUEUE, 0, "A19", "There is no memory for message queues."),
    ("sigpending", resource.RLIMIT_SIGPENDING, 4096, "A6", "Signals that wait are limited."),
)


def _resource(number: int, most: int) -> Finding:
    # The hard limit: the soft one can be raised to it.
    limit = resource.getrlimit(number)[1]
    if limit == resource.RLIM_INFINITY:
        return Finding(holds=False, seen="no limit")
    return Finding(holds=limit <= most, seen=f"{limit}; at most {most} is right")


CHECKS.extend(
    Check(
        name=f"rlimit-{name}",
        threat=threat,
        promise=promise,
        remedy=_FLAGS,
        needed=True,
        look=functools.partial(_resource, number, most),
    )
    for name, number, most, threat, promise in _RESOURCES
)


def _setting(first: str, second: str) -> str | None:
    """A file of this container's control group, of the first version or of the second."""
    for name in (first, second):
        path = _CGROUP / name
        if name and path.is_file():
            return path.read_text().strip()
    return None


def _at_most(text: str | None, most: int) -> Finding:
    if text is None:
        return Finding(holds=None, seen="the limit cannot be read")
    if text == "max":
        return Finding(holds=False, seen="no limit")
    return Finding(holds=int(text) <= most, seen=f"limit {text}")


def _of_machine(name: str) -> int:
    """How much memory or swap there is, in bytes: by `sysinfo(2)`, as `/proc/meminfo` is covered.

    Raises:
        OSError: the call is refused.
    """
    answer = ctypes.create_string_buffer(256)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.sysinfo(answer) != 0:
        raise OSError(ctypes.get_errno(), "sysinfo")
    # `struct sysinfo` up to the unit in which it counts: ten longs, two shorts, two longs, an int.
    values = struct.unpack_from("@l9LHHLLI", answer)
    return int(values[{"MemTotal": 4, "SwapTotal": 8}[name]] * values[14])


def _scratch(path: str, most_files: int | None) -> Finding:
    if path not in {one.path for one in mounts() if one.kind == "tmpfs"}:
        return Finding(holds=False, seen="no tmpfs of its own")
    found = os.statvfs(path)
    size = found.f_blocks * found.f_frsize
    fits = 0 < size <= _MOST_SCRATCH and (most_files is None or 0 < found.f_files <= most_files)
    return Finding(holds=fits, seen=f"{size / _MIB:.0f} MiB, {found.f_files} files")
