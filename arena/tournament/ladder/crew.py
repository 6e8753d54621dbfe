"""A crew of processes: each attempt in one of its own, which costs one attempt if it is lost."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from arena.tournament.ladder.attempt import Done, News, RatedSpec
from arena.workers.pool import MatchPool

__all__ = ["PlayRated", "PoolCrew"]

PlayRated = Callable[[Callable[[object], None], RatedSpec], Done]
"""Plays an attempt and reports `News`; found by its module, as it is called in another process."""


class PoolCrew:
    """A `ports.Crew` on a pool, with what plays there: `app.rated.run_and_report`."""

    def __init__(self, pool: MatchPool, play: PlayRated) -> None:
        self._pool = pool
        self._play = play

    def begin(self, rated: RatedSpec, hear: Callable[[News], None]) -> Future[Done]:
        """See `ports.Crew`."""

        def take(value: object) -> None:
            if isinstance(value, News):
                hear(value)

        return self._pool.submit_reporting(self._play, take, rated)

    def end(self, future: Future[Done]) -> None:
        """See `ports.Crew`."""
        self._pool.stop(future)
