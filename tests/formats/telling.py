"""Stories for tests, written as a table of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from arena.formats.scoring import walkover
from arena.formats.story import Departure, Field, Pairing, Score, Story, Way

SEED = bytes(range(32))

Teams = tuple[tuple[int, ...], ...]


def win(boards: tuple[float, ...] = (7, 3), faults: tuple[int, ...] = (0, 0)) -> Score:
    """The first team wins."""
    return Score(ranks=(1, 2), boards=boards, faults=faults, games=10)


def loss(boards: tuple[float, ...] = (3, 7), faults: tuple[int, ...] = (0, 0)) -> Score:
    """The second team wins."""
    return Score(ranks=(2, 1), boards=boards, faults=faults, games=10)


def draw(boards: tuple[float, ...] = (5, 5), faults: tuple[int, ...] = (0, 0)) -> Score:
    """Nobody wins."""
    return Score(ranks=(1, 1), boards=boards, faults=faults, games=10)


def placed(*ranks: int, boards: tuple[float, ...] | None = None) -> Score:
    """A table of several."""
    return Score(
        ranks=ranks, boards=boards or (0.0,) * len(ranks), faults=(0,) * len(ranks), games=10
    )


BYE = Score(ranks=(1,), boards=(0.0,), faults=(0,), way=Way.BYE)


def told(
    entrants: int,
    rounds: Iterable[Iterable[tuple[Teams, Score | None]]],
    *,
    teams: tuple[int, ...] = (1, 1),
    gone: Mapping[int, Departure] | None = None,
) -> Story:
    """A story of rounds; what has no score there is a walkover if somebody in it is gone."""
    gone = gone or {}
    pairings = []
    scores = {}
    for number, tables in enumerate(rounds, start=1):
        for table, (sides, score) in enumerate(tables, start=1):
            pairing = Pairing(
                key=f"{number}.{table}",
                round=number,
                title=f"round {number}, table {table}",
                teams=sides,
            )
            pairings.append(pairing)
            if score is not None:
                scores[pairing.key] = score
            elif not gone.keys().isdisjoint(pairing.entrants):
                scores[pairing.key] = walkover(pairing, gone)
    return Story(
        field=Field(entrants=entrants, seed=SEED, teams=teams),
        pairings=tuple(pairings),
        scores=scores,
        gone=gone,
    )


def duel(one: int, other: int, score: Score | None) -> tuple[Teams, Score | None]:
    """One against one."""
    return ((one,), (other,)), score


def bye(entrant: int) -> tuple[Teams, Score | None]:
    """Nobody is played against."""
    return ((entrant,),), BYE
