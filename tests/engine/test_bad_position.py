"""A position that is malformed or cannot occur is refused: one line, beginning with the field."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from arena.engine.cards import CARDS
from arena.engine.position import read_position
from arena.engine.state import Frame
from arena.errors import FieldError
from tests.engine.positions import ABSENT, frame_of, position, table, turn

CARD_NAMES = " ".join(card.name for card in CARDS)
KEYS = "hands, tables, draw, discard, turn, target, pile_exhausted"
TABLE_KEYS = "battle, speed, distance, safeties, coups_fourres, bonus_km, started"
SAFETIES = "RIGHT_OF_WAY, EXTRA_TANK, PUNCTURE_PROOF, DRIVING_ACE"
BATTLE = "RED_LIGHT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT, GREEN_LIGHT, GASOLINE, SPARE_TIRE, REPAIRS"


def refusal(frame: Frame, given: Any, path: str = "position") -> FieldError:
    before = copy.deepcopy(given)
    with pytest.raises(FieldError) as refused:
        read_position(frame, given, path=path)
    assert given == before
    assert str(refused.value) == f"{refused.value.field}: {refused.value.problem}"
    assert len(str(refused.value).splitlines()) == 1
    return refused.value


# -- malformed --------------------------------------------------------------------------------

NOT_LISTS: tuple[Any, ...] = (None, True, 0, 1.5, "D25", {}, {"D25": 1})
NOT_OBJECTS: tuple[Any, ...] = (None, False, 7, -0.5, "x", [], [{}])
NOT_NUMBERS: tuple[Any, ...] = (None, True, 1.0, "1", [1], {})
NOT_BOOLS: tuple[Any, ...] = (None, 0, 1, "true", [], {})
NOT_TEXTS: tuple[Any, ...] = (None, True, 3, 2.5, [], ["D25"], {})

MALFORMED: list[tuple[Any, str]] = [
    *((value, "position: # is not an object") for value in NOT_OBJECTS),
    *((position(hands=value), "position.hands: # is not a list") for value in NOT_LISTS),
    *((position(tables=value), "position.tables: # is not a list") for value in NOT_LISTS),
    *((position(draw=value), "position.draw: # is not a list") for value in NOT_LISTS),
    *((position(discard=value), "position.discard: # is not a list") for value in NOT_LISTS),
    *((position(turn=value), "position.turn: # is not an object") for value in NOT_OBJECTS),
    *(
        (position(target=value), "position.target: # is not a whole number")
        for value in NOT_NUMBERS
    ),
    *(
        (position(pile_exhausted=value), "position.pile_exhausted: # is neither true nor false")
        for value in NOT_BOOLS
    ),
    *((position(hands=[[], value]), "position.hands[1]: # is not a list") for value in NOT_LISTS),
    *((position(tables=[{}, v]), "position.tables[1]: # is not an object") for v in NOT_OBJECTS),
    *(
        (table(**{key: value}), f"position.tables[0].{key}: # is not a list")
        for key in ("battle", "speed", "distance", "safeties", "coups_fourres")
        for value in NOT_LISTS
    ),
    *(
        (table(bonus_km=value), "position.tables[0].bonus_km: # is not a whole number")
        for value in NOT_NUMBERS
    ),
    *(
        (table(started=value), "position.tables[0].started: # is neither true nor false")
        for value in NOT_BOOLS
    ),
    *((turn(seat=value), "position.turn.seat: # is not a whole number") for value in NOT_NUMBERS),
    *(
        (turn(stage=value), "position.turn.stage: # is not one of start, play")
        for value in (*NOT_TEXTS, "", "draw", "respond", "Play", "play ")
    ),
    *((position(draw=["D25", v]), "position.draw[1]: # is not a text") for v in NOT_TEXTS),
    *(
        (table(battle=[value]), "position.tables[0].battle[0]: # is not a text")
        for value in NOT_TEXTS
    ),
    *((position(**{key: ABSENT}), f"position: {key} is missing") for key in ("hands", "tables")),
    (position(turn=ABSENT), "position: turn is missing"),
    (turn(seat=ABSENT), "position.turn: seat is missing"),
    (turn(stage=ABSENT), "position.turn: stage is missing"),
    (position(hand=[]), f"position: unknown key 'hand'; the keys are {KEYS}"),
    (position(**{"a\nb": []}), f"position: unknown key 'a\\nb'; the keys are {KEYS}"),
    (table(km=3), f"position.tables[0]: unknown key 'km'; the keys are {TABLE_KEYS}"),
    (turn(team=0), "position.turn: unknown key 'team'; the keys are seat, stage"),
]


def changed_value(given: Any, path: str) -> Any:
    """The value that a path such as `position.tables[0].battle` leads to."""
    for step in path.replace("[", ".[").split(".")[1:]:
        given = given[int(step[1:-1])] if step.startswith("[") else given[step]
    return given


def written(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return repr(value) if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize(("given", "wanted"), MALFORMED)
@pytest.mark.parametrize("preset", ["classic", "express"])
def test_malformed_position_is_refused(preset: str, given: Any, wanted: str) -> None:
    error = refusal(frame_of(preset), given)
    if "#" in wanted:
        wanted = wanted.replace("#", written(changed_value(given, error.field)))
    assert str(error) == wanted


@pytest.mark.parametrize("path", ["position", "start", "cases[3].position"])
def test_message_begins_with_the_path_that_the_caller_gives(path: str) -> None:
    frame = frame_of("classic")
    assert str(refusal(frame, turn(seat=2), path)).startswith(f"{path}.turn.seat: ")
    crowd = position(hands=[["D25"] * 8, []])
    assert str(refusal(frame, crowd, path)).startswith(f"{path}.hands[0]: ")
    assert str(refusal(frame, [], path)).startswith(f"{path}: ")


# -- impossible -------------------------------------------------------------------------------


def at(path: str, problem: str) -> str:
    return f"position{path}: {problem}"


def lost(path: str, card: str, allowed: str) -> str:
    return at(path, f"{card} does not belong here; allowed: {allowed}")


def odd(word: str) -> str:
    return at(".tables[0].started", f"{word}, but the battle pile and the safeties say otherwise")


T0 = ".tables[0]"
TWICE = at("", "2 copies of EXTRA_TANK; the deck has 1")
UNKNOWN = f"unknown card #; the cards are {CARD_NAMES}"
TOKENS = "RED_LIGHT, OUT_OF_GAS, FLAT_TIRE, ACCIDENT"
FAR = "1000 km, but a hand in play is below 1000 km"

CLASSIC: dict[str, list[Any]] = {
    # cards
    at(".hands[0][1]", UNKNOWN.replace("#", "'D30'")): [position(hands=[["D25", "D30"], []])],
    at(".discard[0]", UNKNOWN.replace("#", "'d25'")): [position(discard=["d25"])],
    at(".draw[0]", UNKNOWN.replace("#", r"'D25\n'")): [position(draw=["D25\n"])],
    at("", "11 copies of D25; the deck has 10"): [position(draw=["D25"] * 10)],
    at("", "4 copies of FLAT_TIRE; the deck has 3"): [
        position(draw=["FLAT_TIRE"] * 2, discard=["FLAT_TIRE"] * 2)
    ],
    TWICE: [
        position(hands=[["EXTRA_TANK"], ["EXTRA_TANK"]]),
        position(hands=[["EXTRA_TANK"], []], draw=["EXTRA_TANK"]),
        position(draw=["EXTRA_TANK"], discard=["EXTRA_TANK"]),
        position(hands=[["EXTRA_TANK"], []], tables=[{}, {"safeties": ["EXTRA_TANK"]}]),
        position(tables=[{"safeties": ["EXTRA_TANK"]}] * 2),
    ],
    # hands, tables, turn
    at(".hands", "1 hands for 2 seats"): [position(hands=[["D25"]])],
    at(".hands", "3 hands for 2 seats"): [position(hands=[["D25"], [], []])],
    at(".tables", "1 tables for 2 teams"): [position(tables=[{}])],
    at(".tables", "4 tables for 2 teams"): [position(tables=[{}] * 4)],
    at(".hands[0]", "8 cards; a hand has at most 7"): [position(hands=[["D25"] * 8, []])],
    at(".hands[0]", "7 cards; at this point it has at most 6"): [
        turn(seat=0, stage="start") | {"hands": [["D25"] * 7, ["D50"]]},
    ],
    at(".hands[1]", "7 cards; at this point it has at most 6"): [
        position(hands=[["D25"], ["D50"] * 7]),
        turn(seat=0, stage="start") | {"hands": [["D25"], ["D50"] * 7]},
        turn(seat=1, stage="start") | {"hands": [["D25"], ["D50"] * 7]},
    ],
    at(".turn.seat", "2 is out of range; allowed: from 0 to 1"): [turn(seat=2)],
    at(".turn.seat", "-1 is out of range; allowed: from 0 to 1"): [turn(seat=-1)],
    at(".turn", "seat 0 must play, but has no card"): [position(hands=[[], ["D25"]])],
    # piles
    lost(f"{T0}.battle[0]", "D25", BATTLE): [table(battle=["D25"])],
    lost(f"{T0}.battle[1]", "SPEED_LIMIT", BATTLE): [table(battle=["GREEN_LIGHT", "SPEED_LIMIT"])],
    lost(f"{T0}.battle[0]", "EXTRA_TANK", BATTLE): [table(battle=["EXTRA_TANK"])],
    lost(f"{T0}.speed[0]", "RED_LIGHT", "SPEED_LIMIT, END_OF_LIMIT"): [table(speed=["RED_LIGHT"])],
    lost(f"{T0}.distance[0]", "GASOLINE", "D25, D50, D75, D100, D200"): [
        table(distance=["GASOLINE"])
    ],
    # safeties
    lost(f"{T0}.safeties[0]", "REPAIRS", SAFETIES): [table(safeties=["REPAIRS"])],
    lost(f"{T0}.coups_fourres[0]", "D25", SAFETIES): [table(coups_fourres=["D25"])],
    at(f"{T0}.safeties[1]", "EXTRA_TANK stands there twice"): [table(safeties=["EXTRA_TANK"] * 2)],
    at(f"{T0}.coups_fourres", "EXTRA_TANK is not among the safeties"): [
        table(coups_fourres=["EXTRA_TANK"]),
        table(coups_fourres=["EXTRA_TANK"], safeties=["RIGHT_OF_WAY"]),
        position(tables=[{"coups_fourres": ["EXTRA_TANK"]}, {"safeties": ["EXTRA_TANK"]}]),
    ],
    # kilometres
    at(f"{T0}.distance", FAR): [table(distance=["D100"] * 10)],
    at(f"{T0}.distance", FAR.replace("1000", "1100", 1)): [table(distance=["D100"] * 9 + ["D200"])],
    at(f"{T0}.distance", "3 cards of 200 km; at most 2 (R29)"): [table(distance=["D200"] * 3)],
    at(f"{T0}.bonus_km", "-1 is out of range; allowed: from 0 to 1000000000"): [table(bonus_km=-1)],
    at(".target", "700 km; under these rules it is 1000"): [position(target=700)],
    # started
    odd("true"): [table(started=True)],
    odd("false"): [
        table(started=False, battle=["GREEN_LIGHT"]),
        table(started=False, safeties=["RIGHT_OF_WAY"]),
    ],
}
ANSWERED = {"safeties": ["EXTRA_TANK"], "coups_fourres": ["EXTRA_TANK"]}
OTHERS: dict[str, dict[str, list[Any]]] = {
    "leaflet": {
        at("", "3 copies of ACCIDENT; the deck has 2"): [position(discard=["ACCIDENT"] * 3)],
        at(f"{T0}.distance", FAR.replace("1000", "700")): [table(distance=["D100"] * 7)],
        at(f"{T0}.distance", FAR): [table(distance=["D100"] * 10) | {"target": 1000}],
        at(".target", "800 km; under these rules it is 700 or 1000"): [position(target=800)],
    },
    "express": {
        at("", "4 copies of D200; the deck has 3"): [position(draw=["D200"] * 3)],
        at(".hands[0]", "6 cards; a hand has at most 5"): [position(hands=[["D25"] * 6, []])],
        at(".hands[1]", "5 cards; at this point it has at most 4"): [
            position(hands=[["D25"], ["D50"] * 5])
        ],
        at(f"{T0}.distance", FAR): [
            table(bonus_km=300, distance=["D100"] * 7, **ANSWERED),
        ],
        odd("false"): [
            table(started=False, battle=["GREEN_LIGHT"]),
            table(started=False, safeties=["RIGHT_OF_WAY"]),
        ],
    },
    "plateau": {
        TWICE: [position(hands=[["EXTRA_TANK"], []], tables=[{"safeties": ["EXTRA_TANK"]}, {}])],
        at(f"{T0}.battle", "more than one token (P04)"): [table(battle=["RED_LIGHT", "ACCIDENT"])],
        at(f"{T0}.speed", "more than one token (P04)"): [table(speed=["SPEED_LIMIT"] * 2)],
        lost(f"{T0}.battle[0]", "GREEN_LIGHT", TOKENS): [table(battle=["GREEN_LIGHT"])],
        lost(f"{T0}.speed[0]", "END_OF_LIMIT", "SPEED_LIMIT"): [table(speed=["END_OF_LIMIT"])],
    },
}
IMPOSSIBLE = [
    (preset, given, wanted)
    for preset, refused in {"classic": CLASSIC, **OTHERS}.items()
    for wanted, positions in refused.items()
    for given in positions
]


@pytest.mark.parametrize(("preset", "given", "wanted"), IMPOSSIBLE)
def test_impossible_position_is_refused(preset: str, given: Any, wanted: str) -> None:
    assert str(refusal(frame_of(preset), given)) == wanted


@pytest.mark.parametrize("where", ["hands", "draw", "discard", "battle", "distance"])
@pytest.mark.parametrize("copies", [255, 256, 1000])
def test_any_number_of_copies_is_refused_and_not_just_a_few(where: str, copies: int) -> None:
    """Counts are bytes inside; what does not fit into one is refused like everything else."""
    cards = ["D25"] * copies
    given = {
        "hands": position(hands=[cards, []]),
        "draw": position(draw=cards),
        "discard": position(discard=cards),
        "battle": table(battle=["FLAT_TIRE"] * copies),
        "distance": table(distance=["D25"] * copies),
    }[where]
    error = refusal(frame_of("classic"), given)
    assert error.field in {"position", "position.hands[0]", "position.tables[0].distance"}


def test_players_decide_how_many_hands_and_tables_there_are() -> None:
    frame = frame_of("classic", 6)
    error = refusal(frame, position(hands=[["D25"]] * 3))
    assert str(error) == "position.hands: 3 hands for 6 seats"
    error = refusal(frame, position(hands=[["D25"]] * 6, tables=[{}] * 6))
    assert str(error) == "position.tables: 6 tables for 3 teams"
