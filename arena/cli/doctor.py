"""`arena doctor`: may strangers' programs run on this machine?"""

from __future__ import annotations

import asyncio
import dataclasses
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich import box
from rich.table import Table
from rich.text import Text

from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, remarks, results

if TYPE_CHECKING:
    from arena.sandbox.doctor import Exceptions, Report
    from arena.sandbox.probes.checks import Result

__all__ = ["doctor"]

_STYLES: Final = {"ok": "green", "warn": "yellow", "fail": "bold red", "cannot tell": "magenta"}


def doctor(
    image: Annotated[
        str, typer.Option(metavar="LANGUAGE", help="Look from inside the image for this language.")
    ] = "python",
    accept: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Accept that this check fails; may be repeated."),
    ] = None,
    runtime: Annotated[
        str, typer.Option(metavar="NAME", help="The engine's runtime for bots, e.g. runsc.")
    ] = "",
    show_all: Annotated[
        bool, typer.Option("--all", help="Print every check, also those that are ok.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Check whether this machine can run strangers' programs, and say what is missing.

    Looks at this machine and its engine, then starts a container exactly as a bot would get it and
    tries from inside what a hostile program would try.

    `fail` is a promise that strangers' programs need and that does not hold; `warn` is advice;
    `cannot tell` counts as a failure where the promise is needed. Every line that is not ok has its
    remedy. What is ok is counted, and listed with --all.

    Exit code 0 if nothing has failed, else 1.
    """
    # Here, not above: other commands need no engine.
    from arena.sandbox.doctor import Exceptions, examine, failures

    exceptions = Exceptions.of(accept or ())
    with remarks().status("starting") as status:
        report = asyncio.run(examine(image, runtime=runtime, say=status.update))
    failed = failures(report.results, exceptions)
    if as_json:
        print_json(_facts(report, exceptions, failed))
    else:
        _print(report, exceptions, failed, show_all=show_all)
    if failed:
        raise typer.Exit(ExitCode.FAILED)


def _facts(report: Report, exceptions: Exceptions, failed: Sequence[Result]) -> dict[str, object]:
    return {
        "host": [dataclasses.asdict(one) for one in report.host],
        "container": [dataclasses.asdict(one) for one in report.container],
        "accepted": sorted(exceptions.names),
        "failed": [one.name for one in failed],
    }


def _print(
    report: Report, exceptions: Exceptions, failed: Sequence[Result], *, show_all: bool
) -> None:
    console = results()
    for title, found in (("this machine", report.host), ("inside a container", report.container)):
        shown = [one for one in found if show_all or one.state.value != "ok"]
        if shown:
            console.print(_table(title, shown))
    for line in exceptions.remarks(report.results):
        console.print(printable(line), soft_wrap=True)
    counts = Counter(one.state.value for one in report.results)
    console.print(", ".join(f"{counts[word]} {word}" for word in _STYLES if counts[word]))
    if failed:
        names = ", ".join(one.name for one in failed)
        console.print(f"strangers' programs may not run here: {names}", soft_wrap=True)
    else:
        console.print("strangers' programs may run here")


def _table(title: str, found: Sequence[Result]) -> Table:
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("", no_wrap=True)
    table.add_column("check", no_wrap=True)
    table.add_column("promise, what was seen, remedy")
    for one in found:
        word = one.state.value
        what = Text.assemble(f"{one.promise} ", (f"Seen: {printable(one.seen)}", "dim"))
        if word != "ok":
            what.append(f"\n-> {one.remedy}")
        table.add_row(Text(word, _STYLES[word]), one.name, what)
    return table
