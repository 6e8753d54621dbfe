"""Standing orders: an attack is resolved at once, by what the last answer said."""

from __future__ import annotations

import pytest

from arena.engine.actions import PASS, PLAY, Verb
from arena.engine.cards import HAZARDS, Card
from arena.referee.events import Played, Prompt
from arena.referee.limits import Nanos, WindowMode
from arena.referee.scripted import Leave, Reply, Script, Simulation, Step, eager
from tests.referee.plans import (
    LIMIT,
    MS,
    ZERO,
    asked,
    effects,
    faults,
    hostile,
    in_turn,
    make_plan,
    patient,
    played,
    responding,
    simulate,
)
from tests.referee.stacked import HELD, NOT_HELD, Held, closings, lengths, stacked_plan, windows

ON_GAS = frozenset({Card.OUT_OF_GAS})
ON_ALL = frozenset(HAZARDS)
NONE: frozenset[Card] = frozenset()


def ordering(orders: frozenset[Card]) -> Script:
    """Play patiently; give these orders with the first answer, none with later ones."""
    todo = [orders]

    def script(prompt: Prompt) -> list[Reply]:
        given = todo.pop() if todo else NONE
        return [Reply(step.choice, step.after, orders=given) for step in patient(prompt)]

    return script


def attack(held: Held, script: Script, *others: Script, players: int = 2) -> Simulation:
    """Seat 0 drives off with its first answer; then seat 1 lays Out of Gas on it."""
    plan = stacked_plan(held, players=players, window=WindowMode.STANDING)
    return simulate(plan, script, hostile, *others)


def outcome(done: Simulation) -> int | None:
    """Who answered the first attack."""
    assert windows(done)[0][1].attack is Card.OUT_OF_GAS
    return closings(done)[1][1].answered_by


def test_an_order_answers_the_attack_at_once() -> None:
    done = attack(HELD, ordering(ON_GAS))
    assert outcome(done) == 0
    at, opened = windows(done)[0]
    assert opened.lasts == 0
    coup = next(one for when, one in effects(done, Played) if when == at and one.seat == 0)
    assert coup.action.verb is Verb.COUP_FOURRE
    assert (coup.answered, coup.prompt, coup.spent, coup.fault) == (True, 0, 0, None)


def test_without_an_order_the_attack_stands() -> None:
    done = attack(HELD, ordering(NONE))
    assert outcome(done) is None
    first = next(one for one in played(done) if one.action is PASS)
    assert (first.answered, first.prompt, first.spent, first.fault) == (False, 0, 0, None)


def test_an_order_for_a_card_that_is_not_held_does_no_harm() -> None:
    done = attack(NOT_HELD, ordering(ON_ALL))
    assert outcome(done) is None
    assert faults(done, ZERO) == {}


def test_an_order_for_another_hazard_does_not_answer_this_one() -> None:
    assert outcome(attack(HELD, ordering(ON_ALL - ON_GAS))) is None


@pytest.mark.parametrize("preset", ["classic", "express", "plateau"])
def test_every_attack_is_resolved_at_the_same_instant_and_nobody_is_asked(preset: str) -> None:
    orders: Script = lambda prompt: [  # noqa: E731
        Reply(step.choice, orders=ON_ALL) for step in patient(prompt)
    ]
    plan = make_plan(preset, 3, games=3, hands=6, window=WindowMode.STANDING)
    done = simulate(plan, orders, hostile, hostile)
    assert windows(done)
    assert set(lengths(done)) == {0}
    assert not any(responding(prompt) for _, _, prompt in asked(done))
    assert any(closed.answered_by is not None for _, closed in closings(done).values())


# -- how long orders hold --------------------------------------------------------------------------


def order_after(first: list[Step], second: list[Step]) -> int | None:
    """Who answers the attack, if seat 0 is asked twice before it and does this about it.

    It plays a safety first, and so has its turn again.
    """
    held: Held = {0: (Card.RIGHT_OF_WAY, Card.EXTRA_TANK, Card.D25), 1: (Card.OUT_OF_GAS, Card.D25)}
    bottom = (Card.EXTRA_TANK, Card.OUT_OF_GAS, Card.RIGHT_OF_WAY)
    plan = stacked_plan(held, window=WindowMode.STANDING, bottom=bottom)
    done = simulate(plan, in_turn([first, second], patient), hostile)
    assert played(done)[0].action is PLAY[Card.RIGHT_OF_WAY]
    assert [one.seat for one in played(done)[:3]] == [0, 0, 1]
    return outcome(done)


def safety(orders: frozenset[Card]) -> list[Step]:
    return [Reply(PLAY[Card.RIGHT_OF_WAY], orders=orders)]


def distance(orders: frozenset[Card], delay: int = MS) -> Reply:
    return Reply(PLAY[Card.D25], Nanos(delay), orders=orders)


@pytest.mark.parametrize(("first", "second"), [(ON_GAS, NONE), (NONE, ON_GAS), (ON_ALL, ON_GAS)])
def test_each_answer_replaces_the_orders_of_the_one_before(
    first: frozenset[Card], second: frozenset[Card]
) -> None:
    answered = order_after(safety(first), [distance(second)])
    assert answered == (0 if second else None)


def test_a_time_out_clears_them() -> None:
    assert order_after(safety(ON_GAS), []) is None


def test_an_answer_that_comes_too_late_gives_no_orders() -> None:
    assert order_after(safety(ON_GAS), [distance(ON_GAS, LIMIT + 1)]) is None


def test_an_answer_that_is_surplus_gives_no_orders() -> None:
    assert order_after(safety(NONE), [distance(NONE), distance(ON_GAS)]) is None


@pytest.mark.parametrize("orders", [NONE, ON_GAS])
def test_an_illegal_answer_is_an_answer_and_its_orders_replace_those_before(
    orders: frozenset[Card],
) -> None:
    answered = order_after(safety(ON_ALL - orders), [Reply(99, orders=orders)])
    assert answered == (0 if orders else None)


SPEEDING: Held = {0: (Card.RIGHT_OF_WAY, Card.D25), 1: (Card.SPEED_LIMIT, Card.D25)}
FAST: Held = {1: (Card.RIGHT_OF_WAY, Card.D25), 0: (Card.SPEED_LIMIT, Card.D25)}
RARE = (Card.RIGHT_OF_WAY, Card.SPEED_LIMIT)


def always(prompt: Prompt) -> list[Reply]:
    """Answer everything in advance; attack whenever possible."""
    return [Reply(step.choice, orders=ON_ALL) for step in hostile(prompt)]


def first_closing(done: Simulation, game: int, hand: int) -> int | None:
    """Who answered the first attack of a hand, which comes before its target's first answer."""
    opened = next(one for _, one in windows(done) if (one.game, one.hand) == (game, hand))
    first = next(one for one in played(done) if (one.game, one.hand) == (game, hand))
    assert first.action.card is opened.attack is Card.SPEED_LIMIT
    return closings(done)[opened.number][1].answered_by


def test_the_end_of_a_hand_clears_them() -> None:
    plan = stacked_plan(SPEEDING, hands=2, window=WindowMode.STANDING, bottom=RARE)
    assert first_closing(simulate(plan, always, always), 0, 1) is None


def test_the_end_of_a_game_clears_them() -> None:
    plan = stacked_plan(FAST, games=2, window=WindowMode.STANDING, bottom=RARE)
    assert first_closing(simulate(plan, always, always), 1, 0) is None


def test_those_of_who_has_gone_are_not_followed() -> None:
    def goes(prompt: Prompt) -> list[Step]:
        steps = [Reply(step.choice, orders=ON_GAS) for step in patient(prompt)]
        return [*steps, Leave(Nanos(2 * MS))]

    done = attack(HELD, goes, eager, players=3)
    assert outcome(done) is None


# -- partners --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("orders", "answered"), [(ON_GAS, 2), (NONE, None)])
def test_a_partners_order_answers_too(orders: frozenset[Card], answered: int | None) -> None:
    held: Held = {0: (Card.GREEN_LIGHT,), 2: (Card.EXTRA_TANK,), 3: (Card.OUT_OF_GAS, Card.D25)}
    plan = stacked_plan(held, players=4, window=WindowMode.STANDING)
    ordered: Script = lambda prompt: [  # noqa: E731
        Reply(step.choice, orders=orders) for step in patient(prompt)
    ]
    quiet: Script = lambda prompt: [Reply(prompt.default)]  # noqa: E731
    done = simulate(plan, ordered, quiet, ordered, hostile)
    assert outcome(done) == answered


def test_others_cannot_tell_by_the_time_whether_there_was_an_order() -> None:
    """Whoever has the turn next is asked at the instant of the attack."""
    for orders in (ON_GAS, NONE):
        done = attack(HELD, ordering(orders))
        at, _ = windows(done)[0]
        assert closings(done)[1][0] == at
        assert any(when == at for when, _, _ in asked(done))
