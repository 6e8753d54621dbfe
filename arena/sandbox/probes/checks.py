"""What a check is, what it says, and the list of all checks of the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

__all__ = ["CHECKS", "Check", "Finding", "Result", "State", "check", "first_few", "state_of"]

_LONGEST: Final = 160
"""Characters of what was seen: a sandbox keeps only so much of what a program writes."""


class State(str, Enum):  # noqa: UP042 - a bot's image may have a Python without StrEnum
    """What came of a check; the value is its word in JSON."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    UNKNOWN = "cannot tell"


class Finding(NamedTuple):
    """Whether a promise holds, None if that cannot be told, and what was seen."""

    holds: bool | None
    seen: str


@dataclass(frozen=True)
class Check:
    """One promise, and how to find out whether it holds.

    Attributes:
        name: Short and for good: an organiser who accepts a failure names it by this.
        threat: The number of the attack in the threat model that it stops.
        promise: One sentence.
        remedy: What to do when it does not hold.
        needed: Strangers' programs may not run without it; otherwise it is advice.
        look: Finds out.
    """

    name: str
    threat: str
    promise: str
    remedy: str
    needed: bool
    look: Callable[[], Finding]

    def result(self) -> Result:
        """Do it. A check that breaks down cannot tell."""
        try:
            holds, seen = self.look()
        except Exception as error:  # whatever it is: the others shall be made too
            holds, seen = None, f"{type(error).__name__}: {error}"
        return Result(
            name=self.name,
            threat=self.threat,
            promise=self.promise,
            remedy=self.remedy,
            needed=self.needed,
            state=state_of(holds, needed=self.needed),
            seen=seen if len(seen) <= _LONGEST else seen[: _LONGEST - 3] + "...",
        )


@dataclass(frozen=True)
class Result:
    """What a check said; all but `state` and `seen` are the check's."""

    name: str
    threat: str
    promise: str
    remedy: str
    needed: bool
    state: State
    seen: str


def state_of(holds: bool | None, *, needed: bool) -> State:
    """The state of a promise that holds, does not, or of which that cannot be told."""
    if holds is None:
        return State.UNKNOWN
    if holds:
        return State.OK
    return State.FAIL if needed else State.WARN


CHECKS: Final[list[Check]] = []
"""All checks of the sandbox, in the order in which they are shown."""


def check(
    name: str, threat: str, promise: str, *, remedy: str, needed: bool = True
) -> Callable[[Callable[[], Finding]], Callable[[], Finding]]:
    """Make a function a check."""

    def add(look: Callable[[], Finding]) -> Callable[[], Finding]:
        CHECKS.append(Check(name, threat, promise, remedy, needed, look))
        return look

    return add


def first_few(things: Sequence[str], none: str) -> str:
    """Some of the things that were found, and how many more there are; `none` if there are none."""
    if not things:
        return none
    more = f" and {len(things) - 3} more" if len(things) > 3 else ""
    return ", ".join(things[:3]) + more
