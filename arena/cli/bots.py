"""`arena bots`: who takes part; one's own can be paused, and another version put to play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Group
from rich.text import Text

from arena.cli.matchpage import change_table
from arena.cli.output import JsonOption, print_json, printable
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
    rating_text,
    show,
)
from arena.errors import InputError
from arena.storage.facts import VersionState

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from arena.tournament.answers import PublicEntrant, PublicVersion
    from arena.transport.client import Client

__all__ = ["bots", "reasons"]


_HELD_BACK: Final = {
    VersionState.PROBATION: "it plays no rated match before it has passed a check, which comes by "
    "itself; a new version that you submit plays at once",
    VersionState.QUARANTINED: "it plays no more; a new version that you submit plays",
}
"""What becomes of a version in a state, for its author."""


def bots(
    bot: Annotated[
        str, typer.Argument(metavar="NAME", help="Only this one: NAME of yours, or OWNER/NAME.")
    ] = "",
    everybody: Annotated[
        bool, typer.Option("--all", "-a", help="Everybody's bots, not only yours.")
    ] = False,
    pause: Annotated[
        bool, typer.Option("--pause", help="Have your bot begin no new matches.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Have it play again.")] = False,
    activate: Annotated[
        int | None,
        typer.Option(metavar="VERSION", min=1, help="Have this version of it play, by its number."),
    ] = None,
    limit: LimitOption = 20,
    server: ServerOption = "",
    ca: CaOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """List bots; or show one, with its versions and how its rating has moved."""
    changes = sum((pause, resume, activate is not None))
    if changes > 1:
        raise InputError("--pause, --resume and --activate: one at a time")
    if changes and (not bot or "/" in bot):
        raise InputError("--pause, --resume and --activate are for a bot of yours: say its NAME")
    with connected(server, ca) as client:
        if pause:
            client.pause(bot)
        if resume:
            client.resume(bot)
        if activate is not None:
            client.activate(bot, activate)
        if as_json:
            print_json(_facts(client, bot, everybody, limit))
        else:
            show(lambda: _page(client, bot, everybody, limit), watch=watch)


def _found(client: Client, bot: str) -> tuple[PublicEntrant, Sequence[PublicVersion]]:
    """A bot with its versions, the newest first; one's own with what only its owner is told."""
    if "/" in bot:
        return client.entrant(bot), list(client.versions(bot))
    return client.own_entrant(bot)


def _listed(client: Client, everybody: bool) -> list[PublicEntrant]:
    return list(client.entrants() if everybody else client.own_entrants())


def _facts(client: Client, bot: str, everybody: bool, limit: int) -> dict[str, object]:
    if not bot:
        return {"bots": as_facts(_listed(client, everybody))}
    entrant, versions = _found(client, bot)
    changes, more = first(client.rating_changes(entrant.title), limit)
    return {
        "bot": as_facts(entrant),
        "versions": as_facts(versions),
        "rating_changes": as_facts(changes),
        "more": more,
    }


def _page(client: Client, bot: str, everybody: bool, limit: int) -> RenderableType:
    if not bot:
        return _table(_listed(client, everybody))
    entrant, versions = _found(client, bot)
    changes, _ = first(client.rating_changes(entrant.title), limit)
    return Group(
        _table([entrant]),
        _versions(versions),
        *reasons(versions),
        change_table(changes, "how its rating has moved, the latest first"),
    )


def _table(found: Sequence[PublicEntrant]) -> Table:
    table = new_table("", "bot", "#version", "#worth", "#rating", "#matches", "since", "remark")
    for one in found:
        remark = ": ".join(filter(None, ["paused" if one.is_paused else "", one.why_paused]))
        version = "-" if one.active is None else one.active
        since = ago(one.created)
        rating = (f"{one.rating.conservative:.2f}", rating_text(one.rating))
        add_row(table, one.title, version, *rating, one.matches, since, remark)
    return table


def _versions(found: Sequence[PublicVersion]) -> Table:
    table = new_table(
        "versions",
        "#version",
        "label",
        "state",
        "came",
        "#matches",
        "#forfeits",
        "#voids",
    )
    for one in found:
        cells = (one.ordinal, one.label, one.state, ago(one.created), one.matches, one.forfeits)
        add_row(table, *cells, one.voids)
    return table


def reasons(versions: Sequence[PublicVersion]) -> Iterator[RenderableType]:
    """Why versions are held back, and what follows for their author: too long for a table."""
    for one in versions:
        if one.state in _HELD_BACK and one.why:
            text = f"version {one.ordinal} ({one.label}): {one.why}; {_HELD_BACK[one.state]}"
            yield Text(printable(text))
