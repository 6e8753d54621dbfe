"""The stages of a competition: each a format with its settings, and who goes on to the next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from arena.errors import InputError, quoted
from arena.formats.complete import Complete
from arena.formats.elimination import Elimination
from arena.formats.gauntlet import Gauntlet
from arena.formats.groups import Groups
from arena.formats.partners import Partners
from arena.formats.roundrobin import RoundRobin
from arena.formats.scoring import Points, Scoring, TieBreak
from arena.formats.story import Format
from arena.formats.swiss import LatePoints, Swiss
from arena.formats.tables import Tables
from arena.tournament.competition.regulationserrors import Mistake, refuse
from arena.tournament.competition.regulationsparts import (
    MOST_BOARDS,
    MOST_ENTRANTS,
    bad_title,
    out_of_range,
)

__all__ = ["COMMON_KEYS", "OPTIONS", "StageKind", "StageRules", "foreign", "usual_scoring"]


class StageKind(StrEnum):
    """The formats, as `format` in the file names them."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"
    ELIMINATION = "elimination"
    DOUBLE_ELIMINATION = "double-elimination"
    GROUPS = "groups"
    GAUNTLET = "gauntlet"
    TABLES = "tables"
    PARTNERS = "partners"
    COMPLETE = "complete"

    @property
    def is_elimination(self) -> bool:
        """Whoever loses is out, so there is nobody left who could go on."""
        return self in (StageKind.ELIMINATION, StageKind.DOUBLE_ELIMINATION)

    @property
    def usual_name(self) -> str:
        """What a stage is called that has no name of its own."""
        return _NAMES[self]


_NAMES: Final = {
    StageKind.ROUND_ROBIN: "Round robin",
    StageKind.SWISS: "Swiss",
    StageKind.ELIMINATION: "Knock-out",
    StageKind.DOUBLE_ELIMINATION: "Double knock-out",
    StageKind.GROUPS: "Groups",
    StageKind.GAUNTLET: "Gauntlet",
    StageKind.TABLES: "Tables",
    StageKind.PARTNERS: "Changing partners",
    StageKind.COMPLETE: "Every table once",
}

COMMON_KEYS: Final = ("name", "format", "advance", "boards", "points", "tie_breaks", "annul")
"""The keys of every [[stage]]; the points, tie-breaks and annulling are else those of [scoring]."""

_DUELS: Final = ("best_of", "extra_boards", "most_extra")

OPTIONS: Final[Mapping[StageKind, tuple[str, ...]]] = {
    StageKind.ROUND_ROBIN: ("times",),
    StageKind.SWISS: ("rounds", "late_points"),
    StageKind.ELIMINATION: (*_DUELS, "third_place"),
    StageKind.DOUBLE_ELIMINATION: _DUELS,
    StageKind.GROUPS: ("groups", "times"),
    StageKind.GAUNTLET: ("heroes", "times"),
    StageKind.TABLES: ("rounds",),
    StageKind.PARTNERS: ("rounds",),
    StageKind.COMPLETE: (),
}
"""The keys besides, by format."""

_MOST_ROUNDS: Final = 200
_MOST_TIMES: Final = 100
_MOST_GROUPS: Final = 26
_MOST_BEST_OF: Final = 15
_MOST_EXTRA: Final = 20
_OTHER_POINTS: Final = {
    Points.MATCH: (TieBreak.MATCH_POINTS, TieBreak.BOARD_POINTS),
    Points.BOARD: (TieBreak.BOARD_POINTS, TieBreak.MATCH_POINTS),
}
"""By the points that order a table: the tie-break that says the same, and the other one."""


def usual_scoring(points: Points = Points.MATCH) -> Scoring:
    """What counts if the regulations do not say it: in the end lots, so no place is shared."""
    same, other = _OTHER_POINTS[points]
    breaks = (other if one is same else one for one in Scoring().breaks)
    return Scoring(points=points, breaks=(*breaks, TieBreak.LOT))


@dataclass(frozen=True, slots=True, kw_only=True)
class StageRules:
    """`[[stage]]`: one part of a competition.

    Attributes:
        name: What it is called; empty: after its format.
        kind: `format` in the file.
        advance: How many go on to the next stage; 0: all, or it is the last stage.
        boards: Boards of a match; 0: as many as [game] says.
        scoring: What orders the table.
        rounds: Of swiss, tables and partners; 0: as many as suit the field.
        late_points: Of swiss.
        times: How often two meet, in round-robin, groups and gauntlet.
        groups: How many there are, in groups.
        heroes: How many the first of the seeding are heroes, in gauntlet.
        best_of: Matches of a duel in eliminations; the majority decides.
        third_place: Whether an elimination plays for the third place.
        extra_boards, most_extra: Boards of an extra match after a drawn duel (0: as in all
            others), and how many of these there are at most.

    Raises:
        RegulationsError: there can be no such stage.
    """

    name: str = ""
    kind: StageKind
    advance: int = 0
    boards: int = 0
    scoring: Scoring = field(default_factory=usual_scoring)
    rounds: int = 0
    late_points: LatePoints = LatePoints.ZERO
    times: int = 1
    groups: int = 0
    heroes: int = 1
    best_of: int = 1
    third_place: bool = False
    extra_boards: int = 0
    most_extra: int = 3

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.kind.usual_name)
        refuse(self.mistakes())

    @property
    def format(self) -> Format:
        """The format with its settings."""
        return _format(self)

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from bad_title("name", self.name)
        wrong = [*self._wrong_numbers(), *self._foreign_keys()]
        yield from wrong
        yield from self._idle_tie_breaks()
        if not wrong:
            try:
                _format(self)
            except InputError as error:
                key = str(error).partition(" ")[0].rstrip(":")
                known = key in OPTIONS[self.kind]
                yield Mistake((key,) if known else (), str(error).removeprefix(f"{key}: "))

    def _wrong_numbers(self) -> Iterator[Mistake]:
        yield from out_of_range("advance", self.advance, 0, MOST_ENTRANTS)
        yield from out_of_range("boards", self.boards, 0, MOST_BOARDS)
        yield from out_of_range("extra_boards", self.extra_boards, 0, MOST_BOARDS)
        yield from out_of_range("times", self.times, 1, _MOST_TIMES)
        yield from out_of_range("heroes", self.heroes, 1, MOST_ENTRANTS - 1)
        yield from out_of_range("most_extra", self.most_extra, 0, _MOST_EXTRA)
        if self.kind is StageKind.GROUPS and not 2 <= self.groups <= _MOST_GROUPS:
            yield Mistake(
                ("groups",),
                f"says how many groups there are, from 2 to {_MOST_GROUPS}, such as groups = 4; "
                f"not {quoted(self.groups)}",
            )
        yield from out_of_range("rounds", self.rounds, 0, _MOST_ROUNDS)
        if not 1 <= self.best_of <= _MOST_BEST_OF or self.best_of % 2 == 0:
            yield Mistake(
                ("best_of",),
                f"must be an odd number from 1 to {_MOST_BEST_OF}, not {quoted(self.best_of)}",
            )

    def _foreign_keys(self) -> Iterator[Mistake]:
        own = OPTIONS[self.kind]
        for one in fields(self):
            is_foreign = one.name in _ALL_OPTIONS and one.name not in own
            if is_foreign and getattr(self, one.name) != one.default:
                yield Mistake((one.name,), foreign(one.name, self.kind))

    def _idle_tie_breaks(self) -> Iterator[Mistake]:
        same, _ = _OTHER_POINTS[self.scoring.points]
        if same in self.scoring.breaks and not self.kind.is_elimination:
            yield Mistake(
                ("tie_breaks", self.scoring.breaks.index(same)),
                f"'{same}' never decides anything where points = \"{self.scoring.points}\" "
                "order the table already; leave it out",
            )


_ALL_OPTIONS: Final = frozenset(key for keys in OPTIONS.values() for key in keys)


def foreign(key: str, kind: StageKind) -> str:
    """What is said of a key that belongs to other formats."""
    homes = ", ".join(other for other, keys in OPTIONS.items() if key in keys)
    own = ", ".join(OPTIONS[kind]) or "no keys of its own"
    return f"goes with the format {homes}; {kind} has {own}"


def _format(stage: StageRules) -> Format:
    """The format of a stage; raises InputError if it cannot be."""
    own = {key: getattr(stage, key) for key in OPTIONS[stage.kind]}
    make = _FORMATS[stage.kind]
    if stage.kind.is_elimination:
        own["double"] = stage.kind is StageKind.DOUBLE_ELIMINATION
    else:
        own["scoring"] = stage.scoring
    made: Format = make(**own)
    return made


_FORMATS: Final[Mapping[StageKind, Any]] = {
    StageKind.ROUND_ROBIN: RoundRobin,
    StageKind.SWISS: Swiss,
    StageKind.ELIMINATION: Elimination,
    StageKind.DOUBLE_ELIMINATION: Elimination,
    StageKind.GROUPS: Groups,
    StageKind.GAUNTLET: Gauntlet,
    StageKind.TABLES: Tables,
    StageKind.PARTNERS: Partners,
    StageKind.COMPLETE: Complete,
}
