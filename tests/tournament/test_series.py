"""A series: what is to be played, and what counts of it, whatever bots and machines do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from arena.engine.state import NOBODY
from arena.errors import InputError
from arena.referee.events import BotNo, ForfeitReason, GameResult, Tell
from arena.referee.events import Prompt as Question
from arena.referee.verdict import void
from arena.tournament.matches import MatchSpec, board_of
from arena.tournament.series import LINES_KEPT, MOST_ATTEMPTS, Series, SeriesPlan
from tests.tournament.scripted import facts, outcome, played, series_plan, simulated

TABLES = [
    (("eager", "hostile"), "classic"),
    (("eager", "hostile", "patient"), "express"),
    (("eager", "hostile", "patient", "random"), "classic"),  # two teams
    (("eager", "hostile", "patient", "random"), "plateau"),
]


def results(series: Series) -> list[GameResult]:
    return [
        result for number in sorted(series.finished) for result in series.finished[number].results
    ]


def every_game(plan: SeriesPlan) -> Counter[tuple[int, int]]:
    """Board and rotation of every game that a plan has."""
    specs = [plan.match(number) for number in range(plan.match_count)]
    return Counter(
        (spec.boards[sitting.board], sitting.rotation)
        for spec in specs
        for leg in spec.legs
        for sitting in leg
    )


# -- what is to be played ---------------------------------------------------------------------


@pytest.mark.parametrize(("bots", "preset"), TABLES)
@pytest.mark.parametrize(("boards", "match_boards"), [(1, 1), (7, 3), (6, 3), (4, 10)])
def test_every_board_is_played_once_in_every_rotation(
    bots: tuple[str, ...], preset: str, boards: int, match_boards: int
) -> None:
    plan = series_plan(*bots, preset=preset, boards=boards, match_boards=match_boards)
    rotations = range(len(bots))
    assert every_game(plan) == Counter((b, r) for b in range(boards) for r in rotations)
    assert plan.games == boards * len(bots)
    assert sum(len(plan.match(n).boards) for n in range(plan.match_count)) == boards


@pytest.mark.parametrize("match_boards", [1, 2, 3, 7])
def test_without_rotations_every_board_is_played_once_and_seats_change(match_boards: int) -> None:
    plan = series_plan("a", "b", "c", boards=7, match_boards=match_boards, rotate=False)
    assert every_game(plan) == Counter((board, board % 3) for board in range(7))
    assert plan.games == 7
    assert [len(plan.match(number).legs) for number in range(plan.match_count)] == [
        1
    ] * plan.match_count


def test_fresh_bots_play_each_rotation() -> None:
    spec = series_plan("a", "b", "c", boards=2).match(0)
    for leg in spec.legs:
        assert sorted(sitting.board for sitting in leg) == [0, 1]  # nobody meets a board twice
    assert len(spec.legs) == 3


@pytest.mark.parametrize("name", ["boards", "match_boards"])
def test_a_plan_without_games_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=f"^{name.replace('_', ' ')}: must be at least 1$"):
        replace(series_plan("a", "b"), **{name: 0})  # type: ignore[arg-type]


def test_boards_follow_from_the_seed_and_their_number_alone() -> None:
    one = series_plan("eager", "hostile", boards=6, match_boards=2)
    other = series_plan("silent", "crasher", boards=100, match_boards=5)
    seeds = {board_of(one.seed, number).seed for number in range(6)}
    assert len(seeds) == 6
    assert [board for n in range(3) for board in one.match(n).plan().boards] == [
        board for n in range(2) for board in other.match(n).plan().boards
    ][:6]
    different = series_plan("eager", "hostile", seed="another")
    assert seeds.isdisjoint({board_of(different.seed, number).seed for number in range(6)})


def first_hands(spec: MatchSpec) -> dict[tuple[int, int], tuple[object, ...]]:
    """What the first seat that is asked holds, by game and hand."""
    found: dict[tuple[int, int], tuple[object, ...]] = {}
    for _, effect in simulated(spec).effects:
        if isinstance(effect, Tell) and isinstance(effect.message, Question):
            prompt = effect.message
            key = (prompt.game, prompt.hand)
            found.setdefault(key, (prompt.view.seat, prompt.view.cards))
    return found


def test_deals_are_equal_whatever_the_bots_do() -> None:
    seen = [
        first_hands(
            series_plan(*bots, preset="classic", hands=3, boards=3, match_boards=3).match(0)
        )
        for bots in [("eager", "eager"), ("random", "hostile"), ("patient", "random")]
    ]
    assert seen[0] == seen[1] == seen[2]
    assert len(set(seen[0].values())) == len(seen[0]) == 3 * 3


def test_a_bot_s_own_seed_is_its_alone_and_the_same_in_every_attempt() -> None:
    plan = series_plan("a", "b", boards=4, match_boards=2)
    specs = [replace(plan.match(n), part=part) for n in range(2) for part in range(3)]
    seeds = [spec.bot_seed(bot, leg) for spec in specs for bot in range(2) for leg in range(2)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)
    again = replace(specs[0], attempt=3)
    assert again.bot_seed(1, 1) == specs[0].bot_seed(1, 1)


def test_attempts_of_a_series_have_names_of_their_own() -> None:
    plan = series_plan("a", "b")
    names = {
        replace(plan.match(number), part=part, attempt=attempt).name
        for number in range(2)
        for part in range(2)
        for attempt in (1, 2)
    }
    assert len(names) == 8
    assert "00001-0-2" in names


# -- what counts ------------------------------------------------------------------------------


@pytest.mark.parametrize(("bots", "preset"), TABLES)
def test_every_game_of_the_plan_has_one_result(bots: tuple[str, ...], preset: str) -> None:
    plan = series_plan(*bots, preset=preset, boards=5)
    series = played(plan)
    assert series.is_complete
    assert Counter((one.board, one.rotation) for one in results(series)) == every_game(plan)


CRASHING = [("crasher", "eager"), ("eager", "crasher", "hostile"), ("eager", "crasher", "eager")]


@pytest.mark.parametrize("bots", CRASHING, ids="-".join)
def test_an_always_crashing_bot_loses_every_game_and_costs_no_other(bots: tuple[str, ...]) -> None:
    plan = series_plan(*bots, boards=60 // len(bots) * 2, match_boards=5)
    series = played(plan)
    found = results(series)
    assert len(found) == plan.games >= 100
    assert Counter((one.board, one.rotation) for one in found) == every_game(plan)
    crasher = BotNo(bots.index("crasher"))
    for one in found:
        team = one.team(crasher)
        assert one.forfeited == (team,)
        assert one.winner not in (team, NOBODY) or len(bots) > 2
        assert (
            one.ranks[team]
            == len(bots) - 1
            > max(rank for other, rank in enumerate(one.ranks) if other != team)
        )
        # With two the game is broken off, with more the others play it to its end.
        assert one.finished == (len(bots) > 2)
    forfeits = [one for match in series.finished.values() for one in match.forfeits]
    assert {(one.bot, one.reason) for one in forfeits} == {(crasher, ForfeitReason.CRASH)}
    assert len(forfeits) == plan.games


def test_a_crasher_in_a_team_costs_its_team_the_game() -> None:
    plan = series_plan("crasher", "eager", "eager", "eager", preset="classic", boards=6)
    series = played(plan)
    assert len(results(series)) == plan.games == 24
    assert all(one.winner == one.team(BotNo(1)) for one in results(series))


def test_a_bot_that_crashes_in_one_game_of_a_leg_plays_the_others() -> None:
    plan = series_plan("crasher in game 1", "eager", boards=3, match_boards=3)
    series = played(plan)
    assert Counter((one.board, one.rotation) for one in results(series)) == every_game(plan)
    lost = [one for one in results(series) if one.forfeited]
    # Of a leg of three games it loses the second; of what is left, one game, none.
    assert len(lost) == 2
    assert {one.rotation for one in lost} == {0, 1}


def test_a_bot_that_crashes_in_the_second_rotation_only() -> None:
    plan = series_plan("one leg", "eager", boards=3, match_boards=3)
    series = played(plan)
    assert Counter((one.board, one.rotation) for one in results(series)) == every_game(plan)
    # Every part begins with a leg that it starts for: it loses the first game of the next one.
    lost = [one for one in results(series) if one.forfeited]
    assert len(lost) == 1
    assert [one.reason for one in series.finished[0].forfeits] == [ForfeitReason.STARTUP]


@pytest.mark.parametrize("bots", [("absent", "absent"), ("absent", "absent", "absent")])
def test_where_all_are_gone_nobody_wins_and_the_series_ends(bots: tuple[str, ...]) -> None:
    plan = series_plan(*bots, boards=3)
    series = played(plan)
    assert len(results(series)) == plan.games
    assert all(one.winner == NOBODY and not one.finished for one in results(series))


@pytest.mark.parametrize("bots", [("illegal", "eager"), ("silent", "eager", "eager")])
def test_strikes_cost_the_game_they_add_up_in_and_begin_anew(bots: tuple[str, ...]) -> None:
    plan = series_plan(*bots, boards=4)
    series = played(plan)
    assert Counter((one.board, one.rotation) for one in results(series)) == every_game(plan)
    assert all(one.team(BotNo(0)) in one.forfeited for one in results(series))
    (match, _) = series.finished.values()
    assert match.tallies[0].strikes == 3 * len(match.results)


# -- what the host does -----------------------------------------------------------------------


def test_a_void_attempt_is_played_again_and_leaves_no_trace_in_the_result() -> None:
    clean, again = (
        played(series_plan(*bots, boards=4))
        for bots in [("eager", "eager"), ("void once", "eager")]
    )
    assert results(clean) == results(again)
    assert [len(match.voids) for match in again.finished.values()] == [1, 1]
    assert again.finished[0].voids == ("match 00000-0-1: out of memory",)
    assert [tally.prompts for match in again.finished.values() for tally in match.tallies] == [
        tally.prompts for match in clean.finished.values() for tally in match.tallies
    ]


def test_a_match_that_is_always_void_is_set_aside_and_told() -> None:
    series = played(series_plan("void", "eager", boards=4))
    assert series.is_complete
    assert results(series) == []
    for match in series.finished.values():
        assert len(match.voids) == MOST_ATTEMPTS == 3
        assert match.forfeits == ()


def test_what_was_won_before_a_void_rest_counts() -> None:
    """After a forfeit the rest of the match is one of its own: if it is void, that alone is."""
    plan = series_plan("crasher", "eager", boards=2)
    series = Series(plan)
    attempts = 0
    while (spec := series.next()) is not None:
        attempts += 1
        done = outcome(spec)
        series.take(spec, done if spec.part == 0 else replace(done, verdict=void("no memory")))
    assert attempts == 1 + MOST_ATTEMPTS
    assert len(results(series)) == 1


def test_the_series_goes_on_while_a_match_is_played_again() -> None:
    plan = series_plan("void once", "eager", boards=6)
    series = Series(plan)
    first = series.next()
    assert first is not None
    assert series.take(first, outcome(first)) is None
    again = series.next()
    assert again is not None
    assert (again.number, again.attempt) == (0, 2)
    third = series.next()
    assert third is not None
    assert third.number == 1
    assert not series.is_complete


def test_a_series_that_is_taken_up_plays_what_is_missing() -> None:
    plan = series_plan("random", "eager", boards=8)
    whole = played(plan)
    some = [whole.finished[2], whole.finished[0]]
    series = Series(plan, some)
    numbers = []
    while (spec := series.next()) is not None:
        numbers.append(spec.number)
        series.take(spec, outcome(spec))
    assert numbers == [1, 3]
    assert {n: facts(match) for n, match in series.finished.items()} == {
        n: facts(match) for n, match in whole.finished.items()
    }


# -- logs -------------------------------------------------------------------------------------


def test_the_logs_of_all_parts_are_handed_on_and_their_last_lines_kept() -> None:
    plan = series_plan("crasher", "eager", boards=4, match_boards=4)
    series = Series(plan)
    match = None
    while (spec := series.next()) is not None:
        match = series.take(spec, outcome(spec))
    assert match is not None
    lines = match.logs[0].splitlines()
    assert lines == [f"crasher in 00000-{part}-1" for part in range(plan.games)]
    assert series.finished[0].logs[0].splitlines() == lines[-LINES_KEPT:]
    assert series.finished[0].brief() == series.finished[0]


def test_a_log_has_an_end() -> None:
    plan = series_plan("crasher", "eager", boards=4, match_boards=4)
    series = Series(plan)
    match = None
    while (spec := series.next()) is not None:
        done = outcome(spec)
        match = series.take(spec, replace(done, logs=("x" * 60_000 + "\n", "")))
    assert match is not None
    assert len(match.logs[0]) < 200_000
    assert max(map(len, series.finished[0].logs[0].splitlines())) <= 200
