"""How attempts end that leave no report: in detail for the log, in a few words for everybody."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from typing import Final

from arena.errors import ArenaError
from arena.tournament.ladder.attempt import Done
from arena.workers.processes import WorkerLost

__all__ = [
    "HANDED_BACK",
    "LOST_WITH_US",
    "NOT_ENDED",
    "NOT_READY",
    "NOT_THERE",
    "how_it_ended",
    "shown",
    "told",
]

LOST_WITH_US: Final = "the server that played it was ended"
NOT_READY: Final = "the server could not make it ready"
NOT_ENDED: Final = "the process that played it came to no end"
NOT_THERE: Final = "a version at the table is held back"
HANDED_BACK: Final = "the server was shut down while it was played"


def how_it_ended(played: Future[Done]) -> str:
    """Why a process that played has left nothing; empty if it has come to its end."""
    try:
        error = played.exception()
    except CancelledError:
        return HANDED_BACK
    return "" if error is None else told(error)


def shown(played: Future[Done]) -> str:
    """The same for everybody: how the process died, and nothing of what it said."""
    error = None if played.cancelled() else played.exception()
    return str(error) if isinstance(error, WorkerLost) else NOT_ENDED


def told(error: BaseException) -> str:
    """A failure in a line."""
    return str(error) if isinstance(error, ArenaError) else f"a mistake of the arena: {error!r}"
