"""`arena rerun-match`: a server's match again at home, with the bot from its folder."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli.exits import ExitCode
from arena.cli.fetchrecord import fetch
from arena.cli.labels import so_many
from arena.cli.output import JsonOption, print_json, printable, remarks, results
from arena.cli.records import load_record
from arena.cli.rerun import facts_of, report_of
from arena.cli.talking import CaOption, ServerOption, connected
from arena.errors import InputError
from arena.referee.events import BotNo, SeatNo
from arena.sandbox.launcher import last_lines
from arena.submissions.manifest import read_manifest

if TYPE_CHECKING:
    from arena.cli.rerunning import Rerun
    from arena.referee.replay import Replay
    from arena.submissions.manifest import Manifest
    from arena.transport.client import Client

__all__ = ["rerun_match"]

_LOG_LINES = 10


def rerun_match(
    match: Annotated[int, typer.Argument(metavar="MATCH", min=1, help="A match that is over.")],
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", exists=True, file_okay=False, help="The folder with your bot's bot.toml."
        ),
    ] = Path(),
    seat: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="In whose place: a seat as `arena matches MATCH` numbers them. [default: yours]",
        ),
    ] = None,
    game: Annotated[
        int | None, typer.Option(min=0, help="Only this game; the first one is 0.")
    ] = None,
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a server's match again on this machine, with your bot from its folder.

    Downloads the record, and asks your bot everything that its version was asked then: same rules,
    same limits, same cards, same seed for its own chance. A stand-in does what the others did. Each
    answer is compared with the one that was recorded, so a match that went wrong can be looked at
    with a debugger, and a new version shown where it differs.

    Exit code 0 if every prompt was put, 1 if the bot ended early or would have lost by its faults.
    """
    bot = read_manifest(folder)
    with tempfile.TemporaryDirectory(prefix="arena-") as name:
        with connected(server, ca) as client:
            number = _bot_number(client, match, seat)
            fetch(client, match, 0, Path(name) / "record.jsonl")
        record = load_record(Path(name) / "record.jsonl")
    played = _play(record, number, bot, _games(record, game))
    if as_json:
        games = [facts_of(record, at, where, bot, done) for at, where, done in played]
        print_json({"match": match, "seat": number, "games": games})
    else:
        _print(record, bot, played)
    if any(done.broken_off for _, _, done in played):
        raise typer.Exit(ExitCode.FAILED)


def _bot_number(client: Client, match: int, seat: int | None) -> int:
    """Whose prompts: the seat of rotation 0 is the bot's number in the record.

    Raises:
        InputError: there is no such seat, or none or several are the caller's own.
    """
    seats = client.match(match).seats
    if seat is not None:
        if seat >= len(seats):
            raise InputError(f"--seat {seat}: match {match} has the seats 0 to {len(seats) - 1}")
        return seat
    owner = client.who_am_i().owner
    own = [at for at, one in enumerate(seats) if one.title.startswith(f"{owner}/")]
    if len(own) != 1:
        found = "no bot of yours plays" if not own else f"several bots of yours play, in {own}"
        raise InputError(f"match {match}: {found}; say in whose place with --seat")
    return own[0]


def _games(record: Replay, game: int | None) -> Sequence[int]:
    if game is None:
        return range(len(record.games))
    if game >= len(record.games):
        raise InputError(f"--game {game}: the record has {so_many(len(record.games), 'game')}")
    return (game,)


def _play(
    record: Replay, number: int, bot: Manifest, games: Sequence[int]
) -> list[tuple[int, int, Rerun]]:
    """Game, seat at the table and what came of it, for each game until one is broken off."""
    from arena.cli.rerunning import rerun_game  # gRPC: slow to load

    played: list[tuple[int, int, Rerun]] = []
    with remarks().status("playing") as status:
        for game in games:
            status.update(f"playing game {game} of {len(record.games)}")
            where = record.games[game].began.bots.index(BotNo(number))
            done = rerun_game(record, game, SeatNo(where), bot)
            played.append((game, where, done))
            if done.broken_off:
                break
    return played


def _print(record: Replay, bot: Manifest, played: Sequence[tuple[int, int, Any]]) -> None:
    console = results()
    for game, where, done in played:
        for line in report_of(record, game, where, bot, done):
            console.print(line, soft_wrap=True)
        if done.broken_off:
            for line in last_lines(done.log, _LOG_LINES):
                remarks().print(printable(f"its log: {line}"), soft_wrap=True)
    answers = [answer for _, _, done in played for answer in done.answers]
    agreed = sum(answer.agrees for answer in answers)
    games = so_many(len(played), "game")
    console.print(f"in {games} {agreed} of {len(answers)} answers agree with the record")
