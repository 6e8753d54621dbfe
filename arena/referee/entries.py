"""The lines of a record as values: which members each kind of line has, and what they may hold.

`read_entry` is the only way from JSON to one of these, so whoever holds one knows its form: every
member is there, none is too many, numbers are whole and from 0 up, below 2^63. What the members
mean stands in README.md beside this file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, NoReturn, get_type_hints

from arena.engine.fields import shown
from arena.errors import FieldError, quoted

__all__ = [
    "ClosedLine",
    "Entry",
    "ForfeitLine",
    "GameLine",
    "HandLine",
    "PlayLine",
    "RejectedLine",
    "ResultLine",
    "SeedsLine",
    "StartLine",
    "SurplusLine",
    "VerdictLine",
    "WindowLine",
    "is_count",
    "name_of",
    "read_entry",
]


class StartLine(NamedTuple):
    """A bot is started for a leg."""

    at: int
    bot: int
    leg: int


class GameLine(NamedTuple):
    """A game begins; `bots` by seat."""

    at: int
    game: int
    board: int
    rotation: int
    bots: list[int]


class PlayLine(NamedTuple):
    """An action; see `events.Played`."""

    at: int
    seat: int
    bot: int
    kind: str
    action: str
    answered: bool
    prompt: int
    spent: int
    lag: int
    bank: int
    fault: str | None
    events: list[str]


class WindowLine(NamedTuple):
    """A response window opens."""

    at: int
    window: int
    attack: str
    team: int
    seats: list[int]
    lasts: int


class ClosedLine(NamedTuple):
    """It closes."""

    at: int
    window: int
    by: int | None


class SurplusLine(NamedTuple):
    """A message that changed nothing."""

    at: int
    bot: int
    fault: str
    late_by: int | None


class RejectedLine(NamedTuple):
    """A prompt to which the default action will be played, and what the bot was told of it."""

    at: int
    bot: int
    prompt: int
    reason: str
    strikes: int
    detail: str


class HandLine(NamedTuple):
    """A hand is over."""

    at: int
    game: int
    hand: int
    end: str
    winner: int | None
    km: list[int]
    points: list[int]
    totals: list[int]


class ResultLine(NamedTuple):
    """A game is over; see `events.GameResult`."""

    at: int
    game: int
    hands: int
    totals: list[int]
    km: list[int]
    winner: int | None
    ranks: list[int]
    forfeited: list[int]
    finished: bool


class ForfeitLine(NamedTuple):
    """A bot has lost the match."""

    at: int
    bot: int
    reason: str
    detail: str
    game: int


class SeedsLine(NamedTuple):
    """The seeds of the boards, in hexadecimal digits."""

    seeds: list[str]


class VerdictLine(NamedTuple):
    """How the attempt ended; `ranks` by bot."""

    at: int
    kind: str
    void: str
    ranks: list[int] | None
    lines: int


Entry = (
    StartLine
    | GameLine
    | PlayLine
    | WindowLine
    | ClosedLine
    | SurplusLine
    | RejectedLine
    | HandLine
    | ResultLine
    | ForfeitLine
    | SeedsLine
    | VerdictLine
)

_MOST: Final = 1 << 63


def is_count(value: object) -> bool:
    """Whether it is a whole number from 0 up, below 2^63; true and false are none."""
    return type(value) is int and 0 <= value < _MOST


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_counts(value: object) -> bool:
    return isinstance(value, list) and all(map(is_count, value))


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


class _Form(NamedTuple):
    accepts: Callable[[object], bool]
    words: str


_FORMS: Final[Mapping[object, _Form]] = {
    int: _Form(is_count, "a whole number from 0 up"),
    int | None: _Form(lambda value: value is None or is_count(value), "a number or null"),
    bool: _Form(lambda value: isinstance(value, bool), "true or false"),
    str: _Form(_is_text, "a text"),
    str | None: _Form(lambda value: value is None or _is_text(value), "a text or null"),
    list[int]: _Form(_are_counts, "a list of whole numbers from 0 up"),
    list[int] | None: _Form(
        lambda value: value is None or _are_counts(value), "a list of numbers or null"
    ),
    list[str]: _Form(_are_texts, "a list of texts"),
}


class _Shape(NamedTuple):
    """A kind of line: how it is made of its values, and for each of those name and form."""

    make: Callable[[list[object]], Entry]
    names: tuple[str, ...]
    forms: tuple[_Form, ...]
    accepts: tuple[Callable[[object], bool], ...]


def _shape(line: type[Entry]) -> _Shape:
    hints = get_type_hints(line)
    forms = tuple(_FORMS[hint] for hint in hints.values())
    return _Shape(line._make, tuple(hints), forms, tuple(form.accepts for form in forms))


_KINDS: Final[Mapping[str, type[Entry]]] = {
    "start": StartLine,
    "game": GameLine,
    "play": PlayLine,
    "window": WindowLine,
    "closed": ClosedLine,
    "surplus": SurplusLine,
    "rejected": RejectedLine,
    "hand": HandLine,
    "result": ResultLine,
    "forfeit": ForfeitLine,
    "seeds": SeedsLine,
    "verdict": VerdictLine,
}
_SHAPES: Final = {name: _shape(line) for name, line in _KINDS.items()}
_NAMES: Final = {line: name for name, line in _KINDS.items()}


def name_of(line: type[Entry]) -> str:
    """The `t` of a kind of line."""
    return _NAMES[line]


def read_entry(kind: str, members: Mapping[str, object]) -> Entry:
    """The line whose member `t` is `kind`, from all its members but `chain`.

    Raises:
        FieldError: there is no such line, or it does not have these members with such values.
    """
    shape = _SHAPES.get(kind)
    if shape is None:
        raise FieldError("t", f"no line is called {quoted(kind)}; there are {', '.join(_SHAPES)}")
    values = [members.get(name, _MISSING) for name in shape.names]
    for at, accepts in enumerate(shape.accepts):
        if not accepts(values[at]):
            _refuse(shape.names[at], values[at], shape.forms[at])
    if len(members) != len(values) + 1:
        extra = next(name for name in members if name not in shape.names and name != "t")
        raise FieldError(extra, f"a {kind} line has no such member")
    return shape.make(values)


_MISSING: Final = object()


def _refuse(name: str, value: object, form: _Form) -> NoReturn:
    what = "is missing" if value is _MISSING else f"is {shown(value)}"
    raise FieldError(name, f"{what}, must be {form.words}")
