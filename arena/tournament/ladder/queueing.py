"""What is begun next: what cannot wait, what the planner wants, and a fair share of challenges.

    what a competition waits for, in the order in which it was announced
    checks and rated matches that wait, such as those to be tried again
    a challenge, if it is time for one: three others have been begun since the last
    what the planner wants
    a challenge

So whoever asks for challenges has at most a quarter of the ladder as long as there is anything
rated to be played, and all owners who ask share it in turn. Each challenge that waits is begun
after a time that depends on how many owners ask, not on how much one of them asks for. Only what a
competition has announced keeps all others waiting: people wait for it, and it comes to an end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from arena.storage.facts import Lease, MatchKind, NewMatch
from arena.tournament.ladder.ports import MatchBook, Planner

__all__ = ["CHALLENGE_EACH", "Queue"]

_BETWEEN: Final = 3
"""Other matches between two challenges, while there are any."""

CHALLENGE_EACH: Final = _BETWEEN + 1
"""Of so many matches one is a challenge, while there are others and somebody asks."""

_COMPETITION: Final = (MatchKind.COMPETITION,)
_FIRST: Final = (MatchKind.RATED, MatchKind.CHECK)


class Queue:
    """Gives the director one lease after the other; `worker` and `lease` as in `company.Pace`.

    While `is_reserved` says so, nothing is begun but what competitions wait for.
    """

    def __init__(
        self,
        book: MatchBook,
        planner: Planner,
        worker: str,
        lease: int,
        is_reserved: Callable[[], bool] = lambda: False,
    ) -> None:
        self._book = book
        self._planner = planner
        self._worker = worker
        self._lease = lease
        self._is_reserved = is_reserved
        self._since = 0  # the last challenge

    def next(self, playing: Collection[NewMatch]) -> Lease | None:
        """What is begun now; None: nothing. Raises HostFault."""
        lease = self._book.lease(self._worker, self._lease, _COMPETITION)
        if lease is not None or self._is_reserved():
            return lease
        lease = (
            self._book.lease(self._worker, self._lease, _FIRST)
            or self._challenge(least=_BETWEEN)
            or self._planned(playing)
            or self._challenge(least=0)
        )
        if lease is not None:
            is_challenge = lease.new.kind is MatchKind.CHALLENGE
            self._since = 0 if is_challenge else self._since + 1
        return lease

    def _challenge(self, least: int) -> Lease | None:
        if self._since < least:
            return None
        return self._book.lease_challenge(self._worker, self._lease)

    def _planned(self, playing: Collection[NewMatch]) -> Lease | None:
        new = self._planner.next(playing)
        return None if new is None else self._book.lease_new(new, self._worker, self._lease)
