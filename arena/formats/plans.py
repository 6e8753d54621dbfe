"""What formats share that know all their pairings from the start, and those of one against one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

from arena.errors import InputError
from arena.formats.story import TWO_SEATS, Field, Pairing, Row, Story

__all__ = [
    "absence",
    "is_played",
    "ordinal",
    "require_duels",
    "require_pairings",
    "standing_with",
    "unannounced",
    "with_places",
]


_MOST_PAIRINGS: Final = 100_000
"""Of a stage: far more than a competition can play, and still quick to count."""


def require_duels(name: str, field: Field, least: int) -> None:
    """Refuse a field that is not one against one, or has fewer entrants than `least`.

    Raises:
        InputError: it is so; the message begins with the name of the format.
    """
    if field.teams != TWO_SEATS:
        raise InputError(f"{name}: is played one against one, not at tables of teams {field.teams}")
    if field.entrants < least:
        raise InputError(f"{name}: needs {least} entrants or more, not {field.entrants}")


def require_pairings(name: str, field: Field, pairings: int, most: int = _MOST_PAIRINGS) -> None:
    """Refuse a field with which there would be more than `most` pairings.

    Raises:
        InputError: it is so; the message begins with the name of the format.
    """
    if pairings > most:
        raise InputError(
            f"{name}: {field.entrants} entrants make {pairings:,} pairings; at most {most:,} can be"
        )


def unannounced(story: Story, plan: Iterable[Pairing], size: int) -> Sequence[Pairing]:
    """What of a plan of so many pairings was not announced yet, in its order.

    The plan is only looked at if it is needed: asked most often is whether there is more.
    """
    if len(story.pairings) >= size:
        return ()
    announced = {pairing.key for pairing in story.pairings}
    return tuple(pairing for pairing in plan if pairing.key not in announced)


def is_played(story: Story, size: int) -> bool:
    """Whether a plan of so many pairings was announced whole, and everything has a score."""
    return len(story.pairings) >= size and not story.waits


def ordinal(number: int) -> str:
    """A place for people: 1st, 2nd, 3rd, 4th, 11th, 21st."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in {11, 12, 13} else suffix}"


def absence(story: Story, entrant: int) -> int:
    """0 for who plays, 1 for who left, 2 for who was disqualified: the order in a table."""
    departure = story.gone.get(entrant)
    return 0 if departure is None else 1 + departure.is_disqualified


def standing_with(story: Story, row: Row, part: str) -> str:
    """The note of a row of a part of a table: its place there, or that it is gone."""
    if row.entrant in story.gone:
        return f"{part}, {row.note}"
    return f"{part}, {ordinal(row.place)}"


def with_places(rows: Iterable[Row], keys: Mapping[int, tuple[Fraction | int, ...]]) -> list[Row]:
    """The rows in the order of the keys of their entrants; equal keys share a place."""
    ordered = sorted(rows, key=lambda row: (*keys[row.entrant], row.entrant))
    result: list[Row] = []
    for number, row in enumerate(ordered, start=1):
        is_tied = bool(result) and keys[result[-1].entrant] == keys[row.entrant]
        result.append(dataclasses.replace(row, place=result[-1].place if is_tied else number))
    return result
