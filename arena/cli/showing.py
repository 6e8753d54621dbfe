"""A hand in the terminal: each action with the cards it was chosen from and the tables after it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from arena.engine.actions import DRAW_PILE, Verb
from arena.engine.cards import CARDS, cards_of
from arena.engine.position import safeties_of
from arena.engine.rules import apply
from arena.engine.scoring import HandResult, Item, hand_result
from arena.engine.state import NOBODY, HandState, TableView

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from arena.engine.playthrough import Decision, Playthrough

__all__ = ["Show"]

COUP_FOURRE: Final = "bold white on red"
ITEMS: Final = {Item.COUPS_FOURRES: "coups fourrés", Item.DISTANCE: "distance (km)"}


@dataclass(frozen=True, slots=True)
class Show:
    """Shows hands on a console; `names` says who sits on each seat.

    `brief` gives one line an action, without the hand that it was chosen from.
    """

    console: Console
    names: tuple[str, ...]
    brief: bool = False

    def play(self, playthrough: Playthrough) -> None:
        """Show a hand that is played to its end."""
        state = playthrough.first_state()
        if not self.brief:
            for seat, name in enumerate(self.names):
                self.console.print(f"{name} (seat {seat}, team {state.frame.team_of[seat]}) has")
                self._indented(Text(_hand(state, seat), style="dim"))
        for number, decision in enumerate(playthrough.decisions, 1):
            self._step(state, number, decision)
        self._end(state)

    def _step(self, state: HandState, number: int, decision: Decision) -> None:
        seat, action = decision.seat, decision.action
        hand = _hand(state, seat)
        apply(state, seat, action)
        if self.brief and action is DRAW_PILE:
            return
        style = COUP_FOURRE if action.verb is Verb.COUP_FOURRE else "cyan"
        line = Text.assemble(f"{number:>4} {self.names[seat]}: ", (str(action), style))
        if self.brief:
            line.pad_right(40 - len(line))
            self.console.print(line.append_text(_tables(state)), no_wrap=True, overflow="ellipsis")
            return
        self.console.print(line)
        self._indented(Text(f"of {hand}", style="dim"))
        self._indented(
            _tables(state).append(f" | pile {state.left}, discards {len(state.discard)}", "dim")
        )

    def _indented(self, text: Text) -> None:
        self.console.print(Padding(text, (0, 0, 0, 5)))

    def _end(self, state: HandState) -> None:
        result = hand_result(state)
        teams = [
            " + ".join(self.names[seat] for seat in seats) for seats in state.frame.seating.teams
        ]
        winner = "nobody" if result.winner == NOBODY else teams[result.winner]
        why = {
            "target": f"{winner} reached {state.target} km",
            "blocked": f"nobody can play a card any more; {winner} wins",
            "exhausted": f"no card is left that could change anything; {winner} wins",
        }[result.reason.name.lower()]
        self.console.print(Text(f"The hand is over: {why}.", style="bold"))
        self.console.print(_score_table(result, teams))


def _hand(state: HandState, seat: int) -> str:
    return _cards(cards_of(state.hands[seat]))


def _cards(cards: Iterable[int]) -> str:
    """Cards by name, equal neighbours together: 2xD25."""
    parts = []
    for card, copies in groupby(cards):
        count = len(list(copies))
        parts.append((f"{count}x" if count > 1 else "") + CARDS[card].name)
    return " ".join(parts) or "nothing"


def _tables(state: HandState) -> Text:
    """Every team's table in short: what lies on top is what counts."""
    return Text(" | ").join(_table(team, table) for team, table in enumerate(state.tables))


def _table(team: int, table: TableView) -> Text:
    text = Text(f"{team}: ")
    text.append(f"{table.km} km", style="bold green" if table.moving else "bold red")
    for pile in (table.battle, table.speed):
        if pile:
            text.append(f" {CARDS[pile[-1]]}")
    for safety in safeties_of(table.safeties):
        text.append(f" {safety}", style="magenta")
    return text


def _score_table(result: HandResult, teams: list[str]) -> Table:
    table = Table()
    table.add_column("points" if result.points else "")
    for team in teams:
        table.add_column(team, justify="right")
    for item in Item:
        points = [sheet[item] for sheet in result.sheets]
        if any(points):
            table.add_row(ITEMS.get(item, item.value.replace("_", " ")), *map(str, points))
    if result.points:
        table.add_section()
        table.add_row("all", *map(str, result.points), style="bold")
    else:
        table.add_row("km", *map(str, result.km))
    return table
