"""Tables of more than two sides, and the stop by width."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from arena.errors import InputError
from arena.stats.estimates import Estimate, Interval
from arena.stats.stopping import WidthStop
from arena.stats.tables import TableTally
from tests.stats.boards import WON, Board, game, many_boards


def table(sides: int, rotations: int, played: list[Board]) -> TableTally:
    made = TableTally(sides, rotations)
    for board in played:
        made.add(board)
    return made


def test_three_sides_on_two_boards() -> None:
    played: list[Board] = [
        (game(900, 700, 100), game(500, 500, 0), game(100, 300, 200)),
        (game(600, 0, 600), game(900, 100, 500), game(800, 900, 900, forfeited_by=[2])),
    ]
    found = table(3, 3, played)
    first, second, third = found.sides()
    assert (first.boards, first.games) == (2, 6)
    assert first.place is not None
    assert first.place.value == pytest.approx((1 + 1.5 + 3 + 1.5 + 1 + 2) / 6)
    assert first.won is not None
    assert first.won.value == pytest.approx((1 + 0.5 + 0 + 0.5 + 1 + 0) / 6)
    assert first.points is not None
    assert first.points.value == pytest.approx(500)
    assert first.points.interval is None
    assert (third.forfeits, second.forfeits, third.boards_without_points) == (1, 0, 1)
    assert found.pairs.keys() == {(0, 1), (0, 2), (1, 2)}
    duel = found.pairs[0, 2].summary()
    assert (duel.wins, duel.draws, duel.losses) == (4, 1, 1)


@settings(max_examples=50)
@given(many_boards())
def test_sides_share_all_wins_and_all_places(given_: tuple[int, int, list[Board]]) -> None:
    sides, rotations, played = given_
    found = table(sides, rotations, played).sides()
    if not played:
        assert all((one.place, one.won, one.points) == (None,) * 3 for one in found)
        return
    assert sum(one.won.value for one in found if one.won) == pytest.approx(1)
    places = [one.place.value for one in found if one.place]
    assert sum(places) == pytest.approx(sides * (sides + 1) / 2)
    assert all(1 <= place <= sides for place in places)
    for one in found:
        assert one.won is not None
        assert one.boards == len(played)
        assert (one.won.interval is None) == (len(played) == 1)


def test_misuse_is_refused() -> None:
    found = TableTally(3, 1)
    with pytest.raises(ValueError, match=r"a game of 3 sides"):
        found.add((WON,))
    with pytest.raises(ValueError, match=r"a board of 1 games, not 2"):
        found.add((game(1, 2, 3), game(1, 2, 3)))
    assert found.sides() == TableTally(3, 1).sides()
    with pytest.raises(ValueError, match=r"a table of 1 sides"):
        TableTally(1, 1)


# -- the stop by width ------------------------------------------------------------------------


def test_width_stop_waits_for_all() -> None:
    wide = Estimate(0.5, Interval(0.4, 0.6))
    narrow = Estimate(0.5, Interval(0.47, 0.53))
    stop = WidthStop(0.1)
    assert stop.is_met([narrow, narrow])
    assert not stop.is_met([narrow, wide])
    assert not stop.is_met([narrow, None])
    assert not stop.is_met([Estimate(0.5, None)])


@pytest.mark.parametrize("width", [0, 1, -0.5, float("nan")])
def test_bad_width_is_named(width: float) -> None:
    with pytest.raises(InputError, match=rf"width {width:g}: must be above 0 and below 1"):
        WidthStop(width)
