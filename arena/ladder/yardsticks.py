"""Other ways to pair, which the matchmaker is measured against."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from math import exp, sqrt

from arena.ladder.pairing import Candidate, Chance, Pairing
from arena.ladder.rating import Parameters
from arena.ladder.simulation import DUEL

__all__ = ["FewestFirst", "HaliteThree", "RandomPairing"]


class RandomPairing:
    """Any two bots, all pairs equally likely."""

    def __init__(self) -> None:
        self._candidates: dict[int, Candidate] = {}

    def enter(self, candidate: Candidate) -> None:
        self._candidates[candidate.entrant] = candidate

    def choose(self, chance: Chance, busy: Collection[int] = ()) -> Pairing | None:
        able = [one for one in self._candidates.values() if one.entrant not in busy]
        return None if len(able) < 2 else self._pair(able, chance)

    def _pair(self, able: list[Candidate], chance: Chance) -> Pairing:
        first = _pick(able, chance)
        others = [one for one in able if one is not first]
        return _duel(first, _pick(others, chance))


class HaliteThree(RandomPairing):
    """What Halite III's coordinator did (2018), as its published source has it.

    The first bot: in 25 % of matches, among bots with fewer than 400 matches, one of the 15 that
    have waited longest; in 65 % one of the 20 with the fewest matches; in 10 % the one that has
    waited longest. The other one: any of the K bots nearest in mean, K being the integer part of
    5 / (0.01 + U)^0.65 with U uniform from 0 to 1.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last: dict[int, int] = {}
        self._played = 0

    def _pair(self, able: list[Candidate], chance: Chance) -> Pairing:
        first = self._first(able, chance)
        nearest = sorted(
            (one for one in able if one is not first),
            key=lambda one: (abs(one.rating.mu - first.rating.mu), one.entrant),
        )
        width = max(1, int(5 / (0.01 + chance.random()) ** 0.65))
        other = _pick(nearest[:width], chance)
        self._played += 1
        self._last[first.entrant] = self._last[other.entrant] = self._played
        return _duel(first, other)

    def _first(self, able: list[Candidate], chance: Chance) -> Candidate:
        kind = chance.random()
        young = [one for one in able if one.matches < 400]
        if kind < 0.25 and young:
            return _pick(_least(young, self._waited, 15), chance)
        if kind < 0.9:
            return _pick(_least(able, lambda one: one.matches, 20), chance)
        return _least(able, self._waited, 1)[0]

    def _waited(self, one: Candidate) -> int:
        return self._last.get(one.entrant, 0)


class FewestFirst(RandomPairing):
    """The bot with the fewest matches, against the one with the best match quality for it."""

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        self._beta = parameters.beta

    def _pair(self, able: list[Candidate], chance: Chance) -> Pairing:
        fewest = min(one.matches for one in able)
        first = _pick([one for one in able if one.matches == fewest], chance)
        others = [one for one in able if one is not first]
        return _duel(first, max(others, key=lambda one: (self._quality(first, one), one.entrant)))

    def _quality(self, one: Candidate, other: Candidate) -> float:
        variance = 2 * self._beta**2 + one.rating.sigma**2 + other.rating.sigma**2
        distance = (one.rating.mu - other.rating.mu) ** 2 / variance
        return sqrt(2 * self._beta**2 / variance) * exp(-distance / 2)


def _least(
    able: Sequence[Candidate], key: Callable[[Candidate], int], count: int
) -> list[Candidate]:
    return sorted(able, key=lambda one: (key(one), one.entrant))[:count]


def _pick(able: Sequence[Candidate], chance: Chance) -> Candidate:
    return able[int(chance.random() * len(able))]


def _duel(first: Candidate, second: Candidate) -> Pairing:
    return Pairing(
        table=DUEL,
        entrants=(first.entrant, second.entrant),
        owners=(first.owner, second.owner),
        cause="",
    )
