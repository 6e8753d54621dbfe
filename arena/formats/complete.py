"""Complete: every possible table once, so that everybody plays equally often in every company."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, factorial, prod
from typing import Final

from arena.errors import InputError
from arena.formats.plans import is_played, require_pairings, unannounced
from arena.formats.roundrobin import legs
from arena.formats.scoring import Scoring
from arena.formats.standings import standings
from arena.formats.story import TWO_SEATS, Field, Pairing, Row, Story

__all__ = ["MOST_TABLES", "Complete", "splits"]

MOST_TABLES: Final = 5_000
"""Possible tables grow quickly with the entrants: of four seats there are 4,845 of 20 entrants, and
as partners three times as many."""

_NAME: Final = "complete"

Teams = tuple[tuple[int, ...], ...]


def splits(entrants: tuple[int, ...], size: int) -> Iterator[Teams]:
    """Every way to part entrants into teams of one size; neither teams nor members have an order.

    Teams begin with the first of those who are left, so four of 0 1 2 3 are 01 23, 02 13, 03 12.
    """
    if not entrants:
        yield ()
        return
    first, others = entrants[0], entrants[1:]
    for partners in combinations(others, size - 1):
        left = tuple(one for one in others if one not in partners)
        for rest in splits(left, size):
            yield ((first, *partners), *rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete:
    """Every combination of entrants at a table, with partners in every split; announced at once.

    So all have equally many matches, with everybody as a partner and as an opponent equally often.
    In a round nobody plays twice. Who begins at a table is shared out as evenly as it can be by
    turning the table, one after the other.
    """

    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: everything is announced at once."""
        return False

    def check(self, field: Field) -> None:
        """Refuse a field that does not fill a table, or makes more than MOST_TABLES.

        Raises:
            InputError: it is so.
        """
        if field.entrants < field.seats:
            raise InputError(
                f"{_NAME}: a table has {field.seats} seats, and there are {field.entrants} entrants"
            )
        require_pairings(_NAME, field, self._size(field), MOST_TABLES)

    def due(self, story: Story) -> Sequence[Pairing]:
        """All pairings, until they are announced."""
        return unannounced(story, self._plan(story.field), self._size(story.field))

    def is_over(self, story: Story) -> bool:
        """Whether everything has a score."""
        return is_played(story, self._size(story.field))

    def table(self, story: Story) -> Sequence[Row]:
        """By the rules of counting."""
        return standings(story, self.scoring)

    def _size(self, field: Field) -> int:
        same = prod(factorial(size) for size in field.teams) * factorial(len(field.teams))
        return comb(field.entrants, field.seats) * (factorial(field.seats) // same)

    def _plan(self, field: Field) -> Iterator[Pairing]:
        for number, tables in enumerate(_rounds(field), start=1):
            for table, teams in enumerate(tables, start=1):
                yield Pairing(
                    key=f"{number}.{table}",
                    round=number,
                    title=f"round {number}, table {table}",
                    teams=teams,
                )


def _rounds(field: Field) -> list[list[Teams]]:
    """All tables, seated, in rounds in which nobody sits twice."""
    if field.teams == TWO_SEATS:
        rounds: dict[int, list[Teams]] = {}
        for number, _, (one, other) in legs(field.entrants, 1):
            rounds.setdefault(number, []).append(((one,), (other,)))
        return list(rounds.values())
    seats = [[0] * field.seats for _ in range(field.entrants)]
    return [[_seated(teams, seats) for teams in tables] for tables in _spread(field)]


def _spread(field: Field) -> list[list[Teams]]:
    """All tables in rounds: every one in the first round in which all of its entrants are free."""
    rounds: list[list[Teams]] = []
    busy: list[int] = []  # by round, a bit for everybody who plays in it
    for entrants in combinations(range(field.entrants), field.seats):
        own = sum(1 << entrant for entrant in entrants)
        number = 0
        for teams in splits(entrants, field.teams[0]):
            while number < len(busy) and busy[number] & own:
                number += 1
            if number == len(busy):
                busy.append(0)
                rounds.append([])
            busy[number] |= own
            rounds[number].append(teams)
    return rounds


def _seated(teams: Teams, seats: list[list[int]]) -> Teams:
    """The teams turned round the table so that entrants sit where they seldom sat, and count it.

    Partners sit opposite: seat s is of team s modulo the teams, and turning keeps partners.
    """
    circle = [member for members in zip(*teams, strict=True) for member in members]
    turns = [circle[turn:] + circle[:turn] for turn in range(len(circle))]
    best = min(turns, key=lambda turn: sum(seats[one][seat] for seat, one in enumerate(turn)))
    for seat, entrant in enumerate(best):
        seats[entrant][seat] += 1
    return tuple(tuple(best[number :: len(teams)]) for number in range(len(teams)))
