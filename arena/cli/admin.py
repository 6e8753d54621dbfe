"""`arena admin`: what operators do, on the server's own machine or from elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.adminwho import owner_app, token_app
from arena.cli.exits import ExitCode
from arena.cli.matches import match_table
from arena.cli.operating import DataOption, WhyOption, operating, say, split_version, tell
from arena.cli.output import JsonOption, flowing, print_json, results
from arena.cli.status import upload_table
from arena.cli.talking import LimitOption, add_row, as_facts, first, new_table, when

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.storage.facts import Rebuilt

__all__ = ["app"]

_DATA: Final = Path("arena-data")
_EXAMPLES: Final = 3

BotArgument = Annotated[
    str, typer.Argument(metavar="OWNER/NAME", help="Only this bot; without it the whole ladder.")
]
VersionArgument = Annotated[
    str, typer.Argument(metavar="OWNER/NAME:VERSION", help="A version of a bot, by its number.")
]
MatchArgument = Annotated[int, typer.Argument(metavar="MATCH", min=1)]

app = typer.Typer(name="admin", no_args_is_help=True, help="Run a ladder: for operators.")
app.add_typer(owner_app, name="owner")
app.add_typer(token_app, name="token")


def _add(command: Callable[..., None]) -> None:
    name = command.__name__.replace("_", "-")
    app.command(name, help=flowing(command))(command)


def pause(
    bot: BotArgument = "",
    why: WhyOption = "an operator has paused it",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Begin no more matches, at all or with one bot; those that are being played go on."""
    with operating(data) as client:
        done: object = {"paused": why}
        if bot:
            done = client.pause_entrant(bot, why)
        else:
            client.pause_ladder(why)
    tell(done, f"{bot or 'the ladder'} is paused", as_json=as_json)


def resume(bot: BotArgument = "", data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Begin matches again."""
    with operating(data) as client:
        done: object = {"paused": ""}
        if bot:
            done = client.resume_entrant(bot)
        else:
            client.resume_ladder()
    tell(done, f"{bot or 'the ladder'} goes on", as_json=as_json)


def quarantine(
    version: VersionArgument,
    why: WhyOption = "an operator has to look at it",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Take a version out: it is not scheduled until it is released."""
    title, number = split_version(version)
    with operating(data) as client:
        found = client.quarantine_version(title, number, why)
    tell(found, f"{found.title} version {found.ordinal} is {found.state}", as_json=as_json)


def release(
    version: VersionArgument, data: DataOption = _DATA, as_json: JsonOption = False
) -> None:
    """Take a version out of quarantine or probation."""
    title, number = split_version(version)
    with operating(data) as client:
        found = client.release_version(title, number)
    tell(found, f"{found.title} version {found.ordinal} is {found.state}", as_json=as_json)


def rerun(match: MatchArgument, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Put a match that was set aside into the queue again."""
    with operating(data) as client:
        found = client.rerun_match(match)
    tell(found, f"match {match} is {found.state}", as_json=as_json)


def void(
    match: MatchArgument,
    why: WhyOption = "an operator has ended it",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """End the attempt that is being played; the match is played again."""
    with operating(data) as client:
        found = client.void_attempt(match, why)
    tell(found, f"match {match} is {found.state}", as_json=as_json)


def cancel(
    match: MatchArgument,
    why: WhyOption = "an operator has cancelled it",
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Have a match that is not over never be played."""
    with operating(data) as client:
        found = client.cancel_match(match, why)
    tell(found, f"match {match} is {found.state}", as_json=as_json)


def annul(
    match: MatchArgument,
    why: Annotated[str, typer.Option("--why", metavar="TEXT", help="Why, for everybody to read.")],
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Have a result not count, and work out all ratings without it.

    The result stays where it is and says why it does not count; the ledger gets an entry.
    """
    with operating(data) as client:
        found, rebuilt = client.annul_match(match, why)
    if as_json:
        print_json({"match": as_facts(found), "rebuild": as_facts(rebuilt)})
        return
    say(
        f"match {match} does not count any more; all ratings were worked out without it: "
        "`arena ladder` shows them"
    )
    if rebuilt.different:
        say(_rebuilt(rebuilt))


def rebuild(
    check: Annotated[
        bool, typer.Option("--check", help="Compare only; exit code 1 if something differs.")
    ] = False,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Work out all ratings from the ledger, and replace what is stored."""
    with operating(data) as client:
        rebuilt = client.rebuild_ratings(check_only=check)
    if as_json:
        print_json(as_facts(rebuilt))
    else:
        say(_rebuilt(rebuilt))
    if check and rebuilt.different:
        raise typer.Exit(ExitCode.FAILED)


def _rebuilt(rebuilt: Rebuilt) -> str:
    text = (
        f"{rebuilt.entries} entries of the ledger make {rebuilt.events} rating changes: "
        f"{rebuilt.different} of what was stored differ from that"
    )
    examples = [f"{one.what} was {one.stored or 'missing'}" for one in rebuilt.examples[:_EXAMPLES]]
    return "; ".join([text, *examples])


def set_aside(
    retry_upload: Annotated[
        int | None,
        typer.Option(metavar="UPLOAD", min=1, help="Put this upload into the queue again."),
    ] = None,
    limit: LimitOption = 50,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """List what this machine has failed at too often: matches and uploads.

    `arena admin rerun MATCH` puts a match into the queue again.
    """
    with operating(data) as client:
        if retry_upload is not None:
            retried = client.retry_upload(retry_upload)
            tell(retried, f"upload {retry_upload} waits for its turn", as_json=as_json)
            return
        matches, _ = first(client.set_aside_matches(), limit)
        uploads, _ = first(client.set_aside_uploads(), limit)
    if as_json:
        print_json({"matches": as_facts(matches), "uploads": as_facts(uploads)})
        return
    results().print(match_table(matches, "matches that were set aside"))
    results().print(upload_table(uploads, "uploads that were set aside"))


def audit(limit: LimitOption = 50, data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """List what operators have done, and what somebody was not allowed to do."""
    with operating(data) as client:
        found, more = first(client.audit(), limit)
    if as_json:
        print_json({"audit": as_facts(found), "more": more})
        return
    table = new_table("", "#entry", "when", "who", "what", "to what", "detail")
    for one in found:
        add_row(table, one.number, when(one.at), one.who, one.action, one.target, one.detail)
    results().print(table)


def settings(data: DataOption = _DATA, as_json: JsonOption = False) -> None:
    """Print the settings in force, and where each comes from."""
    with operating(data) as client:
        found = client.settings()
    if as_json:
        print_json({"settings": as_facts(found)})
        return
    table = new_table("", "setting", "value", "from")
    for one in found:
        add_row(table, one.name, one.value, one.source)
    results().print(table)


for _command in (
    pause,
    resume,
    quarantine,
    release,
    rerun,
    void,
    cancel,
    annul,
    rebuild,
    set_aside,
    audit,
    settings,
):
    _add(_command)
