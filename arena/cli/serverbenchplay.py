"""Measures how many matches a machine plays: under a server, and in the parts that it adds up to.

    in process             the engine and the bots, and nothing to wait for
    processes              + sockets, deadlines, a record; windows close when all have answered
    processes, sealed      + windows that always last equally long: waiting, which is no work
    containers, sealed     + the sandbox, two starts for each match, bots held still between
    server                 + leases, spool, records and results on the disk

Each is played by as many matches at once as the one that it is compared with, so that what they
take from each other is the same. Only that part of the time counts in which every place could be
taken: from the first match that has its turn until the last one gets it.
"""

from __future__ import annotations

import contextlib
import math
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from arena.cli.planning import images_of
from arena.errors import HostFault
from arena.referee.events import Effect, OutcomeKind, Prompt, Start, Tell
from arena.referee.limits import Instant, WindowMode
from arena.submissions.manifest import Manifest, find_bot
from arena.tournament.ladder.terms import Terms
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from arena.workers.pool import MatchPool

__all__ = [
    "BOTS",
    "Conditions",
    "Cost",
    "Played",
    "Stay",
    "cost_of",
    "play_part",
    "summed_up",
]

BOTS: Final = ("keeper", "racer")
SEED: Final = b"mille-arena server bench".ljust(32, b".")
_TEAMS: Final = ((0,), (1,))
_PER_HOUR: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """What is played, and how often.

    Attributes:
        name: What the line says.
        sandbox: None: the bots are called as objects.
        at_once: Matches that are played at the same time.
        matches: How many; more than `at_once`.
    """

    name: str
    sandbox: Sandbox | None
    boards: int
    hands: int | None = None
    is_sealed: bool = True
    at_once: int
    matches: int

    @property
    def terms(self) -> Terms:
        """What a match is about."""
        terms = Terms(boards=self.boards, hands=self.hands)
        if self.is_sealed:
            return terms
        return replace(terms, limits=replace(terms.limits, window=WindowMode.PROMPT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A match in its place, in seconds on the calendar.

    Attributes:
        began, ended: When it took the place and when it gave it back.
        starting: Of that, in how many it had to wait for bots that were starting; None: not known.
        processor: Seconds of a processor that referee and bots have used; None: not known.
        answers: By bot, the milliseconds of half of its answers and of 99 % of them.
        is_void: This machine was too slow for the referee, so that nothing came of it.
    """

    began: float
    ended: float
    starting: float | None = None
    processor: float | None = None
    answers: tuple[tuple[float, float], ...] = ()
    is_void: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What came of some matches.

    Attributes:
        voids: How many more of them were void.
        per_hour: Matches.
        stay: Seconds that a match holds a place.
        empty: The part of all places' time in which nobody was there.
        starting: The part of a stay in which bots were starting; None: not known.
        processor: Seconds of a processor that referee and bots use for a match, what the engine of
            the sandbox takes besides not counted; None: not known.
        p50, p99: Milliseconds until a bot has answered: medians over bots and matches.
    """

    name: str
    at_once: int
    matches: int
    voids: int
    per_hour: float
    stay: float
    empty: float
    starting: float | None
    processor: float | None
    p50: float
    p99: float


def summed_up(conditions: Conditions, stays: Sequence[Stay]) -> Played:
    """What came of it; there must be more matches than places.

    Raises:
        HostFault: all were void.
    """
    first, last = min(stay.began for stay in stays), max(stay.began for stay in stays)
    window = last - first
    whole = [stay for stay in stays if not stay.is_void]
    if not whole:
        raise HostFault("every match of the bench was void: this machine is too busy")
    held = _held(stays, last)
    mean = statistics.fmean(stay.ended - stay.began for stay in whole)
    shares = [s.starting / (s.ended - s.began) for s in whole if s.starting is not None]
    used = [stay.processor for stay in whole if stay.processor is not None]
    answers = [one for stay in whole for one in stay.answers]
    return Played(
        name=conditions.name,
        at_once=conditions.at_once,
        matches=len(whole),
        voids=len(stays) - len(whole),
        per_hour=_PER_HOUR * _held(whole, last) / mean / window,
        stay=mean,
        empty=max(0.0, 1 - held / (window * conditions.at_once)),
        starting=statistics.fmean(shares) if shares else None,
        processor=statistics.fmean(used) if used else None,
        p50=statistics.median(one for one, _ in answers) if answers else 0.0,
        p99=statistics.median(one for _, one in answers) if answers else 0.0,
    )


def _held(stays: Sequence[Stay], last: float) -> float:
    """The seconds that matches have held places until then, together."""
    return sum(max(0.0, min(stay.ended, last) - stay.began) for stay in stays)


@dataclass(frozen=True, slots=True)
class Cost:
    """What a match takes for its starts, and for each of its boards, in seconds of something."""

    start: float
    board: float

    def share(self, boards: int) -> float:
        """The part of it that goes into starting bots."""
        return self.start / (self.start + boards * self.board)

    def boards_for(self, share: float) -> int:
        """The fewest boards with which no more than that goes into starting."""
        return max(1, math.ceil(self.start * (1 - share) / (share * self.board)))


def cost_of(short: float, long: float, boards: tuple[int, int]) -> Cost:
    """Split what matches of so many boards take."""
    board = max((long - short) / (boards[1] - boards[0]), 1e-9)
    return Cost(max(short - boards[0] * board, 0.0), board)


# -- without a server -----------------------------------------------------------------------------


class _Watch:
    """Sees when a match has taken its place, and how long bots were starting."""

    def __init__(self) -> None:
        self.began = 0.0
        self.starting = 0.0
        self._started = 0.0

    def __call__(self, effect: Effect, now: Instant) -> None:
        at = time.time()
        self.began = self.began or at
        if isinstance(effect, Start):
            self._started = self._started or at
        elif isinstance(effect, Tell) and isinstance(effect.message, Prompt) and self._started:
            self.starting += at - self._started
            self._started = 0.0


def _stay(spec: MatchSpec) -> Stay:
    """Play a match: a task for a pool, whose process is there for nothing else."""
    from arena.cli.inprocess import play_in_process

    if spec.venue.in_process:
        began = time.time()
        play_in_process(lambda value: None, spec)
        return Stay(began=began, ended=time.time(), processor=_processor())
    with tempfile.TemporaryDirectory(prefix="arena-bench-") as folder:
        venue = replace(spec.venue, records=Path(folder))
        return _stay_outside(replace(spec, venue=venue))


def _stay_outside(spec: MatchSpec) -> Stay:
    from arena.app import play_match

    watch = _Watch()
    outcome = play_match(spec, watch=watch)
    ended = time.time()
    times = [tally.think_times for tally in outcome.tallies]
    apart = [one.processor_time or 0.0 for legs in outcome.exits for one in legs]
    return Stay(
        began=watch.began,
        ended=ended,
        starting=watch.starting,
        # What runs in containers is nobody's child here.
        processor=_processor() + sum(apart) * (spec.venue.sandbox is Sandbox.DOCKER),
        answers=tuple((one.quantile(0.5) / 1e6, one.quantile(0.99) / 1e6) for one in times if one),
        is_void=outcome.verdict.kind is OutcomeKind.VOID,
    )


def _processor() -> float:
    """Seconds that this process and its children have used."""
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(one.ru_utime + one.ru_stime for one in map(resource.getrusage, whose))


def play_part(conditions: Conditions, done: Callable[[], None] = lambda: None) -> Played:
    """Play matches without a server, one made ready ahead as a server does.

    Raises:
        HostFault: there is no Docker engine, or it has no image for the bots.
    """
    from arena.app.turns import make_turns
    from arena.sandbox.slots import life, owned_folder

    bots = tuple(find_bot(name) for name in BOTS)
    with contextlib.ExitStack() as stack:
        turns = stack.enter_context(owned_folder(stack.enter_context(life())))
        make_turns(turns / "turns", conditions.at_once)
        ahead = conditions.sandbox is Sandbox.DOCKER
        pool = stack.enter_context(
            MatchPool(conditions.at_once + ahead, preload=("arena.app", "arena.cli.inprocess"))
        )
        venue = _venue(conditions, bots, turns / "turns")
        futures = []
        for number in range(conditions.matches):
            future = pool.submit(_stay, _spec(conditions, bots, venue, number))
            future.add_done_callback(lambda _: done())
            futures.append(future)
        wait(futures)
        return summed_up(conditions, [future.result() for future in futures])


def _venue(conditions: Conditions, bots: Sequence[Manifest], turns: Path) -> Venue:
    if conditions.sandbox is None:
        return Venue(in_process=True)
    if conditions.sandbox is not Sandbox.DOCKER:
        return Venue(sandbox=conditions.sandbox, turns=turns)
    return Venue(sandbox=Sandbox.DOCKER, images=images_of(bots), holds_still=True, turns=turns)


def _spec(
    conditions: Conditions, bots: tuple[Manifest, ...], venue: Venue, number: int
) -> MatchSpec:
    terms = conditions.terms
    return MatchSpec(
        number=number,
        bots=bots,
        rules=terms.rules(len(bots)),
        seating=terms.seating(_TEAMS),
        seed=SEED,
        boards=tuple(range(terms.boards)),
        legs=terms.legs(len(bots)),
        limits=terms.limits,
        length=terms.length,
        striped=terms.striped,
        venue=venue,
    )
