"""How a server stands, for its metrics: what waits since when, what is played, what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import ColumnElement, Connection, Table, func, select

from arena.app.metrics import Standing
from arena.errors import HostFault
from arena.storage.facts import Clock, MatchState, UploadState
from arena.storage.folder import free_space
from arena.storage.schema import MATCHES, UPLOADS
from arena.storage.store import Store
from arena.tournament.ladder.company import Status

__all__ = ["free_or_none", "standing_of"]


def standing_of(store: Store, clock: Clock, status: Callable[[], Status], places: int) -> Standing:
    """How things stand now; `places` is how many matches may be played at once."""
    now = status()
    problems = [one for one in (now.why_unhealthy, now.why_no_space) if one]
    try:
        queued, oldest = _queues(store, clock)
    except HostFault as fault:
        queued, oldest = {}, {}
        problems.append(str(fault))
    return Standing(
        queued=queued,
        oldest=oldest,
        leases=sum(one.has_turn for one in now.playing),
        places=places,
        spooled=now.unrecorded,
        problems=tuple(problems),
        free_bytes=free_or_none(store.folder.path),
    )


def free_or_none(folder: Path) -> int:
    """The bytes that are left below a folder; 0 if nobody can tell."""
    try:
        return free_space(folder)
    except HostFault:
        return 0


def _queues(store: Store, clock: Clock) -> tuple[dict[str, int], dict[str, float]]:
    asked = {
        "uploads": (UPLOADS, UPLOADS.c.state == UploadState.QUEUED),
        "uploads_set_aside": (UPLOADS, UPLOADS.c.state == UploadState.SET_ASIDE),
        "matches": (MATCHES, MATCHES.c.state == MatchState.QUEUED),
        "matches_set_aside": (MATCHES, MATCHES.c.state == MatchState.SET_ASIDE),
    }
    queued: dict[str, int] = {}
    oldest: dict[str, float] = {}
    for name, (table, is_in) in asked.items():
        count, since = store.database.read(lambda connection: _count(connection, table, is_in))  # noqa: B023 - used at once
        queued[name] = count
        oldest[name] = 0.0 if since is None else max(0.0, (clock() - since) / 1000)
    return queued, oldest


def _count(
    connection: Connection, table: Table, is_in: ColumnElement[bool]
) -> tuple[int, int | None]:
    query = select(func.count(), func.min(table.c.created)).where(is_in)
    count, since = connection.execute(query).one()
    return count, since
