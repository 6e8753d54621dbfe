"""Watching a bot that is validated: which question it failed at, and what it answered.

A `Watcher` sees the effects of one match as the referee has them, and keeps of them what an author
needs to find a mistake: texts and numbers, which travel between processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.referee.events import (
    BotNo,
    Effect,
    Forfeited,
    ForfeitReason,
    GameBegan,
    Played,
    Prompt,
    Rejection,
    RejectionReason,
    Surplus,
    Tell,
)
from arena.referee.limits import Instant
from arena.referee.runner import Watch
from arena.referee.tally import Fault
from arena.tournament.matches import MatchOutcome, MatchSpec

__all__ = ["Moment", "PlayWatched", "Trial", "Watcher", "watched"]

_SHOWN: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """When a bot did something wrong.

    Attributes:
        seat: Where it sat; None: before it was dealt in.
        prompt: Number of the question, from 1; 0: it had been asked nothing.
        asked: What was asked, with the first of the legal answers.
        answered: What it answered.
        fault: What was wrong, in the words of the referee.
    """

    seat: int | None
    prompt: int
    asked: str
    answered: str
    fault: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A match that was watched: its outcome, what went wrong first, and its seconds."""

    outcome: MatchOutcome
    moment: Moment | None
    seconds: float


PlayWatched = Callable[[MatchSpec, frozenset[BotNo]], Trial]
"""Plays a match and watches these bots. Raises `HostFault` if no verdict tells what failed."""


class Watcher:
    """A `runner.Watch` for some bots of a match.

    Attributes:
        moment: The first thing that one of them did wrong; a forfeit replaces what was no reason
            to stop.
    """

    def __init__(self, bots: frozenset[BotNo]) -> None:
        self.moment: Moment | None = None
        self._bots = bots
        self._seats: dict[BotNo, int] = {}
        self._asked: dict[BotNo, Prompt] = {}
        self._rejected: dict[BotNo, Rejection] = {}
        self._began: Instant | None = None
        self._now = Instant(0)

    @property
    def seconds(self) -> float:
        """From the first effect to the last."""
        return 0.0 if self._began is None else (self._now - self._began) / 1e9

    def __call__(self, effect: Effect, now: Instant) -> None:
        if self._began is None:
            self._began = now
        self._now = now
        if isinstance(effect, GameBegan):
            self._seats = {bot: seat for seat, bot in enumerate(effect.bots)}
        elif isinstance(effect, Tell) and effect.bot in self._bots:
            if isinstance(effect.message, Prompt):
                self._asked[effect.bot] = effect.message
            elif isinstance(effect.message, Rejection):
                self._rejected[effect.bot] = effect.message
        elif isinstance(effect, Forfeited) and effect.forfeit.bot in self._bots:
            self._note_forfeit(effect)
        elif self.moment is None:
            self._note_fault(effect)

    def _note_forfeit(self, effect: Forfeited) -> None:
        forfeit = effect.forfeit
        of_answer = forfeit.reason in (ForfeitReason.ILLEGAL, ForfeitReason.TIMEOUT)
        answered = self._answer(forfeit.bot) if of_answer else "nothing more"
        self.moment = self._moment(forfeit.bot, answered, f"{forfeit.reason}: {forfeit.detail}")

    def _note_fault(self, effect: Effect) -> None:
        if isinstance(effect, Surplus) and effect.bot in self._bots:
            if effect.fault == Fault.STALE:
                return
            late = "" if effect.late_by is None else f", {effect.late_by / 1e6:,.0f} ms too late"
            self.moment = self._moment(
                effect.bot,
                f"something that changes nothing{late}",
                (_IN_WORDS.get(effect.fault, effect.fault)),
            )
        elif isinstance(effect, Played) and effect.fault and effect.bot in self._bots:
            words = _IN_WORDS.get(effect.fault, effect.fault)
            self.moment = self._moment(effect.bot, self._answer(effect.bot), words)

    def _answer(self, bot: BotNo) -> str:
        """What it answered to its last question, which was refused."""
        rejected = self._rejected.get(bot)
        if rejected is None or rejected.reason is RejectionReason.TIMED_OUT:
            return "nothing in time"
        return rejected.detail.partition(": ")[2] or rejected.detail

    def _moment(self, bot: BotNo, answered: str, fault: str) -> Moment:
        prompt = self._asked.get(bot)
        return Moment(
            seat=self._seats.get(bot),
            prompt=0 if prompt is None else prompt.number,
            asked="nothing" if prompt is None else _question(prompt),
            answered=answered if prompt is not None else "nothing",
            fault=fault,
        )


def _question(prompt: Prompt) -> str:
    """What was asked: the kind of question, and what could be answered."""
    legal = prompt.view.legal
    texts = [action.text for action in legal[:_SHOWN]]
    more = f" and {len(legal) - _SHOWN} more" if len(legal) > _SHOWN else ""
    return f"{prompt.view.stage.name.lower()}: {', '.join(texts)}{more}"


_IN_WORDS: Final[Mapping[str, str]] = {
    Fault.TIMED_OUT: "no answer in time",
    Fault.ILLEGAL: "an illegal answer",
    Fault.MALFORMED: "an answer without an action",
    Fault.MISSED_WINDOW: "no answer in a response window",
    Fault.LATE: "an answer after its time",
    Fault.DOUBLED: "a second answer to one question",
    Fault.UNSOLICITED: "an answer to a question that it was not asked",
    Fault.CHATTER: "more messages than it may send for each question",
}


def watched(
    play: Callable[[MatchSpec, Watch], MatchOutcome], spec: MatchSpec, bots: frozenset[BotNo]
) -> Trial:
    """Play a match with `play`, and watch these bots."""
    watcher = Watcher(bots)
    outcome = play(spec, watcher)
    return Trial(outcome=outcome, moment=watcher.moment, seconds=watcher.seconds)
