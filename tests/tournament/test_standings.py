"""What a series says never depends on the order in which its matches end."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from random import Random

import pytest

from arena.errors import InputError
from arena.stats.sprt import Decision, Sprt
from arena.stats.stopping import WidthStop
from arena.stats.tables import TableTally
from arena.tournament.series import FinishedMatch, Series, SeriesPlan
from arena.tournament.standings import Standings, Stops
from tests.tournament.scripted import played, series_plan


def in_order(series: Series) -> list[FinishedMatch]:
    return [series.finished[number] for number in sorted(series.finished)]


def counted(
    plan: SeriesPlan, matches: list[FinishedMatch], stops: Stops | None = None
) -> Standings:
    standings = Standings(plan, stops or Stops())
    for match in matches:
        standings.add(match)
    return standings


def facts(standings: Standings) -> tuple[object, ...]:
    """Everything that standings say."""
    run = standings.sprt
    return (
        (standings.boards, standings.void_boards, standings.enough),
        (standings.games, standings.forfeits, standings.voids, standings.logs),
        (standings.pairs, standings.sides),
        [(dict(t.faults), dict(t.think_times.classes), t.prompts) for t in standings.tallies],
        None if run is None else (run.llr, run.boards, run.decision),
    )


PLAN = series_plan("patient", "random", boards=8)
TABLE = series_plan("patient", "random", "hostile", boards=8)


@pytest.mark.parametrize("plan", [PLAN, TABLE], ids=["two", "three"])
def test_matches_may_end_in_any_order(plan: SeriesPlan) -> None:
    matches = in_order(played(plan))
    expected = facts(counted(plan, matches))
    for order in permutations(matches):
        assert facts(counted(plan, list(order))) == expected


def test_nothing_counts_before_what_comes_before_it() -> None:
    """Short games finish first: who looks at what is there sees too many of them."""
    first, second, third, fourth = in_order(played(PLAN))
    standings = counted(PLAN, [second, fourth])
    assert standings.boards == 0
    assert standings.games == []
    assert standings.waiting_boards == 4
    standings.add(first)
    assert (standings.boards, standings.waiting_boards) == (4, 2)
    standings.add(third)
    assert (standings.boards, standings.waiting_boards) == (8, 0)


# -- stops ------------------------------------------------------------------------------------

LONG = series_plan("patient", "random", boards=60, match_boards=3)
STOPS = {
    "sprt": Stops(sprt=Sprt(elo0=0, elo1=100)),
    "width": Stops(width=WidthStop(0.4)),
    "both": Stops(sprt=Sprt(elo0=0, elo1=20), width=WidthStop(0.3)),
}


@pytest.fixture(scope="module")
def long_series() -> list[FinishedMatch]:
    return in_order(played(LONG))


@pytest.mark.parametrize("name", STOPS)
def test_a_stop_is_met_at_the_same_board_in_any_order(
    name: str, long_series: list[FinishedMatch]
) -> None:
    stops = STOPS[name]
    expected = counted(LONG, long_series, stops)
    assert expected.enough
    assert 0 < expected.boards < LONG.boards
    rng = Random(name)
    for _ in range(10):
        order = list(long_series)
        rng.shuffle(order)
        assert facts(counted(LONG, order, stops)) == facts(expected)


def test_a_stop_is_looked_for_after_every_board(long_series: list[FinishedMatch]) -> None:
    """The board that decides need not be the last one of its match; those after it do not count."""
    ends = set()
    for elo in (60, 70, 80, 90, 100, 110, 120):
        found = counted(LONG, long_series, Stops(sprt=Sprt(elo0=0, elo1=elo)))
        run = found.sprt
        assert run is not None
        assert run.decision is not Decision.CONTINUE
        assert run.boards == found.boards == len({game.board for game in found.games})
        ends.add(found.boards % LONG.match_boards)
    assert len(ends) > 1


def test_without_a_stop_all_boards_count(long_series: list[FinishedMatch]) -> None:
    standings = counted(LONG, long_series)
    assert not standings.enough
    assert standings.boards == LONG.boards


def test_a_test_between_two_sides_is_refused_at_a_table_of_three() -> None:
    with pytest.raises(InputError, match=r"^--sprt compares two sides, and here are 3$"):
        Standings(TABLE, STOPS["sprt"])
    assert Standings(series_plan(*"abcd", preset="classic"), STOPS["sprt"]).sprt is not None


# -- statistics -------------------------------------------------------------------------------


@pytest.mark.parametrize("plan", [PLAN, TABLE], ids=["two", "three"])
def test_statistics_come_from_boards_and_not_from_games(plan: SeriesPlan) -> None:
    standings = counted(plan, in_order(played(plan)))
    tally = TableTally(len(plan.bots), len(plan.bots))
    for board in range(plan.boards):
        games = [game for game in standings.games if game.board == board]
        assert len(games) == len(plan.bots)
        tally.add([standings.score(game) for game in games])
    assert standings.sides == tally.sides()
    for sides, pair in standings.pairs.items():
        assert pair == tally.pairs[sides].summary()
        assert pair.boards == plan.boards
        assert pair.games == plan.boards * len(plan.bots)


def test_luck_of_the_deal_cancels_out_between_equal_bots() -> None:
    """Each board is a draw between two that play the same: the interval has no width to speak of.

    From games it would be as wide as that of a coin.
    """
    plan = series_plan("patient", "patient", boards=10)
    pair = counted(plan, in_order(played(plan))).pairs[0, 1]
    assert pair.wins == pair.losses > 0
    assert pair.share is not None
    assert pair.share.value == 0.5
    assert pair.points is not None
    assert pair.points.value == 0


def test_sides_are_the_teams_as_they_sit_in_the_first_rotation() -> None:
    plan = series_plan("patient", "random", "patient", "random", preset="classic", boards=4)
    standings = counted(plan, in_order(played(plan)))
    won = sum(game.winner == game.team(plan_bot) for game in standings.games for plan_bot in (0,))  # type: ignore[arg-type]
    pair = standings.pairs[0, 1]
    assert pair.wins == won
    assert len(standings.sides) == 2


def test_boards_that_the_host_spoilt_are_left_out_and_told() -> None:
    first, second, *_ = in_order(played(PLAN))
    broken = replace(first, results=first.results[:-1], voids=("match 00000-1-1: why",))
    standings = counted(PLAN, [broken, second])
    missing = {first.results[-1].board}
    assert standings.void_boards == 1
    assert standings.boards == 3
    assert missing.isdisjoint(game.board for game in standings.games)
    assert standings.voids == ["match 00000-1-1: why"]


def test_a_forfeited_game_counts_as_lost_but_its_points_do_not() -> None:
    plan = series_plan("crasher in game 1", "patient", boards=4, match_boards=4)
    standings = counted(plan, in_order(played(plan)))
    spoilt = {game.board for game in standings.games if game.forfeited}
    assert spoilt == {1, 3}  # the second game of each part
    (side, _) = standings.sides
    assert side.boards_without_points == 2
    assert side.games == plan.games
    lost = [standings.score(game) for game in standings.games if game.forfeited]
    assert [(score.ranks, score.forfeited_by) for score in lost] == [((1, 0), (0,))] * len(lost)


def test_without_points_kilometres_are_compared() -> None:
    standings = counted(PLAN, in_order(played(PLAN)))
    game = standings.games[0]
    assert game.totals != game.km
    by_side = [game.km[game.team(bot)] for bot in (0, 1)]  # type: ignore[arg-type]
    assert standings.score(game).points == tuple(by_side)


def test_logs_are_those_that_were_written_last() -> None:
    matches = in_order(played(PLAN))
    matches[-1] = replace(matches[-1], logs=("", "bye"))
    standings = counted(PLAN, matches)
    assert standings.logs == ["patient in 00002-0-1", "bye"]
