"""What the commands of `arena admin` share: the connection, and how it is told where to."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.output import print_json, printable, results
from arena.cli.talking import as_facts
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.transport.client import OperatorClient

__all__ = ["DataOption", "WhyOption", "operating", "say", "split_version", "tell"]

_SERVER: Final = "ARENA_OPERATORS"
_TOKEN: Final = "ARENA_OPERATOR_TOKEN"
_CA: Final = "ARENA_OPERATORS_CA"

DataOption = Annotated[
    Path,
    typer.Option(
        "--data",
        metavar="DIR",
        help="The data folder of the server, if it runs on this machine; else set "
        f"{_SERVER} and {_TOKEN}.",
    ),
]
WhyOption = Annotated[
    str, typer.Option("--why", metavar="TEXT", help="Why, for those whom it concerns.")
]


@contextlib.contextmanager
def operating(data: Path) -> Iterator[OperatorClient]:
    """A connection to a server's address for operators.

    Raises:
        InputError: nobody has told where that is, or with which token.
    """
    from arena.app.operator import OperatorLogin, read_operator_login
    from arena.transport.client import OperatorClient  # gRPC: slow to load

    server, token = os.environ.get(_SERVER, ""), os.environ.get(_TOKEN, "").strip()
    if bool(server) != bool(token):
        raise InputError(f"{_SERVER} and {_TOKEN} belong together: set both or neither")
    if server:
        login = OperatorLogin(
            server=server, public="", token=token, token_id="", ca=os.environ.get(_CA, "")
        )
    else:
        login = read_operator_login(data)
    ca = Path(login.ca) if login.ca else None
    with OperatorClient(login.server, login.token, ca=ca) as client:
        yield client


def say(text: str) -> None:
    """A line of the result."""
    results().print(printable(text), soft_wrap=True)


def tell(done: object, text: str, *, as_json: bool) -> None:
    """Say what was done: in a line, or what it is about as JSON."""
    if as_json:
        print_json(as_facts(done))
    else:
        say(text)


def split_version(text: str) -> tuple[str, int]:
    """`OWNER/NAME:VERSION` as title and number.

    Raises:
        InputError: it is not that.
    """
    title, _, number = text.rpartition(":")
    if "/" not in title or not number.isascii() or not number.isdigit():
        raise InputError(f"{text}: must be OWNER/NAME:VERSION, such as ann/racer:3")
    return title, int(number)
