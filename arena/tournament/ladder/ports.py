"""What the running of matches needs from elsewhere, as protocols.

The store's repositories are a `MatchBook`, a `MatchPool` makes a `Crew` (see `crew`), `planning`
has a `Planner`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol

from arena.storage.facts import Lease, Match, MatchKind, NewMatch, Receipt, Report
from arena.tournament.ladder.attempt import Done, News, RatedSpec

__all__ = ["Crew", "Judge", "MatchBook", "Planner", "RecordStore", "Tell"]


class Tell(Protocol):
    """Hears what happens, for logs: an event in a word or two, and its facts; never a secret.

    What a person has to look at has the fact `alert=True`. Called from any thread.
    """

    def __call__(self, event: str, /, **facts: object) -> None: ...


class MatchBook(Protocol):
    """The matches in the store; every method is one transaction and raises HostFault.

    `record` raises InputError for a report that is none of its match's.
    """

    def lease(
        self, worker: str, lease_ms: int, kinds: Collection[MatchKind], /
    ) -> Lease | None: ...
    def lease_challenge(self, worker: str, lease_ms: int, /) -> Lease | None: ...
    def lease_new(self, new: NewMatch, worker: str, lease_ms: int, /) -> Lease: ...
    def renew(self, match: int, attempt: int, token: str, lease_ms: int, /) -> bool: ...
    def record(self, report: Report, /) -> Receipt: ...
    def release(  # noqa: PLR0913 - each is named where it is called
        self,
        match: int,
        attempt: int,
        token: str,
        why: str,
        /,
        *,
        counts: bool = True,
        of_play: bool = False,
    ) -> bool: ...
    def expire(self) -> Sequence[tuple[int, int]]: ...
    def adopt(self, worker: str, /) -> Sequence[Lease]: ...
    def cancel(self, number: int, why: str, /) -> object: ...
    def find(self, number: int, /) -> Match | None: ...


class RecordStore(Protocol):
    """Files under their digests, as `storage.files.FileStore` keeps them."""

    def put(self, content: bytes, /) -> str: ...
    def put_file(self, path: Path, /) -> str: ...


class Crew(Protocol):
    """Those who play."""

    def begin(self, rated: RatedSpec, hear: Callable[[News], None], /) -> Future[Done]:
        """Have an attempt played; `hear` is called from another thread."""

    def end(self, future: Future[Done], /) -> None:
        """Have it ended, soon; waits for nothing."""


class Planner(Protocol):
    """Says what is played when nobody has asked for anything."""

    def next(self, playing: Collection[NewMatch], /) -> NewMatch | None:
        """A match beside those that are played; None: there is none now."""


class Judge(Protocol):
    """Hears of every attempt that was played, once."""

    def recorded(self, lease: Lease, report: Report, /) -> None:
        """Its report has been recorded."""

    def failed(self, lease: Lease, /) -> None:
        """It has left no report, and nobody knows whose fault that was."""
