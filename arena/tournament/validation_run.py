"""Playing the tables of a validation: several at once, and no more than it takes.

The first table is played alone. A bot that fails there, because it does not even start for example,
would fail everywhere for the same reason, and is told so once. After some more failures there is
enough for its author to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from typing import Final

from arena.errors import BotError, HostFault
from arena.referee.events import OutcomeKind
from arena.referee.limits import Limits
from arena.submissions.bottoml import Manifest
from arena.tournament.matches import PROCESSES, Venue
from arena.tournament.validation import (
    VALIDATION_LIMITS,
    Contestant,
    Finding,
    Report,
    Table,
    finding_of,
    only_missed_windows,
    spec_of,
    tables,
)
from arena.tournament.validation_watch import PlayWatched, Trial
from arena.workers.processes import WorkerLost

__all__ = ["MOST_FAILURES", "Ring", "validate"]

ATTEMPTS: Final = 3
"""How often a table is played before this machine has failed."""

MOST_FAILURES: Final = 3
"""After so many failed tables the others are not played."""

Hear = Callable[[Finding, int], None]
"""Hears of a table when it is done, and of how many there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """Where and against whom bots are validated.

    Attributes:
        house: The bot that they play against.
        play: Plays a match; found by its module, as it is called in another process.
        pool: What runs it: tasks in processes of their own.
        jobs: How many tables are played at once.
        venue: Where; its images are those of the bots.
        limits: What bots are allowed.
        tables: What a bot has to play.
    """

    house: Contestant
    play: PlayWatched
    pool: Executor
    jobs: int = 1
    venue: Venue = PROCESSES
    limits: Limits = VALIDATION_LIMITS
    tables: Callable[[Manifest], tuple[Table, ...]] = tables


def validate(
    subject: Contestant,
    ring: Ring,
    seed: bytes,
    hear: Hear = lambda finding, count: None,
) -> Report:
    """Play all that a bot says it can; `seed` is 32 bytes from which all boards follow.

    Raises:
        HostFault: this machine has failed at a table in each of its attempts.
    """
    todo = ring.tables(subject.bot)
    course = _Course(subject, ring, seed, todo)
    done: dict[int, Finding] = {}
    playing: dict[Future[Trial], int] = {}
    try:
        while True:
            while (
                _may_begin(done, len(playing), ring.jobs) and (found := course.next()) is not None
            ):
                number, future = found
                playing[future] = number
            if not playing:
                break
            over, _ = wait(playing, return_when=FIRST_COMPLETED)
            for future in over:
                number = playing.pop(future)
                finding = course.take(number, future)
                if finding is not None:
                    done[number] = finding
                    hear(finding, len(todo))
    finally:
        for future in playing:
            future.cancel()
    findings = tuple(done[number] for number in sorted(done))
    return Report(findings=findings, not_played=len(todo) - len(findings))


def _may_begin(done: dict[int, Finding], playing: int, jobs: int) -> bool:
    """Whether one more table is played now."""
    if not done:
        return playing == 0
    failed = sum(bool(one.problems) for one in done.values())
    first_failed = 0 in done and bool(done[0].problems)
    return playing < jobs and not first_failed and failed < MOST_FAILURES


class _Course:
    """The tables of one validation, and how often each was played."""

    def __init__(self, subject: Contestant, ring: Ring, seed: bytes, todo: Sequence[Table]) -> None:
        self._players = subject, ring.house
        self._ring = ring
        self._seed = seed
        self._todo = todo
        self._waiting = list(range(len(todo)))
        self._attempts = [0] * len(todo)
        self._missed = [0] * len(todo)

    def next(self) -> tuple[int, Future[Trial]] | None:
        """Begin the next table; None: there is none that waits."""
        if not self._waiting:
            return None
        number = self._waiting.pop(0)
        self._attempts[number] += 1
        table = self._todo[number]
        spec = spec_of(table, self._players, self._seed)
        spec = replace(
            spec,
            number=number,
            attempt=self._attempts[number],
            limits=self._ring.limits,
            venue=replace(self._ring.venue, images=spec.venue.images),
        )
        return number, self._ring.pool.submit(self._ring.play, spec, table.subjects)

    def take(self, number: int, future: Future[Trial]) -> Finding | None:
        """What a table has shown; None: it is played again."""
        table = self._todo[number]
        is_last = self._attempts[number] == ATTEMPTS
        try:
            trial = future.result()
        except WorkerLost as error:
            why = str(error)
        except BotError as error:  # it is no bot for this place
            return Finding(table=table.name, problems=(str(error),), did_not_start=True)
        else:
            why = _void(table, trial)
            if not why:
                return self._judge(number, trial, is_last=is_last)
        if is_last:
            raise HostFault(
                f"validation, {table.name}: this machine failed {ATTEMPTS} times, last: {why}"
            )
        self._waiting.insert(0, number)
        return None

    def _judge(self, number: int, trial: Trial, *, is_last: bool) -> Finding | None:
        table = self._todo[number]
        if only_missed_windows(table, trial):
            self._missed[number] += 1
            if not is_last:
                self._waiting.insert(0, number)
                return None
        finding = finding_of(table, trial, self._ring.limits)
        attempts, missed = self._attempts[number], self._missed[number]
        if missed and not finding.problems:
            again = f"it missed response windows in {missed} of {attempts} attempts"
            finding = replace(finding, warnings=(*finding.warnings, again))
        return replace(finding, attempts=attempts)


def _void(table: Table, trial: Trial) -> str:
    """Why a match says nothing about the bot; empty if it does."""
    verdict = trial.outcome.verdict
    if verdict.kind is OutcomeKind.VOID:
        return verdict.void
    for forfeit in verdict.forfeits[:1]:
        if forfeit.bot not in table.subjects:
            return f"the house's bot forfeited: {forfeit.reason}: {forfeit.detail}"
    return ""
