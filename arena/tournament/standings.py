"""What a series says so far: finished matches in their order, counted board by board.

Matches may end in any order; they are counted in the order of their numbers, up to the first that
is not finished, and a stop that was asked for (a decided SPRT, an interval narrow enough) is looked
for after every board. So what is counted, and where it stops, never depends on the number of jobs.

Sides are the teams as they sit in rotation 0: side 0 is the one of the first bot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.errors import InputError
from arena.referee.events import BotNo, Forfeit, GameResult
from arena.referee.tally import Tally
from arena.stats.pairs import PairSummary
from arena.stats.scores import GameScore
from arena.stats.sprt import Decision, Sprt, SprtRun
from arena.stats.stopping import WidthStop
from arena.stats.tables import SideSummary, TableTally
from arena.tournament.series import FinishedMatch, SeriesPlan, boards_of

__all__ = ["Standings", "Stops"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """When a series ends before its last board.

    Raises:
        InputError: a test is asked for that needs two sides.
    """

    sprt: Sprt | None = None
    width: WidthStop | None = None

    def check(self, sides: int) -> None:
        """Refuse what a table of so many sides cannot have."""
        if self.sprt is not None and sides != 2:
            raise InputError(f"--sprt compares two sides, and here are {sides}")


@dataclass
class Standings:
    """The running result of a series.

    Attributes:
        plan, stops: What is played, and when it is enough.
        boards: Boards counted.
        void_boards: Boards left out, because a game of theirs was void in every attempt.
        tallies: By bot, over the matches counted.
        forfeits, voids: Of the matches counted.
        logs: By bot, what it wrote last.
        enough: A stop was met; boards after it are not counted.
    """

    plan: SeriesPlan
    stops: Stops = field(default_factory=Stops)
    boards: int = 0
    void_boards: int = 0
    games: list[GameResult] = field(default_factory=list)
    forfeits: list[Forfeit] = field(default_factory=list)
    voids: list[str] = field(default_factory=list)
    enough: bool = False

    def __post_init__(self) -> None:
        sides = len(self.plan.seating.teams)
        self.stops.check(sides)
        self.tallies = [Tally() for _ in self.plan.bots]
        self.logs = [""] * len(self.plan.bots)
        self._table = TableTally(sides, self.plan.games_per_board)
        sprt = self.stops.sprt
        self._sprt = None if sprt is None else SprtRun(sprt, self.plan.games_per_board)
        self._waiting: dict[int, FinishedMatch] = {}
        self._next = 0

    @property
    def waiting_boards(self) -> int:
        """Boards that are finished, but wait for an earlier match."""
        return sum(len(dict(boards_of([match]))) for match in self._waiting.values())

    @property
    def pairs(self) -> dict[tuple[int, int], PairSummary]:
        """By two sides, the smaller number first, how the first does against the second."""
        return {sides: pair.summary() for sides, pair in self._table.pairs.items()}

    @property
    def sides(self) -> tuple[SideSummary, ...]:
        """What is known of every side."""
        return self._table.sides()

    @property
    def sprt(self) -> SprtRun | None:
        """The test in progress, if one was asked for."""
        return self._sprt

    def add(self, match: FinishedMatch) -> None:
        """Take in a finished match, in any order."""
        self._waiting[match.number] = match
        while self._next in self._waiting and not self.enough:
            self._count(self._waiting.pop(self._next))
            self._next += 1
        if self.enough:
            self._waiting.clear()

    def _count(self, match: FinishedMatch) -> None:
        for tally, more in zip(self.tallies, match.tallies, strict=True):
            tally.merge(more)
        self.forfeits += match.forfeits
        self.voids += match.voids
        self.logs = [new or old for new, old in zip(match.logs, self.logs, strict=True)]
        found = dict(boards_of([match]))
        for board in self.plan.match(match.number).boards:
            games = found.get(board, [])
            if len(games) != self.plan.games_per_board:
                self.void_boards += 1
                continue
            self._count_board(games)
            if self.enough:
                return

    def _count_board(self, games: Sequence[GameResult]) -> None:
        self.boards += 1
        self.games += games
        scores = [self.score(game) for game in games]
        self._table.add(scores)
        if self._sprt is not None:
            pair = self._table.pairs[0, 1]
            scored = sum(score.duel(pair.a, pair.b) for score in scores)
            self.enough = self._sprt.add(scored) is not Decision.CONTINUE
        width = self.stops.width
        if width is not None and not self.enough:
            shares = [pair.summary().share for pair in self._table.pairs.values()]
            self.enough = width.is_met(shares)

    def score(self, game: GameResult) -> GameScore:
        """A game of this series as statistics see it."""
        here = [game.team(BotNo(team[0])) for team in self.plan.seating.teams]
        made = game.totals if self.plan.rules.is_scored else game.km
        ranks = [game.ranks[team] for team in here]
        return GameScore(
            ranks=tuple(ranks),
            points=tuple(made[team] for team in here),
            forfeited_by=tuple(side for side, team in enumerate(here) if team in game.forfeited),
        )
