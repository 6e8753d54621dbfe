"""What `check` reads: matches with all rows that belong to them, and what it has found.

Tables are gone through in pieces, so that memory is for one piece, however many matches there are.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, RowMapping, select

from arena.storage.facts import EntryKind
from arena.storage.schema import (
    ATTEMPTS,
    COMPETITIONS,
    LEDGER,
    MATCH_SEATS,
    MATCHES,
    RESULTS,
    VERSIONS,
)

__all__ = ["UNREADABLE", "Findings", "Violation", "WholeMatch", "whole_matches"]

PIECE: Final = 500
_MOST_LINES: Final = 20

UNREADABLE: Final = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What comes of rows that no server of ours has written: they may be anything."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A promise that does not hold: its number, and what breaks it, in one line."""

    promise: int
    what: str


@dataclass(slots=True)
class Findings:
    """What was found: a line each, and of each kind a number once there are many."""

    lines: list[Violation] = field(default_factory=list)
    _counts: Counter[tuple[int, str]] = field(default_factory=Counter)

    def add(self, promise: int, thing: str, words: str, detail: str = "") -> None:
        """Add that `words` hold of a thing; `detail` is what differs between things of a kind."""
        kind = promise, words
        self._counts[kind] += 1
        if self._counts[kind] <= _MOST_LINES:
            told = " ".join(f"{thing}: {words}{detail}".split())
            self.lines.append(Violation(promise, told))

    def all(self) -> list[Violation]:
        """The lines, and those that stand for many."""
        more = [
            Violation(promise, f"and {count - _MOST_LINES} more: {words}")
            for (promise, words), count in self._counts.items()
            if count > _MOST_LINES
        ]
        return [*self.lines, *more]


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeMatch:
    """A match with all rows that belong to it.

    Attributes:
        seats: In their order, each with `digest` and `of`, its version's digest and entrant.
        entries: The numbers of the entries in the ledger that are about its result.
        competition: The one that it is a match of, if its row names one that there is.
    """

    row: RowMapping
    seats: Sequence[RowMapping]
    attempts: Sequence[RowMapping]
    result: RowMapping | None
    entries: Sequence[int]
    competition: RowMapping | None = None

    @property
    def number(self) -> int:
        """Its number."""
        return int(self.row["number"])


def whole_matches(connection: Connection, findings: Findings) -> Iterator[WholeMatch]:
    """All matches in the order of their numbers; those whose rows cannot be read are found."""
    after = 0
    query = select(MATCHES.c.number).order_by(MATCHES.c.number).limit(PIECE)
    while numbers := connection.scalars(query.where(MATCHES.c.number > after)).all():
        yield from _readable(connection, numbers, findings)
        after = numbers[-1]


def _readable(
    connection: Connection, numbers: Sequence[int], findings: Findings
) -> Iterator[WholeMatch]:
    try:
        piece = _piece(connection, numbers[0], numbers[-1])
    except UNREADABLE as error:
        if len(numbers) == 1:
            findings.add(5, f"match {numbers[0]}", "its rows cannot be read: ", str(error))
            return
        for number in numbers:
            yield from _readable(connection, [number], findings)
        return
    yield from piece


def _piece(connection: Connection, first: int, last: int) -> list[WholeMatch]:
    def rows(query: Any, column: Any) -> Sequence[RowMapping]:
        return connection.execute(query.where(column.between(first, last))).mappings().all()

    def grouped(query: Any, column: Any) -> dict[int, list[RowMapping]]:
        found: dict[int, list[RowMapping]] = defaultdict(list)
        for row in rows(query, column):
            found[row["match"]].append(row)
        return found

    seats = grouped(_SEATS, MATCH_SEATS.c.match)
    attempts = grouped(select(ATTEMPTS).order_by(ATTEMPTS.c.number), ATTEMPTS.c.match)
    results = grouped(select(RESULTS), RESULTS.c.match)
    entries = grouped(_ENTRIES, LEDGER.c.match)
    matches = rows(select(MATCHES).order_by(MATCHES.c.number), MATCHES.c.number)
    competitions = _competitions(connection, matches)
    return [
        WholeMatch(
            row=row,
            seats=seats[row["number"]],
            attempts=attempts[row["number"]],
            result=next(iter(results[row["number"]]), None),
            entries=[one["number"] for one in entries[row["number"]]],
            competition=competitions.get(row["competition"]),
        )
        for row in matches
    ]


def _competitions(
    connection: Connection, matches: Sequence[RowMapping]
) -> Mapping[int, RowMapping]:
    numbers = {row["competition"] for row in matches if row["competition"] is not None}
    if not numbers:
        return {}
    query = select(COMPETITIONS).where(COMPETITIONS.c.number.in_(numbers))
    return {row["number"]: row for row in connection.execute(query).mappings()}


_SEATS: Final = (
    select(MATCH_SEATS, VERSIONS.c.digest, VERSIONS.c.entrant.label("of"))
    .outerjoin_from(MATCH_SEATS, VERSIONS, MATCH_SEATS.c.version == VERSIONS.c.number)
    .order_by(MATCH_SEATS.c.match, MATCH_SEATS.c.seat)
)
_ENTRIES: Final = (
    select(LEDGER.c.match, LEDGER.c.number)
    .where(LEDGER.c.kind == EntryKind.RESULT)
    .order_by(LEDGER.c.number)
)
