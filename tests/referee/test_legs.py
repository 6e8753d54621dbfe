"""Legs: every board in every rotation, each time with bots that do not remember it."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.referee.events import (
    Begin,
    EndLeg,
    GameBegan,
    HandOver,
    MatchOver,
    OutcomeKind,
    Prompt,
    Start,
    Tell,
    Tick,
    Welcome,
)
from arena.referee.game import Sitting, every_rotation, one_rotation
from arena.referee.limits import Instant
from arena.referee.scripted import Reply, ScriptedSeat, Simulation, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    ONE,
    PUBLISHED,
    ZERO,
    asked,
    at_random,
    effects,
    faults,
    make_plan,
    prepare,
    prompts_of,
    simulate,
    told,
    verdict,
)


@pytest.fixture(scope="module")
def done() -> Simulation:
    """Two boards in both rotations."""
    return simulate(make_plan(games=2, rotate=True, hands=2), at_random(1), at_random(2))


def test_every_board_is_played_once_in_every_rotation() -> None:
    for boards in (1, 2, 5):
        for seats in (2, 3, 6):
            legs = every_rotation(boards, seats)
            played = Counter(sitting for leg in legs for sitting in leg)
            assert set(played.values()) == {1}
            assert len(played) == boards * seats
            for leg in legs:
                assert [sitting.board for sitting in leg] == list(range(boards))


def test_a_leg_has_all_rotations_if_it_has_boards_enough() -> None:
    for leg in every_rotation(6, 3):
        assert Counter(sitting.rotation for sitting in leg) == {0: 2, 1: 2, 2: 2}


def test_one_rotation_is_the_first_leg_alone() -> None:
    assert one_rotation(3, 2) == ((Sitting(0, 0), Sitting(1, 1), Sitting(2, 0)),)


def test_all_games_are_played_in_their_order(done: Simulation) -> None:
    began = [one for _, one in effects(done, GameBegan)]
    assert [(one.game, one.board, one.rotation) for one in began] == [
        (0, 0, 0),
        (1, 1, 1),
        (2, 0, 1),
        (3, 1, 0),
    ]
    assert [one.bots for one in began] == [(0, 1), (1, 0), (1, 0), (0, 1)]
    assert [result.board for result in done.match.results] == [0, 1, 0, 1]


def test_all_bots_are_started_for_each_leg_when_those_of_the_one_before_have_gone(
    done: Simulation,
) -> None:
    order = [one for _, one in done.effects if isinstance(one, Start | EndLeg)]
    assert order == [Start(ZERO, 0), Start(ONE, 0), EndLeg(), Start(ZERO, 1), Start(ONE, 1)]


def test_after_a_leg_the_machine_waits_until_it_is_told_that_nobody_is_left() -> None:
    simulation = prepare(make_plan(rotate=True), eager, eager)
    simulation.handle(Begin())
    while not effects(simulation, EndLeg):
        simulation.step()
    until = simulation.match.deadline
    assert until == simulation.effects[0][0] + simulation.match.plan.longest
    before = len(simulation.effects)
    simulation.handle(Tick())
    assert len(simulation.effects) == before
    simulation.clock.set(Instant(until + 1))
    simulation.handle(Tick())
    assert verdict(simulation).kind is OutcomeKind.VOID


def test_each_leg_says_farewell_with_its_own_counts(done: Simulation) -> None:
    for bot in (ZERO, ONE):
        over = [message for whom, message in told(done, MatchOver) if whom == bot]
        results = done.match.results
        legs = (results[:2], results[2:])
        assert [(one.games, one.won, one.drawn) for one in over] == [
            (
                2,
                sum(result.winner == result.team(bot) for result in leg),
                sum(result.winner < 0 for result in leg),
            )
            for leg in legs
        ]
        assert {(one.outcome, one.detail) for one in over} == {(OutcomeKind.COMPLETED, "")}


def test_games_are_counted_within_the_leg_and_nothing_says_which_leg_it_is(
    done: Simulation,
) -> None:
    """A bot that remembers nothing is told the same as in the first leg, but for the cards."""
    for bot in (ZERO, ONE):
        mine = [one.message for _, one in effects(done, Tell) if one.bot == bot]
        ends = [at for at, message in enumerate(mine) if isinstance(message, MatchOver)]
        first, second = mine[: ends[0]], mine[ends[0] + 1 : ends[1]]
        for kind in (Welcome, HandOver):
            numbers = [
                [one.game for one in leg if isinstance(one, kind)] for leg in (first, second)
            ]
            assert numbers[0] == numbers[1]
        for leg in (first, second):
            assert {one.games for one in leg if isinstance(one, Welcome)} == {2}
            assert {one.game for one in leg if isinstance(one, Prompt)} == {0, 1}


def test_the_same_board_meets_the_same_play_in_other_seats() -> None:
    """Bots that play alike have the same game in both rotations, with their seats exchanged."""
    done = simulate(make_plan(rotate=True), eager, eager)
    first, second = done.match.results
    assert (first.totals, first.km, first.ranks) == (second.totals, second.km, second.ranks)
    assert first.team(ZERO) == second.team(ONE)
    views = [
        [prompt.view for _, _, prompt in asked(done) if prompt.prompt_id in names]
        for names in (names_of_game(done, game) for game in range(2))
    ]
    assert views[0] == views[1]


def names_of_game(done: Simulation, game: int) -> set[str]:
    began = [at for at, (_, one) in enumerate(done.effects) if isinstance(one, GameBegan)]
    part = done.effects[began[game] : [*began, None][game + 1]]
    return {
        one.message.prompt_id
        for _, one in part
        if isinstance(one, Tell) and isinstance(one.message, Prompt)
    }


def test_the_prompts_of_a_bot_are_numbered_through_the_whole_match(done: Simulation) -> None:
    """The number is for the record and for texts about faults: an author finds the prompt by it."""
    for bot in (ZERO, ONE):
        numbers = [prompt.number for prompt in prompts_of(done, bot)]
        assert numbers == list(range(1, len(numbers) + 1))


def test_an_answer_to_a_prompt_of_an_earlier_leg_is_unsolicited() -> None:
    plan = make_plan(rotate=True, faults=PUBLISHED)
    seat = ScriptedSeat()

    def remembers(prompt: Prompt) -> list[Reply]:
        """Answer; in the second leg answer what was asked in the first one too."""
        old = next(one.prompt_id for one in seat.told if isinstance(one, Prompt))
        return [Reply(0)] if seat.lives == 1 else [Reply(0, prompt_id=old), Reply(0)]

    seat.script = remembers
    done = simulate(plan, seat, eager)
    assert set(faults(done, ZERO)) == {Fault.UNSOLICITED}
