"""Ladders of bots whose true strengths are known: what pairing and rating are tried on.

A bot performs with its strength plus normal noise, each time anew; the larger performance wins, and
a team's is the sum of its members'. Nothing is played.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Final, Protocol

from arena.ladder.changes import new_version, rate_match
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Candidate, Chance, Pairing, Table
from arena.ladder.rating import Parameters, Ranking, Rating

__all__ = [
    "DUEL",
    "Bot",
    "Ladder",
    "Noise",
    "Pairer",
    "evenly_spaced",
    "kendall_tau",
]

DUEL: Final = Table(name="duel", ruleset="any", teams=((0,), (1,)))


class Noise(Chance, Protocol):
    """The parts of `random.Random` that a simulation needs."""

    def gauss(self, mu: float, sigma: float) -> float: ...


class Pairer(Protocol):
    """Pairs bots: the matchmaker, or something to compare it with."""

    def enter(self, candidate: Candidate) -> None: ...

    def choose(self, chance: Chance, busy: Collection[int] = ()) -> Pairing | None: ...


@dataclass(slots=True)
class Bot:
    """A simulated bot.

    Attributes:
        strength: In units of the noise in one performance.
        rating: What the ladder believes.
        matches, version_matches: Played by all versions, and by this one.
    """

    entrant: int
    owner: int
    strength: float
    rating: Rating
    matches: int = 0
    version_matches: int = 0

    @property
    def candidate(self) -> Candidate:
        """What the matchmaker is told of it."""
        return Candidate(
            entrant=self.entrant,
            owner=self.owner,
            title=f"bot-{self.entrant}",
            rating=self.rating,
            matches=self.version_matches,
            players=frozenset(range(2, 7)),
            rulesets=frozenset(("any",)),
        )


Decide = Callable[[Sequence[Bot], Sequence[float]], Sequence[float]]
"""From the bots at a table and their performances to those that count: how a ring would cheat."""


class Ladder:
    """A simulated ladder.

    Attributes:
        bots: By entrant.
        played: How many matches were.
        meetings: How often each pair of bots has met.
    """

    def __init__(
        self,
        parameters: Parameters,
        pairer: Pairer,
        noise: Noise,
        decide: Decide = lambda bots, performances: performances,
    ) -> None:
        self.bots: dict[int, Bot] = {}
        self.played = 0
        self.meetings: dict[tuple[int, int], int] = {}
        self._parameters = parameters
        self._pairer = pairer
        self._noise = noise
        self._decide = decide

    def add(self, strength: float, owner: int | None = None) -> Bot:
        """A new bot enters; without an owner it has one of its own."""
        entrant = len(self.bots) + 1
        number = -entrant if owner is None else owner
        bot = Bot(entrant, number, strength, self._parameters.start)
        self.bots[entrant] = bot
        self._pairer.enter(bot.candidate)
        return bot

    def upload(self, bot: Bot, strength: float) -> None:
        """A bot gets a new version."""
        bot.strength = strength
        bot.rating = new_version(self._parameters, bot.rating)
        bot.version_matches = 0
        self._pairer.enter(bot.candidate)

    def play(self, matches: int = 1) -> None:
        """Play so many matches one after the other."""
        for _ in range(matches):
            self.play_one()

    def play_one(self, busy: Collection[int] = ()) -> tuple[Bot, ...]:
        """Play the next match; return who played, by seat.

        Raises:
            LookupError: nobody can be paired.
        """
        pairing = self._pairer.choose(self._noise, busy)
        if pairing is None:
            raise LookupError("nobody can be paired")
        if isinstance(self._pairer, Matchmaker):
            self._pairer.began(pairing.meeting)
        bots = tuple(self.bots[entrant] for entrant in pairing.entrants)
        made = self._decide(bots, [self._noise.gauss(bot.strength, 1.0) for bot in bots])
        teams = pairing.table.teams
        totals = [sum(made[seat] for seat in team) for team in teams]
        ranking = Ranking(
            tuple(tuple(str(bots[seat].entrant) for seat in team) for team in teams),
            tuple(sum(other > total for other in totals) for total in totals),
        )
        self._rate(bots, ranking)
        return bots

    def _rate(self, bots: Sequence[Bot], ranking: Ranking) -> None:
        ratings = {str(bot.entrant): bot.rating for bot in bots}
        for change in rate_match(self._parameters, ratings, ranking):
            bot = self.bots[int(change.entrant)]
            bot.rating = change.after
            bot.matches += 1
            bot.version_matches += 1
            self._pairer.enter(bot.candidate)
        for pair in combinations(sorted(bot.entrant for bot in bots), 2):
            self.meetings[pair] = self.meetings.get(pair, 0) + 1
        self.played += 1

    def order(self) -> list[int]:
        """The entrants, the first of the ladder first."""
        return sorted(self.bots, key=lambda one: (-self.bots[one].rating.conservative, one))

    def place(self, bot: Bot) -> int:
        """Its place on the ladder, from 1."""
        own = bot.rating.conservative
        return 1 + sum(other.rating.conservative > own for other in self.bots.values())

    def true_place(self, bot: Bot) -> int:
        """The place that is its due."""
        return 1 + sum(other.strength > bot.strength for other in self.bots.values())

    def tau(self) -> float:
        """How well the ladder has them in order: Kendall's tau, 1 if all are."""
        bots = self.bots.values()
        return kendall_tau({one.entrant: one.strength for one in bots}, self.order())


def kendall_tau(strengths: Mapping[int, float], order: Sequence[int]) -> float:
    """Kendall's tau of an order, the best first, with strengths that are all different."""
    pairs = list(combinations(order, 2))
    right = sum(strengths[first] > strengths[second] for first, second in pairs)
    return 2 * right / len(pairs) - 1


def evenly_spaced(bots: int, neighbours: float) -> list[float]:
    """So many strengths, the best first, of which each beats the next with this probability."""
    step = NormalDist().inv_cdf(neighbours) * sqrt(2)
    return [step * (bots - 1 - place) for place in range(bots)]
