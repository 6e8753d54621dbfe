"""`arena matches`: what is played and how it ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from arena.cli.matchpage import match_page
from arena.cli.output import JsonOption, print_json, results
from arena.cli.talking import (
    CaOption,
    LimitOption,
    ServerOption,
    WatchOption,
    add_row,
    ago,
    as_facts,
    connected,
    first,
    new_table,
    show,
    shown_state,
)
from arena.errors import InputError
from arena.storage.facts import MatchKind, MatchState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from arena.tournament.answers import MatchSummary, RatingChange
    from arena.transport.client import Client

__all__ = ["match_table", "matches", "outcome"]


def matches(
    number: Annotated[
        int | None, typer.Argument(metavar="MATCH", min=1, help="Only this one, in full.")
    ] = None,
    bot: Annotated[
        str, typer.Option(metavar="OWNER/NAME", help="Only those that this bot plays in.")
    ] = "",
    owner: Annotated[
        str, typer.Option(metavar="NAME", help="Only those with a bot of this owner.")
    ] = "",
    state: Annotated[MatchState | None, typer.Option(help="Only those in this state.")] = None,
    kind: Annotated[MatchKind | None, typer.Option(help="Only those of this kind.")] = None,
    limit: LimitOption = 20,
    server: ServerOption = "",
    ca: CaOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """List matches, the newest first; or show one, with its attempts and what it did to ratings."""
    with connected(server, ca) as client:
        if number is not None:
            _one(client, number, watch=watch, as_json=as_json)
            return
        asked: dict[str, Any] = {"title": bot, "owner": owner, "state": state, "kind": kind}
        if as_json:
            found, more = first(client.matches(**asked), limit)
            print_json({"matches": as_facts(found), "more": more})
            return
        show(lambda: match_table(first(client.matches(**asked), limit)[0]), watch=watch)


def _one(client: Client, number: int, *, watch: bool, as_json: bool) -> None:
    if as_json:
        found = client.match(number)
        print_json({**as_facts(found), "rating_changes": as_facts(changes_of(client, found))})
    elif watch:
        show(lambda: match_table([client.match(number)]), watch=True)
    else:
        found = client.match(number)
        for part in match_page(found, changes_of(client, found)):
            results().print(part, soft_wrap=not isinstance(part, Table))


def changes_of(client: Client, match: MatchSummary) -> Sequence[RatingChange]:
    """How a match has moved ratings; empty if it did not, or does not yet."""
    if match.result is None or match.result.entry is None:
        return ()
    try:
        return client.explain_match(match.number)
    except InputError:  # annulled between the two calls
        return ()


def match_table(found: Sequence[MatchSummary], title: str = "") -> Table:
    """Matches as a table."""
    table = new_table(title, "#match", "kind", "table", "state", "who", "how it stands", "came")
    for one in found:
        who = "  ".join(seat.title for seat in one.seats)
        state = shown_state(one.state)
        cells = (one.number, one.kind, one.table, state, who, outcome(one), ago(one.created))
        add_row(table, *cells)
    return table


def outcome(match: MatchSummary) -> str:
    """How a match ended, or what it waits for."""
    result = match.result
    if result is None:
        place = f"place {match.position}" if match.position else ""
        place += f", done {ago(match.expected)}" if match.expected else ""
        return ": ".join(filter(None, [place, match.why]))
    wins = " : ".join(f"{result.seats[team[0]].wins:g}" for team in match.teams)
    lost = [seat.forfeit for seat in result.seats if seat.forfeit]
    text = f"{wins} of {result.games}" + (f", {', '.join(lost)}" if lost else "")
    return f"{text}, annulled: {result.annulled}" if result.annulled else text
