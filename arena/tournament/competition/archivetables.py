"""The tables of an archive: as JSON for programs, as CSV for spreadsheets.

The CSV files are in UTF-8 with a byte order mark, with commas between cells, CRLF after lines and
points in numbers. With the mark a double click opens them in Excel with every name as it is, in any
script; LibreOffice, Numbers and Google Sheets take them too. Where a computer writes numbers with a
comma, Excel wants them imported (Data, From Text/CSV) and not double-clicked: no single file is
right for both kinds, and the pages of the archive show the same. A text that a spreadsheet would
take for a formula begins with an apostrophe there.

Everything here follows from the competition and its matches, to the byte: whoever verifies an
archive makes it again and compares.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from arena.errors import quoted
from arena.formats.story import TWO_SEATS, Story
from arena.storage.facts import Match
from arena.tournament.competition.archiveformat import TABLES
from arena.tournament.competition.jsonvalues import plain
from arena.tournament.competition.state import Competition, Stage
from arena.tournament.competition.views import (
    PairingLine,
    TableLine,
    entries_of,
    pairings_of,
    table_of,
)

__all__ = ["cell", "csv_bytes", "difference", "tables_of"]

_MARK: Final = "\ufeff"
_FORMULA: Final = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")
"""What begins a formula; the last four are how Japanese keyboards write the first four."""

_NUMBER: Final = re.compile(r"-?[0-9]+(\.[0-9]+)?")
_MOST_ACROSS: Final = 200
"""Entrants up to which there is a table of all against all; beyond that nobody can read it."""

Cell = str | int | float | None


def tables_of(here: Competition, matches: Mapping[str, Match]) -> dict[str, bytes]:
    """Every table by its path in the archive; `matches` are by what they are played for."""
    files = {f"{TABLES}/entries.csv": _entries(here)}
    for stage in here.stages:
        at = f"{TABLES}/{stage.number}"
        table, pairings = table_of(here, stage), pairings_of(here, stage, matches)
        facts = {"stage": stage.number, "name": stage.rules.name, "format": str(stage.rules.kind)}
        files[f"{at}-standings.json"] = _json({**facts, "rows": plain(table)})
        files[f"{at}-pairings.json"] = _json({**facts, "pairings": plain(pairings)})
        files[f"{at}-standings.csv"] = _standings(table)
        files[f"{at}-pairings.csv"] = _pairings(stage, pairings)
        if here.regulations.groups:
            files[f"{at}-groups.csv"] = _groups(here, table)
        is_duel = stage.field.teams == TWO_SEATS and not stage.rules.kind.is_elimination
        if is_duel and len(table) <= _MOST_ACROSS:
            files[f"{at}-crosstable.csv"] = _crosstable(here, stage, table)
    return files


def _json(facts: Mapping[str, Any]) -> bytes:
    return json.dumps(facts, ensure_ascii=False, indent=1, allow_nan=False).encode() + b"\n"


# -- cells --------------------------------------------------------------------------------------


def csv_bytes(rows: Sequence[Sequence[Cell]]) -> bytes:
    """A table as a file for spreadsheets."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([list(map(cell, row)) for row in rows])
    return (_MARK + text.getvalue()).encode()


def cell(value: Cell) -> str:
    """A value as a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    if isinstance(value, int) or _NUMBER.fullmatch(value):
        return str(value)
    return f"'{value}" if value.lstrip(" ").startswith(_FORMULA) else value


# -- tables -------------------------------------------------------------------------------------


def _entries(here: Competition) -> bytes:
    head: list[Cell] = ["number", "bot", "version", "group", "state", "why", "digest"]
    rows: list[list[Cell]] = [
        [number, one.title, one.ordinal, one.group, str(one.state), one.why, one.digest]
        for number, one in enumerate(entries_of(here, is_visible=True), 1)
    ]
    return csv_bytes([head, *rows])


def _standings(table: Sequence[TableLine]) -> bytes:
    # Tie-breaks are told only of those who needed them.
    names = list(dict.fromkeys(name for line in table for name, _ in line.breaks))
    head = ["place", "bot", "group", "played", "points", *names, "note"]
    rows = [
        [
            line.place,
            line.title,
            line.group,
            line.played,
            line.points,
            *(dict(line.breaks).get(name) for name in names),
            line.note,
        ]
        for line in table
    ]
    return csv_bytes([head, *rows])


def _groups(here: Competition, table: Sequence[TableLine]) -> bytes:
    """The prizes of each group of eligibility: places among its own."""
    rows: list[list[Cell]] = [["group", "place in group", "bot", "place", "points"]]
    for group in here.regulations.groups:
        own = [line for line in table if line.group == group.name]
        for line in own:
            place = 1 + sum(other.place < line.place for other in own)
            rows.append([group.name, place, line.title, line.place, line.points])
    return csv_bytes(rows)


def _pairings(stage: Stage, pairings: Sequence[PairingLine]) -> bytes:
    most = max((len(one.teams) for one in pairings), default=0)
    head = ["round", "title", "pairing", "state", "match", "decided by"]
    for team in range(1, most + 1):
        head += [f"team {team}", f"rank {team}", f"board points {team}", f"faults {team}"]
    rows: list[list[Cell]] = []
    for one in pairings:
        # The key alone, such as 1.10, would pass for a number.
        name = stage.name_of(one.key)
        row: list[Cell] = [one.round, one.title, name, str(one.state), one.match]
        row.append(None if one.way is None else str(one.way))
        for team, titles in enumerate(one.teams):
            row.append(" + ".join(titles))
            row += [_at(one.ranks, team), _at(one.boards, team), _at(one.faults, team)]
        row += [None] * (len(head) - len(row))
        rows.append([*row, one.why])
    return csv_bytes([[*head, "why"], *rows])


def _at(values: Sequence[float], place: int) -> Cell:
    return values[place] if place < len(values) else None


def _crosstable(here: Competition, stage: Stage, table: Sequence[TableLine]) -> bytes:
    """By row the points that somebody has made against each of the others."""
    titles = [line.title for line in table]
    made = _made(stage.story())
    places = {here.entries[entry].title: place for place, entry in enumerate(stage.entries)}
    rows: list[list[Cell]] = [["place", "bot", *titles, "points"]]
    for line in table:
        own = [made.get((places[line.title], places[other])) for other in titles]
        rows.append([line.place, line.title, *own, line.points])
    return csv_bytes(rows)


def _made(story: Story) -> dict[tuple[int, int], float]:
    made: dict[tuple[int, int], float] = {}
    for pairing, score in story.decided():
        if pairing.is_bye:
            continue
        one, other = pairing.entrants
        for team, pair in enumerate(((one, other), (other, one))):
            made[pair] = made.get(pair, 0.0) + score.share(team)
    return made


# -- compared -----------------------------------------------------------------------------------


def difference(said: bytes, right: bytes) -> tuple[int, str] | None:
    """The first line in which a table differs from what it must be, and how; None: in none."""
    if said == right:
        return None
    both = zip_longest(said.splitlines(), right.splitlines())
    for number, (one, other) in enumerate(both, 1):
        if one != other:
            return number, f"says {_line(one)}; the journal makes it {_line(other)}"
    return 0, "has other line ends than the journal makes it have"


def _line(line: bytes | None) -> str:
    return "nothing" if line is None else quoted(line.decode("utf-8", "replace").strip(), 200)
