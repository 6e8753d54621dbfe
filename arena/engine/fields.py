"""Reading JSON documents strictly: every value is checked, and a refusal names its field.

A field is written as a path, e.g. ``position.tables[1].battle[0]``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, cast

from arena.engine.cards import CARDS, Card, card_named
from arena.errors import ENDLESS, FieldError, NotationError, quoted

Json = object
"""Any value that a JSON document can hold."""


def shown(value: Json) -> str:
    """A value as it stands in the document, cut short."""
    names = {None: "null", True: "true", False: "false"}
    if value is None or isinstance(value, bool):
        return names[value]
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and abs(value) >= ENDLESS:
        return "an endless number"
    return quoted(value) if isinstance(value, str) else repr(value)


def as_object(value: Json, path: str, keys: Iterable[str] | None = None) -> Mapping[str, Json]:
    """`value` as an object; with `keys`, it may have no others.

    Raises:
        FieldError: it is no object, or a key is unknown.
    """
    if not isinstance(value, dict):
        raise FieldError(path, f"{shown(value)} is not an object")
    if keys is not None:
        known = list(keys)
        for key in value:
            if key not in known:
                raise FieldError(
                    path, f"unknown key {quoted(key)}; the keys are {', '.join(known)}"
                )
    return cast("Mapping[str, Json]", value)


def as_list(value: Json, path: str) -> Sequence[Json]:
    """`value` as a list.

    Raises:
        FieldError: it is none.
    """
    if not isinstance(value, list):
        raise FieldError(path, f"{shown(value)} is not a list")
    return cast("Sequence[Json]", value)


MOST: Final = 10**9
"""The largest number in a document that has no limit of its own; sums stay readable."""


def as_int(value: Json, path: str, low: int = 0, high: int | None = None) -> int:
    """`value` as a whole number from `low` to `high` (`MOST`).

    Raises:
        FieldError: it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise FieldError(path, f"{shown(value)} is not a whole number")
    high = MOST if high is None else high
    if not low <= value <= high:
        raise FieldError(path, f"{shown(value)} is out of range; allowed: from {low} to {high}")
    return value


def as_bool(value: Json, path: str) -> bool:
    """`value` as true or false.

    Raises:
        FieldError: it is neither.
    """
    if not isinstance(value, bool):
        raise FieldError(path, f"{shown(value)} is neither true nor false")
    return value


def as_text(value: Json, path: str) -> str:
    """`value` as a text.

    Raises:
        FieldError: it is none.
    """
    if not isinstance(value, str):
        raise FieldError(path, f"{shown(value)} is not a text")
    return value


def as_word(value: Json, path: str, words: Sequence[str]) -> str:
    """`value` as one of `words`.

    Raises:
        FieldError: it is none of them.
    """
    if value not in words:
        raise FieldError(path, f"{shown(value)} is not one of {', '.join(words)}")
    return as_text(value, path)


def as_cards(value: Json, path: str, allowed: Sequence[Card] = CARDS) -> bytes:
    """`value` as a list of card names, all among `allowed`; returns their kinds.

    Raises:
        FieldError: it is no list, a card is unknown, or it does not belong there.
    """
    cards = bytearray()
    for at, name in enumerate(as_list(value, path)):
        where = f"{path}[{at}]"
        try:
            card = card_named(as_text(name, where))
        except NotationError as error:
            raise FieldError(where, str(error)) from None
        if card not in allowed:
            names = ", ".join(one.name for one in allowed)
            raise FieldError(where, f"{card} does not belong here; allowed: {names}")
        cards.append(card)
    return bytes(cards)
