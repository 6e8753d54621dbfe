"""The command line, put together: every command is imported and registered here by name.

A plain command is one function, added with `_add`; a group (`arena bench engine`) is a
`typer.Typer` called `app`, added with `add_typer`. The order of the lines at the end of this file
is the order in the help.
"""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final, NoReturn

import typer

import arena
from arena.cli import (
    admin,
    backup,
    bench,
    bots,
    buildbot,
    challenge,
    checkbot,
    checkdata,
    competition,
    conformance,
    demo,
    doctor,
    fetchrecord,
    images,
    ladder,
    ladderbench,
    league,
    login,
    logs,
    match,
    matches,
    newbot,
    pack,
    replay,
    rerun,
    rerunmatch,
    restore,
    rules,
    serve,
    serverbench,
    sim,
    status,
    submit,
    try_,
    verify,
    watch,
)
from arena.cli.exits import PROGRAM, ExitCode, run
from arena.cli.output import flowing

__all__ = ["app", "main"]

# The headings of the help.
PLAY: Final = "Play"
BOTS: Final = "Write a bot"
LADDER: Final = "Take part in a ladder"
RUN: Final = "Run a ladder"
COMPETE: Final = "Run a competition"
RECORDS: Final = "Look back"
RULES: Final = "Rules"
MEASURE: Final = "Measure"

# Whole command lines, each of a command that is registered below.
EXAMPLES: Final[tuple[str, ...]] = (
    "arena match cautious random --boards 20 --seed 7",
    "arena match keeper cautious --boards 1000 --jobs 2 --in-process --sprt 0 20",
    "arena league keeper racer cautious random --boards 10",
    "arena serve --sandbox process --trust-authors",
    "arena submit example_bots/keeper",
    "arena competition init --example school",
    "arena conformance tests/conformance/shared/*.json",
    "arena sim --ruleset express --players 4 --hands 1000 --seed 7",
    "arena bench engine --json",
)

EXITS: Final = f"""\
[bold]Exit codes[/bold]
  {ExitCode.FINE:>3}  fine
  {ExitCode.FAILED:>3}  failed: something did not pass, or this machine did not do its part
  {ExitCode.BAD_INPUT:>3}  bad input: an option, a value or a file, named in the message
  {ExitCode.INTERNAL:>3}  internal error, a bug; ARENA_TRACEBACK=1 shows where
  {ExitCode.INTERRUPTED:>3}  interrupted"""

PROGRAMS: Final = """\
[bold]For programs[/bold]
  --json prints one JSON value on standard output, also on failure:
  {"error": {"kind": "input", "message": "..."}}
  Remarks and progress go to standard error."""


def _epilog() -> str:
    examples = "\n".join(["[bold]Examples[/bold]", *(f"  {line}" for line in EXAMPLES)])
    return "\n\n".join([examples, EXITS, PROGRAMS] if EXAMPLES else [EXITS, PROGRAMS])


app = typer.Typer(
    name=PROGRAM,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=_epilog(),
    rich_markup_mode="rich",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"{PROGRAM} {arena.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_show_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """A tournament server for bots that play Mille Bornes."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _add(command: Callable[..., None], panel: str) -> None:
    name = command.__name__.replace("_", "-")
    app.command(name, help=flowing(command), rich_help_panel=panel)(command)


_add(demo.demo, PLAY)
_add(match.match, PLAY)
_add(league.league, PLAY)
_add(newbot.new_bot, BOTS)
_add(buildbot.build_bot, BOTS)
_add(checkbot.check_bot, BOTS)
_add(pack.pack, BOTS)
app.command("try", help=flowing(try_.try_), rich_help_panel=BOTS)(try_.try_)
_add(rerun.rerun, BOTS)
_add(login.login, LADDER)
_add(login.logout, LADDER)
_add(submit.submit, LADDER)
_add(status.status, LADDER)
_add(ladder.ladder, LADDER)
_add(bots.bots, LADDER)
_add(matches.matches, LADDER)
_add(watch.watch, LADDER)
_add(challenge.challenge, LADDER)
_add(logs.logs, LADDER)
_add(fetchrecord.fetch_record, LADDER)
_add(rerunmatch.rerun_match, LADDER)
_add(serve.serve, RUN)
app.add_typer(admin.app, name="admin", rich_help_panel=RUN)
_add(backup.backup, RUN)
_add(restore.restore, RUN)
_add(checkdata.check_data, RUN)
app.add_typer(competition.app, name="competition", rich_help_panel=COMPETE)
_add(replay.replay, RECORDS)
_add(verify.verify, RECORDS)
_add(conformance.conformance, RULES)
_add(rules.rules, RULES)
_add(sim.sim, RULES)
_add(doctor.doctor, MEASURE)
bench.app.command("ladder", help=flowing(ladderbench.ladder))(ladderbench.ladder)
bench.app.command("server", help=flowing(serverbench.server))(serverbench.server)
app.add_typer(images.app, name="images", rich_help_panel=BOTS)
app.add_typer(bench.app, name="bench", rich_help_panel=MEASURE)


def main() -> NoReturn:
    """Run the command line of this process and exit."""
    _take_standard_descriptors()
    _mend_streams()
    code = run(app, sys.argv[1:])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it has ended: a traceback would say nothing
    _let_go_of_remarks()
    sys.exit(code)


def _let_go_of_remarks() -> None:
    """What cannot be written to standard error, a full disk say, is no failure of the command.

    The interpreter would try again at its end, and exit with 120.
    """
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


def _take_standard_descriptors() -> None:
    """See to it that 0, 1 and 2 are open: what is opened later must not pass for one of them.

    Whoever starts us may have closed them, and sockets to the processes that play would be next.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)


def _mend_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the caller closed it; writing to it shall do nothing
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - open to the end
        elif isinstance(stream, io.TextIOWrapper):  # an accent is no reason to fail
            stream.reconfigure(errors="replace")
