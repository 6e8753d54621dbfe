"""Matches as the public watches them: what has happened, once it is old enough.

Nothing is shown before it is `delay` seconds old, counted from the end of the whole second in which
it happened, so that neither the moment at which something appears nor what it says tells more than
the table does (see `commentary`). When a match is over its record says everything: whoever has
watched it until then gets the rest at once, and whoever comes later nothing.

Of each match no more than the last frames are kept: every one says how the table stands, so that a
spectator who comes late has missed nothing that he needs, and frames are numbered.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from arena.tournament.ladder.commentary import Frame

__all__ = ["DELAY", "Live", "Shown"]

DELAY: Final = 10.0
"""Seconds after which everybody may see what has happened."""

_KEPT: Final = 500
"""Frames of a match that are kept for those who are slow."""

_MOST: Final = 10_000
"""Frames of a match that are kept in all; more, of one that is quicker than anybody can watch, are
lost until some are old enough."""


_FINISHED: Final = 50
"""Attempts that are over whose frames are kept."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What may be shown of a match now.

    Attributes:
        frames: In their order, from the number on that was asked for, as far as they are kept.
        next: What to ask for next.
        is_over: Nothing more will come; the match is over, or is not played here.
    """

    frames: tuple[Frame, ...]
    next: int
    is_over: bool


@dataclass(slots=True)
class _Running:
    attempt: int
    began: float
    frames: deque[Frame] = field(default_factory=deque)

    def shown(self, age: float) -> int:
        """How many of the frames are old enough: the first ones."""
        # Not before its whole second is over: no part of one can be told.
        return bisect_right(self.frames, age, key=lambda frame: frame.second + 1)


class Live:
    """The matches that are being played; may be used from any thread.

    `monotonic` tells seconds on a clock that never goes back.
    """

    def __init__(self, monotonic: Callable[[], float], delay: float = DELAY) -> None:
        self._monotonic = monotonic
        self._delay = delay
        self._lock = threading.Lock()
        self._running: dict[int, _Running] = {}
        self._finished: OrderedDict[tuple[int, int], deque[Frame]] = OrderedDict()

    @property
    def matches(self) -> tuple[int, ...]:
        """The numbers of the matches that can be watched now."""
        with self._lock:
            return tuple(sorted(self._running))

    def began(self, match: int, attempt: int) -> None:
        """An attempt begins; what was shown of one before it is gone."""
        with self._lock:
            self._running[match] = _Running(attempt, self._monotonic())

    def add(self, match: int, attempt: int, frames: Iterable[Frame]) -> None:
        """Frames have come, in their order."""
        with self._lock:
            running = self._running.get(match)
            if running is None or running.attempt != attempt:
                return
            for frame in frames:
                if frame.number == 0:
                    # Its seconds are counted from here on, whenever its process was started.
                    running.began = self._monotonic() - frame.second
                if len(running.frames) < _MOST:
                    running.frames.append(frame)
            for _ in range(running.shown(self._age(running)) - _KEPT):
                running.frames.popleft()

    def ended(self, match: int, attempt: int) -> None:
        """An attempt is over, however it ended."""
        with self._lock:
            running = self._running.get(match)
            if running is None or running.attempt != attempt:
                return
            del self._running[match]
            self._finished[match, attempt] = deque(running.frames, _KEPT)
            if len(self._finished) > _FINISHED:
                self._finished.popitem(last=False)

    def watch(self, match: int, since: int = 0) -> Shown:
        """What may be shown now, from frame number `since` on."""
        with self._lock:
            running = self._running.get(match)
            if running is None:
                return Shown((), since, is_over=True)
            count = running.shown(self._age(running))
            shown = tuple(frame for frame in islice(running.frames, count) if frame.number >= since)
        return Shown(shown, shown[-1].number + 1 if shown else since, is_over=False)

    def rest(self, match: int, attempt: int, since: int) -> tuple[Frame, ...]:
        """All frames of an attempt that is over, from number `since` on; none if it is long ago.

        For those who know that the whole match is over: nothing is held back any more.
        """
        with self._lock:
            frames = self._finished.get((match, attempt), ())
            return tuple(frame for frame in frames if frame.number >= since)

    def _age(self, running: _Running) -> float:
        return self._monotonic() - running.began - self._delay
