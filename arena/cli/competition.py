"""`arena competition`: write, check and run competitions; put together from competition*.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import typer

from arena.cli import (
    competitionarchive,
    competitioninit,
    competitionplan,
    competitionrun,
    competitionshow,
    competitionvalidate,
    competitionverify,
)
from arena.cli.output import flowing

__all__ = ["app"]

EVERYBODY: Final = "For everybody"
OPERATORS: Final = "For operators of a server"

app = typer.Typer(invoke_without_command=True)


@app.callback()
def competition(context: typer.Context) -> None:
    """Write the regulations of a competition, check them, and run it."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _add(name: str, command: Callable[..., None], panel: str = EVERYBODY) -> None:
    app.command(name, help=flowing(command), rich_help_panel=panel)(command)


_add("init", competitioninit.init)
_add("validate", competitionvalidate.validate)
_add("plan", competitionplan.plan)
_add("verify", competitionverify.verify)
_add("list", competitionshow.list_)
_add("show", competitionshow.show_)
_add("enter", competitionshow.enter)
_add("leave", competitionshow.leave)
for _name, _command in (
    ("open", competitionrun.open_),
    ("status", competitionshow.status),
    ("freeze", competitionrun.freeze),
    ("mix", competitionrun.mix),
    ("start", competitionrun.start),
    ("pause", competitionrun.pause),
    ("resume", competitionrun.resume),
    ("add", competitionrun.add),
    ("withdraw", competitionrun.withdraw),
    ("disqualify", competitionrun.disqualify),
    ("reinstate", competitionrun.reinstate),
    ("rerun", competitionrun.rerun),
    ("decide", competitionrun.decide),
    ("release", competitionrun.release),
    ("finish", competitionrun.finish),
    ("cancel", competitionrun.cancel),
    ("archive", competitionarchive.archive),
):
    _add(_name, _command, OPERATORS)
