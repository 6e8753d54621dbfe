"""The referee's own engine for bots that search: from what you see to hands that can be played on.

    world = determinize(prompt.view, self.rng)     a full hand that could be the true one
    trial = copy(world)                            quick; `world` stays as it is
    apply(trial, prompt.view.seat, action)         plays on, in place
    while not trial.over:
        seat = asked(trial)[0]                     who is to answer
        apply(trial, seat, self.rng.choice(legal(trial, seat)))
    lead(trial, prompt.view.team)                  what came of it

`trial.tables`, `trial.hands[seat]`, `trial.stage` and the like are described at `HandState`; in a
determinized hand nothing is hidden. `view(trial, seat)` is what a seat would see of it.
"""

from __future__ import annotations

from arena.engine.rules import apply, asked, default_action, legal
from arena.engine.scoring import hand_result
from arena.engine.state import HandState
from arena.engine.view import Rng, determinize, view

__all__ = [
    "HandState",
    "Rng",
    "apply",
    "asked",
    "copy",
    "default_action",
    "determinize",
    "hand_result",
    "lead",
    "legal",
    "view",
]


def copy(state: HandState) -> HandState:
    """An independent copy, for about a microsecond."""
    return state.copy()


def lead(state: HandState, team: int) -> int:
    """Points that `team` is ahead of the best other team in a hand that is over, or behind.

    Kilometres, where the game has no points.

    Raises:
        ValueError: the hand is not over.
    """
    result = hand_result(state)
    made = result.points or result.km
    return made[team] - max(made[:team] + made[team + 1 :])
