"""What is measured on simulated ladders, and what the matchmaker is compared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Table, shuffled
from arena.ladder.rating import Parameters
from arena.ladder.simulation import DUEL, Bot, Ladder, Noise, Pairer
from arena.ladder.yardsticks import FewestFirst, HaliteThree, RandomPairing

__all__ = [
    "PAIRERS",
    "Settling",
    "largest_neglect",
    "matches_to_order",
    "matches_to_settle",
]

MakePairer = Callable[[Parameters], Pairer]

PAIRERS: Final[Mapping[str, MakePairer]] = {
    "random pairing": lambda _: RandomPairing(),
    "Halite III": lambda _: HaliteThree(),
    "fewest matches first": FewestFirst,
    "matchmaker": lambda parameters: Matchmaker(parameters, (DUEL,)),
}

_OFTEN: Final = 4
"""How often an order is looked at while every bot plays two matches."""


def matches_to_order(
    parameters: Parameters,
    make: MakePairer,
    strengths: Sequence[float],
    noise: Noise,
) -> float:
    """How many matches each bot needs, in the mean, until all are about in order.

    All start together. In order is a Kendall's tau of 0.9; nobody plays more than 200 matches.
    """
    ladder = Ladder(parameters, make(parameters), noise)
    for strength in shuffled(strengths, noise):
        ladder.add(strength)
    step = max(1, len(strengths) // _OFTEN)
    while (each := 2 * ladder.played / len(strengths)) < _MOST:
        ladder.play(step)
        if ladder.tau() >= _ORDER:
            return 2 * ladder.played / len(strengths)
    return each


@dataclass(frozen=True, slots=True)
class Settling:
    """How long a new bot was on its way: its own matches, and those of the whole ladder."""

    own: int
    ladder: int


_ORDER: Final = 0.9
_MOST: Final = 200

_CALM: Final = 5
"""A bot has arrived if it is about in its place after so many of its matches, one after another."""


def matches_to_settle(
    parameters: Parameters,
    make: MakePairer,
    strengths: Sequence[float],
    noise: Noise,
) -> list[Settling]:
    """Of four new bots, how many matches each needs until its place is within one of its due.

    A ladder plays 30 matches for each bot. Then they come, one after the other, as strong as chance
    will have it. At most 200 own matches are counted.
    """
    ladder = Ladder(parameters, make(parameters), noise)
    for strength in shuffled(strengths, noise):
        ladder.add(strength)
    ladder.play(15 * len(strengths))
    low, high = min(strengths), max(strengths)
    return [_settle(ladder, ladder.add(low + (high - low) * noise.random())) for _ in range(4)]


def _settle(ladder: Ladder, bot: Bot) -> Settling:
    began, calm, arrived = ladder.played, 0, 0
    while calm < _CALM and bot.matches < _MOST:
        if bot not in ladder.play_one():
            continue
        if abs(ladder.place(bot) - ladder.true_place(bot)) > 1:
            calm = 0
            continue
        calm += 1
        if calm == 1:
            arrived = ladder.played
    if calm < _CALM:
        return Settling(_MOST, ladder.played - began)
    return Settling(bot.matches - _CALM + 1, arrived - began)


def largest_neglect(
    parameters: Parameters, tables: Sequence[Table], owners: Sequence[int], noise: Noise
) -> float:
    """How many times as many matches the mean bot has had as the one with the fewest.

    Args:
        parameters: Of the ratings.
        tables: The kinds of tables.
        owners: Of each bot its owner.
        noise: Chance.
    """
    ladder = Ladder(parameters, Matchmaker(parameters, tables), noise)
    for owner in owners:
        ladder.add(noise.gauss(0, 2.5), owner)
    ladder.play(20 * len(owners))
    had = [bot.matches for bot in ladder.bots.values()]
    return sum(had) / len(had) / max(1, min(had))
