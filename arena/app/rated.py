"""What plays an attempt at a ladder's match: `run_match`, a plain function for any executor.

    with ProcessPoolExecutor() as pool:
        done = pool.submit(run_match, rated).result()

`run_and_report` is the same with signs of life and public frames, for a pool that carries them. In
both cases the process that plays is there for nothing else meanwhile: its temporary files go to a
folder of their own, and SIGTERM ends the match.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from arena.app import play, run_until_signalled
from arena.app.temporary import own_folder
from arena.errors import HostFault
from arena.referee.events import Effect, GameEnded
from arena.referee.limits import Instant
from arena.referee.runner import Watch, monotonic
from arena.storage.facts import Moment
from arena.storage.failpoints import DURING_MATCH, reached
from arena.tournament.ladder.attempt import Done, News, RatedSpec, Span, report_of
from arena.tournament.ladder.commentary import Commentator, Frame
from arena.tournament.ladder.spool import Spool, Spooled
from arena.tournament.matches import MatchOutcome

__all__ = ["calendar", "run_and_report", "run_match"]

_BETWEEN_FRAMES: Final = 0.5  # seconds: many frames cost one message


def calendar() -> Moment:
    """The present moment: a `storage.facts.Clock`."""
    return Moment(time.time_ns() // 1_000_000)


def run_match(rated: RatedSpec) -> Done:
    """Play an attempt; its record and its report are in the spool, on the disk, when it returns.

    Raises:
        HostFault: this machine failed in a way that no verdict tells, and there is no report.
        KeyboardInterrupt: at SIGTERM; there is no report.
    """
    return run_and_report(lambda value: None, rated)


def run_and_report(report: Callable[[object], None], rated: RatedSpec) -> Done:
    """Play an attempt as `run_match` does, and hand `News` to `report` as long as it goes on."""
    spool = Spool(rated.spool)
    made_ready = calendar()
    watcher = _Watcher(rated)
    with own_folder():
        outcome = run_until_signalled(_play(rated, report, watcher))
    span = Span(
        started=watcher.started or made_ready,
        ended=calendar(),
        machine_time=watcher.milliseconds,
    )
    written = _report(rated, outcome, spool, span)
    spool.write(written)
    return Done(rated.match, rated.attempt, written.report.verdict)


def _report(rated: RatedSpec, outcome: MatchOutcome, spool: Spool, span: Span) -> Spooled:
    path = spool.record_path(rated.match, rated.attempt)
    logs = [log.encode("utf-8", "replace") for log in outcome.logs]
    digests = [hashlib.sha256(log).hexdigest() for log in logs]
    return Spooled(
        report_of(rated, outcome, digests, _digest(path), span),
        tuple(log.decode() for log in logs),
    )


async def _play(
    rated: RatedSpec, report: Callable[[object], None], watcher: _Watcher
) -> MatchOutcome:
    # In the loop of the match and not in a thread: it tells that the match goes on.
    heart = asyncio.create_task(_beat(rated.heartbeat, report, watcher))
    try:
        return await play(rated.spec, lambda result: None, watcher)
    finally:
        heart.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await heart


async def _beat(heartbeat: float, report: Callable[[object], None], watcher: _Watcher) -> None:
    last = float("-inf")
    while True:
        frames = watcher.take()
        if frames or monotonic() / 1e9 - last >= heartbeat:
            last = monotonic() / 1e9
            with contextlib.suppress(OSError):  # nobody hears it any more: SIGTERM is on its way
                report(News(frames, watcher.has_turn))
        await asyncio.sleep(min(_BETWEEN_FRAMES, heartbeat))


class _Watcher:
    """Makes frames of what happens, and knows since when the match has held a place: `started`."""

    def __init__(self, rated: RatedSpec) -> None:
        self._frames: list[Frame] = []
        self._comment: Watch = Commentator(rated.spec.plan(), self._frames.append)
        self._began: Instant | None = None
        self.started: Moment | None = None

    def __call__(self, effect: Effect, now: Instant) -> None:
        # The first effect comes when the attempt has got its turn.
        if self._began is None:
            self._began = now
            self.started = calendar()
        self._comment(effect, now)
        if isinstance(effect, GameEnded):
            reached(DURING_MATCH)

    @property
    def has_turn(self) -> bool:
        """Whether it plays, and does not wait for that any more."""
        return self._began is not None

    @property
    def milliseconds(self) -> int:
        """How long it has held a place until now."""
        return 0 if self._began is None else (monotonic() - self._began) // 1_000_000

    def take(self) -> tuple[Frame, ...]:
        """The frames since this was last asked."""
        frames = tuple(self._frames)
        self._frames.clear()
        return frames


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise HostFault(f"record {path}: cannot be read: {error.strerror}") from None
