"""What the matchmaker is told and what it answers, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import isfinite
from typing import Protocol, TypeVar

from arena.errors import InputError
from arena.ladder.rating import Rating

__all__ = ["Candidate", "Chance", "Meeting", "Pairing", "PairingRules", "Table", "shuffled"]

T = TypeVar("T")


class Chance(Protocol):
    """The part of `random.Random` that picks: a number in [0, 1)."""

    def random(self) -> float: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A kind of table that the ladder plays.

    Attributes:
        name: What the settings call it.
        ruleset: The rule set that a bot must know.
        teams: By team, its seats; all seats from 0 are in some team.
        weight: How often it is played, against the weights of the other tables.

    Raises:
        InputError: the seats or the weight cannot be.
    """

    name: str
    ruleset: str
    teams: tuple[tuple[int, ...], ...]
    weight: float = 1.0

    def __post_init__(self) -> None:
        seats = sorted(seat for team in self.teams for seat in team)
        if len(self.teams) < 2 or not all(self.teams) or seats != list(range(len(seats))):
            raise InputError(
                f"table {self.name!r}: its teams {self.teams} must hold every seat from 0 once"
            )
        if not (isfinite(self.weight) and self.weight > 0):
            raise InputError(f"table {self.name!r}: weight {self.weight:g} must be above 0")

    @property
    def players(self) -> int:
        """How many sit there."""
        return sum(len(team) for team in self.teams)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """An active version of an entrant, which may be paired.

    Attributes:
        entrant, owner: Their numbers.
        title: What people call the entrant.
        matches: Rated matches of this version.
        players, rulesets: The tables that it takes part in.
    """

    entrant: int
    owner: int
    title: str
    rating: Rating
    matches: int
    players: frozenset[int]
    rulesets: frozenset[str]

    def can_play(self, table: Table) -> bool:
        """Whether it takes part in tables of this kind."""
        return table.players in self.players and table.ruleset in self.rulesets


@dataclass(frozen=True, slots=True)
class Meeting:
    """A rated match that has begun: its table's name, and who plays, with their owners."""

    table: str
    entrants: tuple[int, ...]
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A match that should be played.

    Attributes:
        entrants, owners: By seat.
        cause: Why, in a line for people.
    """

    table: Table
    entrants: tuple[int, ...]
    owners: tuple[int, ...]
    cause: str

    @property
    def meeting(self) -> Meeting:
        """What to tell the matchmaker when the match begins."""
        return Meeting(self.table.name, self.entrants, self.owners)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingRules:
    """The numbers in the matchmaker's formula, which is in this package's README.

    Attributes:
        memory: After so many matches for each active bot a past match counts half.
        newcomer: How many times as often as a settled bot a new one plays.
        allowance: An owner's bots together get what so many bots would get.
        dearest: A match that takes the machine longer than usual counts for more, at most so many
            times.
        rematch: How much each past match between two owners makes another one less likely.
        share: The part of a bot's matches of late beyond which another owner's bots are avoided.
        window: How many opponents near in strength are compared.
        spread: How much chance has to say, from 0 to 1.

    Raises:
        InputError: a number is out of its range; the message names it.
    """

    memory: float = 10.0
    newcomer: float = 8.0
    allowance: int = 3
    dearest: float = 4.0
    rematch: float = 1.0
    share: float = 0.35
    window: int = 40
    spread: float = 0.05

    def __post_init__(self) -> None:
        least = {"memory": 1, "newcomer": 1, "allowance": 1, "dearest": 1, "window": 1}
        for one in fields(self):
            value = getattr(self, one.name)
            low = least.get(one.name, 0)
            if not (isfinite(value) and value >= low):
                raise InputError(f"{one.name} {value:g}: must be finite and at least {low}")
        for name in ("share", "spread"):
            if getattr(self, name) > 1:
                raise InputError(f"{name} {getattr(self, name):g}: must be at most 1")


def shuffled(items: Sequence[T], chance: Chance) -> list[T]:
    """The items in an order that chance decides, each order equally likely."""
    left = list(items)
    return [left.pop(int(chance.random() * len(left))) for _ in items]
