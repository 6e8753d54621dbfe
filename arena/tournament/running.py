"""Playing series: attempts go to a pool, what comes back decides what goes next.

The pool is any executor that runs a task in a process of its own; a process that is lost costs its
attempt, which is void, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import Protocol

from arena.errors import BotError
from arena.referee.events import ForfeitReason, GameResult
from arena.referee.tally import Tally
from arena.referee.verdict import void
from arena.sandbox.lastwords import what_happened
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.tournament.series import FinishedMatch, Series
from arena.workers.pool import MatchPool, WorkerLost

__all__ = ["Listener", "PlayReporting", "Run", "run_all"]

PlayReporting = Callable[[Callable[[object], None], MatchSpec], MatchOutcome]
"""Plays an attempt and reports every `GameResult` as it comes; found by its module."""


class Listener(Protocol):
    """Hears how a series goes."""

    def game_ended(self, spec: MatchSpec, result: GameResult) -> None:
        """A game has ended, in a thread of the pool; it may turn out void."""

    def match_finished(self, match: FinishedMatch) -> None:
        """A match is finished; called in the order in which they end."""

    def attempt_lost(self, spec: MatchSpec) -> None:
        """The process that played an attempt is gone, and has cleaned nothing up."""

    def is_enough(self) -> bool:
        """Nothing more has to be played."""


@dataclass(frozen=True, slots=True)
class Run:
    """A series to play, what plays its attempts, and who hears how it goes."""

    series: Series
    play: PlayReporting
    listener: Listener

    def next(self) -> MatchSpec | None:
        """The next attempt to play; None when nothing is left that is not being played."""
        return None if self.listener.is_enough() else self.series.next()


def run_all(runs: Sequence[Run], pool: MatchPool, jobs: int) -> None:
    """Play what is left of some series, `jobs` attempts at once, those of the first one first.

    When a series has enough, what is still being played of it is ended and does not count.

    Raises:
        BotError: a bot does not start in the first match of a series; the message ends with
            what its log says of that.
        HostFault: this machine failed in a way that playing again would not mend.
    """
    playing: dict[Future[MatchOutcome], tuple[int, MatchSpec]] = {}
    while True:
        while len(playing) < jobs and (found := _next(runs)) is not None:
            number, spec = found
            playing[_submit(pool, runs[number], spec)] = found
        if not playing:
            return
        done, _ = wait(playing, return_when=FIRST_COMPLETED)
        # In the order in which they were begun: what is told then does not depend on a race.
        for future in sorted(done, key=lambda one: (playing[one][0], playing[one][1].name)):
            number, spec = playing.pop(future)
            _take(runs[number], spec, future)
        for future, (number, _) in list(playing.items()):
            if runs[number].listener.is_enough():
                pool.stop(future)
                del playing[future]


def _next(runs: Sequence[Run]) -> tuple[int, MatchSpec] | None:
    for number, run in enumerate(runs):
        if (spec := run.next()) is not None:
            return number, spec
    return None


def _take(run: Run, spec: MatchSpec, future: Future[MatchOutcome]) -> None:
    outcome = _outcome(future, spec, run.listener)
    if spec.number == spec.part == 0:
        _check_start(spec, outcome)
    match = run.series.take(spec, outcome)
    if match is not None:
        run.listener.match_finished(match)


def _submit(pool: MatchPool, run: Run, spec: MatchSpec) -> Future[MatchOutcome]:
    def hear(result: object) -> None:
        if isinstance(result, GameResult):
            run.listener.game_ended(spec, result)

    return pool.submit_reporting(run.play, hear, spec)


def _outcome(future: Future[MatchOutcome], spec: MatchSpec, listener: Listener) -> MatchOutcome:
    try:
        return future.result()
    except WorkerLost as error:
        listener.attempt_lost(spec)
        bots = len(spec.bots)
        return MatchOutcome(
            verdict=void(str(error)),
            results=(),
            tallies=tuple(Tally() for _ in range(bots)),
            logs=("",) * bots,
        )


def _check_start(spec: MatchSpec, outcome: MatchOutcome) -> None:
    """Refuse a bot that did not start at all: playing on would only repeat it.

    Only the first match is asked, so that it does not depend on what else is being played. Who
    fails to start later on forfeits, as in any match.
    """
    for forfeit in outcome.verdict.forfeits:
        if forfeit.reason is ForfeitReason.STARTUP and not outcome.tallies[forfeit.bot].start_ups:
            name = spec.bots[forfeit.bot].name
            log = outcome.logs[forfeit.bot]
            told = [line for line in what_happened(log) if line not in forfeit.detail]
            raise BotError(": ".join([f"bot {name!r} did not start: it {forfeit.detail}", *told]))
