"""Texts of strangers on their way to others: what would move a cursor or turn a line is shown."""

from __future__ import annotations

__all__ = ["one_line", "several_lines"]


def one_line(text: str, longest: int = 2000) -> str:
    """A text as one line, nothing in it unprintable, cut short.

    Escapes, line breaks, NUL, half characters and what turns the direction of writing become
    what Python writes for them.
    """
    shown = "".join(one if one.isprintable() else _escaped(one) for one in text[: longest + 1])
    return shown if len(shown) <= longest else shown[: longest - 3] + "..."


def several_lines(text: str, longest: int = 100_000) -> str:
    """The same, but for line breaks and tabs."""
    return "".join(
        one if one.isprintable() or one in "\n\t" else _escaped(one) for one in text[:longest]
    )


def _escaped(one: str) -> str:
    return one.encode("unicode_escape", "surrogatepass").decode("ascii")
