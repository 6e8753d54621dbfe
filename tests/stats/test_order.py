"""Boards are counted in their own order, whatever order their games end in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats.order import BoardOrder, Progress


def game(board: int, rotation: int) -> str:
    return f"{board}.{rotation}"


@st.composite
def arrivals(draw: st.DrawFn) -> tuple[int, int, list[tuple[int, int]]]:
    """Boards, rotations, and their games in any order."""
    boards, rotations = draw(st.integers(0, 8)), draw(st.integers(1, 4))
    games = [(board, rotation) for board in range(boards) for rotation in range(rotations)]
    return boards, rotations, draw(st.permutations(games))


@given(arrivals())
def test_boards_come_out_in_order_and_whole(given_: tuple[int, int, list[tuple[int, int]]]) -> None:
    boards, rotations, games = given_
    order: BoardOrder[str] = BoardOrder(rotations)
    out: list[tuple[str, ...]] = []
    finished: set[tuple[int, int]] = set()
    for board, rotation in games:
        out += order.finish(board, rotation, game(board, rotation))
        finished.add((board, rotation))
        whole = [all((one, at) in finished for at in range(rotations)) for one in range(boards)]
        begun = {one for one, _ in finished}
        counted = whole.index(False) if False in whole else boards
        assert len(out) == counted
        assert order.progress == Progress(counted, sum(whole) - counted, len(begun) - sum(whole))
    assert out == [tuple(game(one, at) for at in range(rotations)) for one in range(boards)]


def test_short_games_wait_for_long_ones() -> None:
    order: BoardOrder[str] = BoardOrder(1)
    order.begin(0)
    order.begin(0)
    assert order.finish(1, 0, "short") == []
    assert order.progress == Progress(counted=0, waiting=1, open=1)
    assert order.finish(0, 0, "long") == [("long",), ("short",)]
    assert order.progress == Progress(counted=2, waiting=0, open=0)


def test_run_that_is_taken_up_again() -> None:
    order: BoardOrder[str] = BoardOrder(1, counted=7)
    assert order.finish(7, 0, "next") == [("next",)]
    assert order.progress.counted == 8


def test_misuse_is_refused() -> None:
    order: BoardOrder[str] = BoardOrder(2)
    order.finish(0, 0, "first")
    with pytest.raises(ValueError, match=r"rotation 0 of board 0 is already there"):
        order.finish(0, 0, "again")
    with pytest.raises(ValueError, match=r"rotation 2 of 2"):
        order.finish(0, 2, "third")
    assert order.finish(0, 1, "second") == [("first", "second")]
    with pytest.raises(ValueError, match=r"board 0 has been counted"):
        order.finish(0, 1, "late")
    with pytest.raises(ValueError, match=r"board 0 has been counted"):
        order.begin(0)
    with pytest.raises(ValueError, match=r"0 boards of 0 games"):
        BoardOrder(0)
