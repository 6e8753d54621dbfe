"""How many matches a machine can play at once: by its cores and, in containers, by its memory."""

from __future__ import annotations

import os
from typing import Final

from arena.sandbox.policy import GIB, MIB, PLAYING
from arena.settings import Settings
from arena.tournament.matches import Sandbox

__all__ = ["AHEAD", "crowded", "matches_at_once"]

AHEAD: Final = 1
"""Matches that are made ready while the others are played."""

_REFEREE: Final = 256 * MIB
"""For the process of a match."""

_REST: Final = GIB
"""For the server, its database and the system."""


def matches_at_once(settings: Settings, *, memory: int | None = None) -> int:
    """How many matches are played at once: what is set, or what this machine has room for.

    One for each core of this process. In containers no more than could have all their bots fill
    their limits without this machine running out of memory, of which it has `memory` bytes, by
    default what the system says.
    """
    if settings.matches.at_once:
        return settings.matches.at_once
    cores = len(os.sched_getaffinity(0))
    if settings.sandbox.kind is not Sandbox.DOCKER:
        return cores
    if memory is None:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    seats = max(table.players for table in settings.tables)
    room = (memory - _REST) // (seats * PLAYING.memory + _REFEREE)
    return max(1, min(cores, room - AHEAD))


def crowded(settings: Settings) -> str:
    """What whoever has set more matches than there are cores should know; empty: nothing."""
    cores, places = len(os.sched_getaffinity(0)), matches_at_once(settings)
    if places <= cores:
        return ""
    return (
        f"matches.at_once is {places}, and this machine has {cores} cores: bots wait for each "
        "other on their own time, and matches may be void"
    )
