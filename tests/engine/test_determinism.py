"""Equal inputs give equal states, copies are independent, and actions are one object each."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from arena.engine.actions import ACTIONS, BY_TEXT, Action, Verb, parse_action
from arena.engine.rules import apply
from arena.engine.state import Frame, HandState, TableView
from arena.engine.view import determinize, view
from arena.errors import NotationError
from tests.engine.digests import contents, digest_of_games
from tests.engine.games import Setup, every_option_value, moves, play, random_setups

ROOT: Final = Path(__file__).parents[2]
SETUPS: Final = every_option_value(seed=5)[::11] + random_setups(5, 60)


# -- equal inputs, equal states ---------------------------------------------------------------


def digest_with_hash_seed(hash_seed: str) -> str:
    """The digest that another Python prints, with its strings hashed in another way."""
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.engine.digests", "any seed"],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return ran.stdout


def test_hash_seed_makes_no_difference() -> None:
    """Issue 2, section 2: equal inputs give equal states under any PYTHONHASHSEED."""
    here = digest_of_games("any seed")
    assert len(here) == 64
    assert [digest_with_hash_seed(seed) for seed in ("0", "1", "4242")] == [here] * 3


def test_another_seed_gives_another_digest() -> None:
    assert digest_of_games("a") != digest_of_games("b")


def test_same_actions_give_equal_states() -> None:
    for setup in SETUPS:
        other = setup.start()
        for move in play(setup):
            assert move.state == other, setup
            assert contents(move.state) == contents(other), setup
            apply(other, move.seat, move.action)


# -- copies -----------------------------------------------------------------------------------


def some_states(setup: Setup) -> list[HandState]:
    rng = Random(setup.seed)
    return [move.state.copy() for move in play(setup) if rng.random() < 0.04]


def test_playing_a_copy_does_not_change_the_original() -> None:
    for setup in SETUPS:
        for state in some_states(setup):
            before = contents(state)
            twin = state.copy()
            assert twin == state
            assert contents(twin) == before
            for _ in moves(twin, Random(1)):
                pass
            assert contents(state) == before, setup
            assert twin != state


def test_playing_the_original_does_not_change_a_copy() -> None:
    for setup in SETUPS:
        for state in some_states(setup):
            twin = state.copy()
            before = contents(twin)
            for _ in moves(state, Random(2)):
                pass
            assert contents(twin) == before, setup


def test_playing_a_determinized_state_changes_neither_view_nor_original() -> None:
    for setup in SETUPS[::3]:
        for state in some_states(setup):
            before = contents(state)
            seen = view(state, 0)
            told = repr(seen)
            for _ in moves(determinize(seen, Random(3)), Random(3)):
                pass
            assert repr(seen) == told
            assert contents(state) == before, setup


# -- equality ---------------------------------------------------------------------------------


def changed(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, bytes):
        return value + b"\x01" if not value else value[:-1] + bytes((value[-1] ^ 1,))
    if isinstance(value, bytearray):
        return bytearray(changed(bytes(value)))
    if isinstance(value, TableView):
        return value._replace(distance=value.distance + b"\x00")
    if isinstance(value, list):
        return [changed(value[0]), *value[1:]]
    assert isinstance(value, Frame)
    return replace(value, dealer=value.dealer + 1)


def states_with_everything() -> list[HandState]:
    """A striped and a shared state in which every attribute has a value."""
    shared = Setup(preset="express", seed=1)
    striped = Setup(preset="classic", striped=True, ask_all=True, seed=1)
    return [next(iter(some_states(setup)[-1:])) for setup in (shared, striped)]


@pytest.mark.parametrize("name", HandState.__slots__)
def test_every_attribute_tells_states_apart(name: str) -> None:
    for state in states_with_everything():
        if getattr(state, name) is None:
            continue
        other = state.copy()
        setattr(other, name, changed(getattr(state, name)))
        assert other != state


def test_drawn_cards_do_not_tell_states_apart() -> None:
    """Of the draw pile only what remains belongs to the state."""
    shared, striped = states_with_everything()
    assert striped.stripes is not None
    other = striped.copy()
    assert striped.stripes[0] < (len(striped.pile) + 1) // 2
    other.pile = changed(striped.pile[:1]) + striped.pile[1:]
    assert other == striped
    assert shared != striped


def test_state_is_no_key_and_equals_nothing_else() -> None:
    state = Setup(preset="classic").start()
    assert state != "a state"
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


# -- actions ----------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_action_is_one_object(action: Action) -> None:
    """The notation: a text for each, and from each way back the same object."""
    assert parse_action(str(action)) is action
    assert parse_action(action.text) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert copy.copy(action) is action
    assert copy.deepcopy(action) is action
    assert copy.deepcopy([action])[0] is action
    assert ACTIONS[action.code] is action


def test_actions_are_all_that_the_notation_has() -> None:
    """2 draws, 14 own cards, 5 hazards on 4 teams, 19 discards, 4 answers, 10 tops, 3 words."""
    assert len(ACTIONS) == 2 + 14 + 5 * 4 + 19 + 4 + 10 + 3
    assert len({action.text for action in ACTIONS}) == len(ACTIONS) == len(BY_TEXT)
    assert {action.verb for action in ACTIONS} == set(Verb)


@pytest.mark.parametrize(
    "text", ["", "draw", "play", "play RED_LIGHT", "play D25 on 1", "discard d25", "pass ", "fold"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


def test_actions_are_not_made_elsewhere() -> None:
    with pytest.raises(TypeError):
        Action()
