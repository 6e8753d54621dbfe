"""A bot's clock: arithmetic on instants that are given to it; it never reads one.

A prompt outside a response window has `turn` for free; what it takes beyond comes out of the bank,
and when that is gone the prompt has timed out. A response has its own window and no bank.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.referee.limits import Instant, Nanos, TimeControl

__all__ = ["SeatClock"]


@dataclass(slots=True)
class SeatClock:
    """What is left to a bot in one game."""

    control: TimeControl
    bank_left: Nanos

    def free_time(self, *, responding: bool) -> Nanos:
        """How long a prompt may take at no cost."""
        return self.control.response_window if responding else self.control.turn

    def deadline(self, start: Instant, *, responding: bool) -> Instant:
        """The last instant at which an answer to a prompt that began at `start` is in time."""
        extra = 0 if responding else self.bank_left
        return Instant(start + self.free_time(responding=responding) + extra)

    def charge(self, spent: int) -> None:
        """Take from the bank what a prompt outside a response window took beyond its free time."""
        over = spent - self.control.turn
        if over > 0:
            self.bank_left = Nanos(max(0, self.bank_left - over))
