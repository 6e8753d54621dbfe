"""Whom the engine asks, and what it answers to somebody whom it does not ask."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from arena.engine.actions import ACTIONS, parse_action
from arena.engine.flow import CIRCLING_ROUNDS, must_draw_from_pile
from arena.engine.position import read_position
from arena.engine.rules import apply, asked, default_action, legal
from arena.engine.rulesets import make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import HandState, Stage, make_frame
from arena.errors import IllegalAction

ATTACK = "play FLAT_TIRE on 1"


def hand(preset: str, position: dict[str, Any], **options: Any) -> HandState:
    rules = make_ruleset(preset, options)
    frame = make_frame(rules, make_seating(rules, 2), dealer=1)
    return read_position(frame, position, ask_all=True)


def attacked(preset: str, cards: list[str], *, draw: list[str]) -> HandState:
    """Seat 0 has just attacked seat 1, which holds `cards`."""
    rolls = {"battle": ["GREEN_LIGHT"]} if preset != "plateau" else {}
    state = hand(
        preset,
        {
            "hands": [["FLAT_TIRE", "D25"], cards],
            "tables": [rolls, rolls],
            "draw": draw,
            "turn": {"seat": 0, "stage": "play"},
        },
    )
    apply(state, 0, parse_action(ATTACK))
    return state


def test_a_seat_that_may_hold_the_safety_is_asked() -> None:
    state = attacked("classic", ["D50"], draw=["D75", "D75"])
    assert (Stage(state.stage), asked(state)) == (Stage.RESPOND, (1,))


def test_a_seat_without_cards_is_not_asked() -> None:
    """Everybody sees that it has none, so the question would tell nothing and take time."""
    assert attacked("classic", [], draw=["D75", "D75"]).stage == Stage.PLAY


def test_a_seat_of_which_every_card_is_known_is_not_asked() -> None:
    """Express: its only card was taken from the discard pile in front of everybody."""
    state = hand(
        "express",
        {
            "hands": [["FLAT_TIRE", "D25"], ["D50"]],
            "tables": [{"battle": ["GREEN_LIGHT"]}, {"battle": ["GREEN_LIGHT"]}],
            "draw": ["D75", "D75"],
            "turn": {"seat": 0, "stage": "play"},
        },
    )
    assert state.known is not None
    state.known[1][1] = 1
    apply(state, 0, parse_action(ATTACK))
    assert state.stage != Stage.RESPOND


@pytest.mark.parametrize("seat", [-7, -1, 1, 2, 9, 10**9])
def test_who_is_not_asked_is_refused_whatever_it_plays(seat: int) -> None:
    playing = hand(
        "classic",
        {
            "hands": [["FLAT_TIRE", "D25"], ["D50"]],
            "tables": [{"battle": ["GREEN_LIGHT"]}] * 2,
            "draw": ["D75"],
            "turn": {"seat": 0, "stage": "play"},
        },
    )
    responding = attacked("classic", ["D50", "D50"], draw=["D75"])
    for state in [playing, *([responding] if seat != 1 else [])]:
        before = state.copy()
        assert legal(state, seat) == ()
        for action in ACTIONS:
            with pytest.raises(IllegalAction):
                apply(state, seat, action)
        assert state == before


@pytest.mark.parametrize(
    ("rounds", "cap"), [(0, CIRCLING_ROUNDS), (2, CIRCLING_ROUNDS), (12, 12), (30, 30)]
)
def test_longer_stall_rule_has_a_longer_cap(rounds: int, cap: int) -> None:
    """X17: with a cap of fewer rounds than the rule has, the rule would mean nothing."""
    state = hand(
        "express",
        {
            "hands": [["D25"], ["D50"]],
            "tables": [{}, {}],
            "draw": ["D75"],
            "discard": ["D75"],
            "turn": {"seat": 0, "stage": "start"},
        },
        express_stall_rounds=rounds,
    )
    state.idle = 0
    for state.circling, forced in ((2 * cap - 1, False), (2 * cap, True)):
        assert must_draw_from_pile(state) is forced


def test_default_of_a_seat_that_is_not_asked_is_refused() -> None:
    state = attacked("classic", ["D50"], draw=["D75"])
    with pytest.raises(IllegalAction, match="seat 0 is not asked now"):
        default_action(state, 0)


def test_copy_copy_is_a_copy() -> None:
    state = attacked("classic", ["D50"], draw=["D75", "D75"])
    before = state.copy()
    apply(copy.copy(state), 1, parse_action("pass"))
    assert state == before
