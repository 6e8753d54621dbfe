"""What the ledger says: all that moves ratings, in its order and chained to what was before.

    chain(0)  32 bytes of 0
    chain(n)  SHA-256 of chain(n-1), 32 bytes, followed by what entry n says

What an entry says is a JSON object in ASCII without blanks, its keys in this order: `at`,
`entrant`, `kind`, `match`, `number`, `payload`, `version`; what it does not have is null. The
payload is 64 hexadecimal digits: for a RESULT `payload_sha256` of its row in `results`, for a
VERSION the digest of the version, for an ANNULMENT SHA-256 of the reason in UTF-8, which is
`annulled` in `results`.

All of this happens inside of a transaction that somebody else has begun.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, bindparam, insert, select, update

from arena.ladder.changes import new_version, rate_match
from arena.ladder.rating import Parameters, Ranking, Rating
from arena.storage import failpoints
from arena.storage.facts import Entry, EntryKind, Moment, Seat
from arena.storage.inputs import canonical
from arena.storage.schema import ENTRANTS, LEDGER, PARAMETERS, RATING_EVENTS

__all__ = [
    "GENESIS",
    "Event",
    "NewEntry",
    "append",
    "entry_of",
    "link",
    "result_events",
    "store_events",
    "stored_parameters",
    "version_event",
]

GENESIS: Final = "00" * 32
"""The chain before the first entry."""

_SAID: Final = ("kind", "at", "match", "entrant", "version")

Event = dict[str, Any]
"""A row of `rating_events` without its entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """What is to be added; see `Entry`, and above for the payload."""

    kind: EntryKind
    at: Moment
    payload: str
    match: int | None = None
    entrant: int | None = None
    version: int | None = None


def append(connection: Connection, new: NewEntry) -> int:
    """Add an entry, and return its number."""
    last = select(LEDGER.c.number, LEDGER.c.chain).order_by(LEDGER.c.number.desc()).limit(1)
    head = connection.execute(last).one_or_none()
    number, chain = (1, GENESIS) if head is None else (head.number + 1, head.chain)
    said = {key: getattr(new, key) for key in _SAID} | {"number": number}
    connection.execute(insert(LEDGER).values(chain=link(chain, said, new.payload), **said))
    failpoints.reached(failpoints.AFTER_LEDGER_INSERT)
    return number


def link(chain: str, said: Mapping[str, Any], payload: str) -> str:
    """The chain after an entry, as its row says it, that follows upon `chain`."""
    content = {key: said[key] for key in ("number", *_SAID)} | {"payload": payload}
    return hashlib.sha256(bytes.fromhex(chain) + canonical(content)).hexdigest()


def entry_of(row: RowMapping) -> Entry:
    """An entry, from its row."""
    return Entry(
        number=row["number"],
        kind=EntryKind(row["kind"]),
        at=Moment(row["at"]),
        match=row["match"],
        entrant=row["entrant"],
        version=row["version"],
        chain=row["chain"],
    )


def stored_parameters(connection: Connection) -> Parameters:
    """What the ratings that are stored were worked out with."""
    return Parameters(**connection.scalars(select(PARAMETERS.c.rating)).one())


# -- what an entry moves: the same functions when it is added and when all is worked out again ----


def result_events(
    parameters: Parameters,
    ratings: Mapping[int, Rating],
    seats: Sequence[Seat],
    teams: Sequence[Sequence[int]],
    ranks: Sequence[int],
) -> list[Event]:
    """What a result moves, in the order of its entrants' numbers.

    Raises:
        InputError: an entrant sits there twice, or the result cannot be rated.
    """
    ranking = Ranking(
        tuple(tuple(str(seats[seat].entrant) for seat in team) for team in teams), tuple(ranks)
    )
    known = {str(entrant): rating for entrant, rating in ratings.items()}
    versions = {seat.entrant: seat.version for seat in seats}
    changes = {int(one.entrant): one for one in rate_match(parameters, known, ranking)}
    return [
        {
            **_moved(entrant, versions[entrant], change.before, change.after),
            "expected": change.expected,
            "actual": change.actual,
            "rank": change.rank,
        }
        for entrant, change in sorted(changes.items())
    ]


def version_event(parameters: Parameters, entrant: int, version: int, before: Rating) -> Event:
    """What a new version moves."""
    after = new_version(parameters, before)
    told: Event = {"expected": None, "actual": None, "rank": None}
    return _moved(entrant, version, before, after) | told


def _moved(entrant: int, version: int, before: Rating, after: Rating) -> Event:
    return {
        "entrant": entrant,
        "version": version,
        "before_mu": before.mu,
        "before_sigma": before.sigma,
        "after_mu": after.mu,
        "after_sigma": after.sigma,
    }


_MOVE: Final = (
    update(ENTRANTS)
    .where(ENTRANTS.c.number == bindparam("of"))
    .values(
        mu=bindparam("new_mu"),
        sigma=bindparam("new_sigma"),
        conservative=bindparam("new_conservative"),
        matches=ENTRANTS.c.matches + bindparam("more"),
        last_entry=bindparam("entry"),
    )
)


def store_events(connection: Connection, entry: int, events: Iterable[Event]) -> None:
    """Store what an entry that was just added moves, and move it."""
    events = list(events)
    connection.execute(insert(RATING_EVENTS), [{"entry": entry, **event} for event in events])
    connection.execute(_MOVE, [_move(entry, event) for event in events])


def _move(entry: int, event: Event) -> dict[str, Any]:
    after = Rating(event["after_mu"], event["after_sigma"])
    return {
        "of": event["entrant"],
        "new_mu": after.mu,
        "new_sigma": after.sigma,
        "new_conservative": after.conservative,
        "more": int(event["rank"] is not None),
        "entry": entry,
    }
