"""`arena restore`: a data folder from a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from arena.cli.datafolder import DatabaseOption, address, counting
from arena.cli.output import JsonOption, print_json, results

__all__ = ["restore"]


def restore(
    backup: Annotated[
        Path,
        typer.Argument(
            metavar="BACKUP", exists=True, file_okay=False, help="A folder that arena backup made."
        ),
    ],
    data: Annotated[
        Path,
        typer.Argument(metavar="DATA", help="The data folder to make: a new one or an empty one."),
    ],
    database: DatabaseOption = "",
    as_json: JsonOption = False,
) -> None:
    """Make a data folder from a backup, after comparing all of it with its digests.

    With --database its rows go into that PostgreSQL database, which has to be empty. A backup can
    be restored to either kind, whatever it was made from.

    What was begun and not finished is refused by a server: remove it and begin again.
    """
    # Here, not above: most commands need no database.
    from arena.storage.backup import restore as restore_backup
    from arena.storage.folder import shown_moment

    with counting("restoring files") as tell:
        contents = restore_backup(backup, data, url=address(database), tell=tell)
    if as_json:
        facts = {"data": str(data), "at": contents.at, "files": contents.files}
        print_json({**facts, "missing": list(contents.missing)})
        return
    console = results()
    console.print(
        f"{data}: as it was {shown_moment(contents.at)}, with {contents.files:,} files",
        soft_wrap=True,
    )
    for one in contents.missing:
        console.print(f"was missing already when the backup was made: {one}", soft_wrap=True)
