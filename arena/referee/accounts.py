"""What a record has said of one bot so far: its bank, its strikes, its open question.

The arithmetic of PLAY lines, worked out a second time from what the lines say: whoever verifies a
record must not trust the machine that wrote it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from arena.engine.fields import shown
from arena.errors import ArenaError
from arena.referee.entries import PlayLine, RejectedLine
from arena.referee.events import ForfeitReason, RejectionReason
from arena.referee.limits import Limits
from arena.referee.tally import Fault

__all__ = ["Account", "Disagreement", "same"]


class Disagreement(ArenaError):  # noqa: N818 - the reader's word; `RecordError` adds the line
    """A line says something that cannot have happened, or not after the lines before it."""


def same(name: str, given: object, right: object) -> None:
    """Require that a member holds what it must.

    Raises:
        Disagreement: it does not.
    """
    if given != right:
        raise Disagreement(f"{name} is {_json(given)}, must be {_json(right)}")


def _json(value: object) -> str:
    if not isinstance(value, list | tuple):
        return shown(value)
    text = f"[{', '.join(map(_json, value))}]"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


_LONGEST: Final = 300


@dataclass(slots=True)
class Account:
    """One bot.

    Attributes:
        limits: What was agreed.
        bank: What its bank holds, in nanoseconds.
        strikes: So far in the match.
        surplus: Surplus messages so far that count against its budget.
        prompts: Prompts that it was sent so far.
        asked_at: Since when it has an open prompt, which is number `prompts`; None: it has none.
        fault: Why the default action will be played for that prompt, None if nothing says so.
        lost: It has forfeited.
    """

    limits: Limits
    bank: int = 0
    strikes: int = 0
    surplus: int = 0
    prompts: int = 0
    asked_at: int | None = None
    fault: Fault | None = None
    lost: bool = False

    def ask(self, at: int) -> None:
        """It is sent a prompt."""
        self.prompts += 1
        self.asked_at = at

    def settle(self) -> None:
        """Its prompt is closed."""
        self.asked_at = self.fault = None

    def reject(self, line: RejectedLine, *, in_window: bool) -> ForfeitReason | None:
        """Its answer, or silence, is refused; why it must forfeit now, if it must."""
        if self.asked_at is None or self.fault is not None:
            raise Disagreement(f"bot {line.bot} has no open prompt that could be rejected")
        same("prompt", line.prompt, self.prompts)
        if line.reason not in RejectionReason.__members__:
            known = ", ".join(RejectionReason.__members__)
            raise Disagreement(f"reason is {shown(line.reason)}, must be one of {known}")
        self.fault = _fault(RejectionReason[line.reason], in_window=in_window)
        if self.fault is not Fault.MISSED_WINDOW:
            self.strikes += 1
        same("strikes", line.strikes, self.strikes)
        if self.fault is Fault.MISSED_WINDOW or self.strikes < self.limits.faults.max_strikes:
            return None
        timed_out = self.fault is Fault.TIMED_OUT
        return ForfeitReason.TIMEOUT if timed_out else ForfeitReason.ILLEGAL

    def count_surplus(self) -> bool:
        """A surplus message; whether it is one more than allowed."""
        self.surplus += 1
        return self.surplus > self.limits.faults.surplus_messages

    def charge(self, line: PlayLine, *, in_window: bool) -> None:
        """Check the times of an action that ends its prompt, and charge its bank."""
        assert self.asked_at is not None
        time = self.limits.time
        limit = time.response_window if in_window else time.turn + self.bank
        if self.fault in (Fault.TIMED_OUT, Fault.MISSED_WINDOW):
            same("spent", line.spent, limit)
        elif line.spent > limit:
            raise Disagreement(f"spent is {line.spent}, must be at most {limit}: all it had")
        passed = line.at - self.asked_at
        if line.spent + line.lag > passed:
            raise Disagreement(
                f"spent and lag are {line.spent + line.lag}, must be at most {passed}: what has "
                "passed since the prompt"
            )
        if not in_window:
            self.bank -= max(0, line.spent - time.turn)
        same("bank", line.bank, self.bank)

    def play_unasked(self, line: PlayLine) -> None:
        """Check that an action for which nobody was asked cost nothing."""
        for name, given in (("spent", line.spent), ("lag", line.lag)):
            same(name, given, 0)
        same("fault", line.fault, None)
        same("bank", line.bank, self.bank)


def _fault(reason: RejectionReason, *, in_window: bool) -> Fault:
    if reason is RejectionReason.TIMED_OUT:
        return Fault.MISSED_WINDOW if in_window else Fault.TIMED_OUT
    return Fault.ILLEGAL if reason is RejectionReason.ILLEGAL else Fault.MALFORMED
