"""From games and forfeits to the ranks of a match."""

from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.ladder.ranking import Game, match_ranks

A_WINS = Game((0, 1), (5000, 3000))
B_WINS = Game((1, 0), (2000, 5000))
DRAW = Game((0, 0), (4000, 4000))


@pytest.mark.parametrize(
    ("games", "ranks"),
    [
        ([A_WINS], (0, 1)),
        ([A_WINS, B_WINS, A_WINS], (0, 1)),
        ([A_WINS, B_WINS, DRAW, B_WINS], (1, 0)),
        ([DRAW], (0, 0)),
        ([], (0, 0)),
    ],
    ids=["one", "two of three", "draw counts half", "draw", "nothing played"],
)
def test_games_won_decide_between_two(games: list[Game], ranks: tuple[int, int]) -> None:
    assert match_ranks(2, games) == ranks


def test_points_decide_only_what_games_leave_open() -> None:
    assert match_ranks(2, [A_WINS, B_WINS]) == (1, 0)  # 7000 against 8000
    assert match_ranks(2, [A_WINS, Game((0, 1), (5000, 4999)), B_WINS]) == (0, 1)


def test_points_of_a_game_that_was_broken_off_say_nothing() -> None:
    broken = Game((1, 0), (2000, 9000), is_finished=False)
    assert match_ranks(2, [A_WINS, broken]) == (0, 1)


def test_among_three_the_mean_rank_decides() -> None:
    games = [Game((0, 1, 2), (5, 4, 3)), Game((2, 0, 1), (1, 5, 4)), Game((1, 0, 2), (4, 5, 3))]
    assert match_ranks(3, games) == (1, 0, 2)


def test_forfeits_come_last_and_the_earlier_one_is_the_worse() -> None:
    won = Game((0, 1, 2), (9, 5, 1))
    assert match_ranks(3, [won, won, won], {0: 1}) == (2, 0, 1)
    assert match_ranks(3, [won, won, won], {0: 1, 1: 2}) == (2, 1, 0)
    assert match_ranks(3, [won, won, won], {0: 1, 1: 1}) == (1, 1, 0)
    assert match_ranks(2, [A_WINS], {0: 1, 1: 1}) == (0, 0)


def test_a_forfeit_weighs_more_than_all_games_before() -> None:
    assert match_ranks(2, [A_WINS] * 19, {0: 19}) == (1, 0)


@pytest.mark.parametrize(
    ("teams", "games", "forfeits", "message"),
    [
        (3, [A_WINS], {}, "game 0: 2 ranks and 2 points for 3 teams"),
        (2, [A_WINS], {2: 0}, "forfeit of team 2: there are 2 teams, from 0"),
    ],
)
def test_what_does_not_fit_is_refused(
    teams: int, games: list[Game], forfeits: dict[int, int], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        match_ranks(teams, games, forfeits)
