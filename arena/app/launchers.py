"""Which launcher runs the bots of a match."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.errors import InputError
from arena.sandbox.launcher import Launcher
from arena.sandbox.process import ProcessLauncher
from arena.tournament.matches import Sandbox, Venue

__all__ = ["development_only", "launcher_of", "python_launcher", "require_trusted"]


def python_launcher() -> Launcher:
    """Runs bots as processes; the interpreter that runs us has the SDK, so it is their `python`."""
    return ProcessLauncher(path=Path(sys.executable).parent)


@contextlib.contextmanager
def launcher_of(venue: Venue) -> Iterator[Launcher]:
    """The launcher for a venue; what it has started is left to whoever used it.

    Raises:
        HostFault: this machine lacks what it needs.
    """
    if venue.sandbox is Sandbox.PROCESS:
        yield python_launcher()
        return
    # Heavy, and only for these.
    if venue.sandbox is Sandbox.BUBBLEWRAP:
        from arena.sandbox.bubblewrap import BubblewrapLauncher  # noqa: PLC0415

        yield BubblewrapLauncher()
        return
    from arena.sandbox.docker import DockerLauncher  # noqa: PLC0415
    from arena.sandbox.engine import connect  # noqa: PLC0415
    from arena.sandbox.slots import life  # noqa: PLC0415

    with life() as owner, contextlib.closing(connect()) as engine:
        yield DockerLauncher(
            engine,
            owner,
            policy=venue.policy,
            runtime=venue.runtime,
            holds_still=venue.holds_still,
        )


def development_only(sandbox: Sandbox) -> str:
    """What whoever chooses a sandbox should know, in one line; empty if nothing."""
    lacks = {
        Sandbox.PROCESS: "a bot may do there whatever you may",
        Sandbox.BUBBLEWRAP: "it limits neither memory nor processors nor what a bot may ask of "
        "the kernel",
    }
    if sandbox not in lacks:
        return ""
    return (
        f"--sandbox {sandbox} is for your own bots: {lacks[sandbox]}; strangers' bots take "
        "--sandbox docker"
    )


def require_trusted(
    sandbox: Sandbox, *, listens_beyond_loopback: bool, accepts_uploads: bool
) -> None:
    """Refuse a sandbox that does not protect the machine where strangers' bots could come from.

    Raises:
        InputError: with the reason and the remedy.
    """
    if sandbox is Sandbox.DOCKER:
        return
    reasons = {
        "this server listens beyond loopback": listens_beyond_loopback,
        "this server accepts uploads": accepts_uploads,
    }
    if given := [reason for reason, holds in reasons.items() if holds]:
        raise InputError(
            f"sandbox {sandbox}: does not protect this machine from strangers' bots, and "
            f"{' and '.join(given)}; choose docker, or neither of the two"
        )
