"""From the games of a match to the ranks by which it is rated.

In each game a team has a duel with every other team: ahead of it is a win, level with it half a
one. What a team has won over all games decides. With two teams that is the games won, a draw
counting half; with more it orders teams as their mean rank does. Teams that are level in this are
put in order by their points in games that were played to their end, and tie if those are equal too.

Forfeits come last: a team that has forfeited ranks below all that have not, and whoever forfeited
in an earlier game ranks below whoever did in a later one. What a team did before it forfeited
counts for nothing, so two that forfeited in the same game tie.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.errors import InputError

__all__ = ["Game", "match_ranks"]


@dataclass(frozen=True, slots=True)
class Game:
    """What one game says about the teams of a match.

    Attributes:
        ranks: By team, the smallest for the best; teams that tie have the same rank.
        points: By team: match points, or km where the game makes no points.
        is_finished: Whether it was played to its end; the points of others say nothing.
    """

    ranks: tuple[int, ...]
    points: tuple[int, ...]
    is_finished: bool = True


def match_ranks(
    teams: int, games: Sequence[Game], forfeits: Mapping[int, int] | None = None
) -> tuple[int, ...]:
    """Return, by team, how many teams did better: 0 for the winners; equal ones share a rank.

    Args:
        teams: How many there are.
        games: In the order in which they were played.
        forfeits: Of each team that has forfeited the number of the game, from 0, in which a bot of
            it did so first.

    Raises:
        InputError: a game has another number of teams, or a team that forfeited is none.
    """
    forfeits = forfeits or {}
    _check(teams, games, forfeits)
    merits = [
        (False, forfeits[team], 0) if team in forfeits else (True, *_made(team, games))
        for team in range(teams)
    ]
    return tuple(sum(other > merit for other in merits) for merit in merits)


def _made(team: int, games: Sequence[Game]) -> tuple[int, int]:
    """What a team has made: half points in duels, and points."""
    won = sum(
        2 * (game.ranks[team] < rank) + (game.ranks[team] == rank)
        for game in games
        for rank in game.ranks
    )
    return won, sum(game.points[team] for game in games if game.is_finished)


def _check(teams: int, games: Sequence[Game], forfeits: Mapping[int, int]) -> None:
    for number, game in enumerate(games):
        if not len(game.ranks) == len(game.points) == teams:
            raise InputError(
                f"game {number}: {len(game.ranks)} ranks and {len(game.points)} points "
                f"for {teams} teams"
            )
    for team in forfeits:
        if not 0 <= team < teams:
            raise InputError(f"forfeit of team {team}: there are {teams} teams, from 0")
