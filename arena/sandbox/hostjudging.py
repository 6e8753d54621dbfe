"""What a check of the host is: a function from facts to a finding."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from arena.sandbox.hostfacts import EngineFacts, Facts
from arena.sandbox.probes.checks import Finding

__all__ = ["HOST_CHECKS", "HostCheck", "asks_engine", "at_least", "host_check", "listed"]

Look = Callable[[Facts], Finding]


@dataclass(frozen=True)
class HostCheck:
    """Like `probes.checks.Check`, but it looks at facts."""

    name: str
    threat: str
    promise: str
    remedy: str
    needed: bool
    look: Look


HOST_CHECKS: Final[list[HostCheck]] = []
"""All checks of the host, in the order in which they are shown."""


def host_check(
    name: str, threat: str, promise: str, *, remedy: str, needed: bool
) -> Callable[[Look], Look]:
    """Make a function a check."""

    def add(look: Look) -> Look:
        HOST_CHECKS.append(HostCheck(name, threat, promise, remedy, needed, look))
        return look

    return add


def asks_engine(look: Callable[[EngineFacts], Finding]) -> Look:
    """A look at the engine alone; without one nothing can be told."""

    @functools.wraps(look)
    def whole(facts: Facts) -> Finding:
        if facts.engine is None:
            return Finding(holds=None, seen="there is no engine")
        return look(facts.engine)

    return whole


def at_least(text: str | None, floors: tuple[tuple[int, ...], ...]) -> Finding:
    """Whether a version is one of the floors, later in its series, or of a newer series.

    A series is all but the last number of a floor.
    """
    found = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", text or "")
    if found is None:
        return Finding(holds=None, seen=f"version {text or 'unknown'}")
    version = tuple(int(number or 0) for number in found.groups())
    same = [floor for floor in floors if floor[:2] == version[:2]]
    holds = version >= same[0] if same else version > max(floors)
    return Finding(holds=holds, seen=f"version {text}")


def listed(names: Collection[str]) -> str:
    """Names in a fixed order."""
    return ", ".join(sorted(names))
