"""Which matches are meant: by who played, whose they are, and how they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection, select, union_all

from arena.storage.facts import MatchKind, MatchState
from arena.storage.inputs import cleaned, is_number
from arena.storage.schema import ENTRANTS, MATCH_SEATS, MATCHES, OWNERS

__all__ = ["Filters", "found_numbers"]

_AT_ONCE: Final = 100
"""SQLite puts at most 500 queries together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Which matches are asked for; what is None does not matter.

    Attributes:
        entrant: One that has a seat, by its number.
        owner: One that has an entrant with a seat, by its name.
        competition: One that it is a match of, by its number.
        with_hidden: Whether matches that are hidden are given too.
    """

    entrant: int | None = None
    owner: str | None = None
    state: MatchState | None = None
    kind: MatchKind | None = None
    competition: int | None = None
    with_hidden: bool = False

    def as_tuple(self) -> tuple[object, ...]:
        """For the token of a page."""
        return (
            self.entrant, self.owner, self.state, self.kind, self.competition, self.with_hidden,
        )  # fmt: skip

    @property
    def is_open(self) -> bool:
        """Whether every match of whoever is asked for is meant."""
        own = self.state, self.kind, self.competition
        return self.with_hidden and all(one is None for one in own)


def found_numbers(
    connection: Connection, filters: Filters, before: int | None, most: int
) -> Sequence[int]:
    """The numbers of the newest matches that are meant, of those below `before`."""
    if filters.competition is not None and not is_number(filters.competition):
        return ()
    if filters.entrant is None and filters.owner is None:
        query = _meant(select(MATCHES.c.number), filters)
        query = query.order_by(MATCHES.c.number.desc()).limit(most)
        if before is not None:
            query = query.where(MATCHES.c.number < before)
        return connection.scalars(query).all()
    numbers: set[int] = set()
    entrants = _entrants(connection, filters)
    for start in range(0, len(entrants), _AT_ONCE):
        some = entrants[start : start + _AT_ONCE]
        each = [_of_entrant(entrant, filters, before, most) for entrant in some]
        numbers.update(connection.scalars(union_all(*each)))
    return sorted(numbers, reverse=True)[:most]


def _entrants(connection: Connection, filters: Filters) -> Sequence[int]:
    """Those whose matches are meant: all of an owner, or the one, if it is the owner's."""
    query = select(ENTRANTS.c.number).join(OWNERS, ENTRANTS.c.owner == OWNERS.c.number)
    if filters.owner is not None:
        if cleaned(filters.owner) != filters.owner:
            return ()
        query = query.where(OWNERS.c.name == filters.owner)
    if filters.entrant is not None:
        if not is_number(filters.entrant):
            return ()
        query = query.where(ENTRANTS.c.number == filters.entrant)
    return connection.scalars(query).all()


def _of_entrant(entrant: int, filters: Filters, before: int | None, most: int) -> Any:
    """The newest of one entrant, by the index: as many as may be needed of all of them."""
    query = select(MATCH_SEATS.c.match).where(MATCH_SEATS.c.entrant == entrant).distinct()
    if not filters.is_open:
        joined = query.join(MATCHES, MATCH_SEATS.c.match == MATCHES.c.number)
        query = _meant(joined, filters)
    if before is not None:
        query = query.where(MATCH_SEATS.c.match < before)
    newest = query.order_by(MATCH_SEATS.c.match.desc()).limit(most).subquery()
    return select(newest.c.match)


def _meant(query: Any, filters: Filters) -> Any:
    if filters.state is not None:
        query = query.where(MATCHES.c.state == filters.state)
    if filters.kind is not None:
        query = query.where(MATCHES.c.kind == filters.kind)
    if filters.competition is not None:
        query = query.where(MATCHES.c.competition == filters.competition)
    if not filters.with_hidden:
        query = query.where(MATCHES.c.hidden.is_(False))
    return query
