"""Boards on which an attack comes at once: who holds what is said, the rest is dealt as ever.

seat 0 drives off, seat 1 lays Out of Gas on it, and the window opens at the second turn
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from arena.engine.cards import Card
from arena.engine.deal import Board
from arena.referee.events import Prompt, WindowClosed, WindowOpened
from arena.referee.game import MatchPlan
from arena.referee.limits import Nanos, WindowMode
from arena.referee.scripted import Reply, Script, Simulation
from tests.referee.plans import effects, has_the_safety, make_plan, patient, responding

Held = dict[int, tuple[Card, ...]]
"""Cards by seat."""

HELD: Final[Held] = {
    0: (Card.GREEN_LIGHT, Card.EXTRA_TANK, Card.D25),
    1: (Card.OUT_OF_GAS, Card.D25),
}
"""The attacked seat can answer."""

NOT_HELD: Final[Held] = HELD | {0: (Card.GREEN_LIGHT, Card.D25)}
"""It cannot: the safety lies at the bottom of the draw pile."""


@dataclass(frozen=True)
class StackedBoard(Board):
    """A board whose seats hold certain cards to begin with, in every hand.

    The first dealt card of a seat is the first of its cards, and so on; the deal moves on by one
    seat from hand to hand. What is left of the `bottom` kinds lies at the bottom of the pile.
    """

    held: tuple[tuple[int, tuple[Card, ...]], ...]
    players: int
    bottom: tuple[Card, ...]

    def deck_order(self, hand: int, counts: Sequence[int]) -> bytes:
        order = list(super().deck_order(hand, counts))
        wanted = {
            place * self.players + (seat - hand) % self.players: card
            for seat, cards in self.held
            for place, card in enumerate(cards)
        }
        for card in wanted.values():
            order.remove(card)
        rare = [card for card in order if card in self.bottom]
        others = iter([card for card in order if card not in self.bottom] + rare)
        places = range(len(order) + len(wanted))
        return bytes(wanted[at] if at in wanted else next(others) for at in places)


def stacked_plan(
    held: Held = HELD,
    *,
    players: int = 2,
    bottom: Sequence[Card] = (Card.EXTRA_TANK, Card.OUT_OF_GAS),
    **options: Any,
) -> MatchPlan:
    """A plan like those of `make_plan` on such boards."""
    plan = make_plan(players=players, **options)
    cards = tuple(held.items())
    boards = tuple(StackedBoard(board.seed, cards, players, tuple(bottom)) for board in plan.boards)
    return replace(plan, boards=boards)


def response_after(delay: int, *, declare: bool) -> Script:
    """Play patiently; in a window answer after so long, with the safety if `declare`."""

    def script(prompt: Prompt) -> list[Reply]:
        if not responding(prompt):
            return patient(prompt)
        choice = prompt.view.legal[-1 if declare else 0]
        return [Reply(choice, Nanos(delay))]

    return script


def declaring(delay: int) -> Script:
    """Declare every coup fourré, so long after the window opened; be silent without one."""
    declare = response_after(delay, declare=True)
    return lambda prompt: (
        [] if responding(prompt) and not has_the_safety(prompt) else declare(prompt)
    )


def windows(simulation: Simulation) -> list[tuple[int, WindowOpened]]:
    """Every response window that was opened, with its instant."""
    return effects(simulation, WindowOpened)


def closings(simulation: Simulation) -> dict[int, tuple[int, WindowClosed]]:
    """When and how each window closed, by its number."""
    return {closed.number: (at, closed) for at, closed in effects(simulation, WindowClosed)}


def lengths(simulation: Simulation) -> list[int]:
    """How long each window was open."""
    closed = closings(simulation)
    return [closed[one.number][0] - at for at, one in windows(simulation) if one.number in closed]


ALL_MODES: Final = tuple(WindowMode)
