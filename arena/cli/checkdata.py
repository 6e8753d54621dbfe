"""`arena check-data`: does what a server has stored hold together?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.datafolder import DatabaseOption, address, counting
from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, printable, results

if TYPE_CHECKING:
    from arena.storage.check import Checked

__all__ = ["check_data"]


def check_data(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", exists=True, file_okay=False, help="The server's data folder."
        ),
    ],
    database: DatabaseOption = "",
    records: Annotated[
        bool,
        typer.Option(
            "--records/--no-records",
            help="Play every record again by the rules, or only read what was agreed.",
        ),
    ] = True,
    as_json: JsonOption = False,
) -> None:
    """Check a server's data; the server may go on working, and nothing is changed.

    Each match waits, is being played or has one result; each rated result has moved the rating of
    each of its seats; ratings worked out again from the results are the stored ones, to the last
    bit; every file that is named is there, and files, reports, versions and seeds have their
    digests; every record holds, and was played and ended as the rows say; rows agree with each
    other; the database finds nothing wrong with itself.

    Prints one line for each promise that is broken. Exit code 0 if there is none, else 1.
    """
    # Here, not above: most commands need no database.
    from arena.cli.recordfacts import agreed_in, said_by
    from arena.storage.check import check_data as check

    read = said_by if records else agreed_in
    with counting("comparing files") as tell:
        checked = check(data, url=address(database), verify=read, tell=tell)
    if as_json:
        print_json(_facts(checked))
    else:
        _print(checked)
    if checked.violations:
        raise typer.Exit(ExitCode.FAILED)


def _facts(checked: Checked) -> dict[str, object]:
    return {
        "matches": checked.matches,
        "results": checked.results,
        "rating_events": checked.events,
        "files": checked.files,
        "violations": [{"promise": one.promise, "what": one.what} for one in checked.violations],
    }


def _print(checked: Checked) -> None:
    console = results()
    for one in checked.violations:
        console.print(f"promise {one.promise}: {printable(one.what)}", soft_wrap=True)
    counts = (
        f"{checked.matches:,} matches, {checked.results:,} results, "
        f"{checked.events:,} rating events, {checked.files:,} files"
    )
    word = f"{len(checked.violations)} broken promises" if checked.violations else "all holds"
    console.print(f"{counts}: {word}", soft_wrap=True)
