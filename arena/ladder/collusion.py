"""Who spares whom, and who loses to whom more often than their ratings explain: for reports.

Both findings are statistics. They say where a person should look at records, and never act.

*Friends*: at a table of three or more teams bots choose whom to attack. What one may expect of a
pair comes from all tables: how much the attacker attacks at that table, times how much of what the
others there attract goes to the target. A pair is reported if the two attack each other, taken
together, far less than that. Attacks come in bunches, since one calls for the next, so only a part
of them counts as evidence.

*Gifts*: between two owners' bots the shares that were got and those that ratings expected should
add up to about the same. They do not if one of them loses on purpose.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor
from typing import Final

from arena.ladder.chances import at_least, poisson_at_most

__all__ = ["Attacks", "Duel", "Friends", "Gifts", "find_friends", "find_gifts"]

_ALARM: Final = 1e-3
"""How likely a report names anybody although nobody has done anything."""

_BUNCH: Final = 3.0
"""So many attacks count as one independent choice."""


@dataclass(frozen=True, slots=True)
class Attacks:
    """What happened at one table of three or more teams.

    Attributes:
        teams: By team, who played for it: entrants, or owners.
        counts: How often somebody has attacked a team, by attacker and number of the team.
    """

    teams: tuple[tuple[int, ...], ...]
    counts: Mapping[tuple[int, int], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Friends:
    """Two who attack each other far less than they attack others.

    Attributes:
        attacks, expected: How often they did, both together, and what was to be expected.
        chance: The probability of so few.
    """

    one: int
    other: int
    attacks: int
    expected: float
    chance: float


def find_friends(tables: Sequence[Attacks], alarm: float = _ALARM) -> tuple[Friends, ...]:
    """Return the pairs that spare each other, the clearest case first.

    Args:
        tables: Of matches with three or more teams; others are left out.
        alarm: The probability of naming any innocent pair.
    """
    tables = [one for one in tables if len(one.teams) >= 3]
    charm = _charm(tables)
    seen: defaultdict[tuple[int, int], int] = defaultdict(int)
    expected: defaultdict[tuple[int, int], float] = defaultdict(float)
    for table in tables:
        for attacker, targets in _choices(table).items():
            made = sum(table.counts.get((attacker, team), 0) for team in targets)
            total = sum(_team_charm(charm, table.teams[team]) for team in targets)
            for team in targets:
                members = table.teams[team]
                share = _team_charm(charm, members) / total if total else 1 / len(targets)
                for target in members:
                    pair = (min(attacker, target), max(attacker, target))
                    seen[pair] += table.counts.get((attacker, team), 0)
                    expected[pair] += made * share
    found = [
        Friends(
            one=pair[0],
            other=pair[1],
            attacks=seen[pair],
            expected=mean,
            chance=poisson_at_most(seen[pair] / _BUNCH, mean / _BUNCH),
        )
        for pair, mean in expected.items()
    ]
    found = [one for one in found if one.chance < alarm / len(expected)]
    return tuple(sorted(found, key=lambda one: (one.chance, one.one, one.other)))


def _choices(table: Attacks) -> dict[int, list[int]]:
    """Of each player the teams that it may attack."""
    return {
        player: [other for other in range(len(table.teams)) if other != team]
        for team, members in enumerate(table.teams)
        for player in members
    }


def _charm(tables: Sequence[Attacks]) -> dict[int, float]:
    """How many attacks each player's team attracts at a table, in the mean."""
    attracted: defaultdict[int, int] = defaultdict(int)
    sat: defaultdict[int, int] = defaultdict(int)
    for table in tables:
        for team, members in enumerate(table.teams):
            suffered = sum(count for (_, target), count in table.counts.items() if target == team)
            for member in members:
                sat[member] += 1
                attracted[member] += suffered
    return {one: attracted[one] / times for one, times in sat.items()}


def _team_charm(charm: Mapping[int, float], members: Sequence[int]) -> float:
    return sum(charm[one] for one in members) / len(members)


@dataclass(frozen=True, slots=True)
class Duel:
    """What `one` got against `other` in a rated match, and what it could expect: shares, 0 to 1."""

    one: int
    other: int
    expected: float
    actual: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gifts:
    """Somebody who gets more from another one than ratings explain.

    Attributes:
        taker, giver: Who wins, and who loses.
        matches: How many they had.
        expected, got: The sums of the taker's shares.
        chance: The probability of so much.
    """

    taker: int
    giver: int
    matches: int
    expected: float
    got: float
    chance: float


def find_gifts(duels: Sequence[Duel], alarm: float = _ALARM) -> tuple[Gifts, ...]:
    """Return who gets too much from whom, the clearest case first.

    Args:
        duels: Each match once, from the side of either.
        alarm: The probability of naming any innocent pair, if ratings are right.
    """
    sums: defaultdict[tuple[int, int], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for duel in duels:
        sides = (
            (duel.one, duel.other, duel.expected, duel.actual),
            (duel.other, duel.one, 1 - duel.expected, 1 - duel.actual),
        )
        for taker, giver, expected, got in sides:
            for at, value in enumerate((1.0, expected, got)):
                sums[taker, giver][at] += value
    found = [
        Gifts(
            taker=taker,
            giver=giver,
            matches=int(matches),
            expected=expected,
            got=got,
            chance=at_least(floor(got), int(matches), expected / matches),
        )
        for (taker, giver), (matches, expected, got) in sums.items()
    ]
    found = [one for one in found if one.chance < alarm / len(sums)]
    return tuple(sorted(found, key=lambda one: (one.chance, one.taker, one.giver)))
