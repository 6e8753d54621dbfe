"""All ratings once more, from the ledger, and what is stored compared with them or put right.

The ledger is gone through in pieces, so that memory is for the entrants and one piece, however many
results there are. From which entry on is a matter of speed: before it, what is stored is taken as
it is.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, bindparam, delete, func, insert, select, update

from arena.ladder.rating import Parameters, Rating
from arena.storage.entries import GENESIS, Event, link, result_events, version_event
from arena.storage.facts import Difference, EntryKind, Rebuilt, Seat
from arena.storage.schema import (
    ENTRANTS,
    LEDGER,
    MATCH_SEATS,
    MATCHES,
    RATING_EVENTS,
    RESULTS,
    VERSIONS,
)

__all__ = ["replay"]

_PIECE: Final = 500
_EXAMPLES: Final = 20

_REMOVE: Final = delete(RATING_EVENTS).where(
    RATING_EVENTS.c.entry == bindparam("by"), RATING_EVENTS.c.entrant == bindparam("of")
)


def replay(
    connection: Connection, parameters: Parameters, *, since: int = 1, write: bool
) -> Rebuilt:
    """Work out everything from the entry `since` on; with `write`, put right what is stored."""
    work = _Replay(connection, parameters, since, write)
    for rows in _pieces(connection, since):
        work.piece(rows)
    work.entrants()
    return Rebuilt(
        entries=work.last,
        events=work.events,
        different=work.different,
        examples=tuple(work.examples),
    )


@dataclass(slots=True)
class _Standing:
    """Where an entrant stands after the entries so far."""

    rating: Rating
    matches: int = 0
    last_entry: int = 0


@dataclass(slots=True)
class _Replay:
    connection: Connection
    parameters: Parameters
    since: int
    write: bool
    last: int = 0
    events: int = 0
    different: int = 0
    examples: list[Difference] = field(default_factory=list)
    chain: str = GENESIS
    annulled: dict[int, str] = field(default_factory=dict)
    standings: dict[int, _Standing] = field(default_factory=dict)

    def __post_init__(self) -> None:
        query = (
            select(LEDGER.c.match, RESULTS.c.annulled)
            .join_from(LEDGER, RESULTS, LEDGER.c.match == RESULTS.c.match)
            .where(LEDGER.c.kind == EntryKind.ANNULMENT)
        )
        self.annulled = dict(self.connection.execute(query).all())
        self.last = self.since - 1
        if self.last:
            before = select(LEDGER.c.chain).where(LEDGER.c.number == self.last)
            self.chain = self.connection.scalar(before) or GENESIS

    def piece(self, rows: Sequence[RowMapping]) -> None:
        """Go through some entries."""
        first, last = rows[0]["number"], rows[-1]["number"]
        seats = _seats(self.connection, first, last)
        right: dict[tuple[int, int], Event] = {}
        for row in rows:
            self._check_chain(row)
            for event in self._events(row, seats[row["match"]]):
                right[row["number"], event["entrant"]] = event
                self._stand(row["number"], event)
        self.events += len(right)
        self._compare(right, _stored(self.connection, first, last))
        self.last = last

    def entrants(self) -> None:
        """Compare or put right the entrants themselves, once all entries are done."""
        for row in self.connection.execute(select(ENTRANTS)).mappings().all():
            if self.since > 1 and row["number"] not in self.standings:
                continue
            stand = self._standing(row["number"])
            right = {
                "mu": stand.rating.mu,
                "sigma": stand.rating.sigma,
                "conservative": stand.rating.conservative,
                "matches": stand.matches,
                "last_entry": stand.last_entry,
            }
            stored = {key: row[key] for key in right}
            if stored != right:
                self._differs(f"entrant {row['number']}", stored, right)
                if self.write:
                    is_it = ENTRANTS.c.number == row["number"]
                    self.connection.execute(update(ENTRANTS).where(is_it).values(right))

    def _events(self, row: RowMapping, seats: Sequence[Seat]) -> Sequence[Event]:
        if row["kind"] == EntryKind.RESULT:
            # Of an annulled one too: where they stand has to be looked at all the same.
            ratings = {seat.entrant: self._standing(seat.entrant).rating for seat in seats}
            if row["match"] in self.annulled:
                return ()
            return result_events(self.parameters, ratings, seats, row["teams"], row["ranks"])
        if row["kind"] == EntryKind.VERSION:
            before = self._standing(row["entrant"]).rating
            return [version_event(self.parameters, row["entrant"], row["version"], before)]
        return ()

    def _standing(self, entrant: int) -> _Standing:
        stand = self.standings.get(entrant)
        if stand is None:
            stand = self._before(entrant) if self.since > 1 else _Standing(self.parameters.start)
            self.standings[entrant] = stand
        return stand

    def _before(self, entrant: int) -> _Standing:
        """Where an entrant stood before the first entry that is gone through."""
        events = RATING_EVENTS.c
        earlier = (events.entrant == entrant) & (events.entry < self.since)
        last = select(RATING_EVENTS).where(earlier).order_by(events.entry.desc()).limit(1)
        row = self.connection.execute(last).mappings().one_or_none()
        if row is None:
            return _Standing(self.parameters.start)
        count = select(func.count(events.rank)).where(earlier)
        rating = Rating(row["after_mu"], row["after_sigma"])
        return _Standing(rating, self.connection.scalar(count) or 0, row["entry"])

    def _stand(self, entry: int, event: Event) -> None:
        stand = self._standing(event["entrant"])
        stand.rating = Rating(event["after_mu"], event["after_sigma"])
        stand.matches += event["rank"] is not None
        stand.last_entry = entry

    def _check_chain(self, row: RowMapping) -> None:
        right = link(self.chain, dict(row), _payload(row, self.annulled))
        if row["chain"] != right:
            self._differs(f"chain of entry {row['number']}", row["chain"], right)
        if row["number"] != self.last + 1:
            self._differs("number of an entry", row["number"], self.last + 1)
        self.last, self.chain = row["number"], row["chain"]

    def _compare(
        self, right: Mapping[tuple[int, int], Event], stored: Mapping[tuple[int, int], Event]
    ) -> None:
        wrong = [key for key in stored if stored[key] != right.get(key)]
        missing = [key for key in right if right[key] != stored.get(key)]
        for entry, entrant in sorted({*wrong, *missing}):
            what = f"rating event of entrant {entrant} by entry {entry}"
            self._differs(what, stored.get((entry, entrant)), right.get((entry, entrant)))
        if not self.write:
            return
        if wrong:
            keys = [{"by": entry, "of": entrant} for entry, entrant in wrong]
            self.connection.execute(_REMOVE, keys)
        if missing:
            rows = [{"entry": key[0], **right[key]} for key in missing]
            self.connection.execute(insert(RATING_EVENTS), rows)

    def _differs(self, what: str, stored: object, right: object) -> None:
        self.different += 1
        if len(self.examples) < _EXAMPLES:
            texts = ["" if it is None else str(it) for it in (stored, right)]
            self.examples.append(Difference(what=what, stored=texts[0], right=texts[1]))


def _payload(row: RowMapping, annulled: Mapping[int, str]) -> str:
    if row["kind"] == EntryKind.RESULT:
        return str(row["payload_sha256"])
    if row["kind"] == EntryKind.VERSION:
        return str(row["digest"])
    why = annulled.get(row["match"], "")
    return hashlib.sha256(why.encode("utf-8", "surrogatepass")).hexdigest()


def _pieces(connection: Connection, since: int) -> Iterator[Sequence[RowMapping]]:
    """The entries with what their kind needs to be understood, some at a time."""
    query = (
        select(
            LEDGER, MATCHES.c.teams, RESULTS.c.ranks, RESULTS.c.payload_sha256, VERSIONS.c.digest
        )
        .select_from(LEDGER)
        .outerjoin(MATCHES, LEDGER.c.match == MATCHES.c.number)
        .outerjoin(RESULTS, LEDGER.c.match == RESULTS.c.match)
        .outerjoin(VERSIONS, LEDGER.c.version == VERSIONS.c.number)
        .order_by(LEDGER.c.number)
        .limit(_PIECE)
    )
    after = since - 1
    while rows := connection.execute(query.where(LEDGER.c.number > after)).mappings().all():
        yield rows
        after = rows[-1]["number"]


def _seats(connection: Connection, first: int, last: int) -> Mapping[int | None, list[Seat]]:
    """Who sat in the matches that these entries are about."""
    query = (
        select(MATCH_SEATS)
        .join_from(LEDGER, MATCH_SEATS, LEDGER.c.match == MATCH_SEATS.c.match)
        .where(LEDGER.c.number.between(first, last), LEDGER.c.kind == EntryKind.RESULT)
        .order_by(MATCH_SEATS.c.match, MATCH_SEATS.c.seat)
    )
    seats: dict[int | None, list[Seat]] = defaultdict(list)
    for row in connection.execute(query).mappings():
        seats[row["match"]].append(Seat(row["entrant"], row["version"]))
    return seats


def _stored(connection: Connection, first: int, last: int) -> dict[tuple[int, int], Event]:
    query = select(RATING_EVENTS).where(RATING_EVENTS.c.entry.between(first, last))
    events: dict[tuple[int, int], Event] = {}
    for row in connection.execute(query).mappings():
        values: dict[str, Any] = dict(row)
        events[values.pop("entry"), row["entrant"]] = values
    return events
