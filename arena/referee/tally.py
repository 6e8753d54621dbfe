"""What one bot did wrong in a match, and how long it thought."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from arena.referee.limits import Nanos

__all__ = ["Fault", "Tally", "Times"]


class Fault(StrEnum):
    """A cause that is counted."""

    TIMED_OUT = "timed_out"
    """No answer in time, outside a response window: the default action, and a strike."""
    ILLEGAL = "illegal"
    """The action is not among the legal ones: the default action, and a strike."""
    MALFORMED = "malformed"
    """The answer holds no action that can be read: the same."""
    FORFEITED = "forfeited"
    """It lost the match, for whatever reason."""
    MISSED_WINDOW = "missed_window"
    """A response window closed without its answer, which is then `pass`."""
    LATE = "late"
    """An answer after its deadline, also a coup fourré after its window: surplus."""
    DOUBLED = "doubled"
    """A second answer to a prompt: surplus."""
    UNSOLICITED = "unsolicited"
    """An answer to a prompt that it was never sent, or that is long forgotten: surplus."""
    STALE = "stale"
    """An answer to a prompt that was withdrawn because a partner settled it: nobody's fault."""
    CHATTER = "chatter"
    """A message beyond those that it has for each prompt: surplus."""


_PER_OCTAVE: Final = 32


class Times:
    """Many durations, kept as counts of classes that are 2.2 % wide, and the longest exactly."""

    __slots__ = ("classes", "longest")

    def __init__(self, classes: Mapping[int, int] | None = None, longest: int = 0) -> None:
        self.classes = Counter(classes or {})
        self.longest = longest

    def __len__(self) -> int:
        return self.classes.total()

    def add(self, nanoseconds: int) -> None:
        """Count one."""
        self.classes[int(math.log2(nanoseconds) * _PER_OCTAVE) if nanoseconds > 0 else 0] += 1
        self.longest = max(self.longest, nanoseconds)

    def merge(self, other: Times) -> None:
        """Count all of another."""
        self.classes.update(other.classes)
        self.longest = max(self.longest, other.longest)

    def quantile(self, share: float) -> Nanos:
        """The time that a `share` (0 to 1) of them needed at most, 2.2 % too much at worst."""
        rest = share * len(self)
        for one in sorted(self.classes):
            rest -= self.classes[one]
            if rest <= 0:
                return Nanos(min(self.longest, int(2 ** ((one + 1) / _PER_OCTAVE))))
        return Nanos(self.longest)


@dataclass(slots=True)
class Tally:
    """What is counted for one bot over a match.

    Attributes:
        faults: How often each cause occurred.
        think_times: From prompt to answer, for answered prompts that left a choice.
        start_ups: From being started until it joined.
        coups_fourres: How many it declared.
        strikes: Time-outs and illegal answers so far.
        prompts: How many it was sent.
        surplus: Messages that count against its budget.
        recent: Messages since its last prompt was sent.
    """

    faults: Counter[Fault] = field(default_factory=Counter)
    think_times: Times = field(default_factory=Times)
    start_ups: Times = field(default_factory=Times)
    coups_fourres: int = 0
    strikes: int = 0
    prompts: int = 0
    surplus: int = 0
    recent: int = 0

    def merge(self, other: Tally) -> None:
        """Add what another match brought the same bot."""
        self.faults.update(other.faults)
        self.think_times.merge(other.think_times)
        self.start_ups.merge(other.start_ups)
        self.coups_fourres += other.coups_fourres
        self.strikes += other.strikes
        self.prompts += other.prompts
        self.surplus += other.surplus
