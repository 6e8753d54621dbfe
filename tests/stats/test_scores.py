"""What a game brought: ranks, points, forfeits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import InputError
from arena.stats.scores import DRAW, LOSS, WIN, GameScore, half_points, ranks_by
from tests.stats.boards import DRAWN, FORFEITED, LOST, WON, Board, boards, game_scores


@pytest.mark.parametrize(
    ("points", "forfeited_by", "ranks"),
    [
        ((5000, 3000), (), (0, 1)),
        ((3000, 3000), (), (0, 0)),
        ((700, 900, 900), (), (2, 0, 0)),
        ((1, 2, 3, 4, 5, 6), (), (5, 4, 3, 2, 1, 0)),
        ((5000, 3000), (0,), (1, 0)),
        ((900, -50, 700), (0,), (2, 1, 0)),
        ((900, 800, 700), (0, 2), (1, 0, 1)),
        ((900, 800), (0, 1), (0, 0)),
    ],
)
def test_ranks_by_points_with_forfeits_last(
    points: tuple[int, ...], forfeited_by: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert ranks_by(points, forfeited_by) == ranks


@pytest.mark.parametrize(
    ("ranks", "points", "forfeited_by", "problem"),
    [
        ((0,), (1,), (), r"a game has 2 to 6 sides, not 1"),
        ((0,) * 7, (1,) * 7, (), r"a game has 2 to 6 sides, not 7"),
        ((0, 1), (1, 2, 3), (), r"a game of 2 sides has 2 points, not 3"),
        ((1, 2), (1, 2), (), r"ranks \(1, 2\): the best is 0, the worst at most 1"),
        ((0, -1), (1, 2), (), r"ranks \(0, -1\): the best is 0"),
        ((0, 1), (1, 2), (2,), r"forfeits of sides \(2,\) of 2"),
        ((0, 1), (1, 2), (0,), r"ranks \(0, 1\): sides \(0,\) forfeited, so rank last"),
    ],
)
def test_score_that_cannot_be_is_refused(
    ranks: tuple[int, ...], points: tuple[int, ...], forfeited_by: tuple[int, ...], problem: str
) -> None:
    with pytest.raises(InputError, match=problem):
        GameScore(ranks, points, forfeited_by)


def test_duel_goes_by_rank() -> None:
    assert [one.duel(0, 1) for one in (WON, DRAWN, LOST)] == [WIN, DRAW, LOSS]
    assert FORFEITED.is_forfeited
    assert FORFEITED.duel(1, 0) == WIN


@given(game_scores(4))
def test_duel_gives_away_one_win_between_two(score: GameScore) -> None:
    for a in range(4):
        for b in range(4):
            assert score.duel(a, b) + score.duel(b, a) == WIN


@given(boards(3, 4), st.permutations(range(4)))
def test_order_of_games_on_a_board_does_not_matter(board: Board, order: list[int]) -> None:
    assert half_points(board, 0, 2) == half_points([board[at] for at in order], 0, 2)
