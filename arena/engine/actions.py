"""The closed set of actions and their text (the notation of tests/conformance/README.md).

There are 90-odd actions in all. Each exists once: equal actions are the same object, so they can be
compared, hashed and put in tables freely. An action carries no seat; who plays it is said beside.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from arena.engine.cards import CARDS, HAZARDS, REMEDIES, SAFETIES, Card, card_named
from arena.errors import NotationError, quoted

MAX_TEAMS: Final = 4


class Verb(StrEnum):
    """What kind of thing an action does; the value is its first word in the notation."""

    DRAW = "draw"
    PLAY = "play"
    DISCARD = "discard"
    COUP_FOURRE = "coup_fourre"
    PASS = "pass"
    EXTEND = "extend"
    STOP = "stop"
    TOP = "top"


class Action:
    """One action: a verb, a card where the verb has one, a team where a hazard is laid on it.

    Attributes:
        verb: What it does.
        card: The card, or None for `draw`, `pass`, `extend` and `stop`.
        team: The team that a hazard is laid on, else None.
        text: The notation, e.g. `play FLAT_TIRE on 1`.
        code: The action's place in `ACTIONS`.
    """

    __slots__ = ("bit", "card", "code", "kind", "team", "text", "verb")

    verb: Verb
    card: Card | None
    team: int | None
    text: str
    code: int
    kind: int
    bit: int

    def __init__(self) -> None:
        raise TypeError("actions exist already: parse_action(text) returns one")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"an action is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        # Copies and pickles come back as the one object that exists.
        return parse_action, (self.text,)


def _make(code: int, verb: Verb, text: str, card: Card | None, team: int | None) -> Action:
    action = object.__new__(Action)
    values: dict[str, object] = {
        "code": code,
        "verb": verb,
        "text": text,
        "card": card,
        "team": team,
        "kind": -1 if card is None else int(card),
        "bit": 0 if card is None else 1 << card,
    }
    for name, value in values.items():
        object.__setattr__(action, name, value)
    return action


def _all_actions() -> tuple[Action, ...]:
    rows: list[tuple[Verb, str, Card | None, int | None]] = [
        (Verb.DRAW, "draw pile", None, None),
        (Verb.DRAW, "draw discard", None, None),
    ]
    rows += [(Verb.PLAY, f"play {card}", card, None) for card in CARDS if not card.is_hazard]
    rows += [
        (Verb.PLAY, f"play {card} on {team}", card, team)
        for team in range(MAX_TEAMS)
        for card in HAZARDS
    ]
    rows += [(Verb.DISCARD, f"discard {card}", card, None) for card in CARDS]
    rows += [(Verb.COUP_FOURRE, f"coup_fourre {card}", card, None) for card in SAFETIES]
    rows += [(verb, verb.value, None, None) for verb in (Verb.PASS, Verb.EXTEND, Verb.STOP)]
    rows += [(Verb.TOP, f"top {card}", card, None) for card in (*REMEDIES, *HAZARDS)]
    return tuple(
        _make(code, verb, text, card, team) for code, (verb, text, card, team) in enumerate(rows)
    )


ACTIONS: Final[tuple[Action, ...]] = _all_actions()
"""Every action there is, by code."""

BY_TEXT: Final[dict[str, Action]] = {action.text: action for action in ACTIONS}

DRAW_PILE: Final = BY_TEXT["draw pile"]
DRAW_DISCARD: Final = BY_TEXT["draw discard"]
PASS: Final = BY_TEXT["pass"]
EXTEND: Final = BY_TEXT["extend"]
STOP: Final = BY_TEXT["stop"]

PLAY: Final[dict[int, Action]] = {
    card: BY_TEXT[f"play {card}"] for card in CARDS if not card.is_hazard
}
LAY: Final[dict[tuple[int, int], Action]] = {
    (card, team): BY_TEXT[f"play {card} on {team}"] for card in HAZARDS for team in range(MAX_TEAMS)
}
DISCARD: Final[dict[int, Action]] = {card: BY_TEXT[f"discard {card}"] for card in CARDS}
COUP_FOURRE: Final[dict[int, Action]] = {card: BY_TEXT[f"coup_fourre {card}"] for card in SAFETIES}
TOP: Final[dict[int, Action]] = {card: BY_TEXT[f"top {card}"] for card in (*REMEDIES, *HAZARDS)}


_CARD: Final = "|".join(Card.__members__)
_WORDS: Final = re.compile(rf"(?:play|discard|coup_fourre|top) (?:{_CARD})(?: on \d)?")


def parse_action(text: str) -> Action:
    """Return the action that `text` names in the notation.

    Raises:
        NotationError: no action is written so; the message says what would be right.
    """
    action = BY_TEXT.get(text)
    if action is not None:
        return action
    raise NotationError(f"unknown action {quoted(text)}; {_what_is_right(text)}")


def is_no_move(text: str) -> bool:
    """Whether `text` is made of the notation's words but is an action of no rule set.

    `play GREEN_LIGHT on 1` and `coup_fourre D25` are: nobody may ever do that.
    """
    return text not in BY_TEXT and _WORDS.fullmatch(text) is not None


def _what_is_right(text: str) -> str:
    words = text.split()
    if not words or words[0] not in {verb.value for verb in Verb}:
        return f"an action begins with one of {', '.join(Verb)}"
    verb = Verb(words[0])
    if verb is Verb.DRAW:
        return "write `draw pile` or `draw discard`"
    if verb in (Verb.PASS, Verb.EXTEND, Verb.STOP):
        return f"`{verb}` stands alone"
    if len(words) == 1:
        return f"write `{verb} CARD`"
    try:
        card = card_named(words[1])
    except NotationError as error:
        return str(error)
    if verb is Verb.PLAY and card.is_hazard:
        return f"write `play {card} on T` with a team T from 0 to {MAX_TEAMS - 1}"
    if verb is Verb.COUP_FOURRE and not card.is_safety:
        return f"only a safety answers an attack: {', '.join(card.name for card in SAFETIES)}"
    if verb is Verb.TOP and not (card.is_hazard or card.is_remedy):
        return "only a remedy or a hazard can be put on top"
    return f"write `{verb} {card}`"
