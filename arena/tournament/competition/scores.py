"""From the result of a match to the score of its pairing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.formats.story import Score
from arena.storage.facts import Result, SeatReport

__all__ = ["score_of"]

_TWO: Final = 2


def score_of(teams: Sequence[Sequence[int]], result: Result, games: int) -> Score:
    """The score of a pairing by the result of its match, of which `games` were planned.

    `teams` are the seats of each team of the pairing. Between two teams, games that were not played
    any more after a forfeit count as won by the other side. At a table of more the match goes on,
    and the forfeiter is last in each game.
    """
    by_team = [[result.seats[seat] for seat in team] for team in teams]
    boards = [seats[0].shares for seats in by_team]
    lost = [number for number, seats in enumerate(by_team) if any(one.forfeit for one in seats)]
    if len(by_team) == _TWO and len(lost) == 1:
        boards[1 - lost[0]] += max(0.0, games - sum(boards))
    best = min(result.ranks)
    return Score(
        ranks=tuple(_dense(rank, best) for rank in result.ranks),
        boards=tuple(boards),
        faults=tuple(sum(map(_faults, seats)) for seats in by_team),
        games=games,
    )


def _dense(rank: int, best: int) -> int:
    return rank - best + 1


def _faults(seat: SeatReport) -> int:
    """Strikes, and a forfeit as one more."""
    strikes = seat.tally.get("strikes", 0)
    return (strikes if isinstance(strikes, int) else 0) + bool(seat.forfeit)
