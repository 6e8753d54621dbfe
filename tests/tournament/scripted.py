"""Series between scripted bots: no programs, no clock, and an outcome in a few milliseconds.

What a bot does follows from its name; `SCRIPTS` has them. `play` is a task for a pool as well.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from arena.engine.deal import seed_from_text
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.errors import HostFault
from arena.referee.events import Prompt
from arena.referee.match import Match
from arena.referee.scripted import (
    HostFails,
    Leave,
    Reply,
    Script,
    ScriptedSeat,
    Simulation,
    Step,
    eager,
)
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.tournament.series import FinishedMatch, Series, SeriesPlan
from tests.referee.plans import at_random, hostile, patient, silent

Made = Callable[[MatchSpec], ScriptedSeat]


def _answering(script: Script) -> Made:
    return lambda spec: ScriptedSeat(script)


def _random(spec: MatchSpec) -> ScriptedSeat:
    # As a bot of the SDK does it: its chance comes from the seed that it is given.
    return ScriptedSeat(at_random(spec.bot_seed(0, 0)))


def _gone(prompt: Prompt) -> Iterable[Step]:
    return [Leave(why="exited with code 3")]


def _leaving_in_game(number: int) -> Script:
    return lambda prompt: _gone(prompt) if prompt.game == number else eager(prompt)


def _leaving_after_a_leg(spec: MatchSpec) -> ScriptedSeat:
    """Starts for the first leg of an attempt only."""
    return ScriptedSeat(joins=lambda life: life == 1)


def _worker_dies(spec: MatchSpec) -> ScriptedSeat:
    """Takes the process that plays with it, the first two times of match 1."""
    if spec.number == 1 and spec.attempt < 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return ScriptedSeat()


def _worker_always_dies(spec: MatchSpec) -> ScriptedSeat:
    if spec.number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return ScriptedSeat()


def _full_disk(spec: MatchSpec) -> ScriptedSeat:
    if spec.number == 1:
        raise HostFault("record x: cannot be written: No space left on device")
    return ScriptedSeat()


SCRIPTS: Final[Mapping[str, Made]] = {
    "eager": _answering(eager),
    "hostile": _answering(hostile),
    "patient": _answering(patient),
    "silent": _answering(silent),
    "random": _random,
    "illegal": _answering(lambda prompt: [Reply(99)]),
    "crasher": _answering(_gone),
    "crasher in game 1": _answering(_leaving_in_game(1)),
    "one leg": _leaving_after_a_leg,
    "absent": lambda spec: ScriptedSeat(joins=lambda life: False),
    "void": _answering(lambda prompt: [HostFails(why="out of memory")]),
    "void once": lambda spec: ScriptedSeat(
        (lambda prompt: [HostFails(why="out of memory")]) if spec.attempt == 1 else eager
    ),
    "late starter": lambda spec: ScriptedSeat(joins=lambda life: spec.number > 0),
    "early starter": lambda spec: ScriptedSeat(joins=lambda life: spec.number == 0),
    "worker dies": _worker_dies,
    "worker always dies": _worker_always_dies,
    "full disk": _full_disk,
}


def manifest(name: str, version: str = "1") -> Manifest:
    return Manifest(
        name=name, version=version, language="python", run=("python", "x.py"), folder=Path("/x")
    )


def series_plan(
    *names: str,
    preset: str = "express",
    boards: int = 4,
    match_boards: int = 2,
    seed: str = "series",
    hands: int | None = 1,
    rotate: bool = True,
) -> SeriesPlan:
    rules = make_ruleset(preset, players=len(names))
    return SeriesPlan(
        bots=tuple(map(manifest, names)),
        rules=rules,
        seating=make_seating(rules, len(names)),
        seed=seed_from_text(seed),
        boards=boards,
        match_boards=match_boards,
        length=Length(hands),
        rotate=rotate,
    )


def simulated(spec: MatchSpec) -> Simulation:
    """An attempt that has been played to its end."""
    seats = [SCRIPTS[bot.name](spec) for bot in spec.bots]
    simulation = Simulation(Match(spec.plan(), b"secret"), seats)
    simulation.run()
    return simulation


def outcome(spec: MatchSpec) -> MatchOutcome:
    match = simulated(spec).match
    assert match.verdict is not None
    return MatchOutcome(
        verdict=match.verdict,
        results=tuple(match.results),
        tallies=tuple(match.roster.tallies[bot] for bot in match.plan.bots),
        logs=tuple(f"{bot.name} in {spec.name}\n" for bot in spec.bots),
    )


def play(report: Callable[[object], None], spec: MatchSpec) -> MatchOutcome:
    """Play an attempt in this process."""
    done = outcome(spec)
    for result in done.results:
        report(result)
    return done


def played(plan: SeriesPlan) -> Series:
    """A series played to its end, one attempt after the other."""
    series = Series(plan)
    while (spec := series.next()) is not None:
        series.take(spec, outcome(spec))
    return series


def facts(match: FinishedMatch) -> tuple[object, ...]:
    """A finished match as something that can be compared."""
    tallies = [
        (
            dict(tally.faults),
            dict(tally.think_times.classes),
            dict(tally.start_ups.classes),
            (tally.think_times.longest, tally.start_ups.longest),
            (tally.coups_fourres, tally.strikes, tally.prompts, tally.surplus),
        )
        for tally in match.tallies
    ]
    return match.number, match.results, match.forfeits, match.voids, match.brief().logs, tallies
