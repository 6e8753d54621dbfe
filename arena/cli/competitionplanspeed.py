"""How fast this machine plays a competition: a few real matches of two example bots.

They are played over the protocol by programs of their own, with the limits of the regulations, as
many at once as the competition would have. From matches of two lengths follows what a match takes
for its games, and what for its start. Containers take longer to start than plain programs: by how
much is measured as well where there is a Docker engine with the image for the bots.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from arena.cli.attempts import Attempts
from arena.cli.serverbenchplay import Conditions, cost_of, play_part
from arena.errors import HostFault, InputError
from arena.referee.events import OutcomeKind
from arena.submissions.manifest import find_bot
from arena.tournament.competition.plantime import Pace
from arena.tournament.competition.regulations import Regulations
from arena.tournament.matches import MatchSpec, Sandbox
from arena.tournament.series import MOST_ATTEMPTS
from arena.workers.pool import MatchPool, WorkerLost

__all__ = ["BOTS", "Containers", "Speed", "measure_speed", "steps"]

BOTS: Final = ("keeper", "racer")
"""Who plays: one in the seats of even numbers, the other in the rest."""

CONTAINERS: Final = 0.3
"""Seconds by which a match in containers holds its place longer.

Measured on two cores that did nothing else.
"""

_BOARDS: Final = (1, 3)
_SEED: Final = b"mille-arena competition plan".ljust(32, b".")


class Containers(StrEnum):
    """Where it is known from how much longer containers take."""

    MEASURED = "measured"
    FIGURE = "figure"
    """From another machine: there is no engine here that could be asked."""
    INCLUDED = "included"
    """Whoever has said how long a game takes has said that, too."""


@dataclass(frozen=True, slots=True)
class Speed:
    """How fast a machine plays.

    Attributes:
        pace: What follows for matches; their start includes that of containers.
        containers: Seconds of the start that are theirs.
        source: Where that is known from.
    """

    pace: Pace
    containers: float
    source: Containers


def steps(at_once: int) -> int:
    """How often `measure_speed` says that something is done."""
    return len(_BOARDS) * at_once + 2 * (at_once + 1)


def measure_speed(
    regulations: Regulations, at_once: int, done: Callable[[], None] = lambda: None
) -> Speed:
    """Play a few matches; `done` is called after each.

    Raises:
        HostFault: this machine is too busy for matches, or has failed.
    """
    attempts = Attempts()
    try:
        with MatchPool(at_once, preload=("arena.app",)) as pool:
            seconds = []
            for boards in _BOARDS:
                spec = _spec(regulations, boards)
                futures = [
                    pool.submit(_timed, attempts, replace(spec, number=number))
                    for number in range(at_once)
                ]
                times = []
                for future in as_completed(futures):
                    times.append(future.result())
                    done()
                seconds.append(statistics.fmean(times))
    except WorkerLost as error:
        raise HostFault(f"a match that measures this machine was lost: {error}") from None
    finally:
        attempts.clear_all()
    cost = cost_of(seconds[0], seconds[1], _BOARDS)
    extra, source = _containers(at_once, done)
    game = cost.board / regulations.game.games_per_board
    return Speed(Pace(game=game, start=cost.start + extra, at_once=at_once), extra, source)


def _timed(attempts: Attempts, spec: MatchSpec) -> float:
    """Play a match: a task for a pool, whose process is there for nothing else."""
    for attempt in range(1, MOST_ATTEMPTS + 1):
        began = time.monotonic()
        outcome = attempts.play(lambda result: None, replace(spec, attempt=attempt))
        if outcome.verdict.kind is not OutcomeKind.VOID:
            return time.monotonic() - began
    raise HostFault(
        f"a match that measures this machine was void {MOST_ATTEMPTS} times: "
        f"{outcome.verdict.void}; try again when it is less busy, or give --seconds-per-game"
    )


def _spec(regulations: Regulations, boards: int) -> MatchSpec:
    sizes = regulations.field_teams
    seats = sum(sizes)
    bots = tuple(find_bot(name) for name in BOTS)
    if regulations.game.games_per_board == 1:
        boards *= seats  # once in each seat, so that matches of both lengths are alike
    terms = regulations.terms(regulations.stages[0], boards=boards)
    return MatchSpec(
        bots=tuple(bots[seat % len(bots)] for seat in range(seats)),
        rules=terms.rules(seats),
        seating=terms.seating(
            tuple(tuple(range(team, seats, len(sizes))) for team in range(len(sizes)))
        ),
        seed=_SEED,
        boards=tuple(range(boards)),
        legs=terms.legs(seats),
        limits=terms.limits,
        length=terms.length,
        striped=terms.striped,
    )


def _containers(at_once: int, done: Callable[[], None]) -> tuple[float, Containers]:
    """Seconds by which a match in containers holds its place longer than one without."""
    try:
        stays = [
            play_part(
                Conditions(
                    name=str(sandbox),
                    sandbox=sandbox,
                    boards=1,
                    hands=1,
                    at_once=at_once,
                    matches=at_once + 1,
                ),
                done,
            ).stay
            for sandbox in (Sandbox.DOCKER, Sandbox.PROCESS)
        ]
    except (HostFault, InputError):
        return CONTAINERS, Containers.FIGURE
    return max(0.0, stays[0] - stays[1]), Containers.MEASURED
