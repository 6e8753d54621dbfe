"""`arena check-bot`: everything that a referee may ask of a bot, and a report."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Final

import typer
from rich.progress import Progress
from rich.text import Text

from arena.cli.builds import remark_on, require_built
from arena.cli.checking import Finding, check, scenarios
from arena.cli.exits import ExitCode
from arena.cli.match import read_limits
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.engine.state import Stage
from arena.sandbox.lastwords import excerpt
from arena.submissions.manifest import FORMS, find_bot
from arena.workers.pool import MatchPool

__all__ = ["check_bot"]

_ASKED: Final = tuple(stage.name for stage in Stage if stage is not Stage.OVER)
_LOG_LINES: Final = 6
_TRIES: Final = 3
"""A machine that is busy makes late what is not: a slow bot is late each time."""

BotArgument = Annotated[str, typer.Argument(metavar="BOT", help=f"{FORMS[0].upper()}{FORMS[1:]}.")]
PauseOption = Annotated[
    float,
    typer.Option(
        min=0, max=600, metavar="SECONDS", help="How long another seat thinks in one scenario."
    ),
]


def check_bot(bot: BotArgument, pause: PauseOption = 3.0, as_json: JsonOption = False) -> None:
    """Check that a bot does what a referee may ask.

    Plays short matches under every rule set, with every number of players and
    in every window mode, against itself and against partners that attack. Some
    of them are odd but allowed: answers that get lost, fields of a newer
    protocol, a long pause, no room for notes.

    Any fault of the bot fails the check. What comes close to a limit is a
    warning.
    """
    manifest = find_bot(bot)
    require_built(manifest)
    remark_on([manifest])
    todo = list(scenarios(pause))
    time = read_limits(None, {}, strict=False).time
    findings: list[Finding] = []
    with (
        Progress(console=remarks(), transient=True) as progress,
        MatchPool(1, preload=("arena.app",)) as pool,
    ):
        task = progress.add_task("checking", total=len(todo))
        for scenario in todo:
            progress.update(task, description=scenario.name)
            for _ in range(_TRIES):
                finding = pool.submit(check, None, manifest, scenario, time).result()
                if not (finding.only_time or finding.void):
                    break
            findings.append(finding)
            progress.advance(task)
            if findings[-1].problems and not findings[-1].kinds:
                break  # it has not even been asked anything
    unseen = [kind for kind in _ASKED if not any(one.kinds.get(kind) for one in findings)]
    failed = [one for one in findings if one.problems or one.void]
    if as_json:
        print_json(
            {
                "bot": manifest.name,
                "passed": not failed,
                "scenarios": [dataclasses.asdict(one) for one in findings],
                "kinds_never_asked": unseen,
            }
        )
    else:
        _print(findings, len(todo), unseen)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _print(findings: list[Finding], total: int, unseen: list[str]) -> None:
    console = results()
    for one in findings:
        state, style = ("FAILED", "red") if one.problems else ("ok", "green")
        if one.void:
            state, style = "not checked", "yellow"
        console.print(Text.assemble((f"{state:<12}", style), one.scenario))
        for problem in one.problems:
            console.print(f"             {printable(problem)}", soft_wrap=True)
        if one.void:
            console.print(f"             {one.void}", soft_wrap=True)
        for warning in one.warnings:
            console.print(f"             warning: {warning}", soft_wrap=True)
        if one.problems:
            for line in excerpt(one.log, _LOG_LINES):
                console.print(f"             it wrote: {line}", soft_wrap=True)
    asked = {kind: sum(one.kinds.get(kind, 0) for one in findings) for kind in _ASKED}
    told = ", ".join(f"{count} {kind.lower()}" for kind, count in asked.items())
    console.print(f"asked: {told}")
    if unseen:
        console.print(f"never asked, so not checked: {', '.join(unseen)}")
    start_up = max((one.start_up for one in findings), default=0)
    longest = max((one.longest for one in findings), default=0)
    console.print(
        f"started in {start_up:.2f} s at most, answered in {1000 * longest:.1f} ms at most"
    )
    good = sum(not (one.problems or one.void) for one in findings)
    console.print(f"{good} of {total} scenarios passed")
