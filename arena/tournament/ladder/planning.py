"""What is played when nobody has asked for a match: checks first, then what the matchmaker says."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Candidate, Chance, Meeting, Pairing, Table
from arena.storage.facts import (
    Contender,
    Entrant,
    Lease,
    Match,
    MatchKind,
    NewMatch,
    Report,
    Seat,
)
from arena.tournament.ladder.terms import Terms

__all__ = ["ContenderBook", "LadderPlanner", "LadderTable"]

_TWICE: Final = 2


@dataclass(frozen=True, slots=True)
class LadderTable:
    """A kind of table that the ladder plays, and what is played there."""

    table: Table
    terms: Terms


class ContenderBook(Protocol):
    """The entrants in the store; every method raises HostFault."""

    def candidates(self) -> Sequence[Contender]: ...
    def by_numbers(self, numbers: list[int], /) -> Mapping[int, Entrant]: ...


class LadderPlanner:
    """A `ports.Planner` on a matchmaker; `next_check` says which check is due, if one is."""

    def __init__(
        self,
        book: ContenderBook,
        matchmaker: Matchmaker,
        tables: Sequence[LadderTable],
        chance: Chance,
        next_check: Callable[[], NewMatch | None] = lambda: None,
    ) -> None:
        self._book = book
        self._matchmaker = matchmaker
        self._tables = {one.table.name: one for one in tables}
        self._chance = chance
        self._next_check = next_check
        self._owners: dict[str, int] = {}
        self._owner_of: dict[int, int] = {}
        self._titles: dict[int, str] = {}

    def remember(self, past: Sequence[Match]) -> None:
        """Tell the matchmaker what was played before this server was started, newest first."""
        rated = [match for match in reversed(past) if match.kind is MatchKind.RATED]
        entrants = sorted({seat.entrant for match in rated for seat in match.seats})
        for entrant in self._book.by_numbers(entrants).values():
            self._owner_of[entrant.number] = self._number(entrant.owner)
        for match in rated:
            self._matchmaker.began(self._meeting(match.table, match.seats))

    def next(self, playing: Collection[NewMatch]) -> NewMatch | None:
        """See `ports.Planner`."""
        check = self._next_check()
        if check is not None:
            return check
        contenders = {one.entrant: one for one in self._book.candidates()}
        unknown = [entrant for entrant in contenders if entrant not in self._titles]
        for entrant in self._book.by_numbers(unknown).values() if unknown else ():
            self._titles[entrant.number] = entrant.title
        self._matchmaker.replace([self._candidate(one) for one in contenders.values()])
        pairing = self._choose(contenders.values())
        if pairing is None:
            return None
        self._matchmaker.began(pairing.meeting)
        return NewMatch(
            kind=MatchKind.RATED,
            table=pairing.table.name,
            seats=tuple(Seat(entrant, contenders[entrant].version) for entrant in pairing.entrants),
            teams=pairing.table.teams,
            terms=self._tables[pairing.table.name].terms.as_json(),
            cause=pairing.cause,
        )

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`: what a match has cost the machine is shared by its seats."""
        if lease.new.kind is MatchKind.RATED:
            share = report.machine_time // len(lease.new.seats)
            times = [share] * len(lease.new.seats)
            self._matchmaker.ended(self._meeting(lease.new.table, lease.new.seats), times)

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`: what it has cost is not known; its match is played again."""

    def _choose(self, contenders: Collection[Contender]) -> Pairing | None:
        """A pairing of those who do not play now or, in a small ladder, of those who play once."""
        for most in (1, _TWICE):
            busy = {one.entrant for one in contenders if one.in_play >= most}
            pairing = self._matchmaker.choose(self._chance, busy)
            if pairing is not None:
                return pairing
        return None

    def _candidate(self, one: Contender) -> Candidate:
        owner = self._owner_of[one.entrant] = self._number(one.owner)
        return Candidate(
            entrant=one.entrant,
            owner=owner,
            title=self._titles.get(one.entrant, one.owner),
            rating=one.rating,
            matches=one.version_matches,
            players=frozenset(one.players),
            rulesets=frozenset(one.rulesets),
        )

    def _number(self, owner: str) -> int:
        return self._owners.setdefault(owner, len(self._owners) + 1)

    def _meeting(self, table: str, seats: Sequence[Seat]) -> Meeting:
        entrants = tuple(seat.entrant for seat in seats)
        return Meeting(table, entrants, tuple(self._owner_of.get(one, 0) for one in entrants))
