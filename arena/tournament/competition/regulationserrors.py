"""What is wrong with regulations: every mistake, each with its place, as one error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError, quoted
from arena.submissions.tomlplaces import Path

__all__ = ["Mistake", "RegulationsError", "refuse"]

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing that is wrong.

    Attributes:
        path: Where it is, such as ("stage", 1, "advance").
        problem: What is wrong, and what would be right.
        line: Its line in the file, from 1; 0: there is no file.
    """

    path: Path
    problem: str
    line: int = 0

    @property
    def subject(self) -> str:
        """The key that it is about, such as `stage.advance`; the line tells which of several."""
        keys = (key for key in self.path if isinstance(key, str))
        return ".".join(key if _PLAIN.fullmatch(key) else quoted(key) for key in keys)

    def __str__(self) -> str:
        where = f"line {self.line}" if self.line else ""
        return ": ".join(filter(None, (where, self.subject, self.problem)))


class RegulationsError(InputError):
    """Regulations that cannot be: the text is the first mistake, and how many more there are.

    Attributes:
        mistakes: All of them, in the order of their lines.
        name: What the file is called; empty: there is none.
    """

    def __init__(self, mistakes: Iterable[Mistake], name: str = "") -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda one: one.line))
        self.name = name
        first, *others = self.mistakes
        more = f" (and {len(others)} more)" if others else ""
        super().__init__(f"{name}: {first}{more}" if name else f"{first}{more}")


def refuse(mistakes: Iterable[Mistake]) -> None:
    """Refuse what has mistakes.

    Raises:
        RegulationsError: there is at least one.
    """
    if found := tuple(mistakes):
        raise RegulationsError(found)
