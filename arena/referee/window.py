"""The response window: an attack suspends the table until it is answered or time is up.

    opened --coup fourré----------------------> closed, the attack answered
       |
       +--all have passed, prompt mode--------> closed
       +--its time is up----------------------> closed

A window is open while the hand's stage is RESPOND. The rules, told to ask by public knowledge
alone, name every seat of the attacked team. In a sealed window a pass is held back until the window
closes, so that neither holding the safety nor thinking nor having crashed can be told from when the
game goes on; only the coup fourré itself closes it early, and that is public anyway. With standing
orders a window opens and closes at the same instant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from arena.engine.actions import PASS, Action, Verb
from arena.engine.cards import Card
from arena.engine.rules import legal
from arena.engine.state import HandState
from arena.referee.events import BotNo, SeatNo
from arena.referee.limits import Instant

__all__ = ["Held", "Window", "standing_answer"]


@dataclass(slots=True)
class Held:
    """A pass that is held back until the window closes.

    `answered` says whether the bot chose it; `prompt`, `spent`, `lag` and `fault` are for the
    record, as in `events.Played`.
    """

    answered: bool
    prompt: int
    spent: int
    lag: int
    fault: str | None


@dataclass(slots=True)
class Window:
    """One response window.

    Attributes:
        number: Its number in the match, from 1.
        attack: The hazard.
        opened: When it opened.
        closes: The last instant at which it is open; None: it closes when all have answered.
        held: Passes that are held back, by bot.
    """

    number: int
    attack: Card
    opened: Instant
    closes: Instant | None
    held: dict[BotNo, Held] = field(default_factory=dict)

    def credit(self, lag: int, now: Instant) -> None:
        """Stay open longer by what a standstill that ends now has taken, as prompts do."""
        begin = max(now - lag, self.opened)
        if self.closes is not None and begin <= self.closes:
            self.closes = Instant(self.closes + now - begin)


def standing_answer(
    state: HandState, seat: SeatNo, orders: Mapping[SeatNo, frozenset[Card]]
) -> Action:
    """What a seat's standing orders say about the attack that it is under."""
    if Card(state.attack) in orders.get(seat, frozenset()):
        for action in legal(state, seat):
            if action.verb is Verb.COUP_FOURRE:
                return action
    return PASS
