"""The log's lines about refused calls: some at once, then one now and then with how many more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

__all__ = ["RefusalLog"]

_LOG: Final = logging.getLogger(__name__)


class RefusalLog:
    """Writes `burst` lines at once and one more each `every` seconds, whoever is refused."""

    def __init__(self, now: Callable[[], float], *, burst: int = 50, every: float = 2.0) -> None:
        self._now = now
        self._burst = burst
        self._every = every
        self._left = float(burst)
        self._then = now()
        self._omitted = 0

    def refused(self, text: str) -> None:
        """Write of a refused call, unless there was too much of it."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._then) / self._every)
        self._then = now
        if self._left < 1:
            self._omitted += 1
            return
        self._left -= 1
        more = f"; {self._omitted} more were refused before it" if self._omitted else ""
        self._omitted = 0
        _LOG.info("%s%s", text, more)
