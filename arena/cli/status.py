"""`arena status`: where one's uploads, bots and matches are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Group

from arena.cli.bots import reasons
from arena.cli.exits import ExitCode
from arena.cli.matches import match_table
from arena.cli.output import JsonOption, print_json, printable, results
from arena.cli.submit import follow, refusal
from arena.cli.talking import (
    CaOption,
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
    shown_state,
)
from arena.storage.facts import MatchState, UploadState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType
    from rich.table import Table

    from arena.tournament.answers import MatchSummary, PublicEntrant, UploadStatus
    from arena.transport.client import Client

__all__ = ["status", "upload_table"]

_UPLOADS = 10
_MATCHES = 20


def status(
    upload: Annotated[
        int | None, typer.Argument(metavar="UPLOAD", min=1, help="Only this upload, in full.")
    ] = None,
    server: ServerOption = "",
    ca: CaOption = None,
    watch: WatchOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say where your uploads, bots and matches are, and what they wait for.

    With the number of an upload, follow that one to its end if --watch is given, and say why it
    was refused if it was.

    Exit code 1 if that upload was refused or set aside, else 0.
    """
    with connected(server, ca) as client:
        if upload is not None:
            _one(client, upload, watch=watch, as_json=as_json)
        elif as_json:
            print_json(_facts(client))
        else:
            show(lambda: _overview(client), watch=watch)


def _one(client: Client, number: int, *, watch: bool, as_json: bool) -> None:
    found = client.upload(number)
    if watch:
        found = follow(client, found, quiet=as_json)
    log = client.build_log(number) if found.state is UploadState.REFUSED else ()
    if as_json:
        print_json({**as_facts(found), "build_log": list(log)})
    else:
        console = results()
        console.print(upload_table([found]))
        for step, text in () if watch else found.told:
            console.print(printable(f"{step:<10}{text}"), soft_wrap=True)
        lines = refusal(found, log) if found.state is UploadState.REFUSED else found.why
        for line in lines:
            console.print(printable(line), soft_wrap=True)
    if found.state in (UploadState.REFUSED, UploadState.SET_ASIDE):
        raise typer.Exit(ExitCode.FAILED)


def _facts(client: Client) -> dict[str, object]:
    who = client.who_am_i()
    uploads, _ = first(client.uploads(), _UPLOADS)
    running, queued = _open_matches(client, who.owner)
    return {
        "owner": as_facts(who),
        "ladder": as_facts(client.ladder()),
        "uploads": as_facts(uploads),
        "bots": as_facts(list(client.own_entrants())),
        "running": as_facts(running),
        "queued": as_facts(queued),
    }


def _overview(client: Client) -> RenderableType:
    who = client.who_am_i()
    paused = client.ladder().paused
    uploads, more = first(client.uploads(), _UPLOADS)
    running, queued = _open_matches(client, who.owner)
    parts: list[RenderableType] = []
    if paused:
        parts.append(printable(f"no matches begin at present: {paused}"))
    parts.append(upload_table(uploads, "uploads" + (", the latest" if more else "")))
    own = list(client.own_entrants())
    parts.append(_bots(own))
    for one in own:
        _, versions = client.own_entrant(one.name)
        parts += reasons([version for version in versions if version.ordinal == one.active])
    if running or queued:
        parts.append(match_table([*running, *queued], "matches under way"))
    return Group(*parts)


def _open_matches(
    client: Client, owner: str
) -> tuple[Sequence[MatchSummary], Sequence[MatchSummary]]:
    running, _ = first(client.matches(owner=owner, state=MatchState.LEASED), _MATCHES)
    queued, _ = first(client.matches(owner=owner, state=MatchState.QUEUED), _MATCHES)
    return running, queued


def upload_table(uploads: Sequence[UploadStatus], title: str = "") -> Table:
    """Uploads as a table."""
    table = new_table(title, "#upload", "bot", "state", "came", "what")
    for one in uploads:
        add_row(
            table, one.number, one.bot or "-", shown_state(one.state), ago(one.created), _what(one)
        )
    return table


def _what(one: UploadStatus) -> str:
    match one.state:
        case UploadState.QUEUED:
            expected = f", done {ago(one.expected)}" if one.expected else ""
            return f"place {one.position}{expected}: {one.waiting_for or 'its turn'}"
        case UploadState.AT_WORK:
            return one.step
        case UploadState.ACCEPTED:
            return f"version {one.ordinal}"
        case _:
            return one.why[0] if one.why else ""


def _bots(bots: Sequence[PublicEntrant]) -> Table:
    table = new_table("bots", "bot", "#version", "#rating", "#matches", "remark")
    for one in bots:
        remark = f"paused: {one.why_paused}" if one.is_paused else ""
        version = "-" if one.active is None else one.active
        add_row(table, one.title, version, rating_text(one.rating), one.matches, remark)
    return table
