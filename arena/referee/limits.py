"""What bots are allowed, in time and in faults: one file for local and rated play.

`Limits` holds a `TimeControl` (start-up, turn, bank, response window), a `FaultBudget` (strikes,
messages, notes), the `WindowMode`, and a `HostGuard`: how slow this machine may be before no bot is
to blame.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from math import isfinite
from typing import Final, NewType

from arena.errors import InputError, quoted

__all__ = [
    "STANDARD",
    "STANDARD_LIMITS",
    "FaultBudget",
    "HostGuard",
    "Instant",
    "Limits",
    "Nanos",
    "TimeControl",
    "WindowMode",
    "limits_from",
    "nanos",
    "shown",
]

Nanos = NewType("Nanos", int)
"""A duration in nanoseconds."""

Instant = NewType("Instant", int)
"""A point on the referee's monotonic clock, in nanoseconds from an origin that means nothing."""

_PER_SECOND: Final = 1_000_000_000
_DAY: Final = 86_400 * _PER_SECOND
_MOST: Final = 1_000_000


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
        for one in fields(self):
            least = 0 if one.name == "bank" else 1
            value = getattr(self, one.name)
            if not least <= value <= _DAY:
                name = one.name.replace("_", " ")
                what = "from 0" if least == 0 else "above 0 and"
                raise InputError(f"{name} {value / _PER_SECOND:g} s: must be {what} up to 86400 s")


STANDARD: Final = TimeControl()
"""The limits of rated play, and the default everywhere else."""


class WindowMode(StrEnum):
    """How a response window is run."""

    PROMPT = "prompt"
    """It closes as soon as all who are asked have answered: quick, but answers can be timed."""
    SEALED = "sealed"
    """It lasts its full time, unless the attack is answered: no timing tells who holds what."""
    STANDING = "standing"
    """Nobody is asked: every answer carries orders, and an attack is resolved at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultBudget:
    """What a bot may do wrong in a match before it forfeits.

    Attributes:
        max_strikes: A prompt that timed out or was answered with something illegal is a strike; so
            many of them are a forfeit. 1 is strict play.
        messages_per_prompt: Messages a bot may send for each prompt, notes included.
        surplus_messages: Messages beyond that, and answers that close no prompt; one more is a
            forfeit.
        note_bytes: Bytes of a note that are kept.

    Raises:
        InputError: a number is out of its range; the message names it.
    """

    max_strikes: int = 3
    messages_per_prompt: int = 4
    surplus_messages: int = 64
    note_bytes: int = 500

    def __post_init__(self) -> None:
        for one in fields(self):
            least = 0 if one.name in ("surplus_messages", "note_bytes") else 1
            value = getattr(self, one.name)
            if not least <= value <= _MOST:
                name = one.name.replace("_", " ")
                raise InputError(f"{name} {value}: must be from {least} to {_MOST}")


@dataclass(frozen=True, slots=True, kw_only=True)
class HostGuard:
    """How long the referee itself may stand still while a prompt is open.

    Attributes:
        credited: A longer standstill is given back to the bot.
        void: After a longer one the match is void: the host has failed.
    """

    credited: Nanos = Nanos(20_000_000)
    void: Nanos = Nanos(250_000_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """All that bots are allowed in a match."""

    time: TimeControl = STANDARD
    faults: FaultBudget = field(default_factory=FaultBudget)
    window: WindowMode = WindowMode.PROMPT
    host: HostGuard = field(default_factory=HostGuard)

    def strict(self) -> Limits:
        """The same, with the first fault a forfeit."""
        return replace(self, faults=replace(self.faults, max_strikes=1))


STANDARD_LIMITS: Final = Limits()
"""Those of local play; rated play has sealed windows."""


def limits_from(given: Mapping[str, object], base: Limits = STANDARD_LIMITS) -> Limits:
    """`base` with what is given, by name.

    The names are those of `TimeControl`, in seconds, those of `FaultBudget`, and `window`.

    Raises:
        InputError: a name or a value is not one of these; the message names it.
    """
    time: dict[str, Nanos] = {}
    faults: dict[str, int] = {}
    window = base.window
    for name, value in given.items():
        if name == "window":
            window = _window(value)
        elif name in _TIMES and isinstance(value, int | float) and not isinstance(value, bool):
            time[name] = nanos(value)
        elif name in _COUNTS and isinstance(value, int) and not isinstance(value, bool):
            faults[name] = value
        elif name in _TIMES or name in _COUNTS:
            raise InputError(f"{name} {quoted(str(value))}: must be a number")
        else:
            raise InputError(f"no limit is called {quoted(name)}; there are {_NAMES}")
    return replace(
        base,
        time=replace(base.time, **time),
        faults=replace(base.faults, **faults),
        window=window,
    )


def _window(value: object) -> WindowMode:
    try:
        return WindowMode(str(value))
    except ValueError:
        known = ", ".join(WindowMode)
        raise InputError(f"window {quoted(str(value))}: must be one of {known}") from None


_TIMES: Final = tuple(one.name for one in fields(TimeControl))
_COUNTS: Final = tuple(one.name for one in fields(FaultBudget))
_NAMES: Final = ", ".join((*_TIMES, "window", *_COUNTS))
