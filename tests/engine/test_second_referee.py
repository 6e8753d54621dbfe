"""The engine against slow answers that were written from the rulings alone, and their grounds.

`reference` says what is legal in a position, `model` plays whole hands. Neither shares
code with the engine's rules.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import pytest

from arena.engine.actions import Verb
from arena.engine.position import write_position
from arena.engine.rules import legal
from arena.engine.rulesets import OPTIONS, PRESETS, Family, make_ruleset
from arena.engine.scoring import Length, after_hand, hand_result, start_game
from arena.engine.seating import make_seating
from arena.engine.state import NOBODY, Reason, Stage, make_frame
from arena.errors import RuleSetError
from tests.engine.agreement import in_lockstep
from tests.engine.games import (
    VALUES,
    Setup,
    every_option_value,
    play,
    played_out,
    random_setups,
    seatings,
    values_of,
)
from tests.engine.reference import legal_by_position

HANDS: Final = every_option_value(seed=3)
SCOPES: Final = (
    pytest.param(HANDS[::9], id="quick"),
    pytest.param(HANDS, id="all", marks=pytest.mark.slow),
)


# -- against slow answers ---------------------------------------------------------------------


def legal_agrees_with_reference(setup: Setup) -> int:
    """Compare `legal` on every state that a position can say; returns how many there were."""
    compared = 0
    team_of = make_seating(setup.rules, setup.teams).team_of
    for move in play(setup):
        state = move.state
        if state.stage not in (Stage.PLAY, Stage.DRAW) or state.due > 1:
            continue
        found = {action.text for action in legal(state, state.seat)}
        position = write_position(state)
        assert found == legal_by_position(setup.rules, team_of, position), (setup, position)
        compared += 1
    return compared


@pytest.mark.parametrize("hands", SCOPES)
def test_legal_agrees_with_the_reference_on_every_position(hands: list[Setup]) -> None:
    compared = [legal_agrees_with_reference(setup) for setup in hands if not setup.striped]
    assert sum(compared) > 50 * len(compared)


@pytest.mark.parametrize("hands", SCOPES)
def test_hands_agree_with_the_second_referee(hands: list[Setup]) -> None:
    for setup in hands:
        for _ in in_lockstep(setup):
            pass


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_hands_over_many_options_agree_with_the_second_referee(seed: int) -> None:
    for setup in random_setups(seed, 120):
        for _ in in_lockstep(setup):
            pass


# -- what the hands are made of ---------------------------------------------------------------


def test_every_option_is_played_with_every_value() -> None:
    assert set(VALUES) == set(OPTIONS)
    for preset, named in PRESETS.items():
        played = {pair for setup in HANDS if setup.preset == preset for pair in setup.options}
        for name, option in OPTIONS.items():
            allowed = values_of(preset, name)
            assert bool(allowed) == (named.family in option.defaults), name
            assert {(name, value) for value in allowed} <= played, name
    sizes = {(setup.preset, setup.players) for setup in HANDS}
    assert sizes >= {
        (preset, players) for preset in ("classic", "leaflet") for players in (2, 3, 4, 6)
    }
    assert sizes >= {
        (preset, players) for preset in ("express", "plateau") for players in (2, 3, 4)
    }


def test_values_that_a_preset_lacks_are_the_documented_ones() -> None:
    """`late_safety_restarts` is always true outside the classic game."""
    for preset, named in PRESETS.items():
        refused = {
            (name, value)
            for name, values in VALUES.items()
            if named.family in OPTIONS[name].defaults
            for value in values
            if value not in values_of(preset, name)
        }
        always = set() if named.family is Family.CLASSIC else {("late_safety_restarts", False)}
        assert refused - {("discard_visible", False)} == always, preset


def test_rare_events_are_among_the_hands() -> None:
    """A law that never meets its case proves nothing."""
    seen: Counter[str] = Counter()
    for setup in HANDS:
        for move in play(setup):
            seen[Stage(move.state.stage).name] += 1
            seen[move.action.verb.name] += 1
            seen["skipped"] += not all(move.state.sizes)
            seen["reshuffled"] += move.state.reshuffled
            seen["two drawn"] += move.state.due == 2
        seen[Reason(move.state.reason).name] += 1
        seen["no winner"] += move.state.winner == NOBODY
    wanted = (
        *(stage.name for stage in Stage if stage is not Stage.OVER),
        *(verb.name for verb in Verb),
        *(reason.name for reason in Reason),
        *("skipped", "reshuffled", "two drawn", "no winner"),
    )
    rare = {name: seen[name] for name in wanted if seen[name] < 10}
    assert not rare


# -- dealer and first seat --------------------------------------------------------------------


@pytest.mark.parametrize("preset", PRESETS)
def test_dealer_moves_left_and_the_seat_on_its_left_starts(preset: str) -> None:
    """R02, X21, P12: seat 0 starts by default; the deal moves one seat to the left."""
    for players in (2, 3, 4):
        rules = make_ruleset(preset, players=players)
        teams = seatings_of(preset, players)
        game = start_game(rules, len(teams), players)
        for number in range(players + 1):
            assert game.dealer == (players - 1 + number) % players
            setup = Setup(preset=preset, teams=teams, dealer=game.dealer, seed=number)
            assert setup.start().seat == number % players
            result = hand_result(played_out(setup))
            game = after_hand(game, rules, players, result, Length(hands=99))


def seatings_of(preset: str, players: int) -> tuple[tuple[int, ...], ...]:
    rules = make_ruleset(preset, players=players)
    return next(teams for teams in seatings(rules) if sum(map(len, teams)) == players)


@pytest.mark.parametrize(
    ("preset", "option", "first"),
    [
        ("classic", "first_dealer", 1),
        ("express", "first_dealer", 1),
        ("plateau", "first_player", 0),
    ],
)
def test_first_seat_is_an_option(preset: str, option: str, first: int) -> None:
    """R02, X21: left of `first_dealer`; P12: `first_player` itself."""
    for seat in range(3):
        rules = make_ruleset(preset, {option: seat}, players=3)
        dealer = start_game(rules, 3, 3).dealer
        setup = Setup(preset=preset, teams=((0,), (1,), (2,)), dealer=dealer)
        assert setup.start().seat == (seat + first) % 3


@pytest.mark.parametrize(
    ("preset", "option"),
    [("classic", "first_dealer"), ("express", "first_dealer"), ("plateau", "first_player")],
)
def test_first_seat_must_be_at_the_table(preset: str, option: str) -> None:
    """the value is a seat, and with two players there is no seat 5."""
    with pytest.raises(RuleSetError, match="5"):
        first_hand(preset, option)


def first_hand(preset: str, option: str) -> None:
    """Everything up to the first hand; which step refuses does not matter here."""
    rules = make_ruleset(preset, {option: 5}, players=2)
    seating = make_seating(rules, 2)
    frame = make_frame(rules, seating, dealer=start_game(rules, 2, 2).dealer)
    Setup(preset=preset, dealer=frame.dealer).start()
