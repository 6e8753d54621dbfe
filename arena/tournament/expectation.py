"""When something that waits is likely to be done, from how long the latest of its kind took."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Final

from arena.storage.facts import Clock, MatchState, Moment, UploadState
from arena.storage.matches import Matches
from arena.storage.matchlist import Filters
from arena.storage.uploads import Uploads

__all__ = ["Expectation", "expected_matches", "expected_uploads"]

_LOOKED_AT: Final = 20
_KEPT: Final = 30_000
_DONE: Final = (UploadState.ACCEPTED, UploadState.REFUSED)


class Expectation:
    """How long the latest took, in milliseconds, as `measure` finds; looked up now and then."""

    def __init__(self, measure: Callable[[], Iterable[int]], clock: Clock) -> None:
        self._measure = measure
        self.clock = clock
        self._lock = threading.Lock()
        self._until = -1
        self._mean: float | None = None

    def mean(self) -> float | None:
        """Milliseconds; None: there were none yet."""
        with self._lock:
            now = self.clock()
            if now >= self._until:
                took = list(self._measure())
                self._mean, self._until = fmean(took) if took else None, now + _KEPT
            return self._mean

    def after(self, turns: float) -> Moment | None:
        """When so many more of them are likely to be done; None: nobody can say."""
        mean = self.mean()
        return None if mean is None else Moment(round(self.clock() + mean * turns))


def expected_uploads(uploads: Uploads, clock: Clock) -> Expectation:
    """Of uploads, from their turn to their end."""

    def measure() -> Iterable[int]:
        for state in _DONE:
            for upload in uploads.list(None, _LOOKED_AT, state=state).items:
                if upload.started is not None and upload.ended is not None:
                    yield upload.ended - upload.started

    return Expectation(measure, clock)


def expected_matches(matches: Matches, clock: Clock) -> Expectation:
    """Of matches, of the attempt that counted."""

    def measure() -> Iterable[int]:
        for match in matches.list(Filters(state=MatchState.DONE), _LOOKED_AT).items:
            if match.result is not None:
                yield match.result.ended - match.result.started

    return Expectation(measure, clock)
