"""The `expect` of a conformance step: what must hold now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from arena.engine.actions import is_no_move, parse_action
from arena.engine.cards import CARDS, DISTANCES, SAFETIES, cards_of
from arena.engine.codes import plain
from arena.engine.fields import (
    Json,
    as_bool,
    as_cards,
    as_int,
    as_list,
    as_object,
    as_text,
    as_word,
)
from arena.engine.position import (
    BATTLE_CARDS,
    SPEED_CARDS,
    TABLE_KEYS,
    card_names,
    safeties_of,
)
from arena.engine.rules import KIND_NAMES, asked, legal
from arena.engine.scoring import hand_result
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, HandState, Reason, TableView
from arena.errors import FieldError, NotationError, quoted

REASONS: Final = tuple(reason.name.lower() for reason in Reason)


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Something that is not as a case expects: where, what was expected, what was found."""

    field: str
    expected: Json
    actual: Json

    def within(self, path: str) -> Mismatch:
        """The same, seen from further out."""
        return Mismatch(f"{path}.{self.field}", self.expected, self.actual)

    def __str__(self) -> str:
        return f"{self.field}: expected {_plain(self.expected)}, actual {_plain(self.actual)}"


def _plain(value: Json) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_plain, value)) + "]"
    return (
        {None: "null", True: "true", False: "false"}.get(value, str(value))
        if (value is None or isinstance(value, bool))
        else str(value)
    )


Found = Callable[[HandState], Json]


@dataclass(frozen=True, slots=True)
class _Check:
    """One thing to look at and what it must be."""

    field: str
    expected: Json
    found: Found
    holds: Callable[[Json, Json], bool] = lambda expected, found: expected == found


@dataclass(frozen=True, slots=True)
class Expectation:
    """All checks of one `expect`."""

    checks: tuple[_Check, ...]

    def compare(self, state: HandState) -> Mismatch | None:
        """The first check that does not hold, or None."""
        for check in self.checks:
            found = check.found(state)
            if not check.holds(check.expected, found):
                return Mismatch(check.field, check.expected, found)
        return None


def read_expectation(value: Json, path: str, seating: Seating) -> Expectation:
    """Read an `expect`.

    Raises:
        FieldError: a key or value breaks the format.
    """
    given = as_object(value, path, READERS)
    checks = tuple(
        check
        for key, wanted in given.items()
        for check in READERS[key](wanted, f"{path}.{key}", seating)
    )
    return Expectation(checks)


Checks = tuple[_Check, ...]


def _asked(value: Json, path: str, seating: Seating) -> Checks:
    seats = [
        as_int(seat, f"{path}[{at}]", 0, seating.players - 1)
        for at, seat in enumerate(as_list(value, path))
    ]
    return (_Check("asked", seats, lambda state: list(asked(state))),)


def _kind(value: Json, path: str, _seating: Seating) -> Checks:
    kind = as_word(value, path, KIND_NAMES[:-1])
    return (_Check("kind", kind, lambda state: KIND_NAMES[state.stage]),)


def _actions(value: Json, path: str, *, absent: bool = False) -> list[Json]:
    """The actions of a list, sorted, each once; `absent` ones may be moves that nobody can make."""
    texts: set[str] = set()
    for at, given in enumerate(as_list(value, path)):
        text = as_text(given, f"{path}[{at}]")
        if not (absent and is_no_move(text)):
            try:
                parse_action(text)
            except NotationError as error:
                raise FieldError(f"{path}[{at}]", str(error)) from None
        texts.add(text)
    return [*sorted(texts)]


def _legal_now(state: HandState) -> list[Json]:
    seats = asked(state)
    return sorted((one.text for one in legal(state, seats[0])), key=str) if seats else []


def _legal(value: Json, path: str, _seating: Seating) -> Checks:
    return (_Check("legal", _actions(value, path), _legal_now),)


def _legal_has(value: Json, path: str, _seating: Seating) -> Checks:
    return tuple(_Check("legal_has", text, _legal_now, _is_in) for text in _actions(value, path))


def _legal_lacks(value: Json, path: str, _seating: Seating) -> Checks:
    return tuple(
        _Check("legal_lacks", text, _legal_now, _is_not_in)
        for text in _actions(value, path, absent=True)
    )


def _is_in(expected: Json, found: Json) -> bool:
    return isinstance(found, list) and expected in found


def _is_not_in(expected: Json, found: Json) -> bool:
    return not _is_in(expected, found)


def _hands(value: Json, path: str, seating: Seating) -> Checks:
    return tuple(
        _hand(_number(key, path, seating.players), cards, f"{path}.{key}")
        for key, cards in as_object(value, path).items()
    )


def _hand(seat: int, value: Json, path: str) -> _Check:
    wanted = card_names(sorted(as_cards(value, path)))
    return _Check(f"hands.{seat}", wanted, lambda state: card_names(cards_of(state.hands[seat])))


def _number(key: str, path: str, below: int) -> int:
    if key not in {str(number) for number in range(below)}:
        raise FieldError(path, f"key {quoted(key)} is not a number from 0 to {below - 1}")
    return int(key)


def _tables(value: Json, path: str, seating: Seating) -> Checks:
    checks: list[_Check] = []
    for key, table in as_object(value, path).items():
        team = _number(key, path, len(seating.teams))
        where = f"{path}.{key}"
        for name, wanted in as_object(table, where, TABLE_PARTS).items():
            checks.append(_table_part(team, name, wanted, f"{where}.{name}"))
    return tuple(checks)


def _table_part(team: int, name: str, value: Json, path: str) -> _Check:
    read, found = TABLE_PARTS[name]
    return _Check(
        f"tables.{team}.{name}", read(value, path), lambda state: found(state.tables[team])
    )


def _cards(*allowed: int) -> Callable[[Json, str], Json]:
    kinds = [CARDS[card] for card in allowed]
    return lambda value, path: card_names(as_cards(value, path, kinds))


def _safeties(value: Json, path: str) -> Json:
    return card_names(sorted(as_cards(value, path, SAFETIES)))


TABLE_PARTS: Final[
    Mapping[str, tuple[Callable[[Json, str], Json], Callable[[TableView], Json]]]
] = {
    "battle": (_cards(*BATTLE_CARDS), lambda table: card_names(table.battle)),
    "speed": (_cards(*SPEED_CARDS), lambda table: card_names(table.speed)),
    "distance": (_cards(*DISTANCES), lambda table: card_names(table.distance)),
    "safeties": (_safeties, lambda table: card_names(safeties_of(table.safeties))),
    "coups_fourres": (_safeties, lambda table: card_names(safeties_of(table.coups_fourres))),
    "bonus_km": (as_int, lambda table: table.bonus_km),
    "started": (as_bool, lambda table: table.started),
    "km": (as_int, lambda table: table.km),
    "moving": (as_bool, lambda table: table.moving),
    "limited": (as_bool, lambda table: table.limited),
}
if not set(TABLE_KEYS) < set(TABLE_PARTS):
    raise AssertionError("a key of TABLE has no check")


def _draw_count(value: Json, path: str, _seating: Seating) -> Checks:
    return (_Check("draw_count", as_int(value, path), lambda state: state.left),)


def _discard_top(value: Json, path: str, _seating: Seating) -> Checks:
    wanted = None if value is None else card_names(as_cards([value], path))[0]
    return (_Check("discard_top", wanted, _top_of_discard),)


def _top_of_discard(state: HandState) -> Json:
    return CARDS[plain(state.discard[-1])].name if state.discard else None


def _discard_count(value: Json, path: str, _seating: Seating) -> Checks:
    return (_Check("discard_count", as_int(value, path), lambda state: len(state.discard)),)


def _over(value: Json, path: str, seating: Seating) -> Checks:
    if not isinstance(value, dict):
        if as_bool(value, path):
            raise FieldError(path, "true says too little: give an object with what must hold")
        return (_Check("over", False, lambda state: state.over),)
    given = as_object(value, path, ("reason", "winner", "points", "km"))
    checks = [_Check("over", True, lambda state: state.over)]
    teams = len(seating.teams)
    if "reason" in given:
        reason = as_word(given["reason"], f"{path}.reason", REASONS)
        checks.append(
            _Check("over.reason", reason, lambda state: REASONS[hand_result(state).reason])
        )
    if "winner" in given:
        winner = as_team(given["winner"], f"{path}.winner", teams)
        checks.append(_Check("over.winner", winner, _winner))
    for name in ("points", "km"):
        if name in given:
            checks.append(_numbers(name, given[name], f"{path}.{name}", teams))
    return tuple(checks)


def _winner(state: HandState) -> Json:
    return None if state.winner == NOBODY else state.winner


def _numbers(name: str, value: Json, path: str, teams: int) -> _Check:
    return _Check(
        f"over.{name}",
        [] if name == "points" and value == [] else as_ints(value, path, teams),
        lambda state: list(getattr(hand_result(state), name)),
    )


def as_ints(value: Json, path: str, count: int) -> list[int]:
    """`value` as a list of `count` whole numbers.

    Raises:
        FieldError: it is none.
    """
    given = as_list(value, path)
    if len(given) != count:
        raise FieldError(path, f"{len(given)} numbers for {count} teams")
    return [as_int(one, f"{path}[{at}]") for at, one in enumerate(given)]


def as_team(value: Json, path: str, teams: int) -> int | None:
    """`value` as a team's number, or null for none.

    Raises:
        FieldError: it is neither.
    """
    return None if value is None else as_int(value, path, 0, teams - 1)


READERS: Final[Mapping[str, Callable[[Json, str, Seating], Checks]]] = {
    "asked": _asked,
    "kind": _kind,
    "legal": _legal,
    "legal_has": _legal_has,
    "legal_lacks": _legal_lacks,
    "hands": _hands,
    "tables": _tables,
    "draw_count": _draw_count,
    "discard_top": _discard_top,
    "discard_count": _discard_count,
    "over": _over,
}
