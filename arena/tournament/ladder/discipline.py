"""What becomes of versions that fail: probation, checks, and quarantine for void attempts.

A version that forfeits too often is put on probation: it plays no rated match until it has passed
a check, which is a short unrated match. Checks that fail come less and less often. A version whose
attempts are void too often for chance is quarantined, for a person to look at; so are those of an
owner whose bots are void too often together, though none of them alone. The rules are those of
`ladder.probation`; here is what they are applied to: the attempts of late, by version and owner.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from arena.ladder.probation import (
    ProbationRules,
    Tried,
    VoidRules,
    find_suspects,
    probation_reason,
)
from arena.storage.attempts import MOST_FAILURES
from arena.storage.facts import (
    Attempt,
    AttemptState,
    Entrant,
    Lease,
    Match,
    MatchKind,
    NewMatch,
    Report,
    Seat,
    Version,
    VersionState,
)
from arena.storage.versions import BUILD_GONE
from arena.tournament.ladder.health import Backoff
from arena.tournament.ladder.planning import LadderTable
from arena.tournament.ladder.ports import Tell

__all__ = ["Discipline", "HoldsBack", "Rules", "VersionBook"]

_REMEMBERED: Final = 2000
"""Attempts that are looked at for voids."""

_FIRST_CHECK: Final = 60.0
_RAREST_CHECK: Final = 86_400.0
_PATIENCE: Final = 3_600.0
"""Seconds after which a check of which nothing was heard is made again."""

_MOST_BOARDS: Final = 2


class VersionBook(Protocol):
    """The versions in the store; every method raises HostFault."""

    def version(self, number: int, /) -> Version | None: ...
    def by_numbers(self, numbers: list[int], /) -> Mapping[int, Entrant]: ...
    def set_version_state(self, number: int, state: VersionState, why: str = "", /) -> object: ...
    def current(self, state: VersionState, /) -> Sequence[Version]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What is too often, and whom a version in probation is checked against.

    Attributes:
        house: A bot that is known to be good; None: versions are checked against themselves.
    """

    probation: ProbationRules = field(default_factory=ProbationRules)
    voids: VoidRules = field(default_factory=VoidRules)
    house: Seat | None = None


class HoldsBack:
    """Quarantines versions of which what was built is gone: `specs.Sources.hold_back`."""

    def __init__(self, book: VersionBook, tell: Tell) -> None:
        self._book = book
        self._tell = tell

    def __call__(self, version: Version, why: str) -> None:
        """Hold one back, with one alert however many matches it is missing in."""
        found = self._book.version(version.number)
        if found is None or found.state is VersionState.QUARANTINED:
            return
        self._book.set_version_state(version.number, VersionState.QUARANTINED, BUILD_GONE)
        self._tell("version quarantined", alert=True, version=version.number, why=why)


@dataclass(slots=True)
class _Check:
    """A version on probation: how long its next check waits, and since when one is asked for."""

    waits: Backoff
    asked: float | None = None


class Discipline:
    """A `ports.Judge`, and what the planner asks for checks; used by the director's thread."""

    def __init__(
        self,
        book: VersionBook,
        tables: Sequence[LadderTable],
        tell: Tell,
        monotonic: Callable[[], float],
        rules: Rules = Rules(),
    ) -> None:
        self._book = book
        self._tables = tuple(tables)
        self._tell = tell
        self._monotonic = monotonic
        self._rules = rules
        self._forfeits: defaultdict[int, deque[bool]] = defaultdict(
            lambda: deque(maxlen=rules.probation.of_last)
        )
        self._tried: deque[Tried] = deque(maxlen=_REMEMBERED)
        self._voids: Counter[int] = Counter()  # in a row, by match
        self._owners: dict[str, int] = {}
        self._owner_of: dict[int, int] = {}  # by version
        self._suspected: set[int] = set()
        self._checks: dict[int, _Check] = {}

    # -- at the start -------------------------------------------------------------------------

    def remember(self, past: Sequence[Match]) -> None:
        """Take in what was played before this server was started, newest first."""
        tried: list[tuple[int, Match, Attempt]] = []
        for match in reversed(past):
            tried += [(one.ended or 0, match, one) for one in match.attempts if one.of_play]
            if match.result is not None:
                forfeits = [bool(one.forfeit) for one in match.result.seats]
                self._count(match.kind, match.seats, forfeits)
        for _, match, attempt in sorted(tried, key=lambda one: one[0]):
            is_void = attempt.state is not AttemptState.DONE
            self._note(match.number, match, is_void=is_void, blamed=attempt.blamed)

    def find_held_back(self) -> None:
        """Find the versions that are on probation, or have to be held back; raises HostFault."""
        self._look_for_voids()
        for version in self._book.current(VersionState.PROBATION):
            self._expect(version)

    # -- after a match ------------------------------------------------------------------------

    def recorded(self, lease: Lease, report: Report) -> None:
        """See `ports.Judge`."""
        new = lease.new
        is_void = report.verdict == "VOID"
        self._note(lease.match, new, is_void=is_void, blamed=report.blamed)
        if is_void:
            self._look_for_voids()
        else:
            forfeits = [bool(one.forfeit) for one in report.seats]
            self._count(new.kind, new.seats, forfeits)
            for seat, has_forfeited in zip(new.seats, forfeits, strict=True):
                if has_forfeited and new.kind is MatchKind.RATED:
                    self._look_at(seat.version)
        if new.kind is MatchKind.CHECK:
            self._take_check(new, report)

    def failed(self, lease: Lease) -> None:
        """See `ports.Judge`: it was void for everybody at the table."""
        self._note(lease.match, lease.new, is_void=True, blamed=None)
        self._look_for_voids()

    def _note(
        self, match: int, new: NewMatch | Match, *, is_void: bool, blamed: int | None
    ) -> None:
        seats = new.seats
        # A challenge shows that this machine is well, but not who is to blame if it is void: who is
        # there was chosen by somebody.
        if is_void and new.kind is not MatchKind.RATED:
            return
        self._learn_owners(seats)
        versions = frozenset(seat.version for seat in seats)
        self._tried.append(
            Tried(versions, is_void, None if blamed is None else seats[blamed].version)
        )
        self._voids[match] += 1
        if is_void and self._voids[match] < MOST_FAILURES:
            return
        del self._voids[match]
        if is_void:
            # Set aside: whatever is void next has nothing to do with it, or whoever ruins all that
            # is played would be there in one long incident only.
            self._tried.append(Tried(frozenset(), is_void=False))

    def _count(self, kind: MatchKind, seats: Sequence[Seat], forfeits: Sequence[bool]) -> None:
        for seat, has_forfeited in zip(seats, forfeits, strict=True):
            if kind is MatchKind.RATED:
                self._forfeits[seat.version].append(has_forfeited)
        if kind is MatchKind.CHECK and not forfeits[0]:
            self._forfeits.pop(seats[0].version, None)

    def _look_at(self, number: int) -> None:
        why = probation_reason(tuple(self._forfeits[number]), self._rules.probation)
        version = self._book.version(number) if why else None
        if version is None or version.state is not VersionState.ACTIVE:
            return
        self._book.set_version_state(number, VersionState.PROBATION, why)
        self._tell("version on probation", version=number, why=why)
        self._expect(version)

    def _look_for_voids(self) -> None:
        for suspicion in find_suspects(tuple(self._tried), self._rules.voids):
            self._suspected.add(suspicion.party)
            self._quarantine(suspicion.party, suspicion.why)
        # What one version is suspected of is not held against its owner's other ones.
        rest = [one for one in self._tried if not one.parties & self._suspected]
        by_owner = [self._of_owners(one) for one in rest]
        for suspicion in find_suspects(by_owner, self._rules.voids):
            was_there = {version for one in rest if one.is_void for version in one.parties}
            for version in sorted(was_there):
                if self._owner_of[version] == suspicion.party:
                    self._quarantine(version, f"of all bots of its owner {suspicion.why}")

    def _quarantine(self, number: int, why: str) -> None:
        version = self._book.version(number)
        if version is not None and version.state is VersionState.ACTIVE:
            self._book.set_version_state(number, VersionState.QUARANTINED, why)
            self._tell("version quarantined", alert=True, version=number, why=why)

    def _of_owners(self, tried: Tried) -> Tried:
        """The same attempt, with owners in place of versions."""
        blamed = None if tried.blamed is None else self._owner_of[tried.blamed]
        parties = frozenset(self._owner_of[version] for version in tried.parties)
        return Tried(parties, tried.is_void, blamed)

    def _learn_owners(self, seats: Sequence[Seat]) -> None:
        unknown = {seat.entrant for seat in seats if seat.version not in self._owner_of}
        found = self._book.by_numbers(sorted(unknown)) if unknown else {}
        for seat in seats:
            if seat.entrant in found:
                owner = found[seat.entrant].owner
                known = self._owners.setdefault(owner, len(self._owners) + 1)
                self._owner_of[seat.version] = known

    # -- checks -------------------------------------------------------------------------------

    def next_check(self) -> NewMatch | None:
        """A check that is due; None: none is. Raises HostFault."""
        now = self._monotonic()
        for number, check in list(self._checks.items()):
            is_asked = check.asked is not None and now - check.asked < _PATIENCE
            if is_asked or check.waits.left:
                continue
            version = self._book.version(number)
            new = None if version is None else self._check_of(version)
            if new is None:
                del self._checks[number]
                continue
            check.asked = now
            return new
        return None

    def _expect(self, version: Version) -> None:
        waits = Backoff(self._monotonic, first=_FIRST_CHECK, longest=_RAREST_CHECK)
        self._checks.setdefault(version.number, _Check(waits))

    def _check_of(self, version: Version) -> NewMatch | None:
        """The match that a version in probation is to pass; None: it is not there any more."""
        if version.state is not VersionState.PROBATION:
            return None
        fitting = [
            one
            for one in self._tables
            if one.table.players in version.players and one.table.ruleset in version.rulesets
        ]
        if not fitting:
            return None
        own = Seat(version.entrant, version.number)
        other = self._rules.house or own
        table, terms = fitting[0].table, fitting[0].terms
        return NewMatch(
            kind=MatchKind.CHECK,
            table=table.name,
            seats=(own, *[other] * (table.players - 1)),
            teams=table.teams,
            terms=replace(terms, boards=min(terms.boards, _MOST_BOARDS)).as_json(),
            cause="a version on probation is checked",
        )

    def _take_check(self, new: NewMatch, report: Report) -> None:
        number = new.seats[0].version
        check = self._checks.get(number)
        if check is None:
            return
        check.asked = None
        if report.verdict == "VOID":
            return
        failed = [one.forfeit for one, seat in zip(report.seats, new.seats, strict=True)
                  if one.forfeit and seat.version == number]  # fmt: skip
        if failed:
            check.waits.failed()
            self._tell("check failed", version=number, why=failed[0])
            return
        version = self._book.version(number)
        if version is not None and version.state is VersionState.PROBATION:
            self._book.set_version_state(number, VersionState.ACTIVE)
            self._tell("check passed", version=number)
        del self._checks[number]
