"""`arena logs`: what one's bot has written, in a match or while it was built."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.talking import CaOption, ServerOption, connected
from arena.errors import InputError

if TYPE_CHECKING:
    from arena.transport.client import Client

__all__ = ["logs"]


def logs(
    match: Annotated[
        int | None, typer.Argument(metavar="MATCH", min=1, help="A match that is over.")
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Whose, if several bots at the table are yours; from 0."),
    ] = None,
    upload: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help="The build of this upload instead.")
    ] = None,
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print what your bot has written to its standard error in a match.

    Nobody but you can read that, and only when the match is over. Where the output is no terminal
    it is passed on byte for byte.
    """
    if (match is None) == (upload is None):
        raise InputError("name a match, or an upload with --upload NUMBER")
    with connected(server, ca) as client:
        if upload is not None:
            lines = client.build_log(upload)
            if as_json:
                print_json({"upload": upload, "log": list(lines)})
            for line in () if as_json else lines:
                results().print(printable(line), soft_wrap=True)
            return
        assert match is not None
        _require_own(client, match, seat)
        content = b"".join(client.match_log(match, seat))
    if as_json:
        print_json({"match": match, "log": content.decode(errors="replace").splitlines()})
    elif sys.stdout.isatty():
        for line in content.decode(errors="replace").splitlines():
            results().print(printable(line), soft_wrap=True)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)


def _require_own(client: Client, match: int, seat: int | None) -> None:
    """Say of a match that everybody may see why there is no log of it for whoever asks.

    Raises:
        InputError: no bot of theirs plays there, or not in that seat.
    """
    own = client.who_am_i().owner
    seats = client.match(match).seats
    numbers = [number for number, one in enumerate(seats) if one.title.startswith(f"{own}/")]
    if own and (not numbers or seat not in (None, *numbers)):
        where = f"in seat {seat}" if numbers else "in it"
        raise InputError(
            f"match {match}: no bot of yours plays {where}; its seats are "
            + ", ".join(f"{number} {one.title}" for number, one in enumerate(seats))
        )
