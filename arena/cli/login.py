"""`arena login` and `arena logout`: who we are at a server."""

from __future__ import annotations

import getpass
import re
import sys
from typing import Annotated, Final

import typer

from arena.cli.credentials import Login, find_login, forget, keep
from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.talking import CaOption, as_facts, client_of, when
from arena.errors import InputError

__all__ = ["login", "logout"]

_LOOKS_RIGHT: Final = re.compile(r"arena_owner_[A-Za-z0-9]+_[A-Za-z0-9_=-]+")
_LONGEST: Final = 1000


def login(
    address: Annotated[str, typer.Argument(metavar="HOST:PORT", help="The server's address.")],
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell this machine your token for a server; other commands speak to it from then on.

    Asks for the token, or reads it from standard input where that is no terminal, checks it, and
    keeps it in a file that nobody else may read. ARENA_SERVER and ARENA_TOKEN come before what is
    kept.

    Beyond this machine only TLS is spoken.
    """
    from arena.transport.client import Client  # gRPC: slow to load

    token = _token(address)
    wanted = Login(server=address, token=token, ca=str(ca.resolve()) if ca else "")
    with client_of(wanted, Client) as client:
        who = client.who_am_i()
    path = keep(wanted)
    if as_json:
        print_json({"server": address, "file": str(path), **as_facts(who)})
        return
    scopes = " and ".join(who.scopes)
    results().print(
        printable(
            f"logged in to {address} as {who.owner}; the token may {scopes} until "
            f"{when(who.expires)}, and is kept in {path}"
        ),
        soft_wrap=True,
    )


def logout(
    address: Annotated[
        str, typer.Argument(metavar="HOST:PORT", help="The server; without it the last one.")
    ] = "",
) -> None:
    """Forget the token for a server; it stays good for whoever else has it."""
    server = address or find_login().server
    if not forget(server):
        raise InputError(f"{server}: there is no login to forget")
    results().print(printable(f"forgot the token for {server}"), soft_wrap=True)


def _token(address: str) -> str:
    """The token, from whoever sits there or from standard input; never from the arguments.

    Raises:
        InputError: that is none.
    """
    if sys.stdin.isatty():
        text = getpass.getpass(f"token for {address} (it is not shown): ")
    else:
        text = sys.stdin.readline(_LONGEST)
    token = text.strip()
    if not token:
        raise InputError("no token was given; an operator makes one: arena admin token new OWNER")
    if not _LOOKS_RIGHT.fullmatch(token):
        raise InputError(
            "that is no author's token: it looks like arena_owner_..., and has to be whole"
        )
    return token
