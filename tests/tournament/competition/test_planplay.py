"""Competitions that are drawn instead of played: chance, places, and how long they take."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from arena.errors import InputError
from arena.stats.student import NORMAL
from arena.tournament.competition.plannoise import PER_ELO, Noise, play_match
from arena.tournament.competition.planplay import Plan, play_competition
from arena.tournament.competition.planpower import (
    board_numbers,
    evaluations,
    match_chance,
    needed,
    numbers_for,
    power,
    times,
    wilson,
)
from arena.tournament.competition.plantime import Pace, seconds_of, wave_seconds
from arena.tournament.competition.regulations import (
    EntrantRules,
    GameRules,
    Regulations,
    Rotations,
    Seeding,
    StageKind,
    StageRules,
)

ROBIN = StageRules(kind=StageKind.ROUND_ROBIN)
KNOCKOUT = StageRules(kind=StageKind.ELIMINATION, best_of=3)


def regulations(
    *stages: StageRules, game: GameRules | None = None, seeding: Seeding = Seeding.LOT
) -> Regulations:
    return Regulations(
        name="cup",
        title="Cup",
        stages=stages,
        game=game or GameRules(boards=4),
        entrants=EntrantRules(most=16, seeding=seeding),
    )


def plan(made: Regulations, entrants: int, spread: float = 140, gap: float | None = None) -> Plan:
    return Plan(regulations=made, entrants=entrants, noise=Noise(), spread=spread, gap=gap)


# -- a match ------------------------------------------------------------------------------------


@pytest.mark.parametrize("elo", [0, 50, 150])
def test_games_are_won_as_often_as_elo_say(elo: float) -> None:
    score = play_match(Noise(), [[elo], [0]], 20_000, 2, np.random.default_rng(1))
    share = score.boards[0] / score.games
    # The logistic share of Elo and the normal one of the model differ by less than 1 %.
    assert share == pytest.approx(NORMAL.cdf(elo * PER_ELO), abs=0.006)
    assert share == pytest.approx(1 / (1 + 10 ** (-elo / 400)), abs=0.015)
    assert sum(score.boards) == score.games == 40_000


@pytest.mark.parametrize("cards", [0.0, 0.5, 0.84])
def test_boards_are_split_as_often_as_the_cards_say(cards: float) -> None:
    chance = np.random.default_rng(2)
    noise = Noise(cards=cards, decides=False)
    scores = [play_match(noise, [[0], [0]], 1, 2, chance) for _ in range(4000)]
    split = sum(score.ranks == (1, 1) for score in scores) / len(scores)
    # Sheppard: both games of a board go to one bot with 1/2 - asin(cards) / pi.
    assert split == pytest.approx(0.5 + math.asin(cards) / math.pi, abs=0.025)


def test_a_share_over_boards_spreads_as_its_arithmetic_says() -> None:
    chance = np.random.default_rng(3)
    shares = [
        play_match(Noise(cards=0.84), [[0], [0]], 12, 2, chance).boards[0] / 24 for _ in range(3000)
    ]
    phi = -2 * math.asin(0.84) / math.pi
    assert np.std(shares) == pytest.approx(0.5 * math.sqrt((1 + phi) / 2 / 12), rel=0.05)


def test_points_decide_what_games_leave_open_and_only_where_there_are_points() -> None:
    def drawn(*, decides: bool) -> int:
        chance, noise = np.random.default_rng(4), Noise(decides=decides)
        return sum(play_match(noise, [[0], [0]], 6, 2, chance).ranks == (1, 1) for _ in range(300))

    assert drawn(decides=True) == 0
    assert 90 <= drawn(decides=False) <= 160  # 41 % as between equal example bots


def test_with_many_boards_the_better_one_wins_every_match() -> None:
    chance = np.random.default_rng(5)
    scores = [play_match(Noise(), [[0], [50]], 1000, 2, chance) for _ in range(50)]
    assert {score.ranks for score in scores} == {(2, 1)}


@pytest.mark.parametrize("boards", [1, 5, 30])
def test_more_boards_begin_with_those_that_fewer_would_have_been(boards: int) -> None:
    def points(count: int) -> float:
        return play_match(Noise(), [[0], [0]], count, 2, np.random.default_rng(6)).boards[0]

    more = points(boards + 1) - points(boards)  # what the one board besides has brought
    assert more in (0, 1, 2)


def test_partners_share_what_they_are_worth_and_tables_share_all_points() -> None:
    chance = np.random.default_rng(7)
    pair = play_match(Noise(), [[100, 0], [0, 100]], 5000, 4, chance)
    assert pair.boards[0] / pair.games == pytest.approx(0.5, abs=0.01)
    lame = play_match(Noise(), [[200, 0], [0, 0]], 5000, 4, chance)
    assert lame.boards[0] / lame.games == pytest.approx(
        NORMAL.cdf(200 * PER_ELO / math.sqrt(2)), abs=0.02
    )
    table = play_match(Noise(), [[0], [0], [90]], 400, 3, chance)
    assert sum(table.boards) == pytest.approx(1.5 * table.games)
    assert table.ranks[2] == 1


def test_the_cards_are_a_part() -> None:
    with pytest.raises(InputError, match=r"cards 1\.5: a part of the variance is from 0 to 1"):
        Noise(cards=1.5)


def test_the_measured_noise_depends_on_points_and_teams() -> None:
    assert Noise.of(is_scored=True) == Noise(cards=0.84, decides=True)
    assert Noise.of(is_scored=True, teams=(2, 2)).cards > Noise.of(is_scored=True).cards
    assert not Noise.of(is_scored=False).decides


# -- a competition ------------------------------------------------------------------------------


def test_the_same_simulation_is_always_the_same() -> None:
    tried = plan(regulations(ROBIN), 5)
    assert play_competition(tried, 3) == play_competition(tried, 3)
    assert play_competition(tried, 3).strengths != play_competition(tried, 4).strengths


def test_of_equal_bots_each_wins_equally_often() -> None:
    bound = 4 * math.sqrt(3 / 16 / 250)
    for stage in (ROBIN, KNOCKOUT):
        wins = power(plan(regulations(stage), 4, spread=0), 250).wins
        assert wins.value == pytest.approx(1 / 4, abs=bound), stage


def test_who_is_far_ahead_always_wins_whatever_the_format() -> None:
    stages = (
        StageRules(kind=StageKind.GROUPS, groups=2, advance=4),
        StageRules(kind=StageKind.SWISS, rounds=2, advance=2),
        KNOCKOUT,
    )
    found = power(plan(regulations(*stages), 8, gap=1500), 20)
    assert (found.wins.hits, found.first_three.hits, found.last_stage.hits) == (20, 20, 20)
    assert found.place == 1
    assert found.gap == pytest.approx(1500)
    assert [len(one) for one in found.ended[0].waves] == [1, 2, 2]


def test_more_boards_help_the_best_with_common_chance() -> None:
    tried = plan(regulations(ROBIN), 4, gap=30)
    found = [power(replace(tried, boards=(boards,)), 60).wins.hits for boards in (1, 6, 40, 300)]
    assert found == sorted(found)
    assert found[0] < found[-1]


def test_tables_of_four_and_changing_partners_are_simulated() -> None:
    table = regulations(
        StageRules(kind=StageKind.TABLES, rounds=3, advance=5),
        StageRules(kind=StageKind.COMPLETE),
        game=GameRules(players=4, ruleset="express", boards=2),
    )
    found = power(plan(table, 8, gap=1500), 5)
    assert found.wins.hits == 5
    assert [len(wave) for wave in found.ended[0].waves[0]] == [6]  # three rounds of two tables
    assert [len(wave) for wave in found.ended[0].waves[1]] == [5]
    partners = regulations(
        StageRules(kind=StageKind.PARTNERS, rounds=3),
        game=GameRules(players=4, teams=True, boards=8),
    )
    assert power(plan(partners, 4, gap=1500), 5).wins.hits == 5


def test_the_best_is_out_of_the_last_stage_if_it_lost_before() -> None:
    made = regulations(StageRules(kind=StageKind.SWISS, rounds=1, advance=2), ROBIN)
    found = power(plan(made, 8, spread=0), 60)
    out = [one for one in found.ended if one.reached == 1]
    assert 0 < len(out) < 60
    assert {one.place > 2 for one in out} == {True}
    assert found.last_stage.hits == 60 - len(out)


def test_seeding_by_strength_helps_the_best_in_a_knock_out() -> None:
    stage = StageRules(kind=StageKind.ELIMINATION)
    places = {
        seeding: power(plan(regulations(stage, seeding=seeding), 8, gap=60), 80).first_three.hits
        for seeding in (Seeding.LOT, Seeding.LADDER)
    }
    assert places[Seeding.LADDER] >= places[Seeding.LOT]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"spread": -1}, "spread -1: must be from 0 to 2,000 Elo"),
        ({"gap": 9999}, "gap 9999: must be from 0 to 2,000 Elo"),
        ({"gap": float("nan")}, "gap nan: must be from 0 to 2,000 Elo"),
        ({"boards": (1, 2)}, "boards: 2 numbers for 1 stages"),
        ({"seed": -1}, "seed -1: must be 0 or more"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(plan(regulations(ROBIN), 4), **changes)  # type: ignore[arg-type]


# -- chances ------------------------------------------------------------------------------------


def test_wilsons_interval_as_it_is_printed_in_books() -> None:
    found = wilson(15, 50)
    assert found.low == pytest.approx(0.1910, abs=1e-4)
    assert found.high == pytest.approx(0.4375, abs=1e-4)
    assert wilson(0, 10).low == 0
    assert wilson(10, 10).high == 1
    with pytest.raises(InputError):
        wilson(3, 2)


def test_a_match_of_more_boards_is_surer() -> None:
    tried = plan(regulations(ROBIN), 4)
    chances = [match_chance(tried, 50, boards).value for boards in (1, 6, 24)]
    assert chances == sorted(chances)
    # keeper against cautious, 47 Elo: 87 % of matches of six boards were won, 96 % of 24
    assert chances[1] == pytest.approx(0.88, abs=0.04)
    assert chances[2] == pytest.approx(0.96, abs=0.03)


# -- how many boards ----------------------------------------------------------------------------


def test_numbers_of_boards_reach_the_most_and_keep_seats_even() -> None:
    numbers = board_numbers()
    assert (numbers[0], numbers[-1]) == (1, 1000)
    assert list(numbers) == sorted(set(numbers))
    thirds = board_numbers(3)
    assert {one % 3 for one in thirds} == {0}
    assert thirds[-1] <= 1000
    once = regulations(ROBIN, game=GameRules(boards=4, rotations=Rotations.ONE))
    assert numbers_for(once)[0] == 2
    assert evaluations(numbers) == 1 + 6


def test_the_fewest_boards_that_are_enough_are_found() -> None:
    tried = plan(regulations(ROBIN), 3, gap=100)
    asked: list[int] = []
    found = needed(tried, 0.9, 60, done=lambda: asked.append(1))
    assert found.boards is not None
    assert found.power.wins.value >= 0.9
    assert found.plan.boards == (found.boards,)
    assert len(asked) <= 60 * evaluations(board_numbers())
    numbers = board_numbers()
    before = numbers[numbers.index(found.boards) - 1]
    fewer = replace(tried, boards=(before,))
    assert power(fewer, 60).wins.value < 0.9


def test_the_last_stage_alone_may_get_the_boards() -> None:
    made = regulations(StageRules(kind=StageKind.SWISS, rounds=2, advance=2, boards=3), ROBIN)
    found = needed(plan(made, 4, gap=300), 0.5, 30, only_last=True)
    assert found.boards is not None
    assert found.plan.boards == (3, found.boards)


def test_what_no_number_of_boards_reaches_is_said() -> None:
    found = needed(plan(regulations(ROBIN), 4, spread=0, gap=0), 0.9, 40)
    assert found.boards is None
    assert found.plan.boards == (1000,)


@pytest.mark.parametrize("confidence", [0, 1, 1.5, float("nan")])
def test_a_confidence_is_a_probability(confidence: float) -> None:
    with pytest.raises(InputError, match="must be between 0 and 1"):
        needed(plan(regulations(ROBIN), 4), confidence, 10)


# -- time ---------------------------------------------------------------------------------------


def test_a_round_takes_as_long_as_its_fullest_place() -> None:
    pace = Pace(game=2, start=3, at_once=2)  # a match of one board takes 3 + 2 * 2 = 7 s
    assert wave_seconds((1,), 2, pace) == 7
    assert wave_seconds((1, 1), 2, pace) == 7
    assert wave_seconds((1, 1, 1), 2, pace) == 14
    assert wave_seconds((5, 1, 1), 2, pace) == 23  # two short ones beside the long one
    assert wave_seconds((), 2, pace) == 0


def test_rounds_wait_for_each_other_so_more_places_than_matches_gain_nothing() -> None:
    made = regulations(StageRules(kind=StageKind.SWISS, rounds=3), game=GameRules(boards=4))
    tried = play_competition(plan(made, 6), 0)  # 3 rounds of 3 matches of 8 games
    assert seconds_of(tried, 2, Pace(game=0.5, start=1, at_once=1)) == (9 * 5,)
    assert seconds_of(tried, 2, Pace(game=0.5, start=1, at_once=2)) == (3 * 2 * 5,)
    assert seconds_of(tried, 2, Pace(game=0.5, start=1, at_once=3)) == (3 * 5,)
    assert seconds_of(tried, 2, Pace(game=0.5, start=1, at_once=99)) == (3 * 5,)


def test_a_round_robin_is_announced_at_once_and_fills_all_places() -> None:
    tried = play_competition(plan(regulations(ROBIN), 4), 0)
    assert seconds_of(tried, 2, Pace(game=1, at_once=4)) == (2 * 8,)  # six matches at four places


def test_times_add_up_over_stages_and_know_the_worst_cases() -> None:
    made = regulations(ROBIN, KNOCKOUT)
    found = power(plan(made, 4, spread=0), 40)
    told = times(found, 2, Pace(game=1, at_once=1))
    assert sum(told.stages) == pytest.approx(told.mean)
    assert told.stages[0] == 6 * 8
    assert told.mean <= told.late <= 6 * 8 + (9 + 9) * 8  # three duels with three extra each


@pytest.mark.parametrize(
    "wrong", [{"game": 0}, {"game": math.inf}, {"game": 1, "start": -1}, {"game": 1, "at_once": 0}]
)
def test_a_pace_that_cannot_be_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match="must be"):
        Pace(**wrong)  # type: ignore[arg-type]
