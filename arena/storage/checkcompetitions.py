"""Whether competitions, their journals and their matches agree with each other.

What the lines of a journal say is not known here: `arena competition verify` plays them again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, RowMapping, func, select

from arena.storage.attempts import competition_seed
from arena.storage.checkpieces import UNREADABLE, Findings, WholeMatch
from arena.storage.facts import Level, MatchKind
from arena.storage.making import is_pairing
from arena.storage.schema import COMPETITION_JOURNAL, COMPETITIONS

__all__ = ["broken_competition", "broken_seed", "check_competitions"]

_SECRET: Final = 32  # bytes


def broken_competition(match: WholeMatch) -> Iterator[tuple[int, str]]:
    """A match is of kind competition exactly if it has one; hidden exactly if that is not public.

    Pairs of promise and words.
    """
    row = match.row
    if (row["kind"] == MatchKind.COMPETITION) != (row["competition"] is not None):
        yield 8, "is of kind competition and has none, or has one and is of another kind"
    if row["competition"] is None:
        if row["hidden"]:
            yield 8, "is hidden and no match of a competition"
        if row["pairing"]:
            yield 8, "has a pairing and is no match of a competition"
        return
    if not is_pairing(row["pairing"]):
        yield 8, "its pairing is none"
    if match.competition is None:
        yield 8, "is a match of a competition that is not there"
    elif row["hidden"] != (match.competition["level"] != Level.PUBLIC):
        yield 8, "is hidden though its competition is public, or is not though that is not"


def broken_seed(match: WholeMatch, attempt: RowMapping) -> Iterator[tuple[int, str]]:
    """The seed of an attempt at a match of a competition is what the secret makes of it."""
    competition = match.competition
    if competition is None:
        return
    secret, mixed = bytes(competition["secret"]), competition["mixed"]
    right = competition_seed(secret, mixed, match.row["pairing"], attempt["number"])
    if bytes(attempt["seed"]) != right:
        yield 5, "its seed is not the one that follows from its competition's secret"


def check_competitions(connection: Connection, findings: Findings) -> None:
    """Look at the competitions themselves, and whether their journals are without gaps."""
    for number in connection.scalars(select(COMPETITIONS.c.number).order_by(COMPETITIONS.c.number)):
        thing = f"competition {number}"
        try:
            _check_competition(connection, number, findings, thing)
        except UNREADABLE as error:
            findings.add(5, thing, "its row cannot be read: ", str(error))


def _check_competition(connection: Connection, number: int, findings: Findings, thing: str) -> None:
    query = select(COMPETITIONS).where(COMPETITIONS.c.number == number)
    row = connection.execute(query).mappings().one()
    if len(bytes(row["secret"])) != _SECRET:
        findings.add(8, thing, "its secret has not 32 bytes")
    if row["level"] not in list(Level):
        findings.add(8, thing, "is of no level that there is")
    journal = COMPETITION_JOURNAL.c
    counted = select(func.count(), func.min(journal.number), func.max(journal.number))
    count, first, last = connection.execute(counted.where(journal.competition == number)).one()
    if not count:
        findings.add(8, thing, "has no line in its journal")
    elif (first, last) != (1, count):
        told = f": {count} lines, from {first} to {last}"
        findings.add(8, thing, "its journal has gaps", told)
