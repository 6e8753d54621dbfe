"""Who plays next, against whom, and why.

Two questions, answered one after the other. *Whose turn is it?* The bot's that has had least of the
ladder for its share; the share of one whose strength is uncertain is larger. *Against whom?* Of
those near in strength the one from whom most is learned, but rather one who has had little and
whom the first has not met of late. The README of this package has the formula.

The matchmaker knows no clock and no storage. Who has been there before is told at the start with
the matches of the past, `began` for each; after that every decision costs about as much as looking
once through all bots.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from math import ceil, exp
from typing import Final

from arena.ladder.loads import Loads
from arena.ladder.pairing import Candidate, Chance, Meeting, Pairing, PairingRules, Table, shuffled
from arena.ladder.rating import Parameters, expected_share

__all__ = ["Matchmaker"]

_RULES: Final = PairingRules()

_FLATTENS: Final = 0.38
"""The information in a result falls with the distance t of two bots about as exp(-0.38 t^2)."""

_NEW: Final = 10  # matches


class Matchmaker:
    """Pairs the active bots of a ladder.

    Args:
        parameters: Of the ratings.
        tables: The kinds of tables that are played.
        rules: The numbers of the formula.
    """

    def __init__(
        self, parameters: Parameters, tables: Sequence[Table], rules: PairingRules = _RULES
    ) -> None:
        self._parameters = parameters
        self._tables = tuple(tables)
        self._rules = rules
        self._loads = Loads(rules.memory)
        self._candidates: dict[int, Candidate] = {}
        self._able: dict[str, set[int]] = {one.name: set() for one in self._tables}
        self._of_owner: defaultdict[int, set[int]] = defaultdict(set)
        self._by_strength: list[tuple[float, int]] = []
        self._weights: dict[int, float] = {}
        self._pressures: dict[int, tuple[float, float, int]] = {}

    # -- what it is told ----------------------------------------------------------------------

    def enter(self, candidate: Candidate) -> None:
        """A bot takes part from now on, or something about it has changed."""
        known = self._candidates.get(candidate.entrant)
        if known is not None:
            self._forget(known)
        self._candidates[candidate.entrant] = candidate
        self._of_owner[candidate.owner].add(candidate.entrant)
        insort(self._by_strength, (candidate.rating.mu, candidate.entrant))
        self._weights[candidate.entrant] = self._weight(candidate)
        for table in self._tables:
            if candidate.can_play(table):
                self._able[table.name].add(candidate.entrant)
        self._press(candidate.owner)

    def leave(self, entrant: int) -> None:
        """A bot takes part no more; that one that is not there leaves changes nothing."""
        candidate = self._candidates.get(entrant)
        if candidate is not None:
            self._forget(candidate)
            self._press(candidate.owner)

    def replace(self, candidates: Collection[Candidate]) -> None:
        """These bots take part and no others; what was played stays known."""
        for entrant in self._candidates.keys() - {one.entrant for one in candidates}:
            self.leave(entrant)
        for candidate in candidates:
            if self._candidates.get(candidate.entrant) != candidate:
                self.enter(candidate)

    def began(self, meeting: Meeting) -> None:
        """A rated match has begun, or was played before this matchmaker was made."""
        is_rescaled = self._loads.add(meeting, len(self._candidates))
        for owner in [*self._of_owner] if is_rescaled else meeting.owners:
            self._press(owner)

    def ended(self, meeting: Meeting, machine_times: Sequence[int]) -> None:
        """A rated match is over; by seat, the machine time in ms that it has taken for a bot."""
        for entrant, owner, time in zip(
            meeting.entrants, meeting.owners, machine_times, strict=True
        ):
            self._loads.charge(entrant, owner, time, self._rules.dearest)
            self._press(owner)

    def _forget(self, candidate: Candidate) -> None:
        entrant = candidate.entrant
        at = bisect_left(self._by_strength, (candidate.rating.mu, entrant))
        del self._by_strength[at]
        self._of_owner[candidate.owner].discard(entrant)
        for able in self._able.values():
            able.discard(entrant)
        del self._candidates[entrant], self._weights[entrant], self._pressures[entrant]

    # -- whose turn it is ---------------------------------------------------------------------

    def _weight(self, candidate: Candidate) -> float:
        """The share that a bot should have, against 1 for one whose strength is known."""
        doubt = min(1.0, candidate.rating.sigma / self._parameters.sigma)
        return 1 + (self._rules.newcomer - 1) * doubt**2

    def _press(self, owner: int) -> None:
        """Work out anew what an owner's bots have had of their share: the smallest plays next."""
        entrants = self._of_owner[owner]
        shared = 0.0
        if len(entrants) > self._rules.allowance:
            heaviest = sorted((self._weights[one] for one in entrants), reverse=True)
            allowed = sum(heaviest[: self._rules.allowance])
            shared = self._loads.of_owner.get(owner, 0.0) / allowed
        for entrant in entrants:
            own = self._loads.of_entrant.get(entrant, 0.0) / self._weights[entrant]
            self._pressures[entrant] = (max(own, shared), own, entrant)

    def expectation(self, entrant: int) -> int | None:
        """In about how many matches that begin a bot plays next; None: it takes no part.

        That is how many bots come before it, with two or more playing in each match.
        """
        own = self._pressures.get(entrant)
        if own is None:
            return None
        before = sum(other < own for other in self._pressures.values())
        weight = sum(table.weight for table in self._tables)
        players = sum(table.weight * table.players for table in self._tables) / weight
        return ceil((before + 1) / players)

    # -- the decision -------------------------------------------------------------------------

    def choose(self, chance: Chance, busy: Collection[int] = ()) -> Pairing | None:
        """Return the match that should be played next; None if there is none.

        Args:
            chance: Decides about seats, and a little about opponents.
            busy: The bots that may not begin another match now.
        """
        able = {name: entrants.difference(busy) for name, entrants in self._able.items()}
        open_tables = [one for one in self._tables if self._is_enough(able[one.name], one)]
        waiting = set[int]().union(*(able[one.name] for one in open_tables))
        if not waiting:
            return None
        first = self._candidates[min(waiting, key=self._pressures.__getitem__)]
        table = min(
            (one for one in open_tables if first.entrant in able[one.name]),
            key=lambda one: self._loads.of_table.get(one.name, 0.0) / one.weight,
        )
        players = [first, *self._opponents(first, table, able[table.name], chance)]
        return self._seated(table, players, chance)

    def _is_enough(self, able: set[int], table: Table) -> bool:
        """Whether enough owners have a bot for a table: none has two there."""
        owners: set[int] = set()
        for entrant in able:
            owners.add(self._candidates[entrant].owner)
            if len(owners) == table.players:
                return True
        return False

    def _typical_pressure(self) -> float:
        """What a bot of weight 1 has had of late, if all have had their share."""
        had = self._loads.of_owner
        total = sum(had[owner] for owner, bots in self._of_owner.items() if bots and owner in had)
        return total / sum(self._weights.values())

    def _opponents(
        self, first: Candidate, table: Table, able: set[int], chance: Chance
    ) -> list[Candidate]:
        """Who comes to a bot's table: one after the other, each the best for all who are there."""
        near = self._near(first, able, table.players - 1)
        rarely = [one for one in near if not self._is_frequent(first, one)]
        if len({one.owner for one in rarely}) >= table.players - 1:
            near = rarely
        typical = self._typical_pressure()
        balance = [self._balance(one, typical, chance) for one in near]
        worth = [0.0] * len(near)
        last, chosen = first, list[Candidate]()
        while len(chosen) < table.players - 1:
            best, place = -1.0, 0
            for at, one in enumerate(near):
                if one.owner == last.owner:
                    balance[at] = -1.0  # one of its owner's bots is there
                worth[at] += self._worth(last, one)
                if worth[at] * balance[at] > best and balance[at] >= 0:
                    best, place = worth[at] * balance[at], at
            last = near[place]
            chosen.append(last)
        return chosen

    def _near(self, first: Candidate, able: set[int], owners: int) -> list[Candidate]:
        """The nearest bots in strength of other owners, of so many owners at least."""
        found: list[Candidate] = []
        there: set[int] = set()
        for one in self._outwards(first, able):
            if one.owner != first.owner:
                found.append(one)
                there.add(one.owner)
                if len(found) >= self._rules.window and len(there) >= owners:
                    break
        return found

    def _outwards(self, first: Candidate, able: set[int]) -> Iterator[Candidate]:
        """Bots that can come to the table, the nearest in strength first."""
        line, mu = self._by_strength, first.rating.mu
        above = bisect_left(line, (mu, first.entrant))
        below = above - 1
        while below >= 0 or above < len(line):
            is_above = below < 0 or (
                above < len(line) and line[above][0] - mu < mu - line[below][0]
            )
            entrant = line[above if is_above else below][1]
            above, below = (above + 1, below) if is_above else (above, below - 1)
            if entrant in able:
                yield self._candidates[entrant]

    def _is_frequent(self, first: Candidate, other: Candidate) -> bool:
        """Whether too many of a bot's matches were against bots of another owner."""
        played = self._loads.of_entrant.get(first.entrant, 0.0) / self._loads.unit
        return self._loads.owners_met(first.owner, other.owner) > max(
            2.0, self._rules.share * played
        )

    def _balance(self, other: Candidate, typical: float, chance: Chance) -> float:
        """How much a bot that has had little is preferred, with a little chance."""
        pressure = self._pressures[other.entrant][0]
        balance = 2 / (1 + (pressure / typical) ** 2) if typical else 1.0
        return balance * (1 - self._rules.spread * chance.random())

    def _worth(self, one: Candidate, other: Candidate) -> float:
        """What is learned from a match of two bots, less if they have met of late."""
        doubt = one.rating.sigma**2 + other.rating.sigma**2
        variance = 2 * self._parameters.beta**2 + doubt
        distance = (one.rating.mu - other.rating.mu) ** 2
        # What the result tells of both strengths, and how open it is which one is the larger.
        gain = doubt / variance * exp(-_FLATTENS * distance / variance - distance / (2 * doubt))
        met = self._loads.owners_met(one.owner, other.owner)
        return gain / (1 + self._rules.rematch * met)

    def _seated(self, table: Table, players: list[Candidate], chance: Chance) -> Pairing:
        """Spread the players over teams so that these are equally strong, and seat them."""
        order = sorted(players, key=lambda one: (-one.rating.mu, one.entrant))
        teams: list[list[Candidate]] = [[] for _ in table.teams]
        # Forwards, backwards and so on: the best has the worst for a partner.
        for number, one in enumerate(order):
            round_, at = divmod(number, len(teams))
            teams[at if round_ % 2 == 0 else len(teams) - 1 - at].append(one)
        seats: dict[int, Candidate] = {}
        for taken, team in zip(table.teams, shuffled(teams, chance), strict=True):
            seats.update(zip(taken, shuffled(team, chance), strict=True))
        seated = [seats[seat] for seat in range(table.players)]
        return Pairing(
            table=table,
            entrants=tuple(one.entrant for one in seated),
            owners=tuple(one.owner for one in seated),
            cause=self._cause(players),
        )

    def _cause(self, players: Sequence[Candidate]) -> str:
        first, *others = players
        told = []
        for one in others:
            share = 100 * expected_share(self._parameters, first.rating, one.rating)
            met = round(self._loads.met(first.entrant, one.entrant))
            often = "not met of late" if met == 0 else f"met about {met} x of late"
            told.append(f"{one.title} (expects {share:.0f} % against it, {often})")
        return f"{first.title} {self._turn_text(first)}; against {', '.join(told)}"

    def _turn_text(self, first: Candidate) -> str:
        if first.matches < _NEW:
            return f"is new here, with {_matches(first.matches)}"
        if first.rating.sigma > self._parameters.sigma / 4:
            return f"is still uncertain, with sigma {first.rating.sigma:.2f}"
        return "has had least of its share of matches"


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count} matches"
