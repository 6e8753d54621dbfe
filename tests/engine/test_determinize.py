"""`determinize`: from a view to a full state that could be the true one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from math import factorial
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from arena.engine.cards import CARDS, EXPRESS_DECK, Card, cards_of
from arena.engine.codes import private
from arena.engine.position import read_position
from arena.engine.rules import apply
from arena.engine.rulesets import PRESETS, make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import HandState, Stage, derived_table, make_frame
from arena.engine.view import View, determinize, public_view, view
from tests.engine.exchange import exchange, hidden_places
from tests.engine.games import (
    Setup,
    all_cards,
    every_option_value,
    moves,
    play,
    random_setups,
    setups,
)
from tests.engine.secrecy import choose_places
from tests.engine.termination import measure

HANDS: Final = every_option_value(seed=4)
RARE: Final = [setup for setup in HANDS if ("top_choice", True) in setup.options]
SCOPES: Final = (
    pytest.param(HANDS[::9] + RARE, id="quick"),
    pytest.param(HANDS[::2] + RARE, id="half", marks=pytest.mark.slow),
)


def views(setup: Setup, rng: Random, share: float) -> Iterator[tuple[HandState, View]]:
    """Views of random seats in a share of the states of a hand, all of the rare ones, and its end.

    Half of them show all events, the others those from a random number on.
    """
    move = None
    for move in play(setup):
        if is_rare(move.state) or rng.random() < share:
            yield move.state, some_view(move.state, rng)
    assert move is not None
    yield move.state, some_view(move.state, rng)


def is_rare(state: HandState) -> bool:
    return state.stage > Stage.PLAY or state.due > 1


def some_view(state: HandState, rng: Random) -> View:
    since = rng.choice((0, rng.randrange(state.event_count + 1)))
    return view(state, rng.randrange(state.players), since)


# -- laws -------------------------------------------------------------------------------------


@pytest.mark.parametrize("hands", SCOPES)
def test_view_of_a_determinized_state_is_the_view(hands: list[Setup]) -> None:
    seen_kinds: Counter[str] = Counter()
    for setup in hands:
        rng = Random(setup.seed)
        for state, seen in views(setup, rng, 0.1):
            found = determinize(seen, rng)
            assert view(found, seen.seat, seen.first_event) == seen, setup
            kinds = {Stage(state.stage).name, "striped"[: 7 * setup.striped]}
            kinds.add("asked" if seen.legal else "not asked")
            kinds.add("two draws" if state.due == 2 else "")
            kinds.add("reshuffled" if state.reshuffled else "")
            kinds.add("short" if seen.first_event else "whole")
            seen_kinds.update(kinds)
    wanted = {stage.name for stage in Stage} | {"striped", "asked", "not asked", "two draws"}
    assert seen_kinds.keys() >= wanted | {"reshuffled", "short", "whole"}


@pytest.mark.parametrize("hands", SCOPES)
def test_determinized_state_is_whole(hands: list[Setup]) -> None:
    """Card conservation, and every derived value is what it would be in play."""
    for setup in hands:
        rng = Random(setup.seed)
        for state, seen in views(setup, rng, 0.05):
            is_whole(determinize(seen, rng), state)


def is_whole(found: HandState, state: HandState) -> None:
    assert all_cards(found) == list(state.rules.deck(state.players))
    assert list(found.sizes) == [sum(hand) for hand in found.hands] == list(state.sizes)
    for hand, mask in zip(found.hands, found.masks, strict=True):
        assert mask == sum(1 << card for card in CARDS if hand[card])
    assert found.left == len(found.draw_pile()) == state.left
    assert found.stripes == state.stripes
    if found.known is not None:
        in_play = [*found.draw_pile(), *(card for hand in found.hands for card in cards_of(hand))]
        assert found.distances == sum(card < Card.RED_LIGHT for card in in_play)
    for table in found.tables:
        assert table == derived_table(found.rules, found.target, table)
    assert not found.ask_all


def test_placed_cards_stay_where_they_are() -> None:
    """The reader's hand and discards, tables, open discards, and cards that everybody knows."""
    for setup in HANDS[::5]:
        rng = Random(setup.seed)
        for state, seen in views(setup, rng, 0.1):
            found = determinize(seen, rng)
            assert found.hands[seen.seat] == state.hands[seen.seat]
            assert found.tables == state.tables
            readable = [code for code in seen.discard if code < 133]
            assert [code for code in state.discard if code in readable] == [
                code for code in found.discard if code in readable
            ]
            for seat, counts in enumerate(seen.known):
                assert all(
                    have >= known for have, known in zip(found.hands[seat], counts, strict=True)
                )


def test_determinized_state_can_be_played_to_its_end() -> None:
    for setup in HANDS[::4]:
        rng = Random(setup.seed)
        for state, seen in views(setup, rng, 0.02):
            found = determinize(seen, rng)
            before = None
            for move in moves(found, rng):
                now = measure(move.state)
                assert before is None or now < before, setup
                before = now
            assert found.over
            assert all_cards(found) == list(state.rules.deck(state.players)), setup


def test_determinize_uses_nothing_but_the_view() -> None:
    """Worlds that look alike to a seat give it the same states, card by card."""
    compared = 0
    for setup in random_setups(9, 40):
        rng = Random(setup.seed)
        for move in play(setup):
            places = choose_places(move.state, 0, rng) if rng.random() < 0.05 else None
            if places is None or move.state.stage == Stage.RESPOND:
                continue
            other = exchange(move.state, *places)
            assert other != move.state
            seed = rng.getrandbits(32)
            one = determinize(view(move.state, 0), Random(seed))
            assert determinize(view(other, 0), Random(seed)) == one
            compared += 1
    assert compared > 100


def test_public_view_is_refused() -> None:
    with pytest.raises(ValueError, match="public"):
        determinize(public_view(Setup(preset="classic").start()), Random(0))


@given(setup=setups(), data=st.data())
@settings(max_examples=40)
def test_round_trip_anywhere(setup: Setup, data: Any) -> None:
    """The first law again, for examples that shrink."""
    state = setup.start()
    actions = data.draw(st.integers(0, 150), label="actions")
    for move, _ in zip(moves(state, Random(setup.seed)), range(actions), strict=False):
        state = move.state
    seat = data.draw(st.integers(0, setup.players - 1), label="seat")
    since = data.draw(st.integers(0, state.event_count), label="since")
    seen = view(state, seat, since)
    assert view(determinize(seen, Random(0)), seat, since) == seen


# -- uniformity -------------------------------------------------------------------------------

DRAWS: Final = 20_000
Outcome = tuple[object, ...]


def nearly_over(
    preset: str,
    teams: Sequence[Sequence[int]],
    hands: Sequence[Sequence[Card]],
    pile: Sequence[Card],
) -> HandState:
    """A position in which all but these hands and this pile lies open on the discard pile."""
    rules = make_ruleset(preset)
    frame = make_frame(rules, make_seating(rules, teams), dealer=len(hands) - 1)
    left = list(rules.deck(len(hands)))
    for card in [*pile, *(card for hand in hands for card in hand)]:
        left[card] -= 1
    position = {
        "hands": [[card.name for card in hand] for hand in hands],
        "tables": [{} for _ in teams],
        "draw": [card.name for card in pile],
        "discard": [card.name for card in cards_of(left)],
        "turn": {"seat": 0, "stage": "play"},
    }
    return read_position(frame, position)


def express_with_distinct_cards() -> HandState:
    hands = [[Card.D25], [Card.D50, Card.D75]]
    return nearly_over("express", [[0], [1]], hands, [Card.D100, Card.REPAIRS, Card.ACCIDENT])


def express_with_equal_cards() -> HandState:
    hands = [[Card.D25], [Card.D50, Card.D50]]
    return nearly_over("express", [[0], [1]], hands, [Card.D50, Card.REPAIRS, Card.REPAIRS])


def express_with_known_cards() -> HandState:
    hands = [[Card.D25], [Card.D200, Card.D75]]
    state = nearly_over("express", [[0], [1]], hands, [Card.D200, Card.ACCIDENT, Card.D75])
    assert state.known is not None
    state.known[1][Card.D200] = 1
    return state


def classic_with_face_down_discards() -> HandState:
    hands = [[Card.D25], [Card.D50], [Card.RED_LIGHT]]
    state = nearly_over("classic", [[0], [1], [2]], hands, [Card.D100, Card.DRIVING_ACE])
    top, own = state.discard[-1], state.discard[-2]
    assert top != own
    state.discard = state.discard[:-2] + bytes((private(own, 0), private(top, 2)))
    return state


def classic_with_stripes() -> HandState:
    hands = [[Card.D25], [Card.D50]]
    pile = [Card.D75, Card.D100, Card.REPAIRS, Card.REPAIRS, Card.D200]
    state = nearly_over("classic", [[0], [1]], hands, pile)
    state.stripes = bytearray((3, 2))
    return state


SMALL: Final = (
    express_with_distinct_cards,
    express_with_equal_cards,
    express_with_known_cards,
    classic_with_face_down_discards,
    classic_with_stripes,
)


def outcome(hands: Sequence[bytearray], discard: bytes, pile: bytes) -> Outcome:
    return (*map(bytes, hands), discard, pile)


def consistent_states(state: HandState) -> Counter[Outcome]:
    """Every way to put the hidden cards into their places, with how many orders lead to it."""
    slots = list(hidden_slots(state))
    cards = [card for _, _, card in slots]
    found: Counter[Outcome] = Counter()
    for order in permutations(cards):
        hands = [bytearray(hand) for hand in state.hands]
        discard, pile = bytearray(state.discard), bytearray(state.draw_pile())
        for where, at, card in slots:
            if where == "hand":
                hands[at][card] -= 1
        for (where, at, _), card in zip(slots, order, strict=True):
            if where == "hand":
                hands[at][card] += 1
            elif where == "pile":
                pile[at] = card
            else:
                discard[at] = private(card, discard[at] // 19 - 1)
        found[outcome(hands, bytes(discard), bytes(pile))] += 1
    assert sum(found.values()) == factorial(len(cards))
    return found


def hidden_slots(state: HandState) -> Iterator[tuple[str, int, int]]:
    """The places of cards hidden from seat 0, one by one: where, seat or index, and the card."""
    for seat, hand in enumerate(state.hands):
        for card in CARDS:
            known = 0 if state.known is None else state.known[seat][card]
            yield from [("hand", seat, int(card))] * ((hand[card] - known) if seat else 0)
    for at, card_code in enumerate(state.draw_pile()):
        yield "pile", at, card_code
    for at, code in enumerate(state.discard):
        if code >= 38:  # neither open nor seat 0's own
            yield "discard", at, code % 19


@pytest.mark.parametrize("make", SMALL, ids=lambda make: make.__name__)
def test_determinize_is_uniform(make: Any) -> None:
    """Every consistent state is as likely as orders of the hidden cards lead to it."""
    state = make()
    expected = consistent_states(state)
    rng = Random(2024)
    seen = view(state, 0)
    drawn: Counter[Outcome] = Counter()
    for _ in range(DRAWS):
        found = determinize(seen, rng)
        drawn[outcome(found.hands, found.discard, found.draw_pile())] += 1
    assert drawn.keys() <= expected.keys()
    scale = DRAWS / sum(expected.values())
    result = chisquare(
        [drawn[one] for one in expected], [weight * scale for weight in expected.values()]
    )
    assert result.pvalue > 1e-4


def test_small_positions_are_small_and_all_different() -> None:
    sizes = {make.__name__: len(consistent_states(make())) for make in SMALL}
    assert sizes == {
        "express_with_distinct_cards": 60,
        "express_with_equal_cards": 7,
        "express_with_known_cards": 12,
        "classic_with_face_down_discards": 120,
        "classic_with_stripes": 360,
    }
    assert sum(EXPRESS_DECK) == 66


@pytest.mark.parametrize("preset", PRESETS)
def test_each_place_is_as_likely_as_it_has_cards(preset: str) -> None:
    """At the start of a hand: where is the Driving Ace, which the reader does not hold?"""
    setup = next(
        setup
        for setup in random_setups(10, 200, (preset,))
        if setup.players > 2 and not setup.start().hands[0][Card.DRIVING_ACE]
    )
    state = setup.start()
    rng = Random(7)
    drawn = [0] * (setup.players + 1)
    for _ in range(5000):
        found = determinize(view(state, 0), rng)
        holders = [seat for seat, hand in enumerate(found.hands) if hand[Card.DRIVING_ACE]]
        drawn[holders[0] if holders else setup.players] += 1
    places = [0, *state.sizes[1:], state.left]
    hidden = len(hidden_cards(state))
    expected = [5000 * places_of / hidden for places_of in places[1:]]
    assert drawn[0] == 0
    assert chisquare(drawn[1:], expected).pvalue > 1e-4


def hidden_cards(state: HandState) -> list[tuple[str, int, int]]:
    assert {place.where for place in hidden_places(state, 0)} <= {"hand", "pile"}
    return list(hidden_slots(state))


def test_asked_holder_is_asked_in_its_own_determinized_state() -> None:
    """In a window the reader's own answer is as legal as before, and ends the window."""
    answered = 0
    for setup in random_setups(11, 60):
        for move in play(setup):
            state, seat, action = move
            if state.stage == Stage.RESPOND:
                found = determinize(view(state, seat), Random(0))
                apply(found, seat, action)
                assert found.event_count >= state.event_count
                answered += 1
    assert answered > 50
