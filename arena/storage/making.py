"""A match is made: who sits where is checked once, here."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, insert, select

from arena.errors import InputError, quoted
from arena.storage.facts import MatchKind, MatchState, Moment, NewMatch, Seat
from arena.storage.inputs import canonical, checked_text, cleaned, is_number
from arena.storage.owners import owner_number
from arena.storage.schema import ENTRANTS, MATCH_SEATS, MATCHES, VERSIONS

__all__ = ["is_pairing", "make_match", "make_paired"]

_FEWEST_SEATS: Final = 2
_MOST_SEATS: Final = 6
_LONGEST_CAUSE: Final = 500
_PAIRING: Final = re.compile(r"[0-9]{1,9}/[a-z0-9.-]{1,24}/[0-9]{1,9}")


def make_match(connection: Connection, new: NewMatch, now: Moment) -> int:
    """Put a match into the queue, and return its number.

    Raises:
        InputError: what it is made of cannot be; the message names it. Or it is a competition's:
            those are made with a line of its journal, never without one.
    """
    if new.kind is MatchKind.COMPETITION or new.competition is not None or new.pairing:
        raise InputError(
            f"match of a competition, pairing {quoted(new.pairing)}: is made by its journal only"
        )
    versions = _versions(connection, new.seats)
    values = _values(connection, new, versions, now)
    done = connection.execute(insert(MATCHES).values(**values))
    assert done.inserted_primary_key is not None
    number = int(done.inserted_primary_key[0])
    connection.execute(insert(MATCH_SEATS), _seats(number, new))
    return number


def make_paired(
    connection: Connection,
    news: Sequence[NewMatch],
    now: Moment,
    competition: int,
    *,
    hidden: bool,
) -> tuple[int, ...]:
    """Put matches of a competition that there is into the queue, and return their numbers.

    They are thousands at times, and nobody else can write meanwhile: so there are a few statements
    for all of them.

    Raises:
        InputError: as `make_match` says; or one is another competition's, or was made before.
    """
    if not news:
        return ()
    known = _pairings(connection, competition)
    versions = _versions(connection, [seat for new in news for seat in new.seats])
    rows = []
    for new in news:
        _check_paired(new, competition, known)
        known[new.pairing] = 0
        own = {"competition": competition, "pairing": new.pairing, "hidden": hidden}
        rows.append(_values(connection, new, versions, now) | own)
    connection.execute(insert(MATCHES), rows)
    made = _pairings(connection, competition)
    numbers = tuple(made[new.pairing] for new in news)
    both = zip(numbers, news, strict=True)
    seats = [seat for number, new in both for seat in _seats(number, new)]
    connection.execute(insert(MATCH_SEATS), seats)
    return numbers


def is_pairing(text: str) -> bool:
    """Whether this can name a match of a competition: stage, key and run, such as `1/3.2/1`."""
    return _PAIRING.fullmatch(text) is not None


def _pairings(connection: Connection, competition: int) -> dict[str, int]:
    """The numbers of all matches of a competition, by what names them there."""
    query = select(MATCHES.c.pairing, MATCHES.c.number)
    return dict(connection.execute(query.where(MATCHES.c.competition == competition)).all())


def _check_paired(new: NewMatch, competition: int, known: Mapping[str, int]) -> None:
    what = f"pairing {quoted(new.pairing)}"
    if new.kind is not MatchKind.COMPETITION or new.competition != competition:
        told = f"is {new.kind} of competition {quoted(new.competition)}"
        raise InputError(f"{what}: {told}; must be of kind competition, of {competition}")
    if not is_pairing(new.pairing):
        raise InputError(f"{what}: must be like 1/3.2/1: stage, key and run")
    if new.pairing in known:
        number = known[new.pairing]
        told = f"is match {number} already" if number else "is there twice"
        raise InputError(f"{what}: {told}; a further run has another number")


def _values(
    connection: Connection, new: NewMatch, versions: Mapping[int, RowMapping], now: Moment
) -> dict[str, Any]:
    """The row of a match that can be."""
    _check_shape(new)
    _check_seats(new, versions)
    return {
        "kind": new.kind,
        "table": checked_text("table", new.table, 64, least=1),
        "state": MatchState.QUEUED,
        "created": now,
        "teams": [list(team) for team in new.teams],
        "terms": new.terms,
        "requested_by": owner_number(connection, new.requested_by) if new.requested_by else None,
        "cause": checked_text("cause", new.cause, _LONGEST_CAUSE),
    }


def _seats(number: int, new: NewMatch) -> list[dict[str, int]]:
    return [
        {"match": number, "seat": place, "entrant": seat.entrant, "version": seat.version}
        for place, seat in enumerate(new.seats)
    ]


def _check_shape(new: NewMatch) -> None:
    count = len(new.seats)
    if not _FEWEST_SEATS <= count <= _MOST_SEATS:
        raise InputError(f"a match has {_FEWEST_SEATS} to {_MOST_SEATS} seats, not {count}")
    seated = sorted(seat for team in new.teams for seat in team)
    if seated != list(range(count)) or len(new.teams) < 2 or not all(new.teams):
        raise InputError(
            f"teams {quoted(new.teams)}: must be two or more and hold each of the {count} seats, "
            "from 0, once"
        )
    canonical(new.terms)
    if cleaned(new.terms) != new.terms:
        raise InputError("terms: must be plain JSON, without NUL or half characters")


def _versions(connection: Connection, seats: Sequence[Seat]) -> Mapping[int, RowMapping]:
    numbers = {seat.version for seat in seats if is_number(seat.version)}
    query = (
        select(VERSIONS.c.number, VERSIONS.c.entrant, ENTRANTS.c.owner)
        .join_from(VERSIONS, ENTRANTS, VERSIONS.c.entrant == ENTRANTS.c.number)
        .where(VERSIONS.c.number.in_(numbers))
    )
    return {row["number"]: row for row in connection.execute(query).mappings()}


def _check_seats(new: NewMatch, versions: Mapping[int, RowMapping]) -> None:
    for place, seat in enumerate(new.seats):
        row = versions.get(seat.version)
        if row is None or row["entrant"] != seat.entrant:
            raise InputError(
                f"seat {place}: entrant {quoted(seat.entrant)} has no version "
                f"{quoted(seat.version)}"
            )
    owners = [versions[seat.version]["owner"] for seat in new.seats]
    if new.kind is MatchKind.RATED and len(set(owners)) < len(owners):
        raise InputError("a rated match must not have two seats of one owner")
