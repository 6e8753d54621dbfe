"""How competitions look in a terminal: standings, pairings, brackets, what has happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.text import Text
from rich.tree import Tree

from arena.cli.output import printable
from arena.cli.talking import add_row, new_table, when
from arena.formats.story import Way
from arena.tournament.competition.lines import (
    CompetitionInfo,
    EntryLine,
    NoteLine,
    PairingLine,
    PairingState,
    StageInfo,
    TableLine,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

__all__ = [
    "bracket",
    "competition_table",
    "entry_table",
    "headline",
    "note_table",
    "pairing_table",
    "stage_line",
    "standing_table",
]

_KNOCK_OUT: Final = ("elimination", "double-elimination")


def competition_table(found: Sequence[CompetitionInfo]) -> Table:
    """Competitions, one a line."""
    table = new_table("", "competition", "title", "phase", "#entries", "results for")
    for one in found:
        add_row(table, one.name, one.title, one.phase, one.entries, one.level)
    return table


def headline(info: CompetitionInfo) -> list[str]:
    """Where a competition is, in lines."""
    lines = [f"{info.title} ({info.name}): {_phase(info)}; results are for: {info.level}"]
    if info.why:
        lines.append(f"reason: {info.why}")
    moments = (
        ("opens", info.opens),
        ("freeze", info.freeze),
        ("start", info.start),
        ("release", info.release),
    )
    planned = [f"{name} {when(at)}" for name, at in moments if at is not None]
    if planned:
        lines.append("schedule: " + ", ".join(planned))
    if info.commitment:
        lines.append(f"committed to the seed: {info.commitment}")
    if info.public_value:
        lines.append(f"public value, {info.public_value}: {info.mixed or 'not known yet'}")
    if info.secret:
        lines.append(f"the seed: {info.secret}")
    lines.append(f"journal: {info.length} lines, head {info.head}")
    return lines


def _phase(info: CompetitionInfo) -> str:
    if info.is_played and info.phase not in ("finished", "cancelled"):
        return f"{info.phase}, all is played; `arena competition finish` lets the result stand"
    return str(info.phase)


def entry_table(found: Sequence[EntryLine]) -> Table:
    """Who takes part."""
    has_groups = any(one.group for one in found)
    columns = ["bot", *(["group"] if has_groups else []), "#version", "state", "reason"]
    table = new_table("who takes part", *columns)
    for one in found:
        group = [one.group] if has_groups else []
        add_row(table, one.title, *group, one.ordinal or "-", one.state, one.why)
    return table


def stage_line(stage: StageInfo) -> str:
    """A stage in a line."""
    name = f"stage {stage.number}, {stage.name} ({stage.format})"
    if not stage.is_begun:
        return f"{name}: has not begun"
    over = "over" if stage.is_over else f"{stage.decided} of {stage.pairings} pairings decided"
    return f"{name}: {stage.entries} entries, {over}"


def standing_table(lines: Sequence[TableLine], title: str) -> Table:
    """The table of a stage; what parts those with equal points stands with them."""
    has = {
        "group": any(one.group for one in lines),
        # Before anything was played nothing has to be parted.
        "parted by": any(one.breaks for one in lines) and any(one.played for one in lines),
        "note": any(one.note for one in lines),
    }
    shown = [name for name, is_there in has.items() if is_there]
    table = new_table(title, "#place", "bot", "#played", "#points", *shown)
    for one in lines:
        parted = ", ".join(f"{name} {value}" for name, value in one.breaks)
        cells = {"group": one.group, "parted by": parted, "note": one.note}
        add_row(
            table,
            one.place,
            one.title,
            one.played,
            f"{one.points:g}",
            *(cells[name] for name in shown),
        )
    return table


def pairing_table(found: Sequence[PairingLine], title: str) -> Table:
    """Pairings, one a line, with what organisers call them by."""
    table = new_table(title, "key", "pairing", "who", "score", "#match", "state")
    for one in found:
        add_row(
            table,
            one.key,
            one.title,
            " - ".join(map(_side, one.teams)),
            _score(one),
            one.match or "-",
            _state(one),
        )
    return table


def _side(team: Sequence[str]) -> str:
    return "+".join(team)


def _score(one: PairingLine) -> str:
    if not one.ranks or one.way is Way.BYE:
        return ""
    if one.way is Way.WALKOVER:
        return "without a game"
    if len(one.ranks) == 2 and one.way is Way.PLAYED:
        return " : ".join(f"{points:g}" for points in one.boards)
    return " ".join(f"{rank}." for rank in one.ranks)


def _state(one: PairingLine) -> str:
    text = str(one.state).replace("_", " ")
    if one.state is PairingState.DONE and one.way is not None and one.way is not Way.PLAYED:
        text = str(one.way)
    if one.run > 1:
        text += f", run {one.run}"
    return f"{text}: {one.why}" if one.why else text


def bracket(found: Sequence[PairingLine], stage: StageInfo) -> RenderableType | None:
    """A knock-out stage as a tree of its rounds; None for other formats."""
    if stage.format not in _KNOCK_OUT:
        return None
    tree = Tree(Text(printable(stage.name)))
    for number, pairings in groupby(found, key=lambda one: one.round):
        branch = tree.add(Text(f"round {number}"))
        for one in pairings:
            branch.add(_duel(one))
    return tree


def _duel(one: PairingLine) -> Text:
    text = Text(f"{printable(one.title)}: ")
    for number, team in enumerate(one.teams):
        if number:
            text.append(" - ")
        has_won = bool(one.ranks) and one.ranks[number] == 1 and one.ranks.count(1) == 1
        text.append(printable(_side(team)), style="bold" if has_won else "")
        if has_won:
            text.append(" (wins)")
    score = _score(one)
    if score:
        text.append(f"  {score}")
    return text


def note_table(notes: Iterable[NoteLine]) -> Table:
    """What has happened."""
    table = new_table("what has happened", "#line", "when", "who", "what")
    for one in notes:
        add_row(table, one.number or "", when(one.at), one.who, one.text)
    return table
