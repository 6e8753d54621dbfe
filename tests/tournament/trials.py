"""Trials written by hand, and an executor that needs no process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any, TypeVar

from arena.referee.events import BotNo, Forfeit, ForfeitReason, GameResult, Verdict
from arena.referee.limits import Nanos
from arena.referee.tally import Fault, Tally
from arena.referee.verdict import COMPLETED, forfeit, void
from arena.sandbox.launcher import Exit, ending
from arena.submissions.bottoml import Manifest
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.tournament.validation import Contestant, Finding
from arena.tournament.validation_run import Ring
from arena.tournament.validation_watch import Moment, PlayWatched, Trial

__all__ = ["HOUSE", "Heard", "Now", "bot", "ring", "trial"]

T = TypeVar("T")

CLEAN = Exit(how=ending(0), processor_time=0.5, peak=20 * 2**20)


def bot(name: str = "mine", **more: Any) -> Manifest:
    values: dict[str, Any] = {
        "version": "1",
        "language": "python",
        "run": ("python", "bot.py"),
        "folder": Path("/nowhere"),
        "players": (2,),
        "rulesets": ("express",),
    }
    return Manifest(name=name, **{**values, **more})


HOUSE = Contestant(bot("house"), "sha256:house")


class Now(Executor):
    """Runs what is submitted at once, and counts it."""

    def __init__(self) -> None:
        self.count = 0

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        self.count += 1
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def ring(play: PlayWatched, jobs: int = 1) -> Ring:
    return Ring(house=HOUSE, play=play, pool=Now(), jobs=jobs)


def result(spec: MatchSpec, game: int) -> GameResult:
    players = spec.seating.players
    return GameResult(
        game=game,
        board=game,
        rotation=game,
        bots=tuple(map(BotNo, range(players))),
        team_of=spec.seating.team_of,
        hands=1,
        totals=(0,) * len(spec.seating.teams),
        km=(0,) * len(spec.seating.teams),
        winner=0,
        ranks=(0,) * len(spec.seating.teams),
        forfeited=(),
        finished=True,
    )


def trial(
    spec: MatchSpec,
    *,
    faults: dict[Fault, int] | None = None,
    lost: tuple[int, ForfeitReason, str] | None = None,
    why_void: str = "",
    exits: Sequence[Exit] = (CLEAN,),
    log: str = "",
    start_up: float = 0.5,
    longest: float = 0.01,
    moment: Moment | None = None,
) -> Trial:
    """A match whose bot 0 has done what is said; all others are without fault."""
    verdict: Verdict = COMPLETED
    if lost is not None:
        number, reason, detail = lost
        verdict = forfeit([Forfeit(BotNo(number), reason, detail, 0)])
    if why_void:
        verdict = void(why_void)
    players = spec.seating.players
    tallies = [Tally() for _ in range(players)]
    for tally in tallies[0 if start_up else 1 :]:
        tally.start_ups.add(Nanos(int(start_up * 1e9)) if tally is tallies[0] else Nanos(10**8))
    tallies[0].faults = Counter(faults or {})
    tallies[0].think_times.add(int(longest * 1e9))
    outcome = MatchOutcome(
        verdict=verdict,
        results=tuple(result(spec, game) for game in range(players)),
        tallies=tuple(tallies),
        logs=(log, *[""] * (players - 1)),
        exits=(tuple(exits), *[(CLEAN,)] * (players - 1)),
    )
    return Trial(outcome=outcome, moment=moment, seconds=2.0)


class Heard:
    """A listener that writes down what it hears."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.tables: list[Finding] = []

    def began(self, step: str, bot: Manifest | None) -> None:
        self.steps.append(f"{step}...")

    def ended(self, step: str, told: str) -> None:
        self.steps.append(f"{step}: {told}")

    def table_done(self, finding: Finding, count: int) -> None:
        self.tables.append(finding)

    def __iter__(self) -> Iterator[str]:
        return iter(self.steps)
