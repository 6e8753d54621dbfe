"""A hand in the terminal: each action with the cards it was chosen from and the tables after it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from arena.engine.actions import Verb
from arena.engine.cards import CARDS, cards_of
from arena.engine.position import safeties_of
from arena.engine.rules import apply
from arena.engine.scoring import HandResult, Item, hand_result
from arena.engine.state import NOBODY, HandState, TableView

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console

    from arena.engine.playthrough import Playthrough

__all__ = ["show_playthrough"]

COUP_FOURRE: Final = "bold white on red"


def show_playthrough(console: Console, playthrough: Playthrough, names: Sequence[str]) -> None:
    """Print a hand that is played to its end; `names` says who sits on each seat."""
    state = playthrough.first_state()
    for seat, name in enumerate(names):
        console.print(Text.assemble(f"seat {seat} {name} has ", (_hand(state, seat), "dim")))
    console.print(_after(state))
    for number, decision in enumerate(playthrough.decisions, 1):
        seat, action = decision.seat, decision.action
        hand = _hand(state, seat)
        apply(state, seat, action)
        style = COUP_FOURRE if action.verb is Verb.COUP_FOURRE else "cyan"
        console.print(
            Text.assemble(f"{number:>4} seat {seat} {names[seat]}: ", (str(action), style))
        )
        console.print(Text(f"     of {hand}", style="dim"))
        console.print(_after(state))
    _show_end(console, state)


def _hand(state: HandState, seat: int) -> str:
    return _cards(cards_of(state.hands[seat]))


def _cards(cards: Iterable[int]) -> str:
    """Cards by name, equal neighbours together: 2xD25."""
    parts = []
    for card, copies in groupby(cards):
        count = len(list(copies))
        parts.append((f"{count}x" if count > 1 else "") + CARDS[card].name)
    return " ".join(parts) or "nothing"


def _after(state: HandState) -> Text:
    """The piles in one line: what lies on top is what counts."""
    text = Text("     -> ")
    for team, table in enumerate(state.tables):
        text.append_text(_table(team, table)).append(" | ")
    return text.append(f"pile {state.left}, discarded {len(state.discard)}", style="dim")


def _table(team: int, table: TableView) -> Text:
    text = Text(f"team {team} ")
    text.append(f"{table.km} km", style="bold green" if table.moving else "bold red")
    for pile in (table.battle, table.speed):
        if pile:
            text.append(f" {CARDS[pile[-1]]}")
    for safety in safeties_of(table.safeties):
        text.append(f" {safety}", style="magenta")
    return text


def _show_end(console: Console, state: HandState) -> None:
    result = hand_result(state)
    winner = "nobody wins" if result.winner == NOBODY else f"team {result.winner} wins"
    console.print()
    console.print(Text(f"over ({result.reason.name.lower()}): {winner}", style="bold"))
    console.print(_score_table(result))


def _score_table(result: HandResult) -> Table:
    table = Table(title="score" if result.points else "km")
    table.add_column("")
    for team in range(len(result.km)):
        table.add_column(f"team {team}", justify="right")
    table.add_row("km", *map(str, result.km))
    if not result.points:
        return table
    for item in Item:
        points = [sheet[item] for sheet in result.sheets]
        if any(points):
            table.add_row(item.value.replace("_", " "), *map(str, points))
    table.add_section()
    table.add_row("points", *map(str, result.points), style="bold")
    return table
