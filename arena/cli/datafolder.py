"""What the commands about a server's data share."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from arena.cli.output import remarks

if TYPE_CHECKING:
    from arena.storage.facts import Moment

__all__ = ["DatabaseOption", "address", "calendar", "counting", "shown_size"]

_VARIABLE: Final = "ARENA_DATABASE"

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        help="The server's PostgreSQL database, if it has one. An address with a password is "
        f"better given in the environment, as {_VARIABLE}: everybody sees a command line.",
    ),
]
"""The type of a command's parameter `database`."""


def address(option: str) -> str:
    """The database's address: the option, or the environment; empty for SQLite."""
    return option or os.environ.get(_VARIABLE, "")


def calendar() -> Moment:
    """The present moment."""
    from arena.storage.facts import Moment

    return Moment(time.time_ns() // 1_000_000)


def shown_size(size: int) -> str:
    """A number of bytes for people."""
    if size < 1_000_000:
        return f"{size:,} bytes"
    return f"{size / 1_000_000:,.1f} MB"


@contextlib.contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on standard error for work that tells how much of how much is done."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    console = remarks()
    is_idle = not console.is_terminal  # elsewhere its end would be an empty line
    with Progress(*columns, console=console, transient=True, disable=is_idle) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
