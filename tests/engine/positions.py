"""Positions as the tests write them: a sound one, with changes."""

from __future__ import annotations

from typing import Any, Final

from arena.engine.rulesets import Value, make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import Frame, make_frame

ABSENT: Final = object()
"""As a value: the key is left out."""


def frame_of(preset: str, players: int = 2, **options: Value) -> Frame:
    rules = make_ruleset(preset, options, players=players)
    return make_frame(rules, make_seating(rules, players), dealer=players - 1)


def position(**changes: Any) -> dict[str, Any]:
    """A sound position of two players, with changes; ABSENT takes a key out."""
    sound: dict[str, Any] = {
        "hands": [["D25", "RED_LIGHT"], ["D50"]],
        "tables": [{"battle": ["GREEN_LIGHT"], "distance": ["D100"]}, {}],
        "draw": ["D75"],
        "discard": ["D200"],
        "turn": {"seat": 0, "stage": "play"},
    }
    return {key: value for key, value in (sound | changes).items() if value is not ABSENT}


def table(**parts: Any) -> dict[str, Any]:
    return position(tables=[parts, {}])


def turn(seat: Any = 0, stage: Any = "play", **more: Any) -> dict[str, Any]:
    given = {"seat": seat, "stage": stage} | more
    return position(turn={key: value for key, value in given.items() if value is not ABSENT})
