"""What counts in a stage: which points order the table, and what parts those that have as many.

All counting is in whole numbers: a share of a match is a number of 120ths, which are halves of the
shares of tables of two to six teams alike. So two entrants with as many points are never parted,
and never taken for equal, by a rounding.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.errors import InputError
from arena.formats.story import Pairing, Score, Way

__all__ = ["WHOLE", "Points", "Scoring", "TieBreak", "number", "units", "walkover"]

WHOLE: Final = 120
"""One point, in the units that are counted in."""


class Points(StrEnum):
    """What a match brings, by which a table is ordered first."""

    MATCH = "match"
    """A match won is 1; a draw, or a place in the middle of a larger table, a part of it."""
    BOARD = "board"
    """Every game counts, as a match does with the other."""


class TieBreak(StrEnum):
    """What parts entrants with equal points."""

    HEAD_TO_HEAD = "head-to-head"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT_1 = "buchholz-cut-1"
    SONNEBORN_BERGER = "sonneborn-berger"
    BOARD_POINTS = "board-points"
    MATCH_POINTS = "match-points"
    WINS = "wins"
    FAULTS = "faults"
    LOT = "lot"

    @property
    def explanation(self) -> str:
        """What it is, for people: one line that goes on after the name."""
        return _EXPLANATIONS[self]


_EXPLANATIONS: Final = {
    TieBreak.HEAD_TO_HEAD: (
        "the points that those who are tied made against each other, if all of them met each other "
        "equally often; counted again for those whom that leaves tied"
    ),
    TieBreak.BUCHHOLZ: (
        "the points of all opponents together; for a bye or a walkover one's own points instead"
    ),
    TieBreak.BUCHHOLZ_CUT_1: (
        "the points of all opponents together, but for the one that has the fewest"
    ),
    TieBreak.SONNEBORN_BERGER: (
        "the points of every opponent that one finished ahead of, and half of the points of those "
        "that one drew with"
    ),
    TieBreak.BOARD_POINTS: (
        "the points of all single games: 1 for a game won, and at larger tables the share of the "
        "other teams that one was ahead of"
    ),
    TieBreak.MATCH_POINTS: (
        "the points of all matches: 1 for a match won, and at larger tables the share of the other "
        "teams that one was ahead of"
    ),
    TieBreak.WINS: ("the matches finished ahead of all others; byes and walkovers do not count"),
    TieBreak.FAULTS: "strikes and forfeits, a partner's too; whoever has fewer is ahead",
    TieBreak.LOT: "drawn by lot from the seed of the stage, which anybody can check afterwards",
}

_USUAL: Final = (
    TieBreak.HEAD_TO_HEAD,
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
    TieBreak.BOARD_POINTS,
    TieBreak.FAULTS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a table is counted.

    Attributes:
        points: What orders it first.
        breaks: What parts those with equal points, one after the other. Whoever is equal in all
            of it shares a place.
        annul: Whether all results of somebody that leaves before it has played half of its matches
            count for nobody, where the format annuls at all.

    Raises:
        InputError: a tie-break would never decide anything.
    """

    points: Points = Points.MATCH
    breaks: tuple[TieBreak, ...] = _USUAL
    annul: bool = True

    def __post_init__(self) -> None:
        for number, one in enumerate(self.breaks):
            if one in self.breaks[:number]:
                raise InputError(f"tie_breaks: '{one}' is named twice; once is enough")
        if TieBreak.LOT in self.breaks[:-1]:
            after = self.breaks[self.breaks.index(TieBreak.LOT) + 1]
            raise InputError(
                f"tie_breaks: 'lot' leaves no tie, so '{after}' after it never counts; "
                "'lot' has to be the last"
            )


def units(points: float) -> int:
    """Points in whole units, the nearest if they are no such number."""
    return round(points * WHOLE)


def number(amount: int, whole: int = WHOLE) -> str:
    """An amount of 1/`whole` for people: with up to two digits after the point."""
    hundredths = round(100 * amount / whole)
    return f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")


def walkover(pairing: Pairing, gone: Collection[int]) -> Score:
    """The score of a pairing that is not played because some of its entrants are gone.

    Teams that are whole share the first places, those that are not the last ones. No team is whole:
    all of them have the same rank, and nobody has won.
    """
    short = [any(entrant in gone for entrant in team) for team in pairing.teams]
    below = 1 + short.count(False)
    nothing = (0,) * len(short)
    return Score(
        ranks=tuple(below if one else 1 for one in short),
        boards=tuple(map(float, nothing)),
        faults=nothing,
        way=Way.WALKOVER,
    )
