"""Individual tables of three to six: everybody meets everybody equally often, as far as can be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from arena.formats.scheduled import Scheduled

__all__ = ["Tables"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables(Scheduled):
    """Rounds of tables at which everybody plays for itself."""

    NAME: ClassVar[str] = "tables"
    KINDS: ClassVar[tuple[tuple[int, ...], ...]] = tuple((1,) * seats for seats in range(3, 7))
