"""Positions there and back: of the conformance cases, and of random play under any rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.engine.cards import CARDS, Card
from arena.engine.codes import PLAIN
from arena.engine.conformance import Case, read_cases
from arena.engine.position import read_position, write_position
from arena.engine.rules import asked, legal
from arena.engine.rulesets import Family
from arena.engine.scoring import hand_result
from arena.engine.state import HandState, Stage
from arena.errors import PositionError
from tests.engine.games import Setup, moves, play, random_setups
from tests.engine.positions import ABSENT, frame_of, position, table, turn

CASES = Path(__file__).parents[1] / "conformance"


def what_it_says(state: HandState) -> dict[str, Any]:
    """What a position can say of a state, from the state's own parts."""
    return {
        "hands": [state.hand(seat) for seat in range(state.players)],
        "tables": tuple(state.tables),
        "draw": state.draw_pile(),
        "discard": state.discard.translate(PLAIN),
        "turn": (state.stage, state.seat, asked(state)),
        "legal": legal(state, state.seat),
        "target": state.target,
        "ran_out": state.ran_out,
        "distances": state.distances,
    }


def check_there_and_back(state: HandState) -> None:
    before = state.copy()
    says = write_position(state)
    assert state == before
    through_json = json.loads(json.dumps(says))
    again = read_position(state.frame, through_json, ask_all=state.ask_all)
    assert what_it_says(again) == what_it_says(state)
    assert write_position(again) == says


def cases_with_positions() -> Iterator[tuple[str, Case, dict[str, Any]]]:
    for path in sorted(CASES.rglob("*.json")):
        text = path.read_text("utf-8")
        for case, given in zip(read_cases(text, path.name), json.loads(text)["cases"], strict=True):
            if case.start is not None:
                yield f"{path.stem}: {case.name}", case, given["position"]


POSITIONS = list(cases_with_positions())


def test_there_are_cases() -> None:
    assert len(POSITIONS) >= 45


@pytest.mark.parametrize(("name", "case", "given"), POSITIONS, ids=[name for name, *_ in POSITIONS])
def test_position_of_a_case_goes_there_and_back(
    name: str, case: Case, given: dict[str, Any]
) -> None:
    state = case.start
    assert state is not None
    if state.over:
        return
    check_there_and_back(state)
    began = given["turn"]["stage"] == "start"
    if given.get("draw") or not began:  # else it may have begun with the discard pile
        assert_says(write_position(state), given, began=began)


def assert_says(says: dict[str, Any], given: dict[str, Any], *, began: bool) -> None:
    """What was given is what is written, but for a card drawn since."""
    assert says["turn"]["seat"] == given["turn"]["seat"]
    assert says.get("target") == given.get("target")
    for said, wanted in zip(says["tables"], given["tables"], strict=True):
        for key, value in wanted.items():
            if key in ("safeties", "coups_fourres"):
                assert Counter(said[key]) == Counter(value)
            elif key != "started":
                assert said[key] == value
    assert says["discard"] == given.get("discard", [])
    drawn = []
    if began and says["turn"]["stage"] == "play" and given.get("draw"):
        drawn = given["draw"][:1]
    assert says["draw"] == given.get("draw", [])[len(drawn) :]
    for seat, (hand, wanted) in enumerate(zip(says["hands"], given["hands"], strict=True)):
        more = drawn if seat == given["turn"]["seat"] else []
        assert Counter(hand) == Counter(wanted + more)
        assert hand == sorted(hand, key=lambda name: Card[name])


CANNOT_SAY = {
    Stage.RESPOND: "turn: a position stands at the start of a turn or a play, not at RESPOND",
    Stage.EXTEND: "turn: a position stands at the start of a turn or a play, not at EXTEND",
    Stage.TOP: "turn: a position stands at the start of a turn or a play, not at TOP",
    Stage.OVER: "turn: a position stands at the start of a turn or a play, not at OVER",
}


def refusal(state: HandState) -> str:
    before = state.copy()
    with pytest.raises(PositionError) as refused:
        write_position(state)
    assert state == before
    assert len(str(refused.value).splitlines()) == 1
    return str(refused.value)


def check_state(state: HandState) -> str:
    """Check one state; returns what was checked, so that nothing is left out unseen."""
    stage = Stage(state.stage)
    if stage in CANNOT_SAY:
        assert refusal(state) == CANNOT_SAY[stage]
        return stage.name
    if stage is Stage.DRAW and state.due == 2:
        assert refusal(state).startswith("turn: ")
        return "two draws due"
    if state.stripes is not None:
        assert refusal(state) == "draw: a position has one shared draw pile, not stripes"
        return "striped"
    check_there_and_back(state)
    return stage.name


def check_hand(setup: Setup) -> Counter[str]:
    seen: Counter[str] = Counter()
    state = setup.start()
    for state, *_ in play(setup):
        seen[check_state(state)] += 1
    seen[check_state(state)] += 1  # the state is played in place: now it is over
    return seen


@pytest.mark.parametrize("preset", ["classic", "express", "plateau", "leaflet"])
def test_states_of_random_play_go_there_and_back(preset: str) -> None:
    seen: Counter[str] = Counter()
    for setup in random_setups(seed=19, count=40, presets=[preset]):
        try:
            seen += check_hand(setup)
        except AssertionError as error:
            error.add_note(str(setup))
            raise
    wanted = {"PLAY", "RESPOND", "OVER", "striped"}
    wanted |= {"express": {"DRAW", "TOP", "two draws due"}, "leaflet": {"EXTEND"}}.get(
        preset, set()
    )
    assert wanted <= seen.keys()


def goes_on_alike(setup: Setup) -> bool:
    """Whether a position says all that matters for the play to come.

    It says nothing of the reshuffles so far, of the rounds without progress that X17 counts, of
    whether the draw pile was empty when this turn began, and of what has been seen of hands and
    face-down discards, on which the windows of `ask_all` depend.
    """
    rules = setup.rules
    return not (
        rules.reshuffles
        or rules.delayed_action_trigger == "empty_at_turn_start"
        or rules.family is Family.EXPRESS
        or setup.ask_all
        or setup.striped
    )


def play_on(state: HandState, seed: int) -> HandState:
    for _ in moves(state, Random(seed)):
        pass
    return state


def test_hand_goes_on_from_its_position_as_from_the_state() -> None:
    setups = list(filter(goes_on_alike, random_setups(seed=23, count=150)))
    assert len(setups) > 20
    for setup in setups:
        states = [state.copy() for state, *_ in play(setup) if state.stage == Stage.PLAY]
        for state in Random(setup.seed).sample(states, 3):
            again = play_on(read_position(state.frame, write_position(state)), setup.seed)
            end = play_on(state, setup.seed)
            assert what_it_says(again) == what_it_says(end), str(setup)
            assert hand_result(again) == hand_result(end), str(setup)


def test_cards_of_a_written_position_are_named_as_in_the_format() -> None:
    says = write_position(next(iter(play(Setup(preset="classic")))).state)
    names = {card.name for card in CARDS}
    assert all(name in names for hand in says["hands"] for name in hand)  # type: ignore[attr-defined]


# -- single positions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "given"),
    [
        ("classic", position()),
        ("classic", position(draw=ABSENT, discard=ABSENT)),
        ("classic", position(hands=[["D25"], []])),
        ("classic", position(hands=[["D25"] * 7, ["D50"] * 6])),
        ("classic", table(safeties=["DRIVING_ACE", "EXTRA_TANK"], coups_fourres=["EXTRA_TANK"])),
        ("classic", table(battle=["GREEN_LIGHT"], started=True)),
        ("classic", table(distance=["D100"] * 9 + ["D75"])),
        ("leaflet", table(distance=["D100"] * 9) | {"target": 1000}),
        ("leaflet", position(target=700)),
        ("express", table(started=True)),
        ("express", table(started=False)),
        ("express", table(safeties=["EXTRA_TANK"], bonus_km=100)),
        ("express", table(safeties=["EXTRA_TANK"], coups_fourres=["EXTRA_TANK"], bonus_km=300)),
        ("plateau", position(tables=[{"battle": ["RED_LIGHT"], "speed": ["SPEED_LIMIT"]}, {}])),
        ("plateau", position(tables=[{"distance": ["D200"] * 3}, {}])),
        ("plateau", position(tables=[{"started": True}, {}])),
    ],
)
def test_possible_position_is_read(preset: str, given: dict[str, Any]) -> None:
    state = read_position(frame_of(preset), given)
    says = write_position(state)
    assert read_position(frame_of(preset), says) == state


@pytest.mark.parametrize("started", [True, False])
def test_plateau_car_stands_until_its_green_light(started: bool) -> None:
    """P02 with `plateau_green_light_to_start`."""
    frame = frame_of("plateau", plateau_green_light_to_start=True)
    state = read_position(frame, position(tables=[{"started": started}, {}]))
    assert state.tables[0].started is started
    assert state.tables[0].moving is started
    token = position(tables=[{"battle": ["FLAT_TIRE"], "started": False}, {}])
    with pytest.raises(PositionError, match=r"^position\.tables\[0\]\.started: false, but "):
        read_position(frame, token)


def test_turn_begins_with_a_draw_where_there_is_no_choice() -> None:
    state = read_position(frame_of("classic"), turn(stage="start"))
    assert (state.stage, state.left, state.hands[0][Card.D75]) == (Stage.PLAY, 0, 1)
    state = read_position(frame_of("express"), turn(stage="start"))
    assert (state.stage, state.left, asked(state)) == (Stage.DRAW, 1, (0,))


def test_pile_that_ran_out_is_remembered() -> None:
    assert read_position(frame_of("classic"), position(draw=[])).ran_out
    assert not read_position(frame_of("classic"), position()).ran_out
    frame = frame_of("classic", reshuffle=True)
    state = read_position(frame, position(pile_exhausted=True))
    assert state.ran_out
    assert write_position(state)["pile_exhausted"] is True
