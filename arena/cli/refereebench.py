"""Measures the referee: what a match costs beyond a bare conversation of the same messages.

As in `enginebench`, only ratios of things that were run in turn count, and the first round is
thrown away. Every run has a process of its own, with the least bots there can be beside it; what is
measured is the CPU of that process alone, from the first prompt to the end.
"""

from __future__ import annotations

import asyncio
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from arena.cli import chessbench
from arena.cli.enginebench import Spread, spread
from arena.engine.deal import Board, sub_key
from arena.engine.flow import start_hand
from arena.engine.rules import apply, asked
from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.engine.state import make_frame
from arena.engine.view import view
from arena.referee.events import Effect, Ended, GameBegan, GameEnded, Prompt, Tell
from arena.referee.game import MatchPlan, every_rotation
from arena.referee.limits import Instant
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchSpec, Venue, board_of
from arena.workers.pool import MatchPool

__all__ = ["Figure", "measure", "measure_memory"]

BOT: Final = (sys.executable, "-m", "arena.transport.echo")
SEED: Final = b"mille-arena referee bench".ljust(32, b".")
_KEPT: Final = 1000  # prompts of each bot that the bare conversation repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the bench.

    Attributes:
        name: What is compared.
        ours, theirs: Of the two sides, in `unit`; the second is the yardstick.
        unit: What they are in.
        ratio: Of ours to theirs, round by round.
        target: What it should reach, with its direction.
    """

    name: str
    ours: Spread
    theirs: Spread
    unit: str
    ratio: Spread
    target: str


@dataclass(frozen=True, slots=True)
class Took:
    """What a run took: decisions, CPU and wall seconds of this process, CPU with its bots."""

    decisions: int
    cpu: float
    wall: float
    with_bots: float = 0

    @property
    def cpu_us(self) -> float:
        return 1e6 * self.cpu / self.decisions

    @property
    def with_bots_us(self) -> float:
        return 1e6 * self.with_bots / self.decisions


# -- runs, each in a process of its own ---------------------------------------------------------


@dataclass(slots=True)
class _Meter:
    """Watches a match: from the first game's beginning to the end."""

    prompts: list[list[bytes]] = field(default_factory=lambda: [[], []])
    keep: bool = False
    decisions: int = 0
    began: tuple[float, ...] = ()
    ended: tuple[float, ...] = ()

    def __call__(self, effect: Effect, now: Instant) -> None:
        if isinstance(effect, Tell):
            if isinstance(effect.message, Prompt):
                self.decisions += 1
                if self.keep and len(self.prompts[effect.bot]) < _KEPT:
                    from arena.transport.convert import response_bytes

                    self.prompts[effect.bot].append(response_bytes(effect.message))
        elif isinstance(effect, GameBegan) and not self.decisions:
            family = chessbench.family_cpu()
            self.began = time.process_time(), time.perf_counter(), family
        elif isinstance(effect, Ended):
            cpu, wall = time.process_time(), time.perf_counter()
            self.ended = cpu, wall, chessbench.family_cpu()

    @property
    def took(self) -> Took:
        took = [end - start for start, end in zip(self.began, self.ended, strict=True)]
        return Took(self.decisions, *took)


def run_match(hands: int) -> Took:
    """Play one recorded game over the protocol."""
    return _match(hands, _Meter())


def real_prompts(hands: int) -> list[list[bytes]]:
    """The prompts of a match, by bot, as they go over the wire."""
    meter = _Meter(keep=True)
    _match(hands, meter)
    return meter.prompts


def _match(hands: int, meter: _Meter) -> Took:
    from arena.app import play_match

    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        play_match(_spec(hands, Path(folder)), watch=meter)
    return meter.took


def _spec(hands: int, folder: Path, boards: int = 1) -> MatchSpec:
    rules = make_ruleset("classic", players=2)
    bot = Manifest(name="least", version="", language="python", run=BOT, folder=Path.cwd())
    return MatchSpec(
        bots=(bot, bot),
        rules=rules,
        seating=make_seating(rules, 2),
        seed=SEED,
        boards=tuple(range(boards)),
        legs=every_rotation(boards, 2)[:1],
        length=Length(hands),
        venue=Venue(records=folder),
    )


def run_conversation(messages: list[list[bytes]], rounds: int) -> Took:
    """Exchange as many messages of the same sizes, without a referee."""
    from arena.transport.echo import converse

    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        talk = asyncio.run(converse(Path(folder), BOT, messages, rounds))
    return Took(talk.answers, talk.cpu, talk.wall)


def _plan(boards: int) -> MatchPlan:
    rules = make_ruleset("classic", players=2)
    return MatchPlan(
        rules=rules,
        seating=make_seating(rules, 2),
        boards=tuple(board_of(SEED, number) for number in range(boards)),
        legs=every_rotation(boards, 2),
        length=Length(1),
    )


def run_in_process(boards: int) -> Took:
    """Play single hands between the least bots as objects."""
    from arena_sdk import Bot
    from arena_sdk import Prompt as Question
    from arena_sdk._local import play_locally
    from arena_sdk._player import Player

    class Least(Bot):
        def choose(self, prompt: Question) -> object:  # type: ignore[override]
            return prompt.legal[0]

    plan = _plan(boards)
    cpu, wall = time.process_time(), time.perf_counter()
    outcome = play_locally(plan, lambda bot, leg: Player(Least(), seed="1"))
    decisions = sum(tally.prompts for tally in outcome.tallies)
    return Took(decisions, time.process_time() - cpu, time.perf_counter() - wall)


def run_bare(boards: int) -> Took:
    """Play the same hands in the bare engine, each decision from a full view."""
    plan = _plan(boards)
    decisions = 0
    cpu, wall = time.process_time(), time.perf_counter()
    for number in range(boards):
        board = Board(sub_key(SEED, f"board/{number}"))
        for _ in plan.legs:
            frame = make_frame(plan.rules, plan.seating, dealer=1, scores=(0, 0))
            order = board.deck_order(0, plan.rules.deck(2))
            state = start_hand(frame, order, striped=True)
            seen = [0, 0]
            while not state.over:
                seat = asked(state)[0]
                shown = view(state, seat, since=seen[seat])
                seen[seat] = shown.event_count
                apply(state, seat, shown.legal[0])
                decisions += 1
    return Took(decisions, time.process_time() - cpu, time.perf_counter() - wall)


def run_growth(games: int) -> tuple[int, int]:
    """Memory of a match process in KiB: the most until a tenth of the games, and until the end."""
    from arena.app import play_match

    marks: list[int] = []

    def watch(effect: Effect, now: Instant) -> None:
        if isinstance(effect, GameEnded) and effect.result.game + 1 in (games // 10, games):
            marks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)

    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        play_match(_spec(1, Path(folder), boards=games), watch=watch)
    return marks[0], marks[1]


# -- comparisons ------------------------------------------------------------------------------


def measure(rounds: int, hands: int) -> Iterator[Figure]:
    """Every comparison of the bench, one after the other."""
    with MatchPool(4, preload=("arena.app", "arena.transport.echo", "arena_sdk")) as pool:
        messages = pool.submit(real_prompts, hands).result()
        bare = 60 * hands  # about as many messages as a match of these hands has

        yield _compare(
            "referee CPU a decision / bare conversation",
            "us",
            "<= 1.30",
            rounds,
            lambda: pool.submit(run_match, hands).result().cpu_us,
            lambda: pool.submit(run_conversation, messages, bare).result().cpu_us,
        )
        yield _compare(
            "decisions/s, four matches at once / four bare conversations",
            "/s",
            ">= 0.85",
            rounds,
            lambda: _together(pool, run_match, hands),
            lambda: _together(pool, run_conversation, messages, bare),
        )
        if chessbench.is_installed():
            yield _compare(
                "CPU a ply under python-chess / a decision here, bots included",
                "us",
                ">= 1.6",
                rounds,
                lambda: 1e6 * pool.submit(chessbench.run_chess, bare).result(),
                lambda: pool.submit(run_match, hands).result().with_bots_us,
            )
        boards = 2 * hands
        yield _compare(
            "decisions/s in process / bare engine with views",
            "/s",
            ">= 0.5",
            rounds,
            lambda: _rate(pool.submit(run_in_process, boards).result()),
            lambda: _rate(pool.submit(run_bare, boards).result()),
        )
        yield _compare(
            "decisions/s in process, two jobs / one job",
            "/s",
            ">= 1.8",
            rounds,
            lambda: _jobs(pool, 2, boards),
            lambda: _jobs(pool, 1, boards),
        )


def measure_memory(games: int) -> tuple[int, int]:
    """See `run_growth`."""
    with MatchPool(1, preload=("arena.app",)) as pool:
        return pool.submit(run_growth, games).result()


def _compare(
    name: str,
    unit: str,
    target: str,
    rounds: int,
    ours: Callable[[], float],
    theirs: Callable[[], float],
) -> Figure:
    pairs = [(ours(), theirs()) for _ in range(rounds + 1)][1:]
    return Figure(
        name=name,
        ours=spread([one for one, _ in pairs]),
        theirs=spread([other for _, other in pairs]),
        unit=unit,
        ratio=spread([one / other for one, other in pairs]),
        target=target,
    )


def _rate(took: Took) -> float:
    return took.decisions / took.cpu


def _together(pool: MatchPool, run: Callable[..., Took], *args: object) -> float:
    """Decisions a wall second, of four runs at once."""
    futures = [pool.submit(run, *args) for _ in range(4)]
    wait(futures)
    return sum(one.result().decisions / one.result().wall for one in futures)


def _jobs(pool: MatchPool, jobs: int, boards: int) -> float:
    """Decisions a wall second, of so many runs at once."""
    futures = [pool.submit(run_in_process, boards) for _ in range(jobs)]
    wait(futures)
    return sum(one.result().decisions / one.result().wall for one in futures)
