"""`arena competition list, show, status, enter, leave`: for everyone, authors and operators."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Group
from rich.text import Text

from arena.cli.competitiontables import (
    bracket,
    competition_table,
    entry_table,
    headline,
    note_table,
    pairing_table,
    stage_line,
    standing_table,
)
from arena.cli.operating import DataOption, operating, tell
from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.talking import CaOption, ServerOption, WatchOption, as_facts, connected, show
from arena.tournament.competition.lines import PairingState

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.tournament.competition.lines import (
        CompetitionInfo,
        EntryLine,
        NoteLine,
        PairingLine,
        StageInfo,
        TableLine,
    )
    from arena.transport.client_competitions import Competitions

__all__ = ["enter", "leave", "list_", "show_", "status"]

_DATA: Final = Path("arena-data")

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="A competition's name.")]
StageOption = Annotated[
    int | None,
    typer.Option("--stage", min=1, help="Only this stage; without it the latest that has begun."),
]
PairingsOption = Annotated[bool, typer.Option("--pairings", help="The pairings as well.")]
LogOption = Annotated[bool, typer.Option("--log", help="What has happened as well.")]


def list_(server: ServerOption = "", ca: CaOption = None, as_json: JsonOption = False) -> None:
    """List the competitions of a server, the newest first."""
    with connected(server, ca) as client:
        found = tuple(client.competitions.list())
    if as_json:
        print_json({"competitions": as_facts(found)})
    else:
        results().print(competition_table(found))


def show_(
    name: NameArgument,
    stage: StageOption = None,
    pairings: PairingsOption = False,
    log: LogOption = False,
    server: ServerOption = "",
    ca: CaOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show a competition as far as you may see it: where it is, who plays, the table.

    Before results are released to you there is who takes part, and nothing of how it went.
    """
    wanted = _Wanted(name, stage, pairings=pairings, log=log)
    with connected(server, ca) as client:
        _show(client.competitions, wanted, watch=watch, as_json=as_json)


def status(
    name: NameArgument,
    stage: StageOption = None,
    pairings: PairingsOption = False,
    log: LogOption = False,
    watch: WatchOption = False,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Show a competition as its operator: all of it, and first what needs a person.

    Pairings are named by the keys that `rerun` and `decide` want.
    """
    wanted = _Wanted(name, stage, pairings=pairings, log=log)
    with operating(data) as client:
        _show(client.competitions, wanted, watch=watch, as_json=as_json)


def enter(
    name: NameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The name of a bot of yours.")],
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Enter a bot of yours; what plays is the version that is its active one at the freeze."""
    with connected(server, ca) as client:
        found = client.competitions.enter(name, bot)
    tell(found, f"{found.title} takes part in {name}", as_json=as_json)


def leave(
    name: NameArgument,
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The name of a bot of yours.")],
    why: Annotated[
        str, typer.Option("--why", metavar="TEXT", help="Why, for everybody to read.")
    ] = "its owner has taken it back",
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take a bot of yours back; after the freeze it counts as withdrawn."""
    with connected(server, ca) as client:
        found = client.competitions.leave(name, bot, why)
    tell(found, f"{bot} does not take part in {name} any more", as_json=as_json)


# -- shown --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What somebody wants to see."""

    name: str
    stage: int | None
    pairings: bool = False
    log: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What there is of it."""

    info: CompetitionInfo
    entries: tuple[EntryLine, ...]
    stages: tuple[StageInfo, ...] = ()
    stage: StageInfo | None = None
    table: tuple[TableLine, ...] = ()
    pairings: tuple[PairingLine, ...] = ()
    notes: tuple[NoteLine, ...] = ()

    def facts(self) -> dict[str, Any]:
        """For `--json`."""
        found: dict[str, Any] = as_facts(self)
        return found


def _show(source: Competitions, wanted: _Wanted, *, watch: bool, as_json: bool) -> None:
    if as_json:
        print_json(_seen(source, wanted).facts())
        return
    show(lambda: _page(_seen(source, wanted), wanted), watch=watch)


def _seen(source: Competitions, wanted: _Wanted) -> _Seen:
    info = source.info(wanted.name)
    entries = tuple(source.entries(wanted.name))
    notes = tuple(source.notes(wanted.name)) if wanted.log else ()
    if not info.is_visible:
        return _Seen(info=info, entries=entries, notes=notes)
    stages = source.stages(wanted.name)
    begun = [one for one in stages if one.is_begun]
    number = wanted.stage or (begun[-1].number if begun else None)
    if number is None:
        return _Seen(info=info, entries=entries, stages=stages, notes=notes)
    return _Seen(
        info=info,
        entries=entries,
        stages=stages,
        stage=next((one for one in stages if one.number == number), None),
        table=tuple(source.table(wanted.name, number)),
        pairings=tuple(source.pairings(wanted.name, number)),
        notes=notes,
    )


def _page(seen: _Seen, wanted: _Wanted) -> RenderableType:
    parts: list[RenderableType] = [Text(printable(line)) for line in headline(seen.info)]
    parts += [Text(printable(line), style="bold") for line in _attention(seen)]
    parts += [Text(printable(stage_line(one))) for one in seen.stages]
    if not seen.info.is_visible:
        parts.append(Text("its results are not released to you"))
    if seen.stage is None:
        parts.append(entry_table(seen.entries))
    else:
        parts.append(standing_table(seen.table, seen.stage.name))
        tree = bracket(seen.pairings, seen.stage)
        if tree is not None:
            parts.append(tree)
        if wanted.pairings or (tree is None and _few(seen.pairings)):
            parts.append(pairing_table(seen.pairings, "pairings"))
    if wanted.log:
        parts.append(note_table(seen.notes))
    return Group(*parts)


_FEW: Final = 12


def _few(pairings: tuple[PairingLine, ...]) -> bool:
    return len(pairings) <= _FEW


def _attention(seen: _Seen) -> list[str]:
    """What does not go on without a person."""
    stuck = (PairingState.SET_ASIDE, PairingState.CANCELLED)
    number = seen.stage.number if seen.stage is not None else 0
    return [
        f"needs you: {one.title} ({one.state.replace('_', ' ')}, match {one.match}): "
        f"`arena competition rerun {seen.info.name} {number} {one.key} --why ...` or `decide`"
        for one in seen.pairings
        if one.state in stuck
    ]
