"""`arena bench server`: what a ladder's server can do on this machine."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from arena.cli.output import JsonOption, print_json, remarks, results

if TYPE_CHECKING:
    from arena.cli.serverbenchasks import Asked
    from arena.cli.serverbenchplay import Cost, Played
    from arena.cli.serverbenchrun import Found

__all__ = ["Part", "server"]

QUARTER: Final = 0.25
"""No more of the machine should go into starting bots."""


class Part(StrEnum):
    """What is measured."""

    REQUESTS = "requests"
    MATCHMAKER = "matchmaker"
    REBUILD = "rebuild"
    RECORDING = "recording"
    PLAY = "play"


def server(
    part: Annotated[
        list[Part] | None, typer.Option(help="Measure only this; may be given several times.")
    ] = None,
    entrants: Annotated[int, typer.Option(min=10, help="Entrants that are stored.")] = 10_000,
    matches: Annotated[int, typer.Option(min=10, help="Matches that are stored.")] = 1_000_000,
    requests: Annotated[int, typer.Option(min=10, help="Requests of each kind.")] = 2_000,
    rebuilt: Annotated[
        int, typer.Option(min=10, help="Matches whose ratings are worked out again.")
    ] = 100_000,
    recorded: Annotated[int, typer.Option(min=10, help="Matches leased and recorded.")] = 500,
    boards: Annotated[int, typer.Option(min=2, help="Boards of a match that is played.")] = 10,
    hands: Annotated[
        int | None, typer.Option(min=1, help="Hands of a game, instead of the match points.")
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="Fill this folder, or use what an earlier bench has filled there."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure a ladder's server: what it answers, records, works out again and plays.

    A data folder is filled first, with a million matches and some 2 GB, which takes a few minutes;
    keep it for the next time. Everything that is written goes to the disk at once, as always.

    Matches are played in containers where there is a Docker engine, otherwise as plain processes:
    by the parts first, then under a server, then by more at once. That takes about ten minutes.
    """
    from arena.cli.serverbenchfill import Size
    from arena.cli.serverbenchrun import Order, measure

    order = Order(
        parts=part or list(Part),
        stored=Size(entrants, matches),
        requests=requests,
        rebuilt=rebuilt,
        recorded=recorded,
        boards=boards,
        hands=hands,
        keep=keep,
    )
    columns = (TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=remarks()) as progress:
        found = measure(order, progress)
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)


# -- what is said ---------------------------------------------------------------------------------


def _as_json(found: Found) -> dict[str, Any]:
    values = dataclasses.asdict(found)
    for name, cost in (("machine", found.machine), ("processor", found.processor)):
        if cost is not None:
            values[name] |= {
                "starting_share": cost.share(found.boards),
                "boards_for_a_quarter": cost.boards_for(QUARTER),
            }
    return values


def _print(found: Found) -> None:
    console = results()
    if found.requests:
        console.print(_asked(found.requests))
    if found.recording is not None:
        one = found.recording
        console.print(
            f"Recording, one after the other: {one.leases:,.0f} leases/s, {one.renewals:,.0f} "
            f"renewals/s, {one.reports:,.0f} reports/s; a bare page to the same disk: "
            f"{one.bare:,.0f}/s."
        )
    if found.rebuild is not None:
        made = found.rebuild
        console.print(
            f"Ratings of {made.matches:,} matches: put right at {made.write:,.0f} matches/s, "
            f"compared at {made.check:,.0f} matches/s; {made.early:,.0f} MiB at most before, "
            f"{made.late:,.0f} MiB after."
        )
    if found.play:
        console.print(_played(found.play))
    costs = (
        (found.machine, "of a machine that is busy all the time"),
        (found.processor, "of a processor, for referee and bots"),
    )
    for cost, of_what in costs:
        if cost is not None:
            console.print(_share(cost, of_what, found.boards))


def _share(cost: Cost, of_what: str, boards: int) -> str:
    return (
        f"Starting the bots of a match takes {cost.start:.1f} s, a board {cost.board:.1f} s "
        f"{of_what}: {cost.share(boards):.0%} go into starting with {boards} boards (target: at "
        f"most {QUARTER:.0%}), {QUARTER:.0%} with {cost.boards_for(QUARTER)}."
    )


def _asked(asked: Sequence[Asked]) -> Table:
    table = _columns(
        "what", "a second", "p50", "p99", "target", "processor", "MiB then", "at the end"
    )
    for one in asked:
        table.add_row(
            one.name,
            f"{one.rate:,.0f}",
            f"{one.p50:.1f} ms",
            f"{one.p99:.1f} ms",
            "" if one.target is None else f"< {one.target:g} ms",
            f"{one.processor:.1f} ms",
            f"{one.early:.0f}",
            f"{one.late:.0f}",
        )
    return table


def _played(played: Sequence[Played]) -> Table:
    table = _columns(
        "what",
        "at once",
        "an hour",
        "a match",
        "empty",
        "starting",
        "processor",
        "answer p50",
        "p99",
    )
    for one in played:
        table.add_row(
            one.name,
            str(one.at_once),
            f"{one.per_hour:,.0f}",
            str(one.voids),
            f"{one.stay:.1f} s",
            f"{one.empty:.1%}",
            "" if one.starting is None else f"{one.starting:.0%}",
            "" if one.processor is None else f"{one.processor:.1f} s",
            f"{one.p50:.2f} ms" if one.p50 else "",
            f"{one.p99:.1f} ms" if one.p99 else "",
        )
    return table


def _columns(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for at, name in enumerate(names):
        table.add_column(name, justify="right" if at else "left")
    return table
