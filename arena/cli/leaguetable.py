"""What came of a league: ratings, and who has won how much against whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from arena.cli.output import results
from arena.ladder.rating import Parameters, Ranking, Rating, rate_all
from arena.stats.crosstable import CrossTable

if TYPE_CHECKING:
    from arena.cli.planning import Conditions
    from arena.stats.scores import GameScore
    from arena.tournament.standings import Standings

__all__ = ["Group", "League"]

RATING: Final = Parameters(tau=0)
"""Bots do not change within a league."""


@dataclass(frozen=True)
class Group:
    """Bots that met at one table, and what came of it."""

    names: tuple[str, ...]
    standings: Standings


class League:
    """What came of a league.

    Attributes:
        names: The bots.
        groups: Who met, and what came of it.
    """

    def __init__(
        self, names: tuple[str, ...], groups: Sequence[Group], conditions: Conditions
    ) -> None:
        self.names = names
        self.groups = groups
        self._conditions = conditions
        self._cross = CrossTable()
        self._forfeits = dict.fromkeys(names, 0)
        rankings = []
        for group, score in self._in_order():
            self._cross.add([(name,) for name in group.names], score)
            rankings.append(Ranking(tuple((name,) for name in group.names), score.ranks))
        for group in groups:
            for forfeit in group.standings.forfeits:
                self._forfeits[group.names[forfeit.bot]] += 1
        self._ratings = rate_all(RATING, rankings)

    def _in_order(self) -> list[tuple[Group, GameScore]]:
        """All games, board by board, so that no group is rated long before the others."""
        games = [
            (game.board, number, game.rotation, group, group.standings.score(game))
            for number, group in enumerate(self.groups)
            for game in group.standings.games
        ]
        return [(group, score) for *_, group, score in sorted(games, key=lambda one: one[:3])]

    def rating(self, name: str) -> Rating:
        """The rating of a bot."""
        return self._ratings.get(name, RATING.start)

    @property
    def ranking(self) -> list[str]:
        """The bots, the strongest first."""
        return sorted(self.names, key=lambda name: (-self.rating(name).mu, name))

    def facts(self) -> dict[str, object]:
        """Everything, for programs."""
        return {
            "ruleset": self._conditions.ruleset,
            "seed": self._conditions.seed,
            "boards": self._conditions.boards,
            "bots": [
                {
                    "name": name,
                    "mu": self.rating(name).mu,
                    "sigma": self.rating(name).sigma,
                    "games": sum(len(one.standings.games) for one in self._groups_of(name)),
                    "forfeits": self._forfeits[name],
                    "against": {
                        other: {
                            "wins": self._cross.duel(name, other).wins,
                            "draws": self._cross.duel(name, other).draws,
                            "losses": self._cross.duel(name, other).losses,
                        }
                        for other in self.ranking
                        if other != name
                    },
                }
                for name in self.ranking
            ],
        }

    def _groups_of(self, name: str) -> list[Group]:
        return [group for group in self.groups if name in group.names]

    def print(self) -> None:
        """The table, with the share of each bot against each other one."""
        table = Table(
            caption="share in % of a line's bot against a column's; mu and sigma are TrueSkill's",
            box=SIMPLE_HEAD,
            padding=0,
        )
        table.add_column("", justify="right")
        table.add_column("bot", overflow="fold", min_width=8)
        for heading in ("mu", "sigma", "games", "forfeits"):
            table.add_column(heading, justify="right")
        for place in range(1, len(self.names) + 1):
            table.add_column(str(place), justify="right")
        for place, name in enumerate(self.ranking, 1):
            rating = self.rating(name)
            games = sum(len(group.standings.games) for group in self._groups_of(name))
            table.add_row(
                str(place),
                name,
                f"{rating.mu:.2f}",
                f"{rating.sigma:.2f}",
                str(games),
                str(self._forfeits[name]),
                *(self._share(name, other) for other in self.ranking),
            )
        results().print(table)

    def _share(self, name: str, other: str) -> str:
        share = self._cross.duel(name, other).share
        return "-" if share is None else f"{100 * share:.0f}"
