"""`arena admin owner` and `arena admin token`: who may do what."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.operating import DataOption, operating, say, tell
from arena.cli.output import JsonOption, flowing, print_json, results
from arena.cli.talking import add_row, ago, as_facts, new_request, new_table, when
from arena.storage.facts import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["owner_app", "token_app"]

_DATA: Final = Path("arena-data")
_DAY: Final = 24 * 60 * 60 * 1000

NameArgument = Annotated[str, typer.Argument(metavar="OWNER")]

owner_app = typer.Typer(no_args_is_help=True, help="Owners: those who enter bots.")
token_app = typer.Typer(no_args_is_help=True, help="Tokens: who has one may call.")


def _add(app: typer.Typer, name: str, command: Callable[..., None]) -> None:
    app.command(name, help=flowing(command))(command)


def _new_owner(
    name: Annotated[str, typer.Argument(metavar="OWNER", help="1 to 64 of a-z 0-9 _ -.")],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Take in an owner; `arena admin token new OWNER` makes a token for it."""
    with operating(data) as client:
        owner = client.create_owner(name, request=new_request())
    if as_json:
        print_json(as_facts(owner))
    else:
        say(f"{owner.name} may enter bots; next: arena admin token new {owner.name}")


def _list_owners(data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """List owners, with the time of the machine that their bots have taken."""
    with operating(data) as client:
        found = list(client.owners())
    if as_json:
        print_json({"owners": as_facts(found)})
        return
    table = new_table("", "owner", "since", "#machine time", "suspended")
    for one in found:
        hours = f"{one.machine_time / 3_600_000:.2f} h"
        add_row(table, one.name, ago(one.created), hours, one.suspended)
    results().print(table)


def _suspend(
    name: NameArgument,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why; the owner is told.")],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Let an owner do nothing, and begin no matches with its bots."""
    with operating(data) as client:
        found = client.suspend_owner(name, why)
    tell(found, f"{name} is suspended", as_json=as_json)


def _reinstate(name: NameArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Take a suspension back."""
    with operating(data) as client:
        found = client.reinstate_owner(name)
    tell(found, f"{name} may do again what its tokens say", as_json=as_json)


def _new_token(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose.")] = "",
    kind: Annotated[TokenKind, typer.Option(help="What for.")] = TokenKind.OWNER,
    scope: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this: submit or read; may be repeated."),
    ] = None,
    days: Annotated[
        float | None, typer.Option(min=0.001, max=3660, help="How long it is good.")
    ] = None,
    note: Annotated[str, typer.Option(metavar="TEXT", help="A line to know it by.")] = "",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Make a token, and print it: this once, for nothing but its hash is kept.

    Give it to whom it is for by a way that nobody else reads; `arena login` asks for it.
    """
    with operating(data) as client:
        text, token = client.issue_token(
            kind,
            owner=owner,
            scopes=tuple(scope or ()),
            lifetime_ms=None if days is None else round(days * _DAY),
            note=note,
        )
    if as_json:
        print_json({"text": text, **as_facts(token)})
    else:
        say(text)


def _list_tokens(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Only this owner's.")] = "",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """List tokens, without their secrets."""
    with operating(data) as client:
        found = list(client.tokens(owner))
    if as_json:
        print_json({"tokens": as_facts(found)})
        return
    table = new_table("", "token", "kind", "owner", "may", "until", "last used", "revoked", "note")
    for one in found:
        cells = (one.public, one.kind, one.owner or "-", " ".join(sorted(one.scopes)))
        times = (when(one.expires), ago(one.last_used), ago(one.revoked))
        add_row(table, *cells, *times, one.note)
    results().print(table)


def _revoke(
    token: Annotated[
        str, typer.Argument(metavar="TOKEN", help="Its public part, as `list` shows it.")
    ],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Make a token worthless, for what is open with it too, within a minute."""
    with operating(data) as client:
        found = client.revoke_token(token)
    tell(found, f"token {token} is worthless now", as_json=as_json)


_add(owner_app, "new", _new_owner)
_add(owner_app, "list", _list_owners)
_add(owner_app, "suspend", _suspend)
_add(owner_app, "reinstate", _reinstate)
_add(token_app, "new", _new_token)
_add(token_app, "list", _list_tokens)
_add(token_app, "revoke", _revoke)
