"""The composition root: what is needed to play is put together here, and nowhere else.

`play_match` wires a launcher, the sockets, the match machine, its driver and the record:

    bot program <-> SeatServer <-> LocalSeat <-> run_match <-> Match
                                                     |
                                                RecordWriter
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence

from arena.app.keeping import keep_record, record_path
from arena.app.launchers import launcher_of, python_launcher
from arena.app.seats import LocalSeat
from arena.app.signals import run_until_signalled
from arena.app.turns import make_turns, turn
from arena.referee.events import BotNo, Effect, GameEnded, GameResult
from arena.referee.limits import Instant
from arena.referee.match import Match
from arena.referee.runner import Watch, run_match
from arena.sandbox.waiting import to_its_end
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.transport.seats import seat_folder

__all__ = [
    "LocalSeat",
    "make_turns",
    "play",
    "play_match",
    "python_launcher",
    "record_path",
    "run_until_signalled",
]


def play_match(
    spec: MatchSpec,
    report: Callable[[GameResult], None] = lambda result: None,
    *,
    watch: Watch | None = None,
) -> MatchOutcome:
    """Play a match between bots in processes of their own.

    `report` hears of every game that ends, `watch` sees all that the referee does. When this
    returns or raises, no process, socket or folder of the match is left, and the record, if one is
    kept, is whole or ends where the match was broken off.

    Raises:
        HostFault: this machine failed before the match or while its record was written.
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """
    return run_until_signalled(play(spec, report, watch))


async def play(
    spec: MatchSpec, report: Callable[[GameResult], None], watch: Watch | None
) -> MatchOutcome:
    """Play a match as `play_match` does, in the event loop of whoever calls."""
    match = Match(spec.plan(), secrets.token_bytes(32))
    with launcher_of(spec.venue) as launcher, seat_folder() as folder:
        seats = [LocalSeat(BotNo(bot), spec, folder, launcher) for bot in match.plan.bots]
        try:
            # While others still play: that a place fails is told by whoever takes it.
            await asyncio.wait([seat.make_ready() for seat in seats])
            async with turn(spec.venue.turns):
                return await _run(spec, match, seats, (report, watch))
        finally:
            await to_its_end(_close(seats))


async def _close(seats: Sequence[LocalSeat]) -> None:
    await asyncio.gather(*(seat.close() for seat in seats))


async def _run(
    spec: MatchSpec,
    match: Match,
    seats: Sequence[LocalSeat],
    listeners: tuple[Callable[[GameResult], None], Watch | None],
) -> MatchOutcome:
    report, watch = listeners
    with keep_record(spec, match) as writer:

        def see(effect: Effect, now: Instant) -> None:
            if writer is not None:
                writer(effect, now)
            if watch is not None:
                watch(effect, now)
            if isinstance(effect, GameEnded):
                report(effect.result)

        await run_match(match, seats, watch=see)
    assert match.verdict is not None
    return MatchOutcome(
        verdict=match.verdict,
        results=tuple(match.results),
        tallies=tuple(match.roster.tallies[bot] for bot in match.plan.bots),
        logs=tuple(seat.log.text() for seat in seats),
        exits=tuple(tuple(seat.exits) for seat in seats),
        record_head="" if writer is None else writer.head,
    )
