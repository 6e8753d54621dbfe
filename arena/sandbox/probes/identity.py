"""Whose rights a program has."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from .checks import Finding, check

__all__: list[str] = []

_FLAGS: Final = "Start seats with the arena's own launcher, which sets this."
_STATUS: Final = Path("/proc/self/status")


@check("user", "A22", "The program is not root, and has no rights of root's groups.", remedy=_FLAGS)
def _user() -> Finding:
    ids = {*os.getresuid(), *os.getresgid(), *os.getgroups()}
    return Finding(holds=0 not in ids, seen=f"uid {os.getuid()}, gid {os.getgid()}")


@check("capabilities", "A21", "It has no capability.", remedy=_FLAGS)
def _capabilities() -> Finding:
    return _none("CapInh", "CapPrm", "CapEff", "CapAmb")


@check("capability-bound", "A21", "It cannot get a capability either.", remedy=_FLAGS)
def _capability_bound() -> Finding:
    return _none("CapBnd")


@check("no-new-privileges", "A18", "No program that it starts gets more rights.", remedy=_FLAGS)
def _no_new_privileges() -> Finding:
    value = _status("NoNewPrivs")
    return Finding(holds=value == "1", seen=f"NoNewPrivs {value}")


@check(
    "seccomp",
    "A18",
    "A filter of system calls is in force.",
    remedy="Use an engine and a kernel that were built with seccomp.",
)
def _seccomp() -> Finding:
    value = _status("Seccomp")
    return Finding(holds=value == "2", seen=f"Seccomp {value}; 2 is a filter")


def _none(*names: str) -> Finding:
    """Whether these sets of capabilities are empty."""
    found = {name: _status(name) for name in names}
    held = {name: value for name, value in found.items() if int(value, 16)}
    seen = ", ".join(f"{name} {value}" for name, value in held.items())
    return Finding(holds=not held, seen=seen or f"{' '.join(names)} zero")


def _status(name: str) -> str:
    """A line of this process's status.

    Raises:
        LookupError: there is none of that name.
    """
    for line in _STATUS.read_text().splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    raise LookupError(f"{_STATUS} has no {name}")
