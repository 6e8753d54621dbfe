"""Small texts for pages: numbers, places, moments, and names of any length in any script."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["cut", "number", "shown", "utc"]

_JOINERS: Final = "\u200c\u200d"
"""Invisible, and needed to write Persian, Hindi and composed emoji."""

_LAST_CONTROL: Final = "\x9f"
_WIDE: Final = ("W", "F")
_UNSPACED: Final = ("Mn", "Me", "Cf")
_DAY: Final = 86_400_000  # milliseconds
_ERA: Final = 146_097  # days of 400 years
_TO_MARCH_OF_YEAR_0: Final = 719_468  # days before 1970


def shown(text: str) -> str:
    r"""A text in which nothing acts without being seen, such as a change of writing direction.

    Such a character becomes its number, `\u202e`. Line ends and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(one if _is_harmless(one) else _escaped(one) for one in text)


def _is_harmless(one: str) -> bool:
    return one.isprintable() or one in _JOINERS or one in "\n\t" or _is_space(one)


def _is_space(one: str) -> bool:
    return one.isspace() and one > _LAST_CONTROL


def _escaped(one: str) -> str:
    return f"\\u{ord(one):04x}"


def cut(text: str, columns: int) -> str:
    """A text in so many columns, with an ellipsis if it is cut; a wide character takes two."""
    if sum(map(_columns, text)) <= columns:
        return text
    taken, found = 1, []  # the ellipsis takes one
    for one in text:
        taken += _columns(one)
        if taken > columns:
            break
        found.append(one)
    return "".join(found).rstrip() + "…"


def _columns(one: str) -> int:
    if unicodedata.category(one) in _UNSPACED:
        return 0
    return 2 if unicodedata.east_asian_width(one) in _WIDE else 1


def number(value: float) -> str:
    """A number of points, with up to two digits after the point."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def utc(moment: int) -> str:
    """Milliseconds since 1970 as `2026-12-01 08:00:05 UTC`.

    It is not local time, so that the pages of an archive are the same wherever they are made. The
    years are counted from March, which puts the leap day at their end.
    """
    days, rest = divmod(moment, _DAY)
    era, day = divmod(days + _TO_MARCH_OF_YEAR_0, _ERA)
    year = (day - day // 1460 + day // 36_524 - day // 146_096) // 365
    day -= 365 * year + year // 4 - year // 100
    march = (5 * day + 2) // 153  # months since March
    month = march + 3 if march < 10 else march - 9
    date = day - (153 * march + 2) // 5 + 1
    seconds = rest // 1000
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{400 * era + year + (month <= 2):04}-{month:02}-{date:02} {clock} UTC"
