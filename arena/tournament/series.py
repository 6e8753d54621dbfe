"""A series: many matches between the same bots, on boards that follow from one seed.

    SeriesPlan --matches()--> MatchSpec --played anywhere, in any order--> Series.take
                                 ^                                             |
                                 +---- next attempt after a VOID, ------------+
                                       rest of the match after a FORFEIT

A match is a few boards in all their rotations. What counts afterwards is the finished match, so
that a series which is broken off and taken up again comes to the same end: matches, their boards
and the bots' own seeds follow from the plan alone, and a match that was not finished is played
again from its beginning.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.engine.rulesets import RuleSet
from arena.engine.scoring import Length
from arena.engine.seating import Seating
from arena.errors import InputError
from arena.referee.events import Forfeit, GameResult, OutcomeKind
from arena.referee.game import TO_MATCH_POINTS, Sitting, every_rotation
from arena.referee.limits import STANDARD_LIMITS, Limits
from arena.referee.tally import Tally
from arena.sandbox.lastwords import excerpt
from arena.sandbox.launcher import CappedLog
from arena.submissions.manifest import Manifest
from arena.tournament.matches import PROCESSES, MatchOutcome, MatchSpec, Venue

__all__ = [
    "LINES_KEPT",
    "MOST_ATTEMPTS",
    "FinishedMatch",
    "Series",
    "SeriesPlan",
    "boards_of",
    "is_of",
    "is_whole",
]

MOST_ATTEMPTS: Final = 3
"""After so many void attempts a match is set aside for a person."""

LINES_KEPT: Final = 5
"""Lines of a bot's log that are kept of a match that is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesPlan:
    """What is to be played.

    Attributes:
        bots: Who plays; bot i sits at seat i in rotation 0.
        rules, seating: What is played, and who with whom.
        seed: 32 bytes from which everything that chance decides follows.
        boards: How many boards.
        rotate: Every board is played once in every rotation; else once, in one rotation after the
            other.
        match_boards: How many boards a match has. The last one may have fewer.
        limits, length, striped: As in `MatchPlan`.
        venue: Where it is played.

    Raises:
        InputError: a number is below 1.
    """

    bots: tuple[Manifest, ...]
    rules: RuleSet
    seating: Seating
    seed: bytes
    boards: int
    rotate: bool = True
    match_boards: int = 10
    limits: Limits = STANDARD_LIMITS
    length: Length = TO_MATCH_POINTS
    striped: bool = True
    venue: Venue = PROCESSES

    def __post_init__(self) -> None:
        for name in ("boards", "match_boards"):
            if getattr(self, name) < 1:
                raise InputError(f"{name.replace('_', ' ')}: must be at least 1")

    @property
    def games_per_board(self) -> int:
        """How often each board is played."""
        return self.seating.players if self.rotate else 1

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return self.boards * self.games_per_board

    @property
    def match_count(self) -> int:
        """How many matches there are."""
        return -(-self.boards // self.match_boards)

    def match(self, number: int) -> MatchSpec:
        """The first attempt at match `number`, from 0."""
        first = number * self.match_boards
        boards = tuple(range(first, min(first + self.match_boards, self.boards)))
        seats = self.seating.players
        if self.rotate:
            legs = every_rotation(len(boards), seats)
        else:
            # Seats go on changing from match to match.
            leg = (Sitting(place, (first + place) % seats) for place in range(len(boards)))
            legs = (tuple(leg),)
        return MatchSpec(
            number=number,
            bots=self.bots,
            rules=self.rules,
            seating=self.seating,
            seed=self.seed,
            boards=boards,
            legs=legs,
            limits=self.limits,
            length=self.length,
            striped=self.striped,
            venue=self.venue,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedMatch:
    """What counts of a match of a series.

    Attributes:
        number: Its number.
        results: Its games, with the boards' numbers in the series; without those that were void in
            every attempt.
        tallies: By bot.
        forfeits: In their order; the games are those of the part they happened in.
        voids: Why attempts were void.
        logs: By bot, what it wrote.
    """

    number: int
    results: tuple[GameResult, ...]
    tallies: tuple[Tally, ...]
    forfeits: tuple[Forfeit, ...]
    voids: tuple[str, ...]
    logs: tuple[str, ...]

    def brief(self) -> FinishedMatch:
        """The same, with no more than the last lines of each log: what is kept of many matches."""
        tails = ("\n".join(excerpt(log, LINES_KEPT)) for log in self.logs)
        return replace(self, logs=tuple(tails))


class Series:
    """A series in play: what to play next, and what has come of it.

    Attributes:
        plan: What is played.
        finished: The matches that count, by number, in brief.
    """

    def __init__(self, plan: SeriesPlan, finished: Sequence[FinishedMatch] = ()) -> None:
        self.plan = plan
        self.finished = {match.number: match for match in finished}
        self._next = 0
        self._again: deque[MatchSpec] = deque()
        self._parts: dict[int, _Parts] = {}

    @property
    def is_complete(self) -> bool:
        """Every match is finished."""
        return len(self.finished) == self.plan.match_count

    def next(self) -> MatchSpec | None:
        """The next attempt to play; None when nothing is left that is not being played."""
        if self._again:
            return self._again.popleft()
        while self._next in self.finished:
            self._next += 1
        if self._next >= self.plan.match_count:
            return None
        self._next += 1
        return self.plan.match(self._next - 1)

    def take(self, spec: MatchSpec, outcome: MatchOutcome) -> FinishedMatch | None:
        """Take in what came of an attempt; the match, if it is finished with it."""
        parts = self._parts.setdefault(spec.number, _Parts(len(spec.bots)))
        if outcome.verdict.kind is OutcomeKind.VOID:
            parts.voids.append(f"match {spec.name}: {outcome.verdict.void}")
            if spec.attempt < MOST_ATTEMPTS:
                self._again.append(replace(spec, attempt=spec.attempt + 1))
                return None
        else:
            parts.add(spec, outcome)
            rest = _rest(spec, len(outcome.results))
            if rest:
                self._again.append(replace(spec, part=spec.part + 1, attempt=1, legs=rest))
                return None
        match = self._parts.pop(spec.number).finished(spec.number)
        self.finished[spec.number] = match.brief()
        return match


def _rest(spec: MatchSpec, played: int) -> tuple[tuple[Sitting, ...], ...]:
    """The games of an attempt that were not played, by leg."""
    legs = []
    for leg in spec.legs:
        if leg[played:]:
            legs.append(leg[max(0, played) :])
        played = max(0, played - len(leg))
    return tuple(legs)


class _Parts:
    """What has come of a match so far."""

    def __init__(self, bots: int) -> None:
        self.voids: list[str] = []
        self._results: list[GameResult] = []
        self._forfeits: list[Forfeit] = []
        self.tallies = tuple(Tally() for _ in range(bots))
        self._logs = [CappedLog() for _ in range(bots)]

    def add(self, spec: MatchSpec, outcome: MatchOutcome) -> None:
        """Add an attempt that counts."""
        self._results += [
            replace(result, board=spec.boards[result.board]) for result in outcome.results
        ]
        self._forfeits += outcome.verdict.forfeits
        for tally, more in zip(self.tallies, outcome.tallies, strict=True):
            tally.merge(more)
        for log, text in zip(self._logs, outcome.logs, strict=True):
            log.write(text.encode("utf-8", "replace"))

    def finished(self, number: int) -> FinishedMatch:
        """The match as it counts."""
        return FinishedMatch(
            number=number,
            results=tuple(self._results),
            tallies=self.tallies,
            forfeits=tuple(self._forfeits),
            voids=tuple(self.voids),
            logs=tuple(log.text() for log in self._logs),
        )


def is_whole(plan: SeriesPlan, match: FinishedMatch) -> bool:
    """Whether every game of a match was played: none was void in every attempt."""
    return len(match.results) == sum(map(len, plan.match(match.number).legs))


def is_of(plan: SeriesPlan, match: FinishedMatch) -> bool:
    """Whether a match is one of `plan`: the games that it has are its games, in their seats."""
    spec = plan.match(match.number)
    planned = Counter((spec.boards[board], seats) for leg in spec.legs for board, seats in leg)
    played = Counter((result.board, result.rotation) for result in match.results)
    return played <= planned and all(
        sorted(result.bots) == list(range(len(plan.bots)))
        and tuple(result.team_of) == plan.seating.team_of
        and len(result.totals) == len(result.km) == len(result.ranks) == len(plan.seating.teams)
        and all(type(one) is int for one in (*result.totals, *result.km, *result.ranks))
        and result.winner in range(-1, len(plan.seating.teams))
        for result in match.results
    )


def boards_of(matches: Sequence[FinishedMatch]) -> Iterator[tuple[int, list[GameResult]]]:
    """The boards of finished matches with their games, as they come."""
    for match in matches:
        games: dict[int, list[GameResult]] = {}
        for result in match.results:
            games.setdefault(result.board, []).append(result)
        yield from games.items()
