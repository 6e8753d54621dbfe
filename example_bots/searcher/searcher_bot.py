"""Plays every action out in many hands that could be the true one, and takes what comes out best.

A *world* is the hand with the unseen cards dealt at random (`determinize`). In each world every
candidate is tried, and the hand is played to its end by simple rules for everybody, quickly rather
than cleverly. What happens in the same world can be compared: the luck is the same. Whenever a
part of the time is gone, the worse half of the candidates is dropped. Last, the rules' own choice
is left only for an action that is better by more than chance would explain.
A decision takes `seconds` (by default ARENA_SEARCH_SECONDS), or a quarter of what is free.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import fmean, pstdev

from arena.engine.actions import COUP_FOURRE, DISCARD, DRAW_DISCARD, DRAW_PILE, LAY, PLAY
from arena_sdk import KM, SAFETY_FOR, Action, Bot, Card, Prompt, Stage, run
from arena_sdk.simulate import HandState, apply, asked, copy, default_action, determinize, lead

PARTS = 4  # of the time; after each the worse half of the candidates goes
SURE = 1.0  # standard errors by which the rules' own choice must be beaten

# Sets of cards are masks, bit k for card k: `mask & DISTANCES` is the distance cards in it.
DISTANCES = 0b11111
STOPS = 0b11101 << Card.RED_LIGHT  # all hazards but the speed limit
REMEDIES = 0b11111 << Card.GREEN_LIGHT
SAFETIES = 0b1111 << Card.RIGHT_OF_WAY
REMEDY_SHIFT = Card.GREEN_LIGHT - Card.RED_LIGHT
SAFETY_BY_HAZARD = {int(hazard): int(safety) for hazard, safety in SAFETY_FOR.items()}
HIDDEN = 19  # from here up a code in the discard pile is a card lying face down

# What the first, second, third and any further copy of a card in hand is worth keeping, by kind.
KEEP = (
    *((40, 20, 0, 0), (80, 60, 40, 0), (80, 60, 40, 0), (130, 110, 90, 30), (160, 140, 120, 90)),
    *((220,) * 4, (120,) * 4, (260,) * 4, (260,) * 4, (260,) * 4),
    *((220, 60, 20, 10), (120, 10, 5, 0), (160, 10, 5, 0), (160, 10, 5, 0), (160, 10, 5, 0)),
    *((1000,) * 4, (1000,) * 4, (1000,) * 4, (1000,) * 4),
)


class SearcherBot(Bot):
    """Attributes: `seconds` for a decision, and the `clock` that measures them."""

    def __init__(
        self, seconds: float | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        if seconds is None:
            seconds = float(os.environ.get("ARENA_SEARCH_SECONDS", "0.2"))
        self.seconds = seconds
        self.clock = clock

    def choose(self, prompt: Prompt) -> Action:
        if prompt.kind is Stage.RESPOND:
            return prompt.coup_fourre or prompt.default
        if len(prompt.legal) == 1:
            return prompt.default
        return self.search(prompt)

    def search(self, prompt: Prompt) -> Action:
        start = self.clock()
        budget = min(self.seconds, prompt.time_limit / 4)
        usual = by_rules(determinize(prompt.view, self.rng), prompt.view.seat)
        results: dict[Action, list[int]] = {action: [] for action in prompt.legal}
        alive = list(prompt.legal)
        part = 1
        while (used := self.clock() - start) < budget:
            if used > part * budget / PARTS:
                alive = better_half(alive, results, usual)
                part += 1
            world = determinize(prompt.view, self.rng)
            for action in alive:
                results[action].append(play_out(copy(world), prompt.view.seat, action))
        return verdict(alive, results, usual)


def better_half(
    alive: list[Action], results: dict[Action, list[int]], usual: Action
) -> list[Action]:
    """The better half by mean, best first, and the usual choice in any case."""
    ranked = sorted(alive, key=lambda action: -sum(results[action]))
    half = ranked[: max(2, (len(ranked) + 1) // 2)]
    return half if usual in half else [*half, usual]


def verdict(alive: list[Action], results: dict[Action, list[int]], usual: Action) -> Action:
    """The best action, if it is surely better than the usual one in the worlds seen."""
    best = max(alive, key=lambda action: sum(results[action]))
    gains = [a - b for a, b in zip(results[best], results[usual], strict=True)]
    if len(gains) < 8 or best is usual:
        return usual
    return best if fmean(gains) > SURE * pstdev(gains) / len(gains) ** 0.5 else usual


def play_out(world: HandState, seat: int, action: Action) -> int:
    """How far our team is ahead in the end, in points; or in km, and 1000 for the winner."""
    team = world.seating.team_of[seat]
    apply(world, seat, action)
    while not world.over:
        seat = asked(world)[0]
        apply(world, seat, by_rules(world, seat))
    if world.rules.is_scored or world.winner < 0:
        return lead(world, team)
    return lead(world, team) + (1000 if world.winner == team else -1000)


# -- the rules by which everybody plays on; written for speed ---------------------------------


def by_rules(state: HandState, seat: int) -> Action:
    if state.stage == Stage.PLAY:
        return play(state, seat)
    if state.stage == Stage.RESPOND:
        return COUP_FOURRE[SAFETY_BY_HAZARD[state.attack]]  # only who has it is asked in a world
    if state.stage == Stage.DRAW:
        return draw(state, seat)
    return default_action(state, seat)


def draw(state: HandState, seat: int) -> Action:
    """Take the open card if it is a safety, or a new card that can be played at once."""
    card = state.discard[-1]
    accepts = state.tables[state.frame.team_of[seat]].accepts
    wanted = card < HIDDEN and accepts >> card & 1 and not state.hands[seat][card]
    return DRAW_DISCARD if wanted else DRAW_PILE


def play(state: HandState, seat: int) -> Action:
    """Finish; stop somebody; expose what will not wait; mend; slow somebody down; drive."""
    mask = state.masks[seat]
    team = state.frame.team_of[seat]
    own = mask & state.tables[team].accepts
    far = (own & DISTANCES).bit_length() - 1
    finishes = far >= 0 and KM[far] == state.target - state.tables[team].km
    safeties = own & SAFETIES
    if safeties and (finishes or is_urgent(state, team, mask, safeties)):
        return PLAY[highest(safeties)]
    if finishes:
        return PLAY[far]
    if mask & STOPS and (action := attack(state, team, mask & STOPS)):
        return action
    if own & REMEDIES:
        return PLAY[highest(own & REMEDIES)]
    if mask >> Card.SPEED_LIMIT & 1 and (action := attack(state, team, 1 << Card.SPEED_LIMIT)):
        return action
    if far >= 0:
        return PLAY[far]
    if state.frame.forced_play:
        return default_action(state, seat)
    return DISCARD[least_useful(state, seat, mask)]


def attack(state: HandState, team: int, hazards: int) -> Action | None:
    """Lay a hazard on the rival who is furthest ahead of those who would suffer it."""
    victim, furthest = -1, -1
    for other, table in enumerate(state.tables):
        if other != team and hazards & table.suffers and table.km > furthest:
            victim, furthest = other, table.km
    return None if victim < 0 else LAY[highest(hazards & state.tables[victim].suffers), victim]


def is_urgent(state: HandState, team: int, mask: int, safeties: int) -> bool:
    """The car is stopped and only the safety helps, or the hand is about to end."""
    table = state.tables[team]
    if table.battle and not table.moving:
        safety = SAFETY_BY_HAZARD.get(table.battle[-1], 0)
        if safety and safeties >> safety & 1 and not mask >> table.battle[-1] + REMEDY_SHIFT & 1:
            return True
    near = [rival for rival in state.tables if rival.moving and state.target - rival.km <= 150]
    return bool(near) or state.left < 2 * len(state.masks)


def least_useful(state: HandState, seat: int, mask: int) -> int:
    """The card in hand that is worth least; what cannot be used any more is worth nothing."""
    team = state.frame.team_of[seat]
    to_go = state.target - state.tables[team].km
    safe = state.tables[team].safeties | mask >> Card.RIGHT_OF_WAY
    least, card = 9999, -1
    for kind, count in enumerate(state.hands[seat]):
        if not count:
            continue
        worth = KEEP[kind][min(count, 4) - 1]
        if kind < 5:
            worth = worth if KM[kind] <= to_go else 0
        elif Card.GREEN_LIGHT <= kind < Card.RIGHT_OF_WAY:
            safety = SAFETY_BY_HAZARD[kind - REMEDY_SHIFT] - Card.RIGHT_OF_WAY
            worth = 0 if safe >> safety & 1 else worth
        if worth < least:
            least, card = worth, kind
    return card


def highest(mask: int) -> int:
    return mask.bit_length() - 1


if __name__ == "__main__":
    run(SearcherBot())
