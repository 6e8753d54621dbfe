"""A task for a pool that takes too much."""

from __future__ import annotations

from arena.tournament.competition.archivewalk import limit


def never_end() -> None:
    """Use the processor until somebody stops it."""
    limit(1)
    while True:
        pass
