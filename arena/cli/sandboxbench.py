"""Measures what a sandbox costs: starting a bot, holding it still, and a tournament as a whole.

As in `refereebench`, only ratios of things that were run in turn count, and the first round is
thrown away. The bots are two examples, so that their start is that of a real bot. Windows close
when everybody has answered, in both: in a sealed one both would only wait.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from arena.cli.enginebench import Spread, spread
from arena.cli.planning import Conditions, images_of, make_plan, make_venue
from arena.cli.playing import play
from arena.cli.refereebench import Figure
from arena.referee.events import Effect, Prompt, Start, Tell
from arena.referee.limits import Instant
from arena.submissions.manifest import find_bot
from arena.tournament.matches import MatchSpec, Pondering, Sandbox, Venue
from arena.tournament.series import Series, SeriesPlan
from arena.workers.pool import MatchPool

__all__ = ["Holding", "measure", "measure_holding"]

T = TypeVar("T")

BOTS: Final = ["keeper", "racer"]
SEED: Final = "mille-arena sandbox bench"
_HELD: Final = 200  # times that a program is held still and let go


@dataclass(slots=True)
class _Starts:
    """Watches a match: when its bots were started, and when the first one was asked."""

    called: float = field(default_factory=time.perf_counter)
    started: float = 0
    asked: float = 0

    def __call__(self, effect: Effect, now: Instant) -> None:
        if isinstance(effect, Start) and not self.started:
            self.started = time.perf_counter()
        elif isinstance(effect, Tell) and isinstance(effect.message, Prompt) and not self.asked:
            self.asked = time.perf_counter()


@dataclass(frozen=True, slots=True)
class Began:
    """Seconds until the first prompt: from nothing, and from when its places were ready."""

    cold: float
    ready: float


def plan_of(sandbox: Sandbox, boards: int, hands: int | None, pondering: Pondering) -> SeriesPlan:
    """A series between the two bots."""
    venue = Venue(sandbox=sandbox)
    docker = sandbox is Sandbox.DOCKER
    conditions = Conditions(
        boards=boards,
        seed=SEED,
        hands=hands,
        venue=make_venue(venue, pondering if docker else None),
    )
    return make_plan(BOTS, conditions)


def _first(plan: SeriesPlan) -> MatchSpec:
    spec = Series(plan).next()
    assert spec is not None
    return spec


def run_start(sandbox: Sandbox) -> Began:
    """Play one hand; how long it took until somebody was asked."""
    from arena.app import play_match

    spec = _first(plan_of(sandbox, 1, 1, Pondering.FROZEN))
    watch = _Starts()
    play_match(replace(spec, legs=spec.legs[:1]), watch=watch)
    return Began(watch.asked - watch.called, watch.asked - watch.started)


def run_answers(pondering: Pondering, hands: int) -> float:
    """Play some hands in containers; the median time to an answer, in microseconds."""
    from arena.app import play_match

    spec = _first(plan_of(Sandbox.DOCKER, 1, hands, pondering))
    outcome = play_match(replace(spec, legs=spec.legs[:1]))
    return 1e-3 * outcome.tallies[0].think_times.quantile(0.5)


def run_tournament(sandbox: Sandbox, boards: int) -> float:
    """Play a tournament with two workers; the seconds that it takes, all told."""
    plan = plan_of(sandbox, boards, None, Pondering.FROZEN)
    began = time.perf_counter()
    play(plan, jobs=2)
    return time.perf_counter() - began


def measure(rounds: int, boards: int) -> Iterator[Figure]:
    """Every comparison of the bench, one after the other.

    Raises:
        HostFault: there is no Docker engine, or it has no image for the bots.
    """
    with MatchPool(1, preload=("arena.app",)) as pool:

        def began(sandbox: Sandbox) -> Began:
            return pool.submit(run_start, sandbox).result()

        pairs = _pairs(rounds, lambda: (began(Sandbox.DOCKER), began(Sandbox.PROCESS)))
        for name, target, part in (
            ("start to first prompt, cold / plain process", "<= 3", "cold"),
            ("start to first prompt, place made ready / plain process", "<= 1.3", "ready"),
        ):
            both = [(1e3 * getattr(a, part), 1e3 * getattr(b, part)) for a, b in pairs]
            yield _figure(name, "ms", target, both)
        answers = _pairs(
            rounds,
            lambda: (
                pool.submit(run_answers, Pondering.FROZEN, 10).result(),
                pool.submit(run_answers, Pondering.ALLOWED, 10).result(),
            ),
        )
        yield _figure("time to an answer, held still between / not", "us", "", answers)
    tournaments = _pairs(
        rounds,
        lambda: (run_tournament(Sandbox.DOCKER, boards), run_tournament(Sandbox.PROCESS, boards)),
    )
    yield _figure("a tournament, two workers / plain processes", "s", "<= 1.3", tournaments)


def _pairs(rounds: int, once: Callable[[], T]) -> list[T]:
    return [once() for _ in range(rounds + 1)][1:]


def _figure(name: str, unit: str, target: str, pairs: list[tuple[float, float]]) -> Figure:
    return Figure(
        name=name,
        ours=spread([one for one, _ in pairs]),
        theirs=spread([other for _, other in pairs]),
        unit=unit,
        ratio=spread([one / other for one, other in pairs]),
        target=target,
    )


# -- holding still ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holding:
    """Microseconds that holding a program still takes, and letting it go."""

    freeze: Spread
    thaw: Spread


def measure_holding() -> Holding | None:
    """Hold a running program still and let it go, many times; None: this user may not."""
    return asyncio.run(_hold())


async def _hold() -> Holding | None:
    from arena.sandbox.docker import DockerLauncher
    from arena.sandbox.engine import connect
    from arena.sandbox.launcher import CappedLog, Program
    from arena.sandbox.slots import life

    bot = find_bot(BOTS[0])
    program = Program(
        command=("python", "-c", "while True: pass"),
        folder=bot.folder,
        image=images_of([bot])[0],
    )
    with life() as owner, contextlib.closing(connect()) as engine:
        slot = await DockerLauncher(engine, owner).make_ready(program)
        try:
            if not slot.can_freeze:
                return None
            async with slot.run({}, CappedLog()):
                both = [(_took(slot.freeze), _took(slot.thaw)) for _ in range(_HELD)]
        finally:
            await slot.close()
    return Holding(spread([one for one, _ in both]), spread([other for _, other in both]))


def _took(act: Callable[[], None]) -> float:
    began = time.perf_counter()
    act()
    return 1e6 * (time.perf_counter() - began)
