"""Playing with an engine that fails, in a process that can be ended whatever it waits for."""

from __future__ import annotations

import contextlib
import os
from concurrent.futures import TimeoutError as TooLate
from functools import partial
from pathlib import Path
from unittest import mock

from arena.app import play_match
from arena.errors import HostFault
from arena.referee.events import OutcomeKind
from arena.sandbox import engine as engine_module
from arena.sandbox.engine import connect
from arena.tournament.matches import MatchSpec
from arena.workers.pool import MatchPool
from tests.hostile.gauge import Gauged, gauging

__all__ = ["FORFEITED", "UNENDING", "come_of", "come_of_in_time"]

FORFEITED = "a bot has forfeited"
UNENDING = "not over"


def come_of(spec: MatchSpec) -> str:
    """What comes of a match: `COMPLETED`, FORFEITED, or what this machine has done."""
    try:
        verdict = play_match(spec).verdict
    except HostFault as error:
        return str(error)
    if verdict.kind is OutcomeKind.FORFEIT:
        return f"{FORFEITED}: {verdict}"
    return f"VOID: {verdict.void}" if verdict.kind is OutcomeKind.VOID else str(verdict.kind)


def come_of_in_time(
    spec: MatchSpec, host: str, *, patience: float, limit: float
) -> tuple[str, Gauged]:
    """The same with the engine at `host`, which gets `patience` seconds for any one answer.

    What takes longer than `limit` seconds in all is ended, and is UNENDING.
    """
    with MatchPool(1) as pool:
        future = pool.submit(_play, spec, host, patience)
        try:
            return future.result(limit)
        except TooLate:
            pool.stop(future)
            return f"{UNENDING} after {limit:g} s", Gauged()


def _play(spec: MatchSpec, host: str, patience: float) -> tuple[str, Gauged]:
    with contextlib.closing(connect()) as engine:
        root = Path(engine.info()["DockerRootDir"])
    impatient = mock.patch.object(engine_module, "connect", partial(connect, timeout=patience))
    os.environ["DOCKER_HOST"] = host
    with impatient, gauging(root) as machine:
        told = come_of(spec)
    return told, machine
