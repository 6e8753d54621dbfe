"""`arena logs`: what one's bot has written, in a match or while it was built."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from arena.cli.output import printable, results
from arena.cli.talking import ServerOption, connected
from arena.errors import InputError

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
) -> None:
    """Print what your bot has written to its standard error in a match.

    Nobody but you can read that, and only when the match is over. Where the output is no terminal
    it is passed on byte for byte.
    """
    if (match is None) == (upload is None):
        raise InputError("name a match, or an upload with --upload NUMBER")
    with connected(server) as client:
        if upload is not None:
            for line in client.build_log(upload):
                results().print(printable(line), soft_wrap=True)
            return
        assert match is not None
        content = b"".join(client.match_log(match, seat))
    if sys.stdout.isatty():
        for line in content.decode(errors="replace").splitlines():
            results().print(printable(line), soft_wrap=True)
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
