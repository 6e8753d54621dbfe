"""Playing cases, each in a process of its own, and judging them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from arena.workers.pool import MatchPool
from tests.hostile.cases import Case
from tests.hostile.house import QUIET, Seen, observe
from tests.hostile.judge import Baseline, Problem, baseline, problems

__all__ = ["Court", "Judged", "court"]

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
    """Plays and judges."""

    def __init__(self, pool: MatchPool) -> None:
        self._pool = pool

    @cached_property
    def quiet(self) -> Baseline:
        """What an honest seat needs when nobody does wrong; measured once."""
        return self._measured()

    def _measured(self) -> Baseline:
        return baseline([self._pool.submit(observe, QUIET).result() for _ in range(QUIET_MATCHES)])

    def judge(self, case: Case, play: Play = observe) -> Judged:
        """Play a case, again while only what a busy machine may cause is wrong with it.

        Before it is played again, what is quiet here is measured again: it is compared with what
        the machine has to do by now.
        """
        quiet = self.quiet
        tries = 0
        while True:
            tries += 1
            seen = self._play(case, play)
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
    """A court whose processes are gone afterwards."""
    with MatchPool(workers, preload=["tests.hostile.house"]) as pool:
        yield Court(pool)
