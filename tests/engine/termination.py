"""Why every hand ends: a measure that each decision makes smaller, and a bound that follows.

The rulings leave three roads on which a hand could go on for ever, and close them: drawing from
the discard pile (X16, X17 with its "cap on turns"), and making the discard pile the draw pile again
(R27, P11, X16 "reshuffle"; `flow` allows it only when a card was played for good since the last
time). `measure` turns that into tuples that are compared from left to right. Each part is a whole
number that is never below zero, so no hand can make it smaller for ever.
"""

from __future__ import annotations

from arena.engine.flow import CIRCLING_ROUNDS
from arena.engine.state import HandState, Stage

Measure = tuple[int, ...]


def measure(state: HandState) -> Measure:
    """What a hand in play has left.

    1. Cards that can still be played for good: distance cards by the km left, safeties, starts.
    2. Whether the discard pile may become the draw pile before another such card is played.
    3. Express: cards in the draw pile.
    4. Express: turns until one must draw from it, or not at all.
    5. Draws that this turn still has to choose.
    6. Cards in the draw pile and in hands: each play or discard takes one away.
    7. Seats that have yet to answer an attack.
    8. Whether a question is open that asks the same seat again (extension, top card).
    """
    express = state.frame.draws_choose
    circle = CIRCLING_ROUNDS * state.players
    asks_again = state.stage in (Stage.EXTEND, Stage.TOP)
    return (
        for_good(state),
        int(state.fresh),
        state.left if express else 0,
        max(circle - state.circling, 0) if express else 0,
        state.due if state.stage == Stage.DRAW else 0,
        state.left + sum(state.sizes),
        state.pending.bit_count(),
        int(asks_again),
    )


def for_good(state: HandState) -> int:
    """How many distance cards, safeties and first Green Lights there is still room for."""
    target = 1000 if state.rules.extension else state.target
    return sum(
        -((table.km - target) // 25) + 4 - table.safeties.bit_count() + (not table.started)
        for table in state.tables
    )
