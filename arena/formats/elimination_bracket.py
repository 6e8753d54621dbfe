"""The bracket of an elimination: its duels, who begins in them, and who goes where from them.

    w1.1 --winner--> w2.1 --winner--> ... --> g1.1   winners' bracket, and the grand final
      |               |
      '--loser--> l1.1 --> l2.1 --> ...              losers' bracket, if there is one

Duels are named by a letter for the part of the bracket (w winners', l losers', t for third place, g
grand final), the round of that part, and the place in it from the top. A bracket is drawn for the
next power of two; a duel in which nobody can be met is left out and keeps its name unused, so that
names say where a duel is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

__all__ = [
    "GRAND_FINAL",
    "RESET",
    "THIRD",
    "Bracket",
    "Duel",
    "Exit",
    "Source",
    "bracket_of",
    "placing",
]

GRAND_FINAL: Final = "g1.1"
RESET: Final = "g2.1"
THIRD: Final = "t1.1"


@dataclass(frozen=True, slots=True)
class Exit:
    """Who comes out of a duel: its winner, or its loser."""

    duel: str
    wins: bool


Source = int | Exit
"""Who is in a duel: an entrant from the start, or who comes out of an earlier one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duel:
    """Two of whom one goes on.

    Attributes:
        name: As `w2.1`.
        round: In the order of playing, from 1; duels of both brackets may have the same.
        title: For people.
        sides: Who is in it, the upper one first.
    """

    name: str
    round: int
    title: str
    sides: tuple[Source, Source]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bracket:
    """All duels, those that others wait for first.

    Attributes:
        goes: Where somebody who comes out of a duel goes on: the name of the duel, and its side.
            Who is not in it has come to an end.
    """

    duels: tuple[Duel, ...]
    goes: Mapping[Exit, tuple[str, int]]


@lru_cache(maxsize=16)  # asked for with every look at a stage, and always the same
def bracket_of(seeds: tuple[int, ...], *, double: bool = False, third: bool = False) -> Bracket:
    """The bracket for two or more entrants.

    Args:
        seeds: Entrants by their place in it: the first meets the last, and those who are missing
            to a power of two are byes for the first.
        double: With a losers' bracket: out is who has lost twice.
        third: Those who lose the semi-finals play for the third place.
    """
    drawn = _Drawing(seeds, double=double)
    drawn.winners()
    top = f"w{drawn.depth}.1"
    if double:
        last = drawn.losers()
        drawn.add(GRAND_FINAL, 2 * drawn.depth, "grand final", Exit(top, wins=True), last)
        first, second = Exit(GRAND_FINAL, wins=False), Exit(GRAND_FINAL, wins=True)
        drawn.add(RESET, 2 * drawn.depth + 1, "grand final (reset)", first, second)
    elif third and drawn.depth > 1:
        semis = [Exit(f"w{drawn.depth - 1}.{number}", wins=False) for number in (1, 2)]
        drawn.add(THIRD, drawn.depth, "match for third place", *semis)
    duels = tuple(drawn.duels.values())
    goes = {
        source: (duel.name, side)
        for duel in duels
        for side, source in enumerate(duel.sides)
        if isinstance(source, Exit)
    }
    return Bracket(duels=duels, goes=goes)


def placing(size: int) -> list[int]:
    """The places of seeding, from 0, from the top of a bracket for a power of two to its end.

    For 8: 0 7 3 4 1 6 2 5. If the better always wins, the best two meet last, and so on.
    """
    order = [0]
    while len(order) < size:
        doubled = 2 * len(order)
        order = [place for one in order for place in (one, doubled - 1 - one)]
    return order


class _Drawing:
    """A bracket while it is drawn, in which sides may be empty."""

    def __init__(self, seeds: tuple[int, ...], *, double: bool) -> None:
        self.depth = (len(seeds) - 1).bit_length()
        self.duels: dict[str, Duel] = {}
        self._seeds = seeds
        self._double = double
        self._passes: dict[Exit, Source | None] = {}

    def add(self, name: str, at: int, title: str, *sides: Source | None) -> None:
        """Draw a duel; with an empty side it is none, and who is in it passes."""
        upper, lower = (
            self._passes.get(side, side) if isinstance(side, Exit) else side for side in sides
        )
        if upper is None or lower is None:
            self._passes[Exit(name, wins=True)] = lower if upper is None else upper
            self._passes[Exit(name, wins=False)] = None
        else:
            self.duels[name] = Duel(name=name, round=at, title=title, sides=(upper, lower))

    def winners(self) -> None:
        sides: list[Source | None] = [
            self._seeds[place] if place < len(self._seeds) else None
            for place in placing(1 << self.depth)
        ]
        for number in range(1, self.depth + 1):
            at = max(1, 2 * number - 2) if self._double else number
            duels = len(sides) // 2
            for place in range(1, duels + 1):
                title = self._title(number, place)
                self.add(f"w{number}.{place}", at, title, *sides[2 * place - 2 : 2 * place])
            sides = [Exit(f"w{number}.{place}", wins=True) for place in range(1, duels + 1)]

    def losers(self) -> Exit:
        """The losers' bracket: who lost in a round of the winners' comes in every second round."""
        came = [Exit(f"w1.{place}", wins=False) for place in range(1, (1 << self.depth) // 2 + 1)]
        for number in range(1, 2 * self.depth - 1):
            if number % 2:
                sides = list(zip(came[::2], came[1::2], strict=True))
            else:
                sides = list(zip(_crossed(number // 2 + 1, len(came)), came, strict=True))
            last = number == 2 * self.depth - 2
            for place, pair in enumerate(sides, start=1):
                title = "losers' final" if last else f"losers' round {number}, duel {place}"
                self.add(f"l{number}.{place}", number + 1, title, *pair)
            came = [Exit(f"l{number}.{place}", wins=True) for place in range(1, len(sides) + 1)]
        return came[0]

    def _title(self, number: int, place: int) -> str:
        left = self.depth - number  # rounds after this one
        if self._double:
            return f"winners' round {number}, duel {place}" if left else "winners' final"
        name = ("final", f"semi-final {place}", f"quarter-final {place}")
        return name[left] if left < len(name) else f"round of {2 << left}, duel {place}"


def _crossed(number: int, duels: int) -> list[Exit]:
    """Who lost in a round of the winners' bracket, in the order of coming to the losers'.

    They come from the other end, and in every second round from the other half, so that two who met
    meet again as late as can be.
    """
    places = list(range(1, duels + 1))
    half = duels // 2
    order = places[half:] + places[:half] if number % 2 else places[::-1]
    return [Exit(f"w{number}.{place}", wins=False) for place in order]
