"""`arena competition validate`: what is wrong in regulations, or what will happen under them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich import box
from rich.table import Table

from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.tournament.competition.regulationserrors import RegulationsError
from arena.tournament.competition.regulationsparts import FILE_NAME, MOST_ENTRANTS, Source

if TYPE_CHECKING:
    from arena.tournament.competition.regulations import Regulations
    from arena.tournament.competition.regulationsoutline import StageOutline

__all__ = ["validate"]

_NOBODY: Final = "-"


def validate(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file of regulations.")] = Path(
        FILE_NAME
    ),
    entrants: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=MOST_ENTRANTS,
            show_default="the most that can come",
            help="Say what happens with so many entrants.",
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Say all that is wrong in a file of regulations, with lines, or what will happen under it."""
    from arena.cli.competitionwords import words_of
    from arena.tournament.competition.regulationsfile import read_regulations
    from arena.tournament.competition.regulationsoutline import outline

    try:
        regulations = read_regulations(file)
    except RegulationsError as error:
        _tell(error, as_json=as_json)
        raise typer.Exit(ExitCode.BAD_INPUT) from None
    stages = outline(regulations, entrants or 0)
    if as_json:
        print_json(_facts(regulations, stages))
        return
    before, after = words_of(regulations)
    console = results()
    console.print(f"{printable(str(file))} is right", soft_wrap=True)
    console.print(f"{regulations.title} ({regulations.name})\n", soft_wrap=True)
    console.print(_lines(before))
    console.print(_table(stages))
    balance = [("balance", f"{one.stage.name}: {one.balance}") for one in stages if one.balance]
    console.print(_lines([*balance, *after]))


def _lines(lines: Sequence[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    for name, words in lines:
        table.add_row(printable(name), printable(words))
    return table


def _tell(error: RegulationsError, *, as_json: bool) -> None:
    lines = [printable(f"{error.name}: {one}") for one in error.mistakes]
    if as_json:
        mistakes = [
            {"line": one.line, "key": one.subject, "problem": one.problem} for one in error.mistakes
        ]
        message = printable(str(error))
        print_json({"error": {"kind": "input", "message": message, "mistakes": mistakes}})
    else:
        for line in lines:
            results().print(line, soft_wrap=True)
    count = len(lines)
    remarks().print(
        f"arena: {printable(error.name)}: {count} {'mistake' if count == 1 else 'mistakes'}",
        soft_wrap=True,
    )


def _table(stages: Sequence[StageOutline]) -> Table:
    from arena.cli.competitionwords import span

    table = Table(box=box.SIMPLE_HEAD, show_footer=True, padding=(0, 1, 0, 0))
    matches = span(sum(one.matches for one in stages), sum(one.most_matches for one in stages))
    games = span(sum(one.games for one in stages), sum(one.most_games for one in stages))
    table.add_column("stage", footer="in all")
    table.add_column("format", no_wrap=True)
    for heading, footer in (
        ("bots", ""),
        ("rounds", str(sum(one.rounds for one in stages))),
        ("matches", matches),
        ("boards", ""),
        ("games", games),
        ("go on", ""),
    ):
        table.add_column(heading, justify="right", no_wrap=True, footer=footer)
    for one in stages:
        table.add_row(
            one.stage.name,
            str(one.stage.kind),
            str(one.entrants),
            str(one.rounds),
            span(one.matches, one.most_matches),
            str(one.boards),
            span(one.games, one.most_games),
            str(one.going_on or _NOBODY),
        )
    return table


def _facts(regulations: Regulations, stages: Sequence[StageOutline]) -> dict[str, Any]:
    schedule, source = regulations.schedule, regulations.entrants.source
    return {
        "name": regulations.name,
        "title": regulations.title,
        "digest": regulations.digest,
        "game": {
            "ruleset": regulations.game.ruleset,
            "options": dict(regulations.game.options),
            "teams": list(regulations.field_teams),
            "hands": regulations.game.hands,
            "rotations": str(regulations.game.rotations),
        },
        "entrants": {
            "from": str(source),
            "invited": list(regulations.entrants.invited) if source is Source.INVITED else [],
            "most": regulations.entrants.field_size,
        },
        "schedule": dict(schedule.written),
        "stages": [
            {
                "name": one.stage.name,
                "format": str(one.stage.kind),
                "entrants": one.entrants,
                "rounds": one.rounds,
                "matches": one.matches,
                "most_matches": one.most_matches,
                "boards": one.boards,
                "games": one.games,
                "most_games": one.most_games,
                "advance": one.going_on,
                "balance": one.balance,
            }
            for one in stages
        ],
        "release": {
            "during": str(regulations.release.during),
            "after": str(regulations.release.after),
        },
    }
