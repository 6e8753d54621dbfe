"""What can be asked of a ladder's server, and who may know what: the ground for all askers.

`verbs_public` is for everyone, `verbs_authors` for owners, `verbs_operators` for operators. They
block, may be called from any thread, and raise `refusals` and HostFault. Who calls was found out
before; what belongs to others is looked up here so that it cannot be told from what does not exist.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from arena.storage.audit import Audit
from arena.storage.competitions import Competitions
from arena.storage.entrants import Entrants
from arena.storage.facts import (
    Clock,
    Entrant,
    Match,
    MatchKind,
    MatchState,
    Moment,
    RatingEvent,
    Result,
    Version,
)
from arena.storage.files import FileStore
from arena.storage.ledger import Ledger
from arena.storage.matches import Matches
from arena.storage.owners import Owners
from arena.storage.standings import Standings
from arena.storage.switch import Switch
from arena.storage.tokens import Tokens
from arena.storage.uploads import Uploads
from arena.tournament.answers import (
    MatchSummary,
    PublicAttempt,
    PublicEntrant,
    PublicResult,
    PublicSeat,
    PublicSeatResult,
    PublicVersion,
    RatingChange,
    SettingLine,
)
from arena.tournament.carrying import carried
from arena.tournament.expectation import expected_matches
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.queueing import CHALLENGE_EACH
from arena.tournament.refusals import Unknown

__all__ = ["Ground", "Lookup", "PlayedTable", "Quotas"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotas:
    """What one owner may ask for.

    Attributes:
        entrants: Bots.
        uploads: Uploads in 24 hours.
        waiting: Uploads that wait or are at work at once.
        challenges: Challenges that wait or are played at once.
        activations: Times in 24 hours that another version is said to play.
    """

    entrants: int = 3
    uploads: int = 20
    waiting: int = 3
    challenges: int = 10
    activations: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedTable:
    """A kind of table that is played here; `terms` is what a match at it agrees on, as JSON."""

    name: str
    ruleset: str
    players: int
    teams: tuple[tuple[int, ...], ...]
    terms: Mapping[str, Any]


def _nobody() -> None:
    """Who waits looks by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Everything that the verbs stand on.

    `places` is how many matches are played at once. `on_upload` and `on_match` are called when
    there is something to do: an upload or a match waits.
    """

    owners: Owners
    tokens: Tokens
    uploads: Uploads
    entrants: Entrants
    matches: Matches
    competitions: Competitions
    ledger: Ledger
    standings: Standings
    audit: Audit
    records: FileStore
    logs: FileStore
    switch: Switch
    live: Live
    clock: Clock
    tables: tuple[PlayedTable, ...]
    quotas: Quotas = Quotas()
    settings: tuple[SettingLine, ...] = ()
    server_version: str = ""
    places: int = 1
    on_upload: Callable[[], object] = _nobody
    on_match: Callable[[], object] = _nobody


class _Latest(Generic[T]):
    """Remembers the latest answers of a question whose answers never change."""

    def __init__(self, ask: Callable[[int], T | None], most: int = 10_000) -> None:
        self._ask = ask
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, T] = OrderedDict()

    def __call__(self, number: int) -> T:
        with self._lock:
            if number in self._kept:
                self._kept.move_to_end(number)
                return self._kept[number]
        answer = self._ask(number)
        assert answer is not None, number  # rows of others refer to it
        with self._lock:
            self._kept[number] = answer
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer


@dataclass(frozen=True, slots=True)
class _Name:
    """What never changes of a version."""

    title: str
    ordinal: int
    label: str
    digest: str


_DAY: Final = 24 * 60 * 60 * 1000


class Lookup:
    """Numbers into names and back, and what is stored into what is said."""

    DAY: Final = _DAY

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._titles: _Latest[str] = _Latest(self._ask_title)
        self._names: _Latest[_Name] = _Latest(self._ask_name)
        self._competitions: _Latest[str] = _Latest(self._ask_competition)
        self._matches = expected_matches(ground.matches, ground.clock)

    # -- what there is --------------------------------------------------------------------------

    def entrant(self, title: str) -> Entrant:
        """The entrant `OWNER/NAME`; raises Unknown."""
        owner, _, name = title.partition("/")
        found = self._ground.entrants.find(owner, name)
        if found is None:
            raise Unknown("entrant", title)
        return found

    def own_entrant(self, owner: str, name: str) -> Entrant:
        """An owner's entrant; raises Unknown."""
        found = self._ground.entrants.find(owner, name)
        if found is None:
            raise Unknown("entrant", name)
        return found

    def version(self, entrant: Entrant, ordinal: int) -> Version:
        """A version of an entrant; raises Unknown."""
        token = ""
        while True:
            page = self._ground.entrants.versions(entrant.number, 500, token)
            for version in page.items:
                if version.ordinal == ordinal:
                    return version
            if not page.next:
                raise Unknown("version", ordinal)
            token = page.next

    def match(self, number: int, *, with_hidden: bool = False) -> Match:
        """A match; raises Unknown, also for one whose competition is not released to everybody."""
        found = self._ground.matches.find(number)
        if found is None or (found.hidden and not with_hidden):
            raise Unknown("match", number)
        return found

    def ordinal(self, version: int | None) -> int | None:
        """A version's number among its entrant's."""
        return None if version is None else self._names(version).ordinal

    # -- what is said of it ---------------------------------------------------------------------

    def shown_entrant(self, entrant: Entrant, *, is_own: bool = False) -> PublicEntrant:
        """An entrant; the reason of a pause only if it is the asker's own business."""
        return PublicEntrant(
            title=entrant.title,
            owner=entrant.owner,
            name=entrant.name,
            created=entrant.created,
            rating=entrant.rating,
            matches=entrant.matches,
            active=self.ordinal(entrant.version),
            is_paused=bool(entrant.paused),
            why_paused=entrant.paused if is_own else "",
        )

    def shown_version(self, version: Version, *, is_own: bool = False) -> PublicVersion:
        """A version; why it is held back only if it is the asker's own business."""
        return PublicVersion(
            title=self._titles(version.entrant),
            ordinal=version.ordinal,
            label=version.label,
            digest=version.digest,
            created=version.created,
            state=version.state,
            players=version.players,
            rulesets=version.rulesets,
            matches=version.matches,
            forfeits=version.forfeits,
            voids=version.voids,
            why=version.why if is_own else "",
        )

    def shown_match(self, match: Match, *, with_attempts: bool = True) -> MatchSummary:
        """A match: seeds, records and the result only when it is over."""
        is_over = match.state in (MatchState.DONE, MatchState.CANCELLED)
        return MatchSummary(
            number=match.number,
            kind=match.kind,
            table=match.table,
            state=match.state,
            created=match.created,
            seats=tuple(self._seat(seat.version) for seat in match.seats),
            teams=match.teams,
            terms=match.terms,
            requested_by=match.requested_by,
            cause=match.cause,
            why=match.why,
            position=match.position,
            expected=self._expected(match),
            attempts=tuple(
                PublicAttempt(
                    number=one.number,
                    state=one.state,
                    worker=one.worker,
                    commitment=one.commitment,
                    started=one.leased,
                    seed=one.seed if is_over else "",
                    ended=one.ended,
                    why=one.why,
                    record=one.record if is_over else "",
                )
                for one in (match.attempts if with_attempts else ())
            ),
            result=_shown_result(match.result) if match.result and is_over else None,
            competition=self._competitions(match.competition) if match.competition else "",
        )

    def _expected(self, match: Match) -> Moment | None:
        """When a match that waits is likely to be over."""
        if not match.position or self._ground.switch.paused():
            return None
        # Of challenges no more than one is begun after several others, see `queueing`.
        turns = match.position * (CHALLENGE_EACH if match.kind is MatchKind.CHALLENGE else 1)
        return self._matches.after(1 + turns / self._ground.places)

    def shown_change(self, event: RatingEvent) -> RatingChange:
        """A change of a rating, with names."""
        name = self._names(event.version)
        return RatingChange(
            entry=event.entry,
            kind=event.kind,
            at=event.at,
            title=name.title,
            ordinal=name.ordinal,
            match=event.match,
            before=event.before,
            after=event.after,
            expected=event.expected,
            actual=event.actual,
            rank=event.rank,
        )

    # -- what never changes ---------------------------------------------------------------------

    def _seat(self, version: int) -> PublicSeat:
        name = self._names(version)
        return PublicSeat(
            title=name.title, ordinal=name.ordinal, label=name.label, digest=name.digest
        )

    def _ask_title(self, number: int) -> str | None:
        found = self._ground.entrants.by_number(number)
        return None if found is None else found.title

    def _ask_competition(self, number: int) -> str | None:
        found = self._ground.competitions.by_number(number)
        return None if found is None else found.name

    def _ask_name(self, number: int) -> _Name | None:
        found = self._ground.entrants.version(number)
        if found is None:
            return None
        return _Name(self._titles(found.entrant), found.ordinal, found.label, found.digest)


def _shown_result(result: Result) -> PublicResult:
    """A result, without the digests of logs: those are their owners'."""
    seats = tuple(carried(PublicSeatResult, seat) for seat in result.seats)
    return carried(PublicResult, result, seats=seats)
