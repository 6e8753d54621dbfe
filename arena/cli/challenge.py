"""`arena challenge`: ask for a match that does not count."""

from __future__ import annotations

from typing import Annotated

import typer

from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.talking import CaOption, ServerOption, as_facts, connected, new_request

__all__ = ["challenge"]


def challenge(
    bot: Annotated[str, typer.Argument(metavar="NAME", help="A bot of yours.")],
    opponents: Annotated[
        list[str], typer.Argument(metavar="OWNER/NAME...", help="Who sits at the other seats.")
    ],
    table: Annotated[
        str, typer.Option(metavar="TABLE", help="The kind of table. [default: the first that fits]")
    ] = "",
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask for a match against bots of your choice; it is not rated.

    It is played when its turn comes; `arena matches MATCH` says how it stands, and `arena watch`
    shows it.
    """
    with connected(server, ca) as client:
        match = client.create_challenge(bot, tuple(opponents), table=table, request=new_request())
    if as_json:
        print_json(as_facts(match))
        return
    place = f", place {match.position} in the queue" if match.position else ""
    text = f"match {match.number} at {match.table}{place}; `arena watch {match.number}` shows it"
    results().print(printable(text), soft_wrap=True)
