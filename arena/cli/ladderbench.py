"""`arena bench ladder`: how quickly a ladder finds its order, and what a pairing costs."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from statistics import median
from typing import Annotated, Final

import typer
from rich.progress import Progress
from rich.table import Table as TextTable

from arena.cli.output import JsonOption, print_json, remarks, results
from arena.ladder.matchmaking import Matchmaker
from arena.ladder.pairing import Candidate, Table
from arena.ladder.rating import Parameters, Rating
from arena.ladder.simulation import evenly_spaced
from arena.ladder.trials import PAIRERS, matches_to_order, matches_to_settle

__all__ = ["ladder"]

_PARAMETERS: Final = Parameters()
_RANDOM: Final = "random pairing"
_NEIGHBOURS: Final = 0.58
"""How often a bot beats the next one."""

_ORDERS: Final = 8
"""Ladders that are brought in order for each one that new bots come to: they vary more."""

_TABLES: Final = (
    Table(name="classic-2", ruleset="classic", teams=((0,), (1,)), weight=3),
    Table(name="classic-4", ruleset="classic", teams=((0, 2), (1, 3))),
    Table(name="express-3", ruleset="express", teams=((0,), (1,), (2,))),
    Table(name="express-6", ruleset="express", teams=tuple((seat,) for seat in range(6))),
)


@dataclass(frozen=True, slots=True)
class Speed:
    """How a way to pair does.

    Attributes:
        pairer: What it is called.
        order, order_80: Matches of each bot until Kendall's tau is 0.9, in the median and in 80 %.
        settle, settle_80: Matches of a new bot until its place is within one.
        wait: Matches of the whole ladder until then, in the median.
    """

    pairer: str
    order: float
    order_80: float
    settle: float
    settle_80: float
    wait: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What pairing costs, in CPU milliseconds: a decision, its 99th percentile, and the start."""

    bots: int
    decision: float
    decision_99: float
    start: float


def ladder(
    trials: Annotated[
        int, typer.Option(min=2, help="Simulated ladders that new bots come to.")
    ] = 30,
    bots: Annotated[int, typer.Option(min=6, help="Bots that start a ladder together.")] = 16,
    settled: Annotated[int, typer.Option(min=6, help="Bots that a new one comes to.")] = 32,
    active: Annotated[int, typer.Option(min=12, help="Bots that are paired to be timed.")] = 2000,
    seed: Annotated[int, typer.Option(help="The same one simulates the same.")] = 1,
    as_json: JsonOption = False,
) -> None:
    """Measure pairing and rating on simulated ladders, against other ways to pair.

    Each bot beats the next one in 58 % of matches. A new bot comes to a ladder that has settled.
    """
    speeds = []
    with Progress(console=remarks(), transient=True) as progress:
        task = progress.add_task("simulating", total=2 * trials * len(PAIRERS))
        for name in PAIRERS:
            advance = lambda: progress.advance(task)  # noqa: E731 - one step of many
            speeds.append(_speed(name, trials, (bots, settled), seed, advance))
    cost = _cost(active, seed)
    ratio = speeds[-1].order / speeds[0].order
    if as_json:
        rows = [dataclasses.asdict(speed) for speed in speeds]
        facts = {
            "trials": trials,
            "orders": _ORDERS * trials,
            "bots": bots,
            "settled": settled,
            "rows": rows,
        }
        print_json(facts | {"order_ratio": ratio, "cost": dataclasses.asdict(cost)})
        return
    console = results()
    console.print(_table(speeds))
    console.print(
        f"In order: {bots} bots start together, matches of each until Kendall's tau is 0.9, in "
        f"{_ORDERS * trials} ladders. In place: matches of a new bot, among {settled}, until its "
        "place is within one. "
        f"Wait: matches of the whole ladder until then. To order, matchmaker / {_RANDOM}: "
        f"{ratio:.2f}."
    )
    console.print(
        f"A pairing among {cost.bots:,} bots takes {cost.decision:.2f} ms of CPU, at the 99th "
        f"percentile {cost.decision_99:.2f} ms; to begin with so many {cost.start:.0f} ms."
    )


def _speed(
    name: str, trials: int, sizes: tuple[int, int], seed: int, advance: Callable[[], None]
) -> Speed:
    make = PAIRERS[name]
    order, settle, wait = [], [], []
    together, company = (evenly_spaced(size, _NEIGHBOURS) for size in sizes)
    for trial in range(trials):
        noise = Random(f"{seed}/{trial}")
        order += [matches_to_order(_PARAMETERS, make, together, noise) for _ in range(_ORDERS)]
        advance()
        for one in matches_to_settle(_PARAMETERS, make, company, noise):
            settle.append(one.own)
            wait.append(one.ladder)
        advance()
    return Speed(
        pairer=name,
        order=median(order),
        order_80=_quantile(order, 0.8),
        settle=median(settle),
        settle_80=_quantile(settle, 0.8),
        wait=median(wait),
    )


def _quantile(values: list[float] | list[int], share: float) -> float:
    """The smallest value that so many are not above."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def _cost(active: int, seed: int, decisions: int = 500) -> Cost:
    noise = Random(seed)
    candidates = list(_candidates(active, noise))
    began = time.process_time()
    matchmaker = Matchmaker(_PARAMETERS, _TABLES)
    matchmaker.replace(candidates)
    start = time.process_time() - began
    times = []
    for _ in range(decisions):
        busy = frozenset(noise.randrange(active) for _ in range(4))
        began = time.process_time()
        pairing = matchmaker.choose(noise, busy)
        if pairing is not None:
            matchmaker.began(pairing.meeting)
        times.append(1000 * (time.process_time() - began))
    return Cost(active, median(times), _quantile(times, 0.99), 1000 * start)


def _candidates(active: int, noise: Random) -> Iterator[Candidate]:
    """Bots of owners with two each, some settled and some not."""
    for entrant in range(active):
        yield Candidate(
            entrant=entrant,
            owner=entrant // 2,
            title=f"owner-{entrant // 2}/bot-{entrant}",
            rating=Rating(noise.gauss(25, 8), noise.uniform(0.5, 8)),
            matches=noise.randrange(200),
            players=frozenset((2, 3, 4, 6)),
            rulesets=frozenset(("classic", "express")),
        )


def _table(speeds: list[Speed]) -> TextTable:
    table = TextTable(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for at, name in enumerate(("pairing", "in order", "80 %", "in place", "80 %", "wait")):
        table.add_column(name, justify="right" if at else "left")
    for one in speeds:
        numbers = (one.order, one.order_80, one.settle, one.settle_80, one.wait)
        table.add_row(one.pairer, *(f"{number:g}" for number in numbers))
    return table
