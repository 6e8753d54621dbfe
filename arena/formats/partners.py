"""Teams of two whose partners change: everybody is with and against everybody equally often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.formats.scheduled import Scheduled

__all__ = ["Partners"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Partners(Scheduled):
    """Rounds of tables at which everybody has another partner.

    Points are each entrant's own: a team's result counts for both of it. That two are partners
    unequally often weighs three times as much as that they are opponents so.
    """

    NAME: ClassVar[str] = "partners"
    KINDS: ClassVar[tuple[tuple[int, ...], ...]] = ((2, 2), (2, 2, 2))
