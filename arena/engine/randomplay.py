"""Uniformly random legal play: what the simulation, the bench and many tests play with."""

from __future__ import annotations

from typing import Protocol

from arena.engine.rules import apply, asked, legal
from arena.engine.state import HandState, Stage

_RESPOND = Stage.RESPOND.value
_OVER = Stage.OVER.value


class Uniform(Protocol):
    """The part of `random.Random` that picks: a number in [0, 1)."""

    def random(self) -> float: ...


def play_randomly(state: HandState, rng: Uniform) -> int:
    """Play a hand to its end, every action uniform among the legal ones; count the decisions."""
    decisions = 0
    random = rng.random
    while state.stage != _OVER:
        seat = asked(state)[0] if state.stage == _RESPOND else state.seat
        options = legal(state, seat)
        apply(state, seat, options[int(random() * len(options))])
        decisions += 1
    return decisions
