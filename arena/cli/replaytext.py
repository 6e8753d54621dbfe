"""A replay as text: one line an action, or everything about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.text import Text

from arena.cli.output import printable
from arena.cli.records import bot_labels
from arena.engine.cards import CARDS, Card
from arena.engine.position import safeties_of
from arena.referee.limits import shown

if TYPE_CHECKING:
    from arena.cli.frames import Frame, Frames
    from arena.engine.state import TableView
    from arena.referee.replay import GameLog, Replay

__all__ = ["block", "blocks", "brief", "ending", "game_line", "hand_line", "heading"]

_COUP_FOURRE: Final = "bold white on red"
_COLUMN: Final = 48


def heading(replay: Replay) -> Iterator[Text]:
    """What was agreed, and who played."""
    header, plan = replay.header, replay.plan
    time = plan.limits.time
    yield Text(
        printable(f"match {header.match}, attempt {header.attempt}, {header.created}"), "bold"
    )
    changed = ", ".join(f"{name}={value}" for name, value in plan.rules.changed_options().items())
    draw = "striped" if plan.striped else "shared"
    options = f" with {changed}" if changed else ""
    yield Text(f"{plan.rules.preset}{options}, {draw} draw pile")
    yield Text(
        f"turn {shown(time.turn)}, bank {shown(time.bank)}, "
        f"response window {shown(time.response_window)}, {plan.limits.window}"
    )
    for bot, label in enumerate(bot_labels(header)):
        yield Text(f"bot {bot}: {label}")


def game_line(replay: Replay, game: GameLog) -> Text:
    """A game begins: who sits where."""
    labels, teams = bot_labels(replay.header), replay.plan.seating.team_of
    seats = ", ".join(
        f"seat {seat} (team {teams[seat]}) {labels[bot]}"
        for seat, bot in enumerate(game.began.bots)
    )
    return Text(f"game {game.began.game}, board {game.began.board}: {seats}", "bold")


def hand_line(number: int) -> Text:
    """A hand begins."""
    return Text(f"hand {number}", "bold")


def ending(replay: Replay) -> Iterator[Text]:
    """How the attempt ended."""
    for lost in replay.lost:
        yield Text(printable(f"bot {lost.bot} forfeits, {lost.reason}: {lost.detail}"))
    verdict = replay.verified.verdict
    why = f": {verdict.void}" if verdict.void else ""
    yield Text(printable(f"verdict {verdict.kind}{why}"), "bold")
    for bot, rank in enumerate(verdict.ranks or ()):
        yield Text(f"bot {bot} {bot_labels(replay.header)[bot]}: rank {rank + 1}")


def brief(frames: Frames, at: int) -> Text:
    """An action in a line, with the tables after it."""
    frame = frames.frame(at)
    line = _action(frame, _label(frames.replay, frame))
    line.pad_right(max(1, _COLUMN - len(line)))
    return line.append_text(Text(" | ").join(_tables(frame.tables)))


def blocks(frames: Frames, chosen: Iterable[int]) -> Iterator[Text]:
    """Everything about the actions with these numbers from 0."""
    for at in chosen:
        frame = frames.frame(at)
        yield from block(frame, _label(frames.replay, frame))


def block(frame: Frame, label: str) -> Iterator[Text]:
    """Everything about an action; `label` is what the bot on its seat is called."""
    yield from (Text(f"      {note}", "yellow") for note in frame.notes)
    yield _action(frame, label)
    if frame.line is not None:
        yield Text(f"      line {frame.line}: asked to {frame.asked.name}", "dim")
    whose = "of" if frame.own else "own hand:"
    yield Text(f"      {whose} {_cards(frame.held)}")
    if frame.time:
        yield Text(f"      {frame.time}")
    yield from (Text(f"      {text}", "dim") for text in frame.then)
    yield from (_full_table(team, table) for team, table in enumerate(frame.tables))
    yield Text(f"      {frame.piles}", "dim")
    yield from (Text(f"      {text}", "bold") for text in frame.end)


def _label(replay: Replay, frame: Frame) -> str:
    return bot_labels(replay.header)[replay.games[frame.place.game].began.bots[frame.seat]]


def _action(frame: Frame, label: str) -> Text:
    style = _COUP_FOURRE if frame.place.is_coup else "cyan"
    return Text.assemble(f"{frame.number:>5} seat {frame.seat} {label}: ", (frame.did, style))


def _tables(tables: Iterable[TableView]) -> Iterator[Text]:
    """Every team's table in short: what lies on top is what counts."""
    for team, table in enumerate(tables):
        text = _km(team, table)
        for pile in (table.battle, table.speed):
            if pile:
                text.append(f" {CARDS[pile[-1]]}")
        for safety in safeties_of(table.safeties):
            text.append(f" {safety}", "magenta")
        yield text


def _km(team: int, table: TableView) -> Text:
    style = "bold green" if table.moving else "bold red"
    return Text.assemble(f"{team}: ", (f"{table.km} km", style))


def _full_table(team: int, table: TableView) -> Text:
    """One team's table with all its piles; `!` marks a safety of a coup fourré."""
    text = Text("      team ").append_text(_km(team, table))
    text.append(" rolls" if table.moving else " stands")
    if table.limited:
        text.append(", limited")
    text.append(f"; battle {_pile(table.battle)}; speed {_pile(table.speed)}")
    coups = safeties_of(table.coups_fourres)
    safeties = [f"{one}{'!' if one in coups else ''}" for one in safeties_of(table.safeties)]
    text.append(f"; safeties {' '.join(safeties) or '-'}")
    text.append(f"; distance {_cards(sorted(CARDS[card] for card in table.distance))}")
    return text


def _pile(pile: bytes) -> str:
    """The top of a pile, with how many lie below."""
    if not pile:
        return "-"
    below = f" on {len(pile) - 1}" if len(pile) > 1 else ""
    return f"{CARDS[pile[-1]]}{below}"


def _cards(cards: Iterable[Card]) -> str:
    """Cards by name, equal neighbours together: 2xD25."""
    parts = []
    for card, copies in groupby(cards):
        count = len(list(copies))
        parts.append(f"{count}x{card}" if count > 1 else str(card))
    return " ".join(parts) or "-"
