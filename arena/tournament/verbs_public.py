"""What everybody may ask: the ladder, matches and their records."""

from __future__ import annotations

import io
from dataclasses import dataclass

from arena.storage.facts import (
    AttemptState,
    EntryKind,
    Match,
    MatchKind,
    MatchState,
    Page,
    Standing,
    VersionState,
)
from arena.storage.files import FileStore
from arena.storage.matchlist import Filters
from arena.tournament.answers import (
    Absence,
    LadderInfo,
    MatchSummary,
    PublicEntrant,
    PublicTableInfo,
    PublicVersion,
    RatingChange,
    StandingLine,
    Waiting,
)
from arena.tournament.ladder.commentary import Frame
from arena.tournament.refusals import Unknown, WrongPhase
from arena.tournament.verbs import Ground, Lookup

__all__ = ["MatchFilter", "Public", "Record", "Watching", "record_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchFilter:
    """Which matches are asked for; what is empty or None lets all through."""

    title: str = ""
    owner: str = ""
    state: MatchState | None = None
    kind: MatchKind | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A record, open at its beginning; `length` in bytes."""

    digest: str
    length: int
    file: io.BufferedReader


@dataclass(frozen=True, slots=True)
class Watching:
    """How far somebody who watches a match has come; `told` is the state that they know of."""

    attempt: int = 0
    since: int = 0
    told: str = ""


class Public:
    """The answers."""

    def __init__(self, ground: Ground, lookup: Lookup) -> None:
        self._ground = ground
        self._lookup = lookup

    def ladder(self) -> LadderInfo:
        """What is played here, and whether it is."""
        tables = tuple(
            PublicTableInfo(name=table.name, ruleset=table.ruleset, players=table.players)
            for table in self._ground.tables
        )
        return LadderInfo(
            tables=tables,
            paused=self._ground.switch.paused(),
            server_version=self._ground.server_version,
        )

    def standings(self, size: int, token: str) -> Page[StandingLine]:
        """The ladder, the best first."""
        page = self._ground.standings.page(size, token)
        return Page(tuple(map(_line, page.items)), page.next)

    def entrants(self, owner: str, size: int, token: str) -> Page[PublicEntrant]:
        """Entrants of an owner, or of all."""
        page = self._ground.entrants.list(owner or None, size, token)
        return Page(tuple(map(self._lookup.shown_entrant, page.items)), page.next)

    def entrant(self, title: str) -> PublicEntrant:
        """One entrant; raises Unknown."""
        return self._lookup.shown_entrant(self._lookup.entrant(title))

    def versions(self, title: str, size: int, token: str) -> Page[PublicVersion]:
        """Versions of an entrant; raises Unknown."""
        entrant = self._lookup.entrant(title)
        page = self._ground.entrants.versions(entrant.number, size, token)
        return Page(tuple(map(self._lookup.shown_version, page.items)), page.next)

    def rating_changes(self, title: str, size: int, token: str) -> Page[RatingChange]:
        """How an entrant's rating has moved; raises Unknown."""
        entrant = self._lookup.entrant(title)
        page = self._ground.standings.history(entrant.number, size, token)
        return Page(tuple(map(self._lookup.shown_change, page.items)), page.next)

    def explain(self, number: int) -> tuple[RatingChange, ...]:
        """How a match has moved ratings.

        Raises:
            Unknown: there is no such match.
            WrongPhase: it is not over, or not rated.
        """
        match = self._lookup.match(number)
        _check_over(match.number, match.state)
        if match.kind is not MatchKind.RATED or match.result is None:
            raise WrongPhase(
                "MATCH_NOT_RATED",
                f"match {number}: is not rated, so it moved nothing",
                match=number,
            )
        events = self._ground.standings.explain(number)
        results = [event for event in events if event.kind is EntryKind.RESULT]
        return tuple(map(self._lookup.shown_change, results))

    # -- matches --------------------------------------------------------------------------------

    def match(self, number: int) -> MatchSummary:
        """One match; raises Unknown."""
        return self._lookup.shown_match(self._lookup.match(number))

    def matches(self, wanted: MatchFilter, size: int, token: str) -> Page[MatchSummary]:
        """Matches, the newest first; raises Unknown for an entrant or owner that is not there."""
        entrant = self._lookup.entrant(wanted.title).number if wanted.title else None
        if wanted.owner and self._ground.owners.find(wanted.owner) is None:
            raise Unknown("owner", wanted.owner)
        filters = Filters(
            entrant=entrant, owner=wanted.owner or None, state=wanted.state, kind=wanted.kind
        )
        page = self._ground.matches.list(filters, size, token)
        shown = (self._lookup.shown_match(one, with_attempts=False) for one in page.items)
        return Page(tuple(shown), page.next)

    def record(self, number: int, attempt: int) -> Record:
        """The record of an attempt, 0 for the one that counts; to be closed.

        Raises:
            Unknown: there is no such match, or no record of that attempt.
            WrongPhase: it is not over.
        """
        return record_of(self._ground.records, self._lookup.match(number), attempt)

    def watch(
        self, number: int, known: Watching
    ) -> tuple[tuple[Frame | Waiting | MatchSummary, ...], Watching]:
        """What is new of a match for somebody who knows so much; a MatchSummary is the last.

        Raises:
            Unknown: there is no such match.
        """
        match = self._lookup.match(number)
        if match.state not in (MatchState.QUEUED, MatchState.LEASED):
            rest: tuple[Frame, ...] = ()
            if match.state is MatchState.DONE and known.attempt:
                rest = self._ground.live.rest(number, known.attempt, known.since)
            return (*rest, self._lookup.shown_match(match)), known
        running = [one.number for one in match.attempts if one.state is AttemptState.LEASED]
        attempt = running[-1] if running else 0
        if attempt != known.attempt:
            known = Watching(attempt)
        if not attempt:
            return _waiting(match.why or "it waits for its turn", match.position, known)
        shown = self._ground.live.watch(number, known.since)
        if shown.frames:
            return shown.frames, Watching(attempt, shown.next, "playing")
        if known.since:
            return (), known
        return _waiting("it has begun; nothing of it may be shown yet", 0, known)


def record_of(records: FileStore, match: Match, attempt: int) -> Record:
    """The record of an attempt at a match, 0 for the one that counts; to be closed.

    Raises:
        Unknown: there is none of that attempt.
        WrongPhase: the match is not over.
    """
    _check_over(match.number, match.state)
    if not attempt and match.result is not None:
        attempt = match.result.attempt
    digests = [one.record for one in match.attempts if one.number == attempt and one.record]
    if not digests and match.result is not None and match.result.attempt == attempt:
        digests = [match.result.record]
    if not digests or digests[0] not in records:
        raise Unknown("record", f"of match {match.number}, attempt {attempt}")
    file = records.open(digests[0])
    length = file.seek(0, io.SEEK_END)
    file.seek(0)
    return Record(digests[0], length, file)


def _waiting(why: str, position: int, known: Watching) -> tuple[tuple[Waiting, ...], Watching]:
    told = f"{position} {why}"
    if told == known.told:
        return (), known
    return (Waiting(why=why, position=position),), Watching(known.attempt, known.since, told)


def _check_over(number: int, state: MatchState) -> None:
    if state not in (MatchState.DONE, MatchState.CANCELLED):
        raise WrongPhase("MATCH_NOT_OVER", f"match {number}: is not over yet", match=number)


def _line(standing: Standing) -> StandingLine:
    entrant = standing.entrant
    return StandingLine(
        place=standing.place,
        title=entrant.title,
        label=standing.label,
        rating=entrant.rating,
        matches=entrant.matches,
        absence=_absence(bool(entrant.paused), entrant.version is not None, standing.state),
    )


def _absence(is_paused: bool, has_version: bool, state: VersionState) -> Absence:
    if not has_version:
        return Absence.NO_VERSION
    if state is VersionState.PROBATION:
        return Absence.PROBATION
    if state is VersionState.QUARANTINED:
        return Absence.QUARANTINED
    return Absence.PAUSED if is_paused else Absence.NONE
