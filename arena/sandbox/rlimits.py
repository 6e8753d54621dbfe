"""The limits that a program has as a process, where no control group counts for it.

Not among them, though a container has both: how many processes there may be, which the kernel
counts for the user, everything else that runs under the same name included; and the size of the
address space, of which several runtimes reserve far more than they ever use.
"""

from __future__ import annotations

import contextlib
import resource
import sys
from collections.abc import Mapping
from typing import Final

from arena.sandbox.badness import BOT, sooner
from arena.sandbox.policy import KIB, PLAYING, Policy

__all__ = ["limit", "prlimit_options", "process_limits"]

_LOCKED: Final = 64 * KIB


def process_limits(policy: Policy = PLAYING) -> Mapping[str, int]:
    """The limits by the names that `prlimit` has for them; none is above what we have ourselves."""
    wanted = {
        "core": 0,
        "nofile": policy.open_files,
        "fsize": policy.largest_file,
        "memlock": _LOCKED,
        "msgqueue": 0,
    }
    return {name: _at_most(name, value) for name, value in wanted.items()}


def _at_most(name: str, value: int) -> int:
    hard = resource.getrlimit(_number(name))[1]
    return value if hard == resource.RLIM_INFINITY else min(value, hard)


def _number(name: str) -> int:
    return int(getattr(resource, f"RLIMIT_{name.upper()}"))


def limit(pid: int, policy: Policy = PLAYING) -> None:
    """Limit a process that has just been started, where that is Linux."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            for name, most in process_limits(policy).items():
                resource.prlimit(pid, _number(name), (most, most))
        sooner(BOT, pid)


def prlimit_options(policy: Policy = PLAYING) -> list[str]:
    """The same as options of `prlimit`, which sets them before anything runs."""
    return [f"--{name}={most}" for name, most in process_limits(policy).items()]
