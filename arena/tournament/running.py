"""Playing a series: attempts go to a pool, what comes back decides what goes next.

The pool is any executor that runs a task in a process of its own; a process that is lost costs its
attempt, which is void, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Protocol

from arena.errors import BotError
from arena.referee.events import ForfeitReason, GameResult
from arena.referee.tally import Tally
from arena.referee.verdict import void
from arena.sandbox.launcher import last_lines
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.tournament.series import FinishedMatch, Series
from arena.workers.pool import MatchPool, WorkerLost

__all__ = ["Listener", "PlayReporting", "run_series"]

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


def run_series(
    series: Series, pool: MatchPool, jobs: int, play: PlayReporting, listener: Listener
) -> None:
    """Play what is left of a series, `jobs` attempts at once.

    When it is enough, what is still being played is ended and does not count.

    Raises:
        BotError: a bot does not start in the first match; the message ends with its last line.
        HostFault: this machine failed in a way that playing again would not mend.
    """
    playing: dict[Future[MatchOutcome], MatchSpec] = {}
    while not listener.is_enough():
        while len(playing) < jobs and (spec := series.next()) is not None:
            playing[_submit(pool, play, spec, listener)] = spec
        if not playing:
            return
        done, _ = wait(playing, return_when=FIRST_COMPLETED)
        # In the order in which they were begun: what is told then does not depend on a race.
        for future in sorted(done, key=lambda one: playing[one].name):
            spec = playing.pop(future)
            outcome = _outcome(future, spec, listener)
            if spec.number == spec.part == 0:
                _check_start(spec, outcome)
            match = series.take(spec, outcome)
            if match is not None:
                listener.match_finished(match)
    for future in playing:
        pool.stop(future)


def _submit(
    pool: MatchPool, play: PlayReporting, spec: MatchSpec, listener: Listener
) -> Future[MatchOutcome]:
    def hear(result: object) -> None:
        if isinstance(result, GameResult):
            listener.game_ended(spec, result)

    return pool.submit_reporting(play, hear, spec)


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
            wrote = last_lines(outcome.logs[forfeit.bot], 1)
            told = [line for line in wrote if line not in forfeit.detail]
            raise BotError(": ".join([f"bot {name!r} did not start: it {forfeit.detail}", *told]))
