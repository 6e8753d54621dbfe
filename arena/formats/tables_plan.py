"""Schedules for individual entrants at tables: every round at once, as even as can be found.

Whoever was to sit out more often than others sits in a round more, which catches up: so at most
so many as cannot fill a table have one match less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from arena.errors import InputError
from arena.formats.plans import require_pairings
from arena.formats.story import Field, Pairing, lot
from arena.formats.tables_designs import designs
from arena.formats.tables_search import Plan, Shape, cost, improved
from arena.formats.tables_seats import seated

__all__ = ["MOST_ROUNDS", "require_rounds", "require_tables", "rounds_of", "schedule", "size"]

MOST_ROUNDS: Final = 200
"""Of a stage; who wants more games plays more boards."""

_MOST_ENTRANTS: Final = 512


def require_rounds(rounds: int) -> None:
    """Refuse a number of rounds that cannot be; 0 stands for what suits a field.

    Raises:
        InputError: it is not from 0 to MOST_ROUNDS.
    """
    if not 0 <= rounds <= MOST_ROUNDS:
        raise InputError(f"rounds {rounds}: from 1 to {MOST_ROUNDS}, or 0 for what suits the field")


def require_tables(
    name: str, field: Field, allowed: Sequence[tuple[int, ...]], rounds: int
) -> None:
    """Refuse a field whose tables are of another kind, or that is too small or too large.

    Raises:
        InputError: it is so; the message begins with the name of the format.
    """
    if field.teams not in allowed:
        kinds = " or ".join(str(teams) for teams in allowed)
        raise InputError(f"{name}: tables of teams {field.teams}; must be {kinds}")
    if not field.seats <= field.entrants <= _MOST_ENTRANTS:
        raise InputError(
            f"{name}: from {field.seats} to {_MOST_ENTRANTS} entrants can play, "
            f"not {field.entrants}"
        )
    require_pairings(name, field, size(field, rounds))


def rounds_of(field: Field, rounds: int) -> int:
    """How many rounds there are, before one that catches up.

    If `rounds` is 0, so many that everybody could meet everybody else once.
    """
    return rounds or min(MOST_ROUNDS, -(-(field.entrants - 1) // (field.seats - 1)))


def size(field: Field, rounds: int) -> int:
    """How many pairings a schedule has."""
    tables, over = divmod(field.entrants, field.seats)
    number = rounds_of(field, rounds)
    return number * tables + number * over % field.entrants // field.seats


@lru_cache(maxsize=8)
def schedule(field: Field, rounds: int) -> tuple[Pairing, ...]:
    """All pairings of a field; the same for the same one, everywhere."""
    shape = Shape(field.teams)
    number = rounds_of(field, rounds)
    entrants = field.entrants
    found: list[tuple[int, Plan]] = []
    for design in designs(entrants, shape, number):
        plan = design + _catching_up(design, entrants, shape.seats)
        found.append((cost(plan, shape, entrants), plan))
    _, best = min(found, key=lambda one: one[0])
    best = improved(best, shape, entrants, lot(field.seed, "tables", "search"))
    order = sorted(range(entrants), key=lambda one: lot(field.seed, "tables", one))
    named = [[order[one] for one in row] for row in seated(best, shape)]
    return tuple(
        pairing
        for at, row in enumerate(named, start=1)
        for pairing in _round(row, shape, at, is_more=at > number)
    )


def _catching_up(plan: Plan, entrants: int, seats: int) -> Plan:
    """A round of those who have sat less often than others, as far as they fill tables."""
    sat = Counter(dict.fromkeys(range(entrants), 0))
    for row in plan:
        sat.update(row)
    most = max(sat.values())
    fewer = [one for one in range(entrants) if sat[one] < most]
    filled = len(fewer) - len(fewer) % seats
    return [fewer[:filled]] if filled else []


def _round(row: list[int], shape: Shape, number: int, *, is_more: bool) -> list[Pairing]:
    what = f"round {number} (catching up)" if is_more else f"round {number}"
    return [
        Pairing(
            key=f"{number}.{table}",
            round=number,
            title=f"{what}, table {table}",
            teams=_teams(row[start : start + shape.seats], shape),
        )
        for table, start in enumerate(range(0, len(row), shape.seats), start=1)
    ]


def _teams(members: list[int], shape: Shape) -> tuple[tuple[int, ...], ...]:
    return tuple(
        tuple(members[start : start + shape.size]) for start in range(0, shape.seats, shape.size)
    )
