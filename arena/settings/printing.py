"""Settings as a file in TOML with a remark on each: what is in force, and an example to change."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, Final

from arena.ladder.rating import Parameters
from arena.referee.limits import FaultBudget, TimeControl
from arena.settings.values import Settings

__all__ = ["as_toml"]

_RATING: Final = {
    "mu": "The rating of an entrant that has not played,",
    "sigma": "and its deviation.",
    "beta": "Deviation of a performance: who is beta ahead wins 76 % of the games.",
    "tau": "How much skill may change between two matches.",
    "draw_probability": "How often two of the same skill draw.",
}
_LIMITS: Final = {
    "start_up": "Seconds from the start of a bot's process until it joins.",
    "turn": "Seconds for every prompt, free of charge,",
    "bank": "and seconds beyond that, in one game.",
    "response_window": "Seconds for a response.",
    "max_strikes": "So many timed out or illegal answers in a match are a forfeit.",
    "messages_per_prompt": "Messages that a bot may send for each prompt,",
    "surplus_messages": "and in a match beyond that.",
    "note_bytes": "Bytes of a note that are kept.",
}


def as_toml(settings: Settings) -> str:
    """All settings as TOML that `reading` takes; every line with what it means."""
    lines = [
        "# The settings of a Mille Arena. Every key may be left out. Durations are seconds.",
        "",
    ]
    for name in ("server", "sandbox", "matches"):
        lines += _section(name, getattr(settings, name))
    lines += ["[limits]", *_limits(settings), ""]
    for table in settings.tables:
        lines += _section("table", table, head="[[table]]")
    lines += [
        "[rating]  # changing these needs `arena admin rebuild`",
        *_rating(settings.rating),
        "",
    ]
    for name in ("probation", "quota"):
        lines += _section(name, getattr(settings, name))
    return "\n".join(lines).rstrip("\n") + "\n"


def _section(name: str, section: object, head: str = "") -> Iterator[str]:
    yield head or f"[{name}]"
    for one in fields(section):  # type: ignore[arg-type]
        yield f"# {one.metadata['meaning']}"
        yield f"{one.name} = {_value(getattr(section, one.name))}"
    yield ""


def _limits(settings: Settings) -> Iterator[str]:
    for one in fields(TimeControl):
        seconds = getattr(settings.limits.time, one.name) / 1e9
        yield f"# {_LIMITS[one.name]}"
        yield f"{one.name} = {_value(seconds)}"
    for one in fields(FaultBudget):
        yield f"# {_LIMITS[one.name]}"
        yield f"{one.name} = {_value(getattr(settings.limits.faults, one.name))}"


def _rating(rating: Parameters) -> Iterator[str]:
    for one in fields(rating):
        yield f"# {_RATING[one.name]}"
        yield f"{one.name} = {_value(getattr(rating, one.name))}"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(one) for one in value)}]"
    # What JSON escapes in a text is what TOML does, but for this one character.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
