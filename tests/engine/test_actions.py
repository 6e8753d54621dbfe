"""The closed set of actions: interned, immutable, and read from their notation with good errors."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.actions import ACTIONS, BY_TEXT, MAX_TEAMS, Action, Verb, parse_action
from arena.engine.cards import CARDS, HAZARDS, REMEDIES, SAFETIES
from arena.errors import NotationError, quoted

CARD_NAMES = [card.name for card in CARDS]
WORDS = [*Verb, *CARD_NAMES, *("on", "pile", "discard", "0", "3", "4", "-1", "D30", "d25", "x")]


def refusal(text: str) -> str:
    with pytest.raises(NotationError) as refused:
        parse_action(text)
    message = str(refused.value)
    assert len(message.splitlines()) == 1
    return message


def test_actions_are_those_of_the_format() -> None:
    wanted = ["draw pile", "draw discard", "pass", "extend", "stop"]
    wanted += [f"play {card}" for card in CARDS if card not in HAZARDS]
    wanted += [f"play {card} on {team}" for card in HAZARDS for team in range(MAX_TEAMS)]
    wanted += [f"discard {card}" for card in CARDS]
    wanted += [f"coup_fourre {card}" for card in SAFETIES]
    wanted += [f"top {card}" for card in (*REMEDIES, *HAZARDS)]
    assert sorted(map(str, ACTIONS)) == sorted(wanted)
    assert len(ACTIONS) == len(BY_TEXT) == 72


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_action_exists_once(action: Action) -> None:
    assert parse_action(action.text) is action
    assert parse_action(" ".join(str(action).split())) is action
    assert ACTIONS[action.code] is action
    assert copy.deepcopy(action) is action
    assert pickle.loads(pickle.dumps(action)) is action
    assert repr(action) == f"<{action.text}>"


@pytest.mark.parametrize("action", ACTIONS, ids=str)
def test_action_says_what_it_is(action: Action) -> None:
    first, *rest = action.text.split()
    assert action.verb == first
    if action.card is None:
        assert (action.kind, action.bit) == (-1, 0)
    else:
        assert rest[0] == action.card.name
        assert (action.kind, action.bit) == (int(action.card), 1 << int(action.card))
    assert (action.team is None) == ("on" not in rest)


@pytest.mark.parametrize("name", Action.__slots__)
def test_action_cannot_be_changed(name: str) -> None:
    with pytest.raises(AttributeError, match=f"immutable: cannot set {name}"):
        setattr(ACTIONS[0], name, 1)


def test_action_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="parse_action"):
        Action()


REFUSED: dict[str, tuple[str, ...]] = {
    "an action begins with one of draw, play, discard, coup_fourre, pass, extend, stop, top": (
        *("", " ", "lay D25", "Play D25", "PASS", "D25", "pile", "\u2028", "7", "playD25", "stop."),
    ),
    "write `draw pile` or `draw discard`": ("draw", "draw x", "draw D25", "draw pile discard"),
    "write `play CARD`": ("play", "play "),
    "write `discard CARD`": ("discard", "discard\n"),
    "write `coup_fourre CARD`": ("coup_fourre",),
    "write `top CARD`": ("top",),
    "`pass` stands alone": ("pass D25", " pass", "pass pass"),
    "`extend` stands alone": ("extend 1000",),
    "`stop` stands alone": ("stop\n",),
    "write `play D25`": (
        *(" play D25", "play  D25", "play\tD25", "play D25\n", "play D25 on 1", "play D25 D25"),
    ),
    "write `play RED_LIGHT on T` with a team T from 0 to 3": (
        *("play RED_LIGHT", "play RED_LIGHT on", "play RED_LIGHT 1", "play RED_LIGHT ON 1"),
        *(f"play RED_LIGHT on {team}" for team in ("4", "-1", "x", "01", "1 ", "1 2")),
    ),
    "write `discard D25`": ("discard D25 D50", "discard D25 on 1"),
    "only a safety answers an attack: RIGHT_OF_WAY, EXTRA_TANK, PUNCTURE_PROOF, DRIVING_ACE": (
        *("coup_fourre D25", "coup_fourre GREEN_LIGHT", "coup_fourre RED_LIGHT on 1"),
    ),
    "write `coup_fourre EXTRA_TANK`": ("coup_fourre EXTRA_TANK on 1",),
    "only a remedy or a hazard can be put on top": ("top D25", "top EXTRA_TANK"),
    "write `top GASOLINE`": ("top GASOLINE x",),
}
"""What would be right, and texts of which it must be said."""


@pytest.mark.parametrize(
    ("text", "right"), [(text, right) for right, texts in REFUSED.items() for text in texts]
)
def test_refusal_names_the_text_and_says_what_is_right(text: str, right: str) -> None:
    assert refusal(text) == f"unknown action {quoted(text)}; {right}"


@pytest.mark.parametrize("verb", ["play", "discard", "coup_fourre", "top"])
@pytest.mark.parametrize(("card", "end"), [("D30", ""), ("d25", " on 1"), ("GREEN-LIGHT", "\n")])
def test_unknown_card_is_named_with_the_text_it_stands_in(verb: str, card: str, end: str) -> None:
    message = refusal(f"{verb} {card}{end}")
    assert quoted(f"{verb} {card}{end}") in message
    assert f"unknown card {quoted(card)}; the cards are {' '.join(CARD_NAMES)}" in message


@given(st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join) | st.text())
def test_text_is_an_action_or_refused_in_one_line(text: str) -> None:
    if text in BY_TEXT:
        assert parse_action(text).text == text
    else:
        assert refusal(text).startswith("unknown ")
