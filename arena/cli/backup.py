"""`arena backup`: a copy of a server's data while it works."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.datafolder import DatabaseOption, address, calendar, counting, shown_size
from arena.cli.exits import ExitCode
from arena.cli.output import JsonOption, print_json, results

__all__ = ["backup"]


def backup(
    data: Annotated[
        Path,
        typer.Argument(
            metavar="DATA", exists=True, file_okay=False, help="The server's data folder."
        ),
    ],
    to: Annotated[
        Path, typer.Argument(metavar="TO", help="The folder to make; it must not exist yet.")
    ],
    database: DatabaseOption = "",
    as_json: JsonOption = False,
) -> None:
    """Copy a server's data: all rows as they are at one moment, and the files that they name.

    The server may go on working. Every file is read and compared with its digest. On the disk of
    the data folder files become hard links, which take no room but share its fate: bring the copy
    to another machine.

    The same kind of folder comes of a PostgreSQL database, so it can be restored into either.

    Exit code 1 if a file was missing or damaged; the rest is in the backup all the same.
    """
    # Here, not above: most commands need no database.
    from arena.storage.backup import back_up

    with counting("copying files") as tell:
        contents = back_up(data, to, calendar, url=address(database), tell=tell)
    if as_json:
        print_json(
            {
                "backup": str(to),
                "at": contents.at,
                "files": contents.files,
                "bytes": contents.size,
                "missing": list(contents.missing),
            }
        )
    else:
        console = results()
        console.print(
            f"{to}: the database and {contents.files:,} files, {shown_size(contents.size)}",
            soft_wrap=True,
        )
        for one in contents.missing:
            console.print(f"missing or damaged: {one}", soft_wrap=True)
    if contents.missing:
        raise typer.Exit(ExitCode.FAILED)
