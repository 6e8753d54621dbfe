"""The time that bots have: one file for local and rated play."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import isfinite
from typing import Final, NewType

from arena.errors import InputError

__all__ = ["STANDARD", "Instant", "Nanos", "TimeControl", "nanos", "shown"]

Nanos = NewType("Nanos", int)
"""A duration in nanoseconds."""

Instant = NewType("Instant", int)
"""A point on the referee's monotonic clock, in nanoseconds from an origin that means nothing."""

_PER_SECOND: Final = 1_000_000_000
_DAY: Final = 86_400 * _PER_SECOND


def nanos(seconds: float) -> Nanos:
    """The duration of so many seconds.

    Raises:
        InputError: it is no finite number.
    """
    if not isfinite(seconds * _PER_SECOND):
        raise InputError(f"{seconds} seconds: must be a finite number")
    return Nanos(round(seconds * _PER_SECOND))


def shown(duration: int) -> str:
    """A duration as verdicts name it, in whole milliseconds: `1,000 ms`."""
    return f"{duration // 1_000_000:,} ms"


_START_UP: Final = nanos(20)
_TURN: Final = nanos(1)
_BANK: Final = nanos(30)
_RESPONSE_WINDOW: Final = nanos(0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeControl:
    """How long a bot may take, in nanoseconds.

    Attributes:
        start_up: From the start of its process until it joins.
        turn: Free time for every prompt outside a response window.
        bank: What prompts take beyond `turn`, in one game; at zero a prompt has timed out.
        response_window: For a response, never charged to the bank.

    Raises:
        InputError: a limit is not above zero, or the bank below it, or one is longer than a day;
            the message names it.
    """

    start_up: Nanos = _START_UP
    turn: Nanos = _TURN
    bank: Nanos = _BANK
    response_window: Nanos = _RESPONSE_WINDOW

    def __post_init__(self) -> None:
        for field in fields(self):
            least = 0 if field.name == "bank" else 1
            value = getattr(self, field.name)
            if not least <= value <= _DAY:
                name = field.name.replace("_", " ")
                what = "from 0" if least == 0 else "above 0 and"
                raise InputError(f"{name} {value / _PER_SECOND:g} s: must be {what} up to 86400 s")


STANDARD: Final = TimeControl()
"""The limits of rated play, and the default everywhere else."""
