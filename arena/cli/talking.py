"""What commands that speak to a server share: connecting, times in words, looking again.

A server quotes what strangers have written, so everything it says goes through `printable`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

import typer
from rich import box
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arena.cli.credentials import Login, find_login
from arena.cli.output import printable, results
from arena.storage.facts import AttemptState, MatchState, UploadState

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.ladder.rating import Rating
    from arena.transport.client import Client

__all__ = [
    "CaOption",
    "LimitOption",
    "ServerOption",
    "WatchOption",
    "add_row",
    "ago",
    "as_facts",
    "client_of",
    "connected",
    "first",
    "new_request",
    "new_table",
    "rating_text",
    "show",
    "shown_state",
    "when",
]

T = TypeVar("T")

ServerOption = Annotated[
    str,
    typer.Option(
        "--server", metavar="HOST:PORT", help="Another server than the one of the last login."
    ),
]
CaOption = Annotated[
    Path | None,
    typer.Option(
        "--ca",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="A PEM file to check the server's certificate with, if it has signed its own; "
        "`arena login` keeps it.",
    ),
]
WatchOption = Annotated[
    bool, typer.Option("--watch", "-w", help="Look again every two seconds, until Ctrl-C.")
]
LimitOption = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1_000_000, help="Lines at the most.")
]

_BETWEEN_LOOKS: Final = 2.0  # seconds


@contextlib.contextmanager
def connected(server: str = "", ca: Path | None = None) -> Iterator[Client]:
    """A connection to the server that was logged in to, or to `server`.

    Its certificate is checked with `ca`, or else with what was named at the login.

    Raises:
        InputError: no server is known, or the file with certificates cannot be used.
    """
    from arena.transport.client import Client  # gRPC: slow to load

    login = find_login(server)
    if ca is not None:
        login = dataclasses.replace(login, ca=str(ca))
    with client_of(login, Client) as client:
        yield client


def client_of(login: Login, kind: Callable[..., T]) -> T:
    """A client for a login."""
    return kind(login.server, login.token, ca=Path(login.ca) if login.ca else None)


def new_request() -> str:
    """A request's id: with the same one, a call that is made again does nothing twice."""
    return uuid.uuid4().hex


def as_facts(value: Any) -> Any:
    """A value of the server for `--json`; times are milliseconds since 1970 in UTC."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: as_facts(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, dict):
        return {str(key): as_facts(one) for key, one in value.items()}
    if isinstance(value, tuple | list | frozenset):
        return [as_facts(one) for one in value]
    return value


def first(items: Iterable[T], limit: int) -> tuple[Sequence[T], bool]:
    """The first `limit` of them, and whether there are more."""
    found = list(islice(items, limit + 1))
    return found[:limit], len(found) > limit


def when(moment: int | None) -> str:
    """A moment in local time, to the second; `-` if there is none."""
    if moment is None:
        return "-"
    local = datetime.fromtimestamp(moment / 1000, UTC).astimezone()
    return local.strftime("%Y-%m-%d %H:%M:%S")


def ago(moment: int | None) -> str:
    """How long ago a moment was, or in how long it will be, in its largest unit."""
    if moment is None:
        return "-"
    seconds = round(time.time() - moment / 1000)
    size = abs(seconds)
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if size >= 2 * length:
            text = f"{size // length} {unit}"
            break
    else:
        text = f"{size} s"
    return f"in {text}" if seconds < 0 else f"{text} ago"


def rating_text(rating: Rating) -> str:
    """A rating as tables show it: mean and deviation."""
    return f"{rating.mu:.2f}±{rating.sigma:.2f}"


def new_table(title: str, *columns: str) -> Table:
    """A table for results; a column whose name begins with `#` is for numbers."""
    table = Table(title=title or None, box=box.SIMPLE_HEAD, title_justify="left")
    for name in columns:
        right = name.startswith("#")
        # Folded, not cut: what one wants to copy, such as a token's name, is there in full.
        table.add_column(
            name.lstrip("#"), justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    return table


def shown_state(state: MatchState | AttemptState | UploadState) -> str:
    """How a match, an attempt or an upload stands, in the words of every command."""
    if state in (MatchState.LEASED, AttemptState.LEASED):
        return "playing"
    return state.replace("_", " ")


def add_row(table: Table, *cells: object, style: str = "") -> None:
    """Add a line; what is in it may be a stranger's text."""
    table.add_row(*(Text(printable(str(cell))) for cell in cells), style=style or None)


def show(render: Callable[[], RenderableType], *, watch: bool) -> None:
    """Print what `render` makes, and with `watch` again and again until Ctrl-C."""
    console = results()
    if not watch:
        console.print(render())
        return
    with contextlib.suppress(KeyboardInterrupt):
        if not console.is_terminal:
            while True:
                console.print(render())
                time.sleep(_BETWEEN_LOOKS)
        with Live(render(), console=console, auto_refresh=False) as live:
            while True:
                time.sleep(_BETWEEN_LOOKS)
                live.update(render(), refresh=True)
