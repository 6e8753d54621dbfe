"""`arena serve`: a ladder on this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from arena.cli.output import printable, remarks
from arena.errors import HostFault, InputError
from arena.settings import FILE_NAME, Settings, as_toml, read_settings
from arena.tournament.matches import Sandbox

__all__ = ["serve"]


def serve(
    data: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="The folder that holds everything. [default: arena-data]"),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"The settings. [default: {FILE_NAME} here, if it is there]"
        ),
    ] = None,
    public: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Where authors connect to.")
    ] = None,
    operators: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Where operators connect to.")
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(metavar="HOST:PORT", help="Where Prometheus connects to; '' for nowhere."),
    ] = None,
    sandbox: Annotated[
        Sandbox | None, typer.Option(help="What bots run in; only docker is for strangers' bots.")
    ] = None,
    runtime: Annotated[
        str | None, typer.Option(metavar="NAME", help="The engine's runtime for bots, e.g. runsc.")
    ] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="Accept that this check of `arena doctor` fails; may be repeated."
        ),
    ] = None,
    trust_authors: Annotated[
        bool,
        typer.Option(
            "--trust-authors",
            help="Accept uploads in a sandbox that does not protect this machine: for development.",
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Matches that are played at once.")
    ] = None,
    print_settings: Annotated[
        bool,
        typer.Option(
            "--print-settings", help="Print what would be in force, as a file to edit, and end."
        ),
    ] = False,
) -> None:
    """Run a ladder: take in bots, play rated matches, and tell everybody how it stands.

    Without any settings it keeps everything in ./arena-data, listens on loopback, and runs bots in
    Docker, if all that `arena doctor` needs holds. The first start makes an operator's token and
    says in which file it is; `arena admin` finds it there.

    Options come before the file of settings, and that before the defaults; --print-settings shows
    all of them with what they mean.

    SIGTERM or Ctrl-C drains: no match begins, those that are played have some time to end (drain in
    the settings), and what is left is played again after the next start. A second signal ends at
    once; nothing is lost then either.

    Exit code 0 after a signal, 1 if this machine cannot do its part, 2 if a setting is wrong.
    """
    found = _settings(settings)
    found = _changed(
        found, "server", data=data, public=public, operators=operators, metrics=metrics
    )
    found = _changed(
        found,
        "sandbox",
        kind=sandbox,
        runtime=runtime,
        accept=None if not accept else (*found.sandbox.accept, *accept),
    )
    found = _changed(found, "matches", at_once=jobs)
    if print_settings:
        typer.echo(as_toml(found), nl=False)
        return
    try:
        from arena.app.server import run_server  # databases, gRPC, Docker: slow to load
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("arena"):
            raise
        raise HostFault(
            f"the Python package {error.name} is missing: pip install 'mille-arena[server]'"
        ) from None

    run_server(found, trusts_authors=trust_authors, say=_say)


def _say(text: str) -> None:
    remarks().print(printable(text), soft_wrap=True)


def _settings(path: Path | None) -> Settings:
    if path is None and not Path(FILE_NAME).exists():
        return Settings()
    return read_settings(path or Path(FILE_NAME))


def _changed(settings: Settings, section: str, **given: Any) -> Settings:
    """The settings with what the command line says.

    Raises:
        InputError: a value cannot be; the message begins with its option.
    """
    wanted = {name: value for name, value in given.items() if value is not None}
    if not wanted:
        return settings
    try:
        changed = replace(getattr(settings, section), **wanted)
    except InputError as error:
        raise InputError(f"--{error}") from None
    made: Settings = replace(settings, **{section: changed})
    return made
