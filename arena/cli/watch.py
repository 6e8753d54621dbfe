"""`arena watch`: a match while it is played."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.exits import ExitCode
from arena.cli.matches import outcome
from arena.cli.output import printable, remarks, results
from arena.cli.talking import CaOption, ServerOption, as_facts, connected
from arena.storage.facts import MatchState
from arena.tournament.answers import MatchSummary, Waiting
from arena.tournament.ladder.commentary import Frame, FrameKind

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["watch"]


def watch(
    match: Annotated[int, typer.Argument(metavar="MATCH", min=1, help="A match.")],
    server: ServerOption = "",
    ca: CaOption = None,
    as_json: Annotated[
        bool, typer.Option("--lines", help="One JSON object a line, as it comes.")
    ] = False,
) -> None:
    """Watch a match while it is played, some seconds late, until it is over.

    Shows what everybody at the table knows. Nothing is shown of hands, of questions, or of how long
    anybody thinks: `arena replay` shows all that of the record when the match is over.

    Exit code 0 if the match came to a result, else 1.
    """
    console = results()
    last: MatchSummary | None = None
    with connected(server, ca) as client:
        names = [seat.title for seat in client.match(match).seats]
        with remarks().status("waiting for news") as status:
            for news in client.watch_match(match):
                if as_json:
                    kind = type(news).__name__.lower()
                    sys.stdout.write(json.dumps({"kind": kind, **as_facts(news)}) + "\n")
                    sys.stdout.flush()
                elif isinstance(news, Waiting):
                    place = f", place {news.position} in the queue" if news.position else ""
                    status.update(printable(f"{news.why}{place}"))
                elif isinstance(news, Frame):
                    for line in _lines(news, names):
                        console.print(printable(line), soft_wrap=True)
                if isinstance(news, MatchSummary):
                    last = news
    if last is not None and not as_json:
        console.print(printable(f"match {match} {last.state}: {outcome(last)}"), soft_wrap=True)
    if last is None or last.state is not MatchState.DONE:
        raise typer.Exit(ExitCode.FAILED)


def _lines(frame: Frame, names: Sequence[str]) -> Iterator[str]:
    """A frame in words; `names` are those of the bots by their numbers."""
    start = f"game {frame.game + 1}/{frame.games} hand {frame.hand + 1}"
    who = [names[bot] if bot < len(names) else f"bot {bot}" for bot in frame.bots]
    match frame.kind:
        case FrameKind.DEALT:
            yield f"{start}: dealt; {', '.join(who)}"
        case FrameKind.PLAYED:
            km = " ".join(f"{table.km} km" for table in frame.tables)
            for event in frame.events:
                yield f"{start}: {_in_words(event, who)}  [{km}]"
        case FrameKind.HAND_OVER | FrameKind.GAME_OVER:
            what = "hand" if frame.kind is FrameKind.HAND_OVER else "game"
            winner = f"team {frame.winner} wins it" if frame.winner >= 0 else "nobody wins it"
            yield f"{start}: the {what} is over, {winner}; {' : '.join(map(str, frame.totals))}"
        case FrameKind.FORFEIT:
            loser = names[frame.bot] if 0 <= frame.bot < len(names) else "a bot"
            yield f"{start}: {loser} forfeits ({frame.note})"


def _in_words(event: str, who: Sequence[str]) -> str:
    """An event as a record has it, with the seat's number replaced by its bot."""
    seat, _, rest = event.partition(" ")
    if seat.isdigit() and int(seat) < len(who):
        return f"{who[int(seat)]} {rest}"
    return event
