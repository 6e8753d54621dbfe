"""Win shares in a league, with intervals from its boards.

All groups play the same boards, so what a board brings in one group depends on what it brings in
another one. A board is one piece of evidence for each pair, over all groups in which they met, and
one for each bot, over all its games.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from arena.stats.estimates import Estimate, bounded_estimate
from arena.stats.sums import ExactSums

if TYPE_CHECKING:
    from arena.stats.scores import GameScore

__all__ = ["LeagueShares"]

_ALL: Final = ""


class LeagueShares:
    """What bots have scored, board by board. The order in which games are added changes nothing."""

    def __init__(self) -> None:
        # By two names and board: half points, and the duels that they were made in.
        self._scored: dict[tuple[str, str], dict[int, tuple[int, int]]] = defaultdict(dict)

    def add(self, names: tuple[str, ...], board: int, score: GameScore) -> None:
        """Count a game: by side a bot, and what it brought."""
        for a, one in enumerate(names):
            for b, other in enumerate(names):
                if a != b:
                    for against in (other, _ALL):
                        boards = self._scored[one, against]
                        made, duels = boards.get(board, (0, 0))
                        boards[board] = (made + score.duel(a, b), duels + 1)

    def against(self, one: str, other: str) -> Estimate | None:
        """The share of `one` against `other`, a draw being 1/2; None if they have not met."""
        return self._estimate(one, other)

    def total(self, one: str) -> Estimate | None:
        """The share of `one` of all its duels; None if it has not played."""
        return self._estimate(one, _ALL)

    def _estimate(self, one: str, other: str) -> Estimate | None:
        boards = self._scored.get((one, other), {}).values()
        # Only whole boards can be compared: those that were void somewhere are left out.
        whole = max((duels for _, duels in boards), default=0)
        sums = ExactSums(2 * whole)
        for made, duels in boards:
            if duels == whole:
                sums.add(made)
        return bounded_estimate(sums)
