"""Two sides compared, board by board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from arena.stats.estimates import (
    Estimate,
    bounded_estimate,
    elo_estimate,
    estimate,
    superiority,
)
from arena.stats.scores import DRAW, LOSS, WIN, GameScore
from arena.stats.sums import ExactSums

__all__ = ["PairSummary", "PairTally"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSummary:
    """What the boards say about side `a` against side `b`.

    Attributes:
        boards: Boards counted.
        games: Games on them.
        wins, draws, losses: Games by their result for `a`.
        by_score: Boards by what `a` scored on them: entry k counts those with k half points. With
            two games to a board these are the five numbers that chess calls pentanomial.
        share: Mean share of `a`, a win being 1 and a draw 1/2; None without a board.
        points: Mean difference of points in a game, a's less b's; None without a board to take it
            from.
        boards_without_points: Boards that `points` leaves out, because a game was forfeited.
        los: Likelihood of superiority, that `a` scores more than one half in the long run; None
            with fewer than two boards.
        elo: Difference in Elo that goes with `share`; infinite where that reaches 0 or 1.
    """

    boards: int
    games: int
    wins: int
    draws: int
    losses: int
    by_score: tuple[int, ...]
    share: Estimate | None
    points: Estimate | None
    boards_without_points: int
    los: float | None
    elo: Estimate | None


@dataclass(slots=True)
class PairTally:
    """Running sums over the boards of sides `a` and `b`; they are exact, so order does not matter.

    Attributes:
        a, b: The sides.
        rotations: Games on every board.
        results: Games that `a` lost, drew and won.
        by_score: Boards by the half points of `a`, 0 to 2 * rotations.
        points: Sums of the difference of points, over boards without a forfeit.

    Raises:
        ValueError: there is no game on a board, or the sides are one.
    """

    a: int
    b: int
    rotations: int
    results: list[int] = field(default_factory=lambda: [0, 0, 0])
    by_score: list[int] = field(default_factory=list)
    points: ExactSums = field(default_factory=lambda: ExactSums(1))

    def __post_init__(self) -> None:
        if self.rotations < 1 or self.a == self.b:
            raise ValueError(f"sides {self.a} and {self.b} in {self.rotations} games a board")
        self.by_score = self.by_score or [0] * (2 * self.rotations + 1)
        self.points.per = self.rotations

    def add(self, board: Sequence[GameScore]) -> int:
        """Count a board that is finished; return what `a` scored on it, in half points.

        Raises:
            ValueError: it has not as many games as there are rotations; nothing is counted.
        """
        if len(board) != self.rotations:
            raise ValueError(f"a board of {self.rotations} games, not {len(board)}")
        scored = difference = 0
        played = True
        for game in board:
            result = game.duel(self.a, self.b)
            self.results[result] += 1
            scored += result
            difference += game.points[self.a] - game.points[self.b]
            played = played and not game.forfeited_by
        self.by_score[scored] += 1
        if played:
            self.points.add(difference)
        return scored

    def merged(self, other: PairTally) -> PairTally:
        """The tally of the boards of both, exactly as if one had counted them all.

        Raises:
            ValueError: they compare other sides, or have other boards.
        """
        ours, theirs = (self.a, self.b, self.rotations), (other.a, other.b, other.rotations)
        if ours != theirs:
            raise ValueError(f"tallies of (a, b, rotations) {ours} and {theirs} do not add up")
        return PairTally(
            *ours,
            results=[one + two for one, two in zip(self.results, other.results, strict=True)],
            by_score=[one + two for one, two in zip(self.by_score, other.by_score, strict=True)],
            points=self.points.merged(other.points),
        )

    @property
    def boards(self) -> int:
        """Boards counted."""
        return sum(self.by_score)

    @property
    def share(self) -> ExactSums:
        """Sums of the share of `a` on a board."""
        scored = list(enumerate(self.by_score))
        return ExactSums(
            2 * self.rotations,
            count=self.boards,
            total=sum(count * score for score, count in scored),
            squares=sum(count * score * score for score, count in scored),
        )

    def summary(self) -> PairSummary:
        """What is known now."""
        sums = self.share
        share = bounded_estimate(sums)
        return PairSummary(
            boards=sums.count,
            games=sums.count * self.rotations,
            wins=self.results[WIN],
            draws=self.results[DRAW],
            losses=self.results[LOSS],
            by_score=tuple(self.by_score),
            share=share,
            points=estimate(self.points),
            boards_without_points=sums.count - self.points.count,
            los=superiority(sums),
            elo=None if share is None else elo_estimate(share),
        )
