"""Hands by the thousand over all options, and hands by players who never want to finish.

At every decision the measure of `termination` gets smaller, which proves that the hand ends, and no
card appears or is lost. One hand in many is held against the second referee (`model`) as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from arena.engine.actions import ACTIONS, Action
from arena.engine.bounds import most_decisions
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import Value
from arena.engine.state import HandState
from arena.errors import IllegalAction
from tests.engine.agreement import disagreements, in_lockstep
from tests.engine.games import (
    POLICIES,
    Move,
    Policy,
    Setup,
    class_of,
    play,
    policy,
    random_setups,
    seatings,
    setups,
)
from tests.engine.model import Model
from tests.engine.termination import Measure, measure

BATCHES: Final = 20
HANDS_PER_BATCH: Final = 1000
HANDS_PER_SETUP: Final = 10
CHECK_ONE_IN: Final = 40


def check_hand(setup: Setup, moves: Iterator[Move]) -> int:
    """Play a hand out under the cheap invariants; returns its decisions."""
    decisions = 0
    before: Measure | None = None
    deck = sum(setup.rules.deck(setup.players))
    for move in moves:
        decisions += 1
        now = measure(move.state)
        assert before is None or now < before, f"{setup}: {before} to {now} by {move.action}"
        assert min(now) >= 0, f"{setup}: {now}"
        assert cards_in(move.state) == deck, setup
        before = now
    state = move.state
    assert state.over
    assert cards_in(state) == deck, setup
    assert decisions <= most_decisions(state.rules, state.seating), setup
    return decisions


def cards_in(state: HandState) -> int:
    """All cards that there are (K01, X01, P01); what lies on a Plateau table is no card (P09)."""
    cards = sum(state.sizes) + state.left + len(state.discard)
    if state.frame.on_table:
        for table in state.tables:
            cards += len(table.battle) + len(table.speed) + len(table.distance)
            cards += table.safeties.bit_count()
    return cards


def check_batch(seed: int, hands: int) -> int:
    """Play `hands` hands, `HANDS_PER_SETUP` of each of the random setups."""
    rng = Random(seed)
    decisions = 0
    for setup in random_setups(seed, hands // HANDS_PER_SETUP):
        for _ in range(HANDS_PER_SETUP):
            hand = replace(setup, seed=rng.getrandbits(32), dealer=rng.randrange(setup.players))
            moves = in_lockstep(hand) if rng.randrange(CHECK_ONE_IN) == 0 else play(hand)
            decisions += check_hand(hand, moves)
    return decisions


def test_a_few_hands_over_all_options() -> None:
    assert check_batch(seed=99, hands=200) > 200 * 40


@pytest.mark.slow
@pytest.mark.parametrize("batch", range(BATCHES))
def test_hands_over_all_options(batch: int) -> None:
    """Issue 2, section 5: at least 20,000 random hands over the options."""
    assert BATCHES * HANDS_PER_BATCH >= 20_000
    assert check_batch(seed=1000 + batch, hands=HANDS_PER_BATCH) > HANDS_PER_BATCH * 40


# -- the same, shrinking ----------------------------------------------------------------------


class HandMachine(RuleBasedStateMachine):
    """A hand that hypothesis plays, and makes as short as it can when something is wrong."""

    @initialize(setup=setups())
    def deal(self, setup: Setup) -> None:
        self.state = setup.start()
        self.model = Model(setup)
        self.most = most_decisions(self.state.rules, self.state.seating)

    @precondition(lambda self: not self.state.over)
    @rule(data=st.data())
    def play(self, data: Any) -> None:
        seat = data.draw(st.sampled_from(asked(self.state)), label="seat")
        action = data.draw(st.sampled_from(legal(self.state, seat)), label="action")
        before = measure(self.state)
        apply(self.state, seat, action)
        self.model.apply(seat, action.text)
        self.most -= 1
        assert self.state.over or measure(self.state) < before
        assert self.most >= 0

    @rule(seat=st.integers(0, 5), action=st.sampled_from(ACTIONS))
    def try_anything(self, seat: int, action: Action) -> None:
        seat %= self.state.players
        if action in legal(self.state, seat):
            apply(self.state.copy(), seat, action)
            return
        before = self.state.copy()
        with pytest.raises(IllegalAction):
            apply(self.state, seat, action)
        assert self.state == before

    @invariant()
    def agrees_with_second_referee(self) -> None:
        assert not disagreements(self.model, self.state)


TestHandMachine = HandMachine.TestCase
TestHandMachine.settings = settings(max_examples=40, stateful_step_count=60)


# -- players who never want to finish ---------------------------------------------------------

LAST: Final = ("safety", "distance")
SPITE: Final[dict[str, tuple[str, ...]]] = {
    "takes, attacks, covers": ("draw discard", "attack", "remedy", "pass", "discard", *LAST),
    "takes, covers, attacks": ("draw discard", "remedy", "attack", "pass", "discard", *LAST),
    "takes and discards": ("draw discard", "discard", "pass"),
    "draws and discards": ("draw pile", "discard", "pass"),
    "takes, answers every attack": ("draw discard", "coup_fourre", "attack", "remedy", "discard"),
    "drives last": ("draw discard", "remedy", "attack", "coup_fourre", "safety", "discard"),
    "safeties first": ("draw discard", "safety", "coup_fourre", "attack", "remedy", "discard"),
    "saves the pile, then drives": ("draw discard", "discard", "remedy", "pass", "distance"),
}
"""What each kind of player likes best, from the first to the last; all else comes after that."""

ENDLESS: Final[dict[str, dict[str, tuple[Value, ...]]]] = {
    "express": {
        "express_stall_rounds": (0, 5),
        "express_exhausted_draw": ("none", "discard", "reshuffle"),
        "express_safety_draw": ("pile", "choice"),
        "forced_play": (False, True),
        "top_choice": (False, True),
    },
    "plateau": {
        "plateau_exhaustion": ("play_out", "reshuffle"),
        "plateau_green_light_to_start": (False, True),
        "forced_play": (False, True),
        "exhausted_safety_replays": (True, False),
    },
    "classic": {
        "reshuffle": (False, True),
        "late_safety_restarts": (False, True),
        "forced_play": (False, True),
        "exhausted_safety_replays": (True, False),
    },
}
"""The options on which the length of a hand depends."""


def spiteful(order: tuple[str, ...]) -> Policy:
    """Always one of what it likes best: weights so steep that nothing else is ever chosen."""
    places = {name: place for place, name in enumerate(order)}
    return policy(lambda action: 1e-12 ** places.get(class_of(action), len(order)))


def spite_setups(options: Mapping[str, tuple[Value, ...]], preset: str, seed: int) -> list[Setup]:
    rng = Random(seed)
    combinations = [
        tuple(zip(options, values, strict=True)) for values in product(*options.values())
    ]
    found = []
    for given in combinations:
        plain = Setup(preset=preset, options=given)
        sizes = {sum(map(len, teams)): teams for teams in seatings(plain.rules)}
        found += [replace(plain, teams=teams, seed=rng.getrandbits(32)) for teams in sizes.values()]
    return found


@pytest.mark.parametrize("name", SPITE)
@pytest.mark.parametrize(
    ("preset", "seed"),
    [("classic", 0), ("plateau", 0), pytest.param("express", 0, marks=pytest.mark.slow)],
)
def test_spite_ends(preset: str, seed: int, name: str) -> None:
    """X16, X17, R24, R25, R27, P11: hands end even if all players do all they can against it."""
    players = [spiteful(SPITE[name])]
    for setup in spite_setups(ENDLESS[preset], preset, seed):
        check_hand(setup, play(setup, players * setup.players))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_spite_at_one_table_ends(seed: int) -> None:
    """The same with different kinds of spite, and patience, at one table."""
    rng = Random(seed)
    kinds = [*map(spiteful, SPITE.values()), *POLICIES.values()]
    for preset, options in ENDLESS.items():
        for setup in spite_setups(options, preset, seed):
            check_hand(setup, play(setup, rng.choices(kinds, k=setup.players)))
