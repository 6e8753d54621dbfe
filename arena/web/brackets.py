"""Where the duels of an elimination are drawn: boxes and the lines between them.

    +-------+                     columns are the rounds of a part, from left to right;
    | w1.1  |--.   +-------+      who goes on follows the line, who falls into the losers'
    +-------+  '---|       |      bracket has none, for it would cross all others
    +-----+    .---| w2.1  |
    | bye |----'   +-------+      everything in units in which a line of text is `ROW` high
    +-----+

A part of a bracket is laid out from its last duel backwards: whoever begins in it gets the next
stretch from the top, and a duel stands in the middle of those that lead to it. Stretches are never
shared, so boxes of one column cannot overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from arena.formats.elimination_bracket import GRAND_FINAL, RESET, THIRD, Bracket, Duel, Exit

__all__ = ["CAPTION", "ROW", "Box", "Layout", "Line", "layout"]

ROW: Final = 30
"""How high the line of one side is."""
CAPTION: Final = 20
"""How high the caption above a box is; it belongs to the box."""

_ACROSS: Final = 40  # between columns
_BETWEEN: Final = 16  # below a box
_BELOW: Final = 2 * (CAPTION + 2 * ROW)  # from the middle of a box to that of one under it
_MARGIN: Final = 4

Point = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A duel, or the bye of somebody who begins a round later.

    Attributes:
        name: The duel's; that of a bye is the name of the duel that it stands for.
        x, y: The upper left corner, of the caption.
        bye: Who has it; None: it is a duel.
    """

    name: str
    x: int
    y: int
    width: int
    height: int
    bye: int | None = None

    @property
    def frame(self) -> int:
        """Where the frame begins, below the caption."""
        return self.y + CAPTION

    @property
    def middle(self) -> int:
        """Half the height of the frame."""
        return (self.frame + self.y + self.height) // 2


@dataclass(frozen=True, slots=True)
class Line:
    """Who goes on from a box to another, by its corners."""

    before: str
    after: str
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole bracket."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    lines: tuple[Line, ...]


def layout(bracket: Bracket, width: int = 280) -> Layout:
    """Where everything of a bracket is drawn, with boxes of this width."""
    laid = _Laying({duel.name: duel for duel in bracket.duels}, width)
    laid.part("w")
    laid.part("l")
    laid.last()
    boxes = tuple(laid.boxes.values())
    return Layout(
        width=max(box.x + box.width for box in boxes) + _MARGIN,
        height=max(box.y + box.height for box in boxes) + _MARGIN,
        boxes=boxes,
        lines=tuple(laid.lines()),
    )


@dataclass(slots=True)
class _Laying:
    """A bracket while it is laid out; `floor` is below all that has a place."""

    duels: Mapping[str, Duel]
    width: int
    boxes: dict[str, Box] = field(default_factory=dict)
    floor: int = _MARGIN

    def part(self, letter: str) -> None:
        """The winners' bracket or the losers', below what there is."""
        names = [name for name in self.duels if name.startswith(letter)]
        if names:
            self._tree(self.duels[names[-1]])
            self.floor += _BETWEEN

    def last(self) -> None:
        """What follows the parts: the grand final and its reset, or the match for third place."""
        names = list(self.boxes)
        final = self.boxes[[name for name in names if name.startswith("w")][-1]]
        if GRAND_FINAL in self.duels:
            other = self.boxes[names[-1]]
            middle = (final.middle + other.middle) // 2
            self._place(GRAND_FINAL, middle)
            self._place(RESET, middle + _BELOW)
        if THIRD in self.duels:
            self._place(THIRD, final.middle + _BELOW)

    def lines(self) -> Iterator[Line]:
        """From each box to where who comes out of it goes on."""
        for duel in self.duels.values():
            after = self.boxes[duel.name]
            if duel.name == RESET:
                before = self.boxes[GRAND_FINAL]
                x = after.x + after.width - ROW // 2
                yield Line(GRAND_FINAL, RESET, ((x, before.y + before.height), (x, after.frame)))
                continue
            for side, name in enumerate(_before(duel)):
                if name is None:
                    continue
                before = self.boxes[name]
                aim = after.frame + ROW * side + ROW // 2
                bend = after.x - _ACROSS // 2
                start = (before.x + before.width, before.middle)
                points = (start, (bend, start[1]), (bend, aim), (after.x, aim))
                yield Line(name, duel.name, points)

    def _tree(self, duel: Duel) -> int:
        """Place a duel after all that lead to it in its part; its middle."""
        middles = []
        for side, name in enumerate(_before(duel)):
            if name is not None and name in self.duels and name[0] == duel.name[0]:
                middles.append(self._tree(self.duels[name]))
            elif name is not None and name not in self.duels:
                middles.append(self._leaf(name, ROW, duel.sides[side]))
        if not middles:
            return self._leaf(duel.name, 2 * ROW)
        self._place(duel.name, sum(middles) // len(middles))
        return self.boxes[duel.name].middle

    def _leaf(self, name: str, height: int, bye: object = None) -> int:
        """Place what nothing leads to; its middle."""
        middle = self.floor + CAPTION + height // 2
        self._place(name, middle, bye if isinstance(bye, int) else None)
        self.floor += CAPTION + height + _BETWEEN
        return middle

    def _place(self, name: str, middle: int, bye: int | None = None) -> None:
        height = ROW if bye is not None else 2 * ROW
        self.boxes[name] = Box(
            name=name,
            x=_MARGIN + self._column(name) * (self.width + _ACROSS),
            y=middle - height // 2 - CAPTION,
            width=self.width,
            height=CAPTION + height,
            bye=bye,
        )

    def _column(self, name: str) -> int:
        if name == RESET:
            return self._column(GRAND_FINAL)
        if name in {GRAND_FINAL, THIRD}:
            others = [one for one in self.duels if one[0] in "wl"]
            return max(map(self._column, others)) + (name == GRAND_FINAL)
        rounds = sorted({_round(one) for one in self.duels if one[0] == name[0]})
        return rounds.index(_round(name)) if name in self.duels else 0


def _round(name: str) -> int:
    """The round of its part."""
    return int(name[1:].partition(".")[0])


def _before(duel: Duel) -> tuple[str | None, str | None]:
    """By side, the box from which a line leads to it: an earlier duel or a bye."""
    upper, lower = (_source(duel, side) for side in (0, 1))
    return upper, lower


def _source(duel: Duel, side: int) -> str | None:
    source = duel.sides[side]
    number, place = _round(duel.name), int(duel.name.rpartition(".")[2])
    if isinstance(source, Exit):
        return source.duel if source.wins else None
    if duel.name.startswith("w") and number > 1:
        return f"w{number - 1}.{2 * place - 1 + side}"
    return None
