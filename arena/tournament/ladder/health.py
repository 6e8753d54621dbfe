"""Whether this machine can play at present, and when that is looked at again.

After a failure that no bot is to blame for a probe asks what matches need, such as the engine for
containers. As long as it finds it missing no match begins, and it is asked again, less and less
often. Failures that follow each other while the probe finds nothing slow down the beginning of
matches as well, so that a fault which it does not see costs few attempts.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Final

from arena.errors import HostFault

__all__ = ["Backoff", "Health", "Probe"]

Probe = Callable[[], None]
"""Raises HostFault if what matches need is not there. May take long."""

_FIRST: Final = 1.0
_LONGEST: Final = 60.0


class Backoff:
    """How long to wait after failures: `first` seconds, then twice as long, at most `longest`."""

    def __init__(
        self,
        monotonic: Callable[[], float],
        *,
        first: float = _FIRST,
        longest: float = _LONGEST,
    ) -> None:
        self._monotonic = monotonic
        self._first = first
        self._longest = longest
        self._until = float("-inf")
        self.failures = 0

    @property
    def left(self) -> float:
        """Seconds still to wait; 0: none."""
        return max(0.0, self._until - self._monotonic())

    def failed(self, *, free: int = 0) -> None:
        """It has failed once more; the first `free` failures cost no waiting."""
        self.failures += 1
        if self.failures > free:
            wait = self._first * 2.0 ** min(self.failures - free - 1, 30)
            self._until = self._monotonic() + min(wait, self._longest)

    def succeeded(self) -> None:
        """It has gone well."""
        self.failures = 0
        self._until = float("-inf")


class Health:
    """The health of this machine. `probe` runs on `helpers`; `wake` is called when it is done."""

    def __init__(
        self,
        probe: Probe,
        helpers: Executor,
        monotonic: Callable[[], float],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._probe = probe
        self._helpers = helpers
        self._wake = wake
        self._asked: Future[None] | None = None
        self._is_suspect = False
        self._between_probes = Backoff(monotonic)
        self._between_matches = Backoff(monotonic)
        self.why = ""
        """Why no match begins, as far as is known; empty: this machine is well."""

    def failed(self, why: str) -> None:
        """A match could not be played, and no bot is to blame."""
        self._is_suspect = True
        self._between_matches.failed(free=1)
        if not self.why and self._between_matches.left:
            self.why = why

    def went_well(self) -> None:
        """A match was played to a verdict that counts."""
        self._between_matches.succeeded()
        if not self._is_suspect:
            self.why = ""

    @property
    def may_play(self) -> bool:
        """Whether a match may begin now; asks the probe if that is due."""
        self._take_answer()
        if self._is_suspect and self._asked is None and not self._between_probes.left:
            self._asked = self._helpers.submit(self._probe)
            self._asked.add_done_callback(lambda _: self._wake())
            self._take_answer()
        if self._is_suspect or self._between_matches.left:
            return False
        self.why = ""
        return True

    @property
    def wait(self) -> float:
        """Seconds after which it may be otherwise."""
        if self._is_suspect:
            return self._between_probes.left
        return self._between_matches.left

    def _take_answer(self) -> None:
        if self._asked is None or not self._asked.done():
            return
        asked, self._asked = self._asked, None
        try:
            asked.result()
        except HostFault as fault:
            self.why = str(fault)
            self._between_probes.failed()
        else:
            self._is_suspect = False
            self._between_probes.succeeded()
