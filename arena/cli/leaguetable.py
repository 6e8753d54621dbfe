"""What came of a league: ratings, and who has won how much against whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.measure import Measurement
from rich.table import Table

from arena.cli.leagueshares import LeagueShares
from arena.cli.matchfacts import estimate_facts
from arena.cli.output import results
from arena.ladder.rating import Parameters, Ranking, Rating, rate_all
from arena.stats.crosstable import CrossTable

if TYPE_CHECKING:
    from arena.cli.planning import Conditions
    from arena.stats.estimates import Estimate
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

    TrueSkill depends a little on the order of games: those at the end count for more or less than
    those before. No order is right here, since bots do not change; so the games are rated in the
    order of their boards and in the reverse one, and a rating is the mean of both. What the one
    favours the other one puts at a disadvantage: bots that won in turns come out equal. Bots are
    ranked by their share of all games, which depends on no order.

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
        self._shares = LeagueShares()
        self._forfeits = dict.fromkeys(names, 0)
        rankings = []
        for group, board, score in self._in_order():
            self._cross.add([(name,) for name in group.names], score)
            self._shares.add(group.names, board, score)
            rankings.append(Ranking(tuple((name,) for name in group.names), score.ranks))
        for group in groups:
            for forfeit in group.standings.forfeits:
                self._forfeits[group.names[forfeit.bot]] += 1
        self._ratings = (rate_all(RATING, rankings), rate_all(RATING, reversed(rankings)))

    def _in_order(self) -> list[tuple[Group, int, GameScore]]:
        """All games, board by board, so that no group is rated long before the others."""
        games = [
            (game.board, number, game.rotation, group, group.standings.score(game))
            for number, group in enumerate(self.groups)
            for game in group.standings.games
        ]
        games.sort(key=lambda one: one[:3])
        return [(group, board, score) for board, *_, group, score in games]

    def rating(self, name: str) -> Rating:
        """The rating of a bot."""
        one, other = (ratings.get(name, RATING.start) for ratings in self._ratings)
        return Rating((one.mu + other.mu) / 2, (one.sigma + other.sigma) / 2)

    @property
    def ranking(self) -> list[str]:
        """The bots, the one with the largest share of all its games first, then by name."""

        def share(name: str) -> float:
            found = self._shares.total(name)
            return 0.0 if found is None else found.value

        return sorted(self.names, key=lambda name: (-share(name), name))

    def facts(self) -> dict[str, object]:
        """Everything, for programs."""
        return {
            "ruleset": self._conditions.ruleset,
            "seed": self._conditions.seed,
            "boards": self._conditions.boards,
            "sandbox": str(self._conditions.venue.sandbox),
            "pondering": str(self._conditions.venue.pondering),
            "bots": [self._bot_facts(name) for name in self.ranking],
        }

    def _bot_facts(self, name: str) -> dict[str, object]:
        rating = self.rating(name)
        return {
            "name": name,
            "mu": rating.mu,
            "sigma": rating.sigma,
            "games": self._games_of(name),
            "share": estimate_facts(self._shares.total(name)),
            "forfeits": self._forfeits[name],
            "against": {
                other: self._duel_facts(name, other) for other in self.ranking if other != name
            },
        }

    def _duel_facts(self, name: str, other: str) -> dict[str, object]:
        duel = self._cross.duel(name, other)
        return {
            "wins": duel.wins,
            "draws": duel.draws,
            "losses": duel.losses,
            "share": estimate_facts(self._shares.against(name, other)),
        }

    def _games_of(self, name: str) -> int:
        return sum(len(one.standings.games) for one in self.groups if name in one.names)

    def print(self) -> None:
        """The table, with the share of each bot against each other one."""
        console = results()
        options = console.options.update(max_width=_UNLIMITED)
        needed = Measurement.get(console, options, self.table(intervals=True)).maximum
        fits = needed <= console.width
        console.print(self.table(intervals=fits))
        for line in _LEGEND:
            console.print(line, soft_wrap=True)
        console.print(_BELOW if fits else _IN_JSON, soft_wrap=True)

    def table(self, *, intervals: bool) -> Table:
        """A line for each bot; below each share in the cross table its interval, if asked for."""
        table = Table(box=SIMPLE_HEAD, padding=0)
        table.add_column("", justify="right")
        table.add_column("bot", overflow="fold", min_width=8)
        for heading in ("share", "mu", "sigma", "games", "forfeits"):
            table.add_column(heading, justify="right")
        for place in range(1, len(self.names) + 1):
            table.add_column(str(place), justify="right")
        for place, name in enumerate(self.ranking, 1):
            rating = self.rating(name)
            table.add_row(
                str(place),
                name,
                _percent(self._shares.total(name), intervals=intervals),
                f"{rating.mu:.2f}",
                f"{rating.sigma:.2f}",
                str(self._games_of(name)),
                str(self._forfeits[name]),
                *(
                    _percent(self._shares.against(name, other), intervals=intervals)
                    for other in self.ranking
                ),
            )
        return table


_UNLIMITED: Final = 10_000  # columns
_LEGEND: Final = (
    "share in % of a line's bot against a column's, and of all its games",
    "mu and sigma are TrueSkill's, the mean of rating all games forwards and backwards",
)
_BELOW: Final = "below a share its 95 % interval, from boards, not from games"
_IN_JSON: Final = "--json has the 95 % intervals, for which a wider terminal would have room here"


def _percent(share: Estimate | None, *, intervals: bool) -> str:
    """A share in %, over its interval."""
    if share is None:
        return "-"
    text = f"{100 * share.value:.0f}"
    if not intervals or share.interval is None:
        return text
    return f"{text}\n{100 * share.interval.low:.0f}-{100 * share.interval.high:.0f}"
