"""Playing cases, each in a process of its own, and judging them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Final

from arena.workers.pool import MatchPool
from tests.hostile.boxhouse import QUIET_BOX, observe_boxed
from tests.hostile.cases import Case
from tests.hostile.house import QUIET, Seen, observe
from tests.hostile.judge import Baseline, Problem, baseline, problems

__all__ = ["Court", "Judged", "boxed_court", "court"]

QUIET_MATCHES: Final = 2
TRIES: Final = 3
"""What a busy machine may cause has to happen so often before it counts."""

Play = Callable[[Path], Seen]
"""Plays the case of a bot's file."""

PATIENCE: Final = 20.0
"""Seconds beyond its own limit that a case gets before it is ended from outside."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What was seen of a case, what is wrong with it, and after how many tries."""

    seen: Seen
    problems: list[Problem]
    tries: int


class Court:
    """Plays and judges.

    `play` plays a case and `in_quiet` is the file of one in which nobody does wrong.
    """

    def __init__(self, pool: MatchPool, play: Play = observe, in_quiet: Path = QUIET) -> None:
        self._pool = pool
        self._usual = play
        self._in_quiet = in_quiet
        self._measuring = Lock()

    @cached_property
    def quiet(self) -> Baseline:
        """What an honest seat needs when nobody does wrong; measured once."""
        return self._measured()

    def _measured(self) -> Baseline:
        with self._measuring:  # a second one would be no quiet
            quiet = [
                self._pool.submit(self._usual, self._in_quiet).result()
                for _ in range(QUIET_MATCHES)
            ]
        for seen in quiet:
            if seen.failure:
                raise RuntimeError(f"no quiet match can be played: {seen.failure}")
        return baseline(quiet)

    def judge(self, case: Case, play: Play | None = None) -> Judged:
        """Play a case, again while only what a busy machine may cause is wrong with it.

        Before it is played again, what is quiet here is measured again: it is compared with what
        the machine has to do by now.
        """
        quiet = self.quiet
        tries = 0
        while True:
            tries += 1
            seen = self._play(case, play or self._usual)
            found = problems(case, seen, quiet)
            last = tries == TRIES or any(not one.noisy for one in found)
            if last or not found:
                return Judged(seen, found, tries)
            quiet = self._measured()

    def _play(self, case: Case, play: Play) -> Seen:
        future: Future[Seen] = self._pool.submit(play, case.path)
        try:
            return future.result(case.within + PATIENCE)
        except TooLate:
            self._pool.stop(future)
            return Seen(failure=f"not over after {case.within + PATIENCE:g} s")


@contextmanager
def court(workers: int = 1) -> Iterator[Court]:
    """A court for bots that are processes; its own processes are gone afterwards."""
    with MatchPool(workers, preload=["tests.hostile.house"]) as pool:
        yield Court(pool)


@contextmanager
def boxed_court(workers: int = 1) -> Iterator[Court]:
    """A court for bots in containers."""
    with MatchPool(workers, preload=["tests.hostile.boxhouse", "docker"]) as pool:
        yield Court(pool, observe_boxed, QUIET_BOX)
