"""`arena ladder`: how everybody stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group

from arena.cli.output import JsonOption, print_json, printable
from arena.cli.talking import (
    CaOption,
    LimitOption,
    ServerOption,
    WatchOption,
    add_row,
    as_facts,
    connected,
    first,
    new_table,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from arena.tournament.answers import StandingLine
    from arena.transport.client import Client

__all__ = ["ladder", "standings_table"]


def ladder(
    limit: LimitOption = 50,
    server: ServerOption = "",
    ca: CaOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """Print the ladder.

    Ranked by what a bot almost certainly is worth: the mean of its rating less three times its
    deviation. Whoever has played little therefore begins low and comes up.
    """
    with connected(server, ca) as client:
        if as_json:
            found, more = first(client.standings(), limit)
            lines = [{**as_facts(one), "conservative": one.rating.conservative} for one in found]
            print_json({"ladder": as_facts(client.ladder()), "standings": lines, "more": more})
            return
        show(lambda: _page(client, limit), watch=watch)


def _page(client: Client, limit: int) -> RenderableType:
    found, more = first(client.standings(), limit)
    info = client.ladder()
    parts: list[RenderableType] = [standings_table(found)]
    if more:
        parts.append(f"the first {limit}; --limit shows more")
    if info.paused:
        parts.append(printable(f"no matches begin at present: {info.paused}"))
    return Group(*parts)


def standings_table(found: Sequence[StandingLine]) -> Table:
    """Standings as a table."""
    table = new_table(
        "", "#place", "bot", "version", "#worth", "#mean", "#deviation", "#matches", ""
    )
    for one in found:
        add_row(
            table,
            one.place,
            one.title,
            one.label,
            f"{one.rating.conservative:.2f}",
            f"{one.rating.mu:.2f}",
            f"{one.rating.sigma:.2f}",
            one.matches,
            one.absence.replace("_", " "),
            style="dim" if one.absence else "",
        )
    return table
