"""Who works with the director, how much is played, and how an attempt on its way stands."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field

from arena.storage.facts import Lease
from arena.tournament.ladder.attempt import Done, RatedSpec
from arena.tournament.ladder.health import Probe
from arena.tournament.ladder.liveview import Live
from arena.tournament.ladder.ports import Crew, Judge, MatchBook, Planner, Tell
from arena.tournament.ladder.recording import Recorder
from arena.tournament.ladder.spool import Spool

__all__ = ["Company", "Key", "Over", "Pace", "Playing", "Run", "Status"]

Key = tuple[int, int]
"""Match and attempt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How much is played, and how long things may take.

    Attributes:
        worker: What this server calls itself in leases.
        at_once: Matches that are played at the same time.
        ahead: Matches that are made ready meanwhile.
        lease: Milliseconds after its last sign of life that an attempt is lost.
        renewal: Seconds between renewals of a lease.
        look: Seconds between looks for lost leases, forgotten reports and something to play.
        drain: Seconds that matches have to end when the server is shut down.
        floor: Bytes of free space below which no match begins.
    """

    worker: str = "local"
    at_once: int = 1
    ahead: int = 0
    lease: int = 60_000
    renewal: float = 10.0
    look: float = 5.0
    drain: float = 60.0
    floor: int = 256 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Company:
    """Who works with a director.

    Attributes:
        book, planner, recorder, spool, live: See there.
        crew: Plays.
        prepare: Makes of a lease what is played; raises an ArenaError. On a thread of `helpers`.
        release: Is told when what was prepared is not needed any more.
        helpers: Does what takes long.
        probe: See `health`.
        judge: Hears of results.
        why_paused: Why an operator wants no match to begin; empty: does not.
        free_space: Bytes that are left for data.
        tell: Hears what happens.
        monotonic: Seconds on a clock that never goes back.
        is_reserved: Whether a competition has all places for itself.
    """

    book: MatchBook
    planner: Planner
    recorder: Recorder
    spool: Spool
    live: Live
    crew: Crew
    prepare: Callable[[Lease], RatedSpec]
    release: Callable[[Lease], None]
    helpers: Executor
    probe: Probe
    judge: Judge
    why_paused: Callable[[], str]
    free_space: Callable[[], int]
    tell: Tell
    monotonic: Callable[[], float]
    is_reserved: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Playing:
    """An attempt in play, or made ready; `has_turn` tells which."""

    match: int
    attempt: int
    seconds: float
    has_turn: bool


@dataclass(frozen=True, slots=True)
class Status:
    """How the director stands; each `why` is empty if there is nothing to say."""

    playing: tuple[Playing, ...]
    unrecorded: int
    is_draining: bool
    why_unhealthy: str
    why_paused: str
    why_no_space: str


@dataclass(slots=True, eq=False)
class Run:
    """An attempt on its way."""

    lease: Lease
    began: float
    prepared: Future[RatedSpec] | None = None
    played: Future[Done] | None = None
    lives_at: float | None = None
    """The last sign of life that has not renewed the lease yet."""
    renewed: float = 0.0
    has_turn: bool = False
    is_lost: bool = False
    """Its lease is somebody else's."""
    is_ended: bool = False
    """We have had it ended."""

    @property
    def key(self) -> Key:
        return self.lease.match, self.lease.attempt


@dataclass(slots=True, eq=False)
class Over:
    """An attempt that is over and has to be settled; `lease` is None if it is not known.

    For `counts` and `of_play` see `Recorder.settle`.
    """

    match: int
    attempt: int
    token: str = field(repr=False)
    why: str
    lease: Lease | None
    counts: bool
    of_play: bool = False
    renewed: float = float("-inf")
