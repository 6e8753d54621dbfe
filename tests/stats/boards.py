"""Boards for tests: by hand, and by hypothesis."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from arena.stats.scores import GameScore, ranks_by

Board = tuple[GameScore, ...]

WON = GameScore(ranks=(0, 1), points=(5000, 3000))
DRAWN = GameScore(ranks=(0, 0), points=(4000, 4000))
LOST = GameScore(ranks=(1, 0), points=(2500, 5100))
FORFEITED = GameScore(ranks=(1, 0), points=(4900, 0), forfeited_by=(0,))


def game(*points: int, forfeited_by: Sequence[int] = ()) -> GameScore:
    """A game that went by points."""
    return GameScore(ranks_by(points, forfeited_by), points, tuple(forfeited_by))


POINTS = (-(10**12), -25, 0, 25, 3075, 5000, 10**12 + 1)
"""Few different ones, so that ties come up."""


def game_scores(sides: int) -> st.SearchStrategy[GameScore]:
    """Any game between so many sides; side 0 forfeits some."""
    points = st.tuples(*[st.sampled_from(POINTS)] * sides)
    forfeits = st.sampled_from([(), (), (0,)])
    return st.builds(lambda made, gone: game(*made, forfeited_by=gone), points, forfeits)


def boards(sides: int, rotations: int) -> st.SearchStrategy[Board]:
    """Any board."""
    return st.tuples(*[game_scores(sides)] * rotations)


@st.composite
def many_boards(draw: st.DrawFn) -> tuple[int, int, list[Board]]:
    """Sides, rotations, and some boards of so many games."""
    sides = draw(st.integers(2, 4))
    rotations = draw(st.integers(1, 4))
    return sides, rotations, draw(st.lists(boards(sides, rotations), max_size=8))
