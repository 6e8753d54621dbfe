"""What one bot did wrong in a match, and how long it thought."""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from arena.referee.limits import Nanos

__all__ = ["Fault", "Tally"]


class Fault(StrEnum):
    """A cause that is counted. The first five have a consequence in the game, the others none."""

    TIMED_OUT = "timed_out"
    """No answer in time, outside a response window: the default action was played."""
    ILLEGAL = "illegal"
    """The action is not among the legal ones: the default action was played."""
    MALFORMED = "malformed"
    """No action could be read: the default was played, if the answer named an open prompt."""
    CRASHED = "crashed"
    """It ended or closed its stream: default actions for the rest of the game."""
    NEVER_JOINED = "never_joined"
    """It was started again and did not join: default actions for the whole game."""
    MISSED_WINDOW = "missed_window"
    """A response window closed without its answer, which is then `pass`."""
    LATE = "late"
    """An answer after its deadline, also a coup fourré after its window."""
    STALE = "stale"
    """An answer to a prompt that was withdrawn, because somebody else's action settled it."""
    DOUBLED = "doubled"
    """A second answer to a prompt."""
    UNSOLICITED = "unsolicited"
    """An answer to a prompt that this bot was never sent, or that is long forgotten."""


@dataclass(slots=True)
class Tally:
    """What is counted for one bot over a match.

    Attributes:
        faults: How often each cause occurred.
        think_times: Nanoseconds from prompt to answer, for answered prompts that left a choice.
        coups_fourres: How many it declared.
    """

    faults: Counter[Fault] = field(default_factory=Counter)
    think_times: array[int] = field(default_factory=lambda: array("q"))
    coups_fourres: int = 0

    def think_time(self, share: float) -> Nanos:
        """The time that a `share` (0 to 1) of the answers needed at most; 0 if there are none."""
        times = sorted(self.think_times)
        return Nanos(times[min(len(times) - 1, int(share * len(times)))] if times else 0)
