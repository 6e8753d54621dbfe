"""The parameters of `arena match`, several of which other commands have as well."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from arena.submissions.manifest import FORMS
from arena.tournament.matches import Pondering, Sandbox

__all__ = [
    "BankOption",
    "BoardsOption",
    "BotsArgument",
    "CrowdedOption",
    "CsvOption",
    "ErrorOption",
    "HandsOption",
    "InProcessOption",
    "JobsOption",
    "LimitsOption",
    "LogsOption",
    "MatchBoardsOption",
    "PointsOption",
    "PonderingOption",
    "PortOption",
    "RecordOption",
    "ResumeOption",
    "RotationsOption",
    "RuntimeOption",
    "SandboxOption",
    "SeedOption",
    "SprtOption",
    "StartOption",
    "StrictOption",
    "TurnOption",
    "WidthOption",
    "WindowOption",
    "WindowTimeOption",
]

_DAY: Final = 86_400

BotsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="BOT...",
        help=f"{FORMS[0].upper()}{FORMS[1:]}. As many as play; the same one may be named again.",
    ),
]
BoardsOption = Annotated[
    int,
    typer.Option(
        "--boards",
        "-n",
        min=1,
        max=10_000_000,
        help="Boards (deals of a whole game). Each is played once in every seat rotation.",
    ),
]
RotationsOption = Annotated[
    str,
    typer.Option(
        metavar="all|none",
        help="all: every board in every seat rotation. none: once, seats change from board to "
        "board.",
    ),
]
MatchBoardsOption = Annotated[
    int,
    typer.Option(
        min=1,
        max=100_000,
        help="Boards in one match. Bots are started anew for each rotation of a match, and what "
        "may go wrong in one is counted by match.",
    ),
]
SeedOption = Annotated[
    str | None,
    typer.Option(
        help="Any text; the same one deals the same cards. Without it a new one is made and shown."
    ),
]
HandsOption = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Hands in each game. Without it a game is what the rules call one: in classic hands "
        "until the match points, about ten of them; in express and plateau a single hand.",
    ),
]
PointsOption = Annotated[
    int | None, typer.Option(min=1, help="Classic: points that end a game, 5000 by the rules.")
]
TurnOption = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Free time for each decision: 1.", min=0.001, max=_DAY),
]
BankOption = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        help="What decisions may take beyond that, in one game: 30.",
        min=0,
        max=_DAY,
    ),
]
WindowTimeOption = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time to answer an attack: 0.1.", min=0.001, max=_DAY),
]
StartOption = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time until a bot has joined: 20.", min=0.001, max=_DAY),
]
WindowOption = Annotated[
    str | None,
    typer.Option(
        metavar="MODE",
        help="How a response window is run. prompt: until all have answered. sealed: its full "
        "length, as in rated play. standing: by standing orders.",
    ),
]
LimitsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        dir_okay=False,
        exists=True,
        help="A TOML file with limits: start_up, turn, bank, response_window, window, max_strikes, "
        "messages_per_prompt, surplus_messages, note_bytes. Options override it.",
    ),
]
StrictOption = Annotated[
    bool, typer.Option("--strict", help="The first fault of a bot forfeits, also an exception.")
]
JobsOption = Annotated[int, typer.Option("--jobs", "-j", min=1, help="Matches played at once.")]
CrowdedOption = Annotated[
    bool, typer.Option("--crowded", help="Allow more jobs than this machine has cores.")
]
InProcessOption = Annotated[
    bool,
    typer.Option(
        "--in-process",
        help="Python bots as objects, without processes and gRPC: many times faster. A bot that "
        "hangs hangs the match.",
    ),
]
PortOption = Annotated[
    int | None,
    typer.Option(
        min=0,
        max=65_530,
        help="Bots connect to 127.0.0.1 from this port on (0: any free ones) instead of sockets.",
    ),
]
SandboxOption = Annotated[
    Sandbox | None,
    typer.Option(
        help="What bots run in. docker: containers, as in rated play; windows are sealed then, and "
        "bots that nothing is asked of are held still. bubblewrap: a lighter wall for one's own "
        "bots. process, which it is without this option: none.",
    ),
]
RuntimeOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="With --sandbox docker: a runtime that the engine knows, e.g. runsc (gVisor).",
    ),
]
PonderingOption = Annotated[
    Pondering | None,
    typer.Option(help="Whether bots may think when nothing is asked of them; docker: frozen."),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        file_okay=False,
        help="Keep the record of every match in this folder, made if need be.",
    ),
]
LogsOption = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        file_okay=False,
        help="Write what each bot printed, match by match, to files in this folder.",
    ),
]
ResumeOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        dir_okay=False,
        help="Keep finished matches in this file, and go on from what it holds already; with more "
        "--boards than it was begun with, too.",
    ),
]
SprtOption = Annotated[
    tuple[float, float] | None,
    typer.Option(
        metavar="ELO0 ELO1",
        help="Stop when it is decided whether the first bot is stronger by ELO1 rather than ELO0.",
    ),
]
ErrorOption = Annotated[
    float, typer.Option(help="Error rate of that decision.", min=0.0001, max=0.49)
]
WidthOption = Annotated[
    float | None,
    typer.Option(
        metavar="W",
        help="Stop when the 95 % interval of every win share is narrower, e.g. 0.05.",
    ),
]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print a line of CSV for every game.")]
