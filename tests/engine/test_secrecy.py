"""The law of secrecy: what a seat is told depends on what it may know. Planted leaks are found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from itertools import islice
from random import Random
from typing import Any, Final

import pytest

from arena.engine.actions import ACTIONS, PASS, Action
from arena.engine.cards import SAFETY_FOR, Card
from arena.engine.codes import PUBLIC
from arena.engine.rules import apply, asked, legal
from arena.engine.rulesets import Value
from arena.engine.state import Frame, HandState, Stage
from arena.engine.view import View, public_view, view
from tests.engine.exchange import Place, exchange, hidden_places
from tests.engine.games import POLICIES, Move, Setup, play, random_setups, seatings
from tests.engine.secrecy import Look, honest, leaks

HIDE: Final = ("discard_visible", False)
SHOW: Final = ("discard_visible", True)
RULES: Final[tuple[tuple[str, tuple[tuple[str, Value], ...]], ...]] = (
    *(("classic", (visible,)) for visible in (HIDE, SHOW)),
    *(("classic", (visible, ("reshuffle", True))) for visible in (HIDE, SHOW)),
    *(("leaflet", (visible,)) for visible in (HIDE, SHOW)),
    *(("express", (visible,)) for visible in (HIDE, SHOW)),
    *(
        ("express", (visible, ("express_exhausted_draw", draw), ("express_safety_draw", "choice")))
        for visible in (HIDE, SHOW)
        for draw in ("discard", "reshuffle")
    ),
    ("express", (("top_choice", True),)),
    *(("plateau", (visible,)) for visible in (HIDE, SHOW)),
    *(("plateau", (visible, ("plateau_exhaustion", "reshuffle"))) for visible in (HIDE, SHOW)),
)


def tables(seed: int, *, ask_all: bool) -> list[Setup]:
    """Each of `RULES` with each number of players (teams of 4 and 6 too), shared and striped."""
    rng = Random(seed)
    setups = []
    for preset, options in RULES:
        rules = Setup(preset=preset, options=options).rules
        for teams in {len(sum(teams, ())): teams for teams in seatings(rules)}.values():
            for striped in (False, True):
                setups.append(
                    Setup(
                        preset=preset,
                        options=options,
                        teams=teams,
                        dealer=rng.randrange(len(sum(teams, ()))),
                        striped=striped,
                        ask_all=ask_all,
                        seed=rng.getrandbits(32),
                    )
                )
    return setups


# -- the law ----------------------------------------------------------------------------------


@pytest.mark.parametrize("ask_all", [True, False])
def test_hidden_cards_make_no_difference(ask_all: bool) -> None:
    """With `ask_all` always, without it outside response windows (R16)."""
    for setup in tables(0, ask_all=ask_all)[::4]:
        assert not list(leaks(setup)), setup


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 9))
def test_hidden_cards_make_no_difference_in_any_preset(seed: int) -> None:
    for setup in tables(seed, ask_all=seed % 4 != 0):
        assert not list(leaks(setup)), setup


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_hidden_cards_make_no_difference_over_all_options(seed: int) -> None:
    for setup in random_setups(seed, 150):
        assert not list(leaks(setup)), setup


# -- windows that only the rules open (ask_all=False) -----------------------------------------


def windows(setup: Setup) -> Iterator[tuple[HandState, Move]]:
    """Each window of a hand, with the state before the attack and the attack itself."""
    before: Move | None = None
    for move in play(setup, [POLICIES["ambusher"]] * setup.players):
        if move.state.stage == Stage.RESPOND:
            assert before is not None
            yield move.state, before
        before = Move(move.state.copy(), move.seat, move.action)


def trace_of_a_pass(setup: Setup, window: HandState, attack: Move, look: Look) -> bool | None:
    """Whether others can tell a pass from a world in which nobody could have answered.

    None if the window is no good for a comparison: there is no place to put the safety.
    """
    (holder,) = asked(window)
    safety = SAFETY_FOR[Card(window.attack)]
    pile = [place for place in hidden_places(attack.state, holder) if place.where == "pile"]
    if len(pile) <= 2 * setup.players:
        return None
    other = exchange(attack.state, Place("hand", holder, safety), pile[-1])
    apply(other, attack.seat, attack.action)
    assert other.stage != Stage.RESPOND, "nobody can answer any more"
    passed = window.copy()
    apply(passed, holder, PASS)
    readers = [PUBLIC, *(seat for seat in range(setup.players) if seat != holder)]
    return any(look(passed, reader) != look(other, reader) for reader in readers)


@pytest.mark.parametrize("preset", ["classic", "leaflet", "express", "plateau"])
def test_a_pass_leaves_no_trace(preset: str) -> None:
    """R16, R22: whether a seat could have answered is its own secret."""
    found = []
    for setup in tables(5, ask_all=False) + random_setups(5, 60):
        if setup.preset == preset and not setup.ask_all:
            for window, attack in windows(setup):
                found.append(trace_of_a_pass(setup, window, attack, honest))
    assert True not in found
    assert found.count(False) > 10


def partners_look_alike(setup: Setup, look: Look) -> list[bool]:
    """For each window: whether others are told the same, whichever partner holds the safety."""
    alike = []
    for window, _ in windows(setup):
        (holder,) = asked(window)
        safety = SAFETY_FOR[Card(window.attack)]
        for partner in set(window.seating.teams[window.attacked]) - {holder}:
            kind = next(card for card in Card if window.hands[partner][card])
            one, other = Place("hand", holder, safety), Place("hand", partner, kind)
            swapped = exchange(window, one, other)
            swapped.pending = 1 << partner
            readers = {PUBLIC, *range(setup.players)} - {holder, partner}
            alike += [look(window, reader) == look(swapped, reader) for reader in readers]
    return alike


def team_setups() -> list[Setup]:
    return [setup for setup in tables(6, ask_all=False) if setup.players > len(setup.teams)]


def test_a_window_does_not_tell_which_partner_holds_the_safety() -> None:
    """R19: every seat of the attacked team is taken for asked by the others."""
    alike = [same for setup in team_setups() for same in partners_look_alike(setup, honest)]
    assert len(alike) > 20
    assert all(alike)


# -- views hold nothing secret and nothing that can be changed --------------------------------


def flaws(value: object, key: bytes, path: str = "view") -> Iterator[str]:
    """What a view must not hold: the reshuffle key, a state, or anything that can be changed."""
    parts = parts_of(value)
    if parts is not None:
        for name, part in parts:
            yield from flaws(part, key, f"{path}{name}")
    elif isinstance(value, bytes):
        if key in value:
            yield f"{path} holds the reshuffle key"
    elif not is_simple(value):
        yield f"{path} is a {type(value).__name__}"


def parts_of(value: object) -> list[tuple[str, object]] | None:
    """What an immutable container holds; None for anything else."""
    if isinstance(value, tuple):
        return [(f"[{at}]", part) for at, part in enumerate(value)]
    if is_dataclass(value) and is_frozen(value):
        return [(f".{field.name}", getattr(value, field.name)) for field in fields(value)]
    return None


def is_frozen(value: Any) -> bool:
    return bool(value.__dataclass_params__.frozen)


def is_simple(value: object) -> bool:
    """Numbers, words, members of an enum, and actions, which refuse to be changed."""
    return value is None or isinstance(value, bool | int | str | Enum | Action)


def flaws_of_views(setup: Setup) -> Iterator[str]:
    assert len(setup.chance) == 32
    frames: list[Frame] = []
    for move in islice(play(setup), 0, None, 7):
        for reader in (PUBLIC, *range(setup.players)):
            seen = honest(move.state, reader)
            values = dict(zip(View._fields, seen, strict=True))
            values |= {name: getattr(seen, name) for name in PROPERTIES}
            if seen.frame in frames:  # it is large, and the same all through the hand
                del values["frame"]
            frames.append(seen.frame)
            yield from flaws(tuple(values.values()), setup.chance)


PROPERTIES: Final = tuple(name for name, of in vars(View).items() if isinstance(of, property))


def test_views_are_immutable_and_hold_no_key() -> None:
    for setup in tables(7, ask_all=True)[::3]:
        assert not list(flaws_of_views(setup)), setup


def test_view_of_a_state_does_not_change_when_the_state_does() -> None:
    for setup in random_setups(8, 20):
        kept = []
        for move in play(setup):
            kept.append((move.state.copy(), honest(move.state, move.seat)))
        for state, seen in kept:
            assert honest(state, seen.seat) == seen


def test_actions_in_views_cannot_be_changed() -> None:
    for action in ACTIONS:
        for name in (*Action.__slots__, "another"):
            with pytest.raises(AttributeError, match="immutable"):
                setattr(action, name, None)


# -- the checkers find leaks ------------------------------------------------------------------


def unmasked_log(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(events=state.log)


def last_event_unmasked(state: HandState, reader: int) -> View:
    seen = honest(state, reader)
    return seen._replace(events=seen.events[:-2] + state.log[-2:])


def hands_for_sizes(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(sizes=b"".join(bytes(hand) for hand in state.hands))


def readable_discard(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(discard=state.discard)


def next_card_of_the_pile(state: HandState, reader: int) -> View:
    place = next((one for one in hidden_places(state, reader) if one.where == "pile"), None)
    return honest(state, reader)._replace(due=-1 if place is None else state.pile[place.at])


def hands_for_known(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(known=tuple(map(bytes, state.hands)))


def legal_of_the_next_seat(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(legal=legal(state, (reader + 1) % state.players))


def next_seat_holds_a_safety(state: HandState, reader: int) -> View:
    holds = state.masks[(reader + 1) % state.players] >> Card.RIGHT_OF_WAY
    return honest(state, reader)._replace(resume=holds)


LEAKS: Final[tuple[Look, ...]] = (
    unmasked_log,
    last_event_unmasked,
    hands_for_sizes,
    readable_discard,
    next_card_of_the_pile,
    hands_for_known,
    legal_of_the_next_seat,
    next_seat_holds_a_safety,
)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_planted_leak_is_found(leak: Look) -> None:
    setups = tables(0, ask_all=True)
    assert any(next(leaks(setup, leak), None) for setup in setups[::3])


def pending_for_in_public(state: HandState, reader: int) -> View:
    return honest(state, reader)._replace(asked=asked(state))


def test_planted_leak_of_who_holds_the_safety_is_found() -> None:
    alike = [
        same
        for setup in team_setups()
        for same in partners_look_alike(setup, pending_for_in_public)
    ]
    assert not all(alike)


def counted_windows(state: HandState, reader: int) -> View:
    """Tells how many answers there were: a pass must not be counted."""
    counts = [hand[SAFETY_FOR[Card.RED_LIGHT]] for hand in state.hands]
    return honest(state, reader)._replace(due=sum(counts))


def test_planted_trace_of_a_pass_is_found() -> None:
    found = [
        trace_of_a_pass(setup, window, attack, counted_windows)
        for setup in tables(5, ask_all=False)[:40]
        for window, attack in windows(setup)
    ]
    assert True in found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("discard", lambda state: state.chance),
        ("known", lambda state: tuple(state.hands)),
        ("tables", lambda state: list(state.tables)),
        ("frame", lambda state: state),
        ("legal", lambda state: ({"draw pile"},)),
        ("stripes", lambda state: b"x" + state.chance + b"x"),
    ],
)
def test_planted_flaw_is_found(name: str, value: Any) -> None:
    def look(state: HandState, reader: int) -> View:
        return honest(state, reader)._replace(**{name: value(state)})

    setup = Setup(preset="express", ask_all=True, seed=3)
    for move in islice(play(setup), 30, 31):
        assert list(flaws(look(move.state, 0), setup.chance))
        assert not list(flaws(view(move.state, 0), setup.chance))
        assert not list(flaws(public_view(move.state), setup.chance))
