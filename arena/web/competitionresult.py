"""Who has which place: in the whole competition, in a group of eligibility, against whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.formats.scoring import Points
from arena.formats.story import TWO_SEATS, Score, Way
from arena.tournament.competition.stages import StageKind
from arena.tournament.competition.views import EntryState, PairingLine, TableLine
from arena.web.competitionvalues import CompetitionPages, StagePages
from arena.web.texts import number

__all__ = [
    "Cell",
    "CrossTable",
    "FinalLine",
    "Meeting",
    "cross_tables",
    "final_lines",
    "is_duels",
    "meetings",
    "of_group",
    "share",
]

_WIDEST: Final = 40
"""Entrants of a cross table; more are not to be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalLine:
    """Somebody's place in the whole.

    Attributes:
        place: None: it was disqualified and has none.
        stage: The name of the last stage that it played in.
    """

    place: int | None
    title: str
    group: str
    stage: str
    note: str


def final_lines(pages: CompetitionPages) -> tuple[FinalLine, ...]:
    """Everybody: those of the last stage by its table, then who was out after the one before.

    Empty until a stage has begun. Who was disqualified is last, whenever it has happened.
    """
    out = {one.title for one in pages.entries if one.state is EntryState.DISQUALIFIED}
    lines: list[FinalLine] = []
    seen = set(out)
    barred: dict[str, FinalLine] = {}
    for stage in reversed(pages.shown_stages):
        rest = [line for line in stage.table if line.title not in seen]
        places = _places(line.place for line in rest)
        above = len(lines)
        lines += (
            _final(line, above + place, stage) for line, place in zip(rest, places, strict=True)
        )
        seen.update(line.title for line in rest)
        for line in stage.table:
            if line.title in out:
                barred.setdefault(line.title, _final(line, None, stage))
    return (*lines, *barred.values())


def of_group(lines: Sequence[FinalLine], group: str) -> tuple[FinalLine, ...]:
    """Those of a group of eligibility, with the places that they have among each other."""
    own = [line for line in lines if line.group == group]
    placed = [line for line in own if line.place is not None]
    places = _places(line.place or 0 for line in placed)
    return (
        *(
            FinalLine(place=place, title=line.title, group=group, stage=line.stage, note=line.note)
            for line, place in zip(placed, places, strict=True)
        ),
        *(line for line in own if line.place is None),
    )


def _final(line: TableLine, place: int | None, stage: StagePages) -> FinalLine:
    return FinalLine(
        place=place,
        title=line.title,
        group=line.group,
        stage=stage.info.name,
        note="disqualified" if place is None else line.note,
    )


def _places(given: Iterable[int]) -> list[int]:
    """The places of a part of a table, from 1; who shares one still shares it."""
    found = list(given)
    return [1 + sum(other < one for other in found) for one in found]


# -- who met whom -------------------------------------------------------------------------------


def is_duels(line: PairingLine) -> bool:
    """Whether it is a match of one against one."""
    return tuple(map(len, line.teams)) == TWO_SEATS


def share(line: PairingLine, team: int) -> float | None:
    """The points of a team from a pairing, from 0 to 1; None: it has no score.

    A walkover that no team was there for brings nothing to any.
    """
    if not line.ranks:
        return None
    if line.way is Way.WALKOVER and len(set(line.ranks)) == 1:
        return 0.0
    return Score(ranks=line.ranks, boards=line.boards, faults=line.faults).share(team)


@dataclass(frozen=True, slots=True)
class Cell:
    """A meeting in a cross table: what it brought, and which pairing it was."""

    text: str
    pairing: PairingLine
    label: str


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Who scored what against whom, both ways in the order of the table.

    Attributes:
        cells: By row and column, the meetings; None on the diagonal.
    """

    caption: str
    lines: tuple[TableLine, ...]
    cells: tuple[tuple[tuple[Cell, ...] | None, ...], ...]


def cross_tables(stage: StagePages, points: Points) -> tuple[CrossTable, ...]:
    """The cross table of a stage, or one of each group, in the points that order its table.

    There is none where it would say nothing: with more than two at a table, in eliminations, and
    with more than 40 entrants.
    """
    played = [line for line in stage.pairings if len(line.teams) > 1]
    if not played or not all(map(is_duels, played)) or _kind(stage).is_elimination:
        return ()
    parts: dict[str, list[PairingLine]] = {}
    for line in played:
        is_grouped = _kind(stage) is StageKind.GROUPS
        caption = f"Group {line.key.partition('.')[0].upper()}" if is_grouped else "Cross table"
        parts.setdefault(caption, []).append(line)
    found = []
    for caption, lines in sorted(parts.items()):
        members = {title for line in lines for (title,) in line.teams}
        if len(parts) == 1:
            members.update(line.title for line in stage.table)
        rows = tuple(line for line in stage.table if line.title in members)
        if len(rows) <= _WIDEST:
            found.append(_crossed(caption, rows, lines, points))
    return tuple(found)


def _kind(stage: StagePages) -> StageKind:
    return StageKind(stage.info.format)


def _crossed(
    caption: str, rows: tuple[TableLine, ...], lines: Sequence[PairingLine], points: Points
) -> CrossTable:
    met: dict[tuple[str, str], list[Cell]] = {}
    for line in lines:
        (one,), (other,) = line.teams
        met.setdefault((one, other), []).append(_cell(line, 0, points))
        met.setdefault((other, one), []).append(_cell(line, 1, points))
    cells = tuple(
        tuple(
            None if row is column else tuple(met.get((row.title, column.title), ()))
            for column in rows
        )
        for row in rows
    )
    return CrossTable(caption, rows, cells)


def _cell(line: PairingLine, team: int, points: Points) -> Cell:
    own = share(line, team)
    what = f"{line.title}, against {line.teams[1 - team][0]}"
    if own is None:
        return Cell("·", line, f"{what}: {line.state.replace('_', ' ')}")
    if line.way is Way.WALKOVER:
        return Cell("+" if own else "-", line, f"{what}: {number(own)}, by walkover")
    is_boards = points is Points.BOARD and line.way is Way.PLAYED
    text = number(line.boards[team] if is_boards else own)
    return Cell(text, line, f"{what}: {text}, {line.way}")


@dataclass(frozen=True, slots=True)
class Meeting:
    """A pairing as one of its entrants sees it."""

    pairing: PairingLine
    partners: tuple[str, ...]
    against: tuple[str, ...]
    points: str


def meetings(stage: StagePages) -> Mapping[str, tuple[Meeting, ...]]:
    """By entrant, in the order of the table, all that it was paired in."""
    found: dict[str, list[Meeting]] = {line.title: [] for line in stage.table}
    for pairing in stage.pairings:
        for title, meeting in _seen(pairing):
            found.setdefault(title, []).append(meeting)
    return {title: tuple(own) for title, own in found.items()}


def _seen(pairing: PairingLine) -> Iterator[tuple[str, Meeting]]:
    for team, titles in enumerate(pairing.teams):
        points = share(pairing, team)
        others = tuple(
            one for number, rest in enumerate(pairing.teams) for one in rest if number != team
        )
        for place, title in enumerate(titles):
            partners = (*titles[:place], *titles[place + 1 :])
            text = "" if points is None else f"{number(points)} of 1 point"
            if pairing.way is Way.WALKOVER:  # partners may have other points than each other
                text = "walkover"
            yield title, Meeting(pairing, partners, others, text)
