"""A match is made: who sits where is checked once, here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, insert, select

from arena.errors import InputError, quoted
from arena.storage.facts import MatchKind, MatchState, Moment, NewMatch, Seat
from arena.storage.inputs import canonical, checked_text, cleaned, is_number
from arena.storage.owners import owner_number
from arena.storage.schema import ENTRANTS, MATCH_SEATS, MATCHES, VERSIONS

__all__ = ["make_match"]

_FEWEST_SEATS: Final = 2
_MOST_SEATS: Final = 6
_LONGEST_CAUSE: Final = 500


def make_match(connection: Connection, new: NewMatch, now: Moment) -> int:
    """Put a match into the queue, and return its number.

    Raises:
        InputError: what it is made of cannot be; the message names it.
    """
    _check_shape(new)
    _check_seats(new, _versions(connection, new.seats))
    requested_by = owner_number(connection, new.requested_by) if new.requested_by else None
    values: dict[str, Any] = {
        "kind": new.kind,
        "table": checked_text("table", new.table, 64, least=1),
        "state": MatchState.QUEUED,
        "created": now,
        "teams": [list(team) for team in new.teams],
        "terms": new.terms,
        "requested_by": requested_by,
        "cause": checked_text("cause", new.cause, _LONGEST_CAUSE),
    }
    done = connection.execute(insert(MATCHES).values(**values))
    assert done.inserted_primary_key is not None
    number = int(done.inserted_primary_key[0])
    seats = [
        {"match": number, "seat": place, "entrant": seat.entrant, "version": seat.version}
        for place, seat in enumerate(new.seats)
    ]
    connection.execute(insert(MATCH_SEATS), seats)
    return number


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
