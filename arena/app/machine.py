"""What bots are run in, as a server asks for it: is it there, are its images, what is left over."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

from arena.sandbox.reaper import reap, reaping
from arena.sandbox.slots import clear_dead
from arena.settings import Settings
from arena.tournament.matches import Sandbox

__all__ = ["cleaning_up", "missing_images", "probe_of"]


def probe_of(settings: Settings) -> Callable[[], None]:
    """What raises HostFault if bots cannot be run at present."""
    return _probe_docker if settings.sandbox.kind is Sandbox.DOCKER else lambda: None


def _probe_docker() -> None:
    from arena.sandbox.engine import connect  # noqa: PLC0415 - needs Docker

    connect().close()


def missing_images(images: Sequence[str]) -> Sequence[str]:
    """Which of some images the engine does not have.

    Raises:
        HostFault: it does not answer.
    """
    from arena.sandbox.engine import connect  # noqa: PLC0415 - needs Docker
    from arena.sandbox.images import find  # noqa: PLC0415

    with contextlib.closing(connect()) as engine:
        return [image for image in images if find(engine, image) is None]


def cleaning_up(settings: Settings, tell: Callable[[str], None]) -> AbstractContextManager[None]:
    """Remove what those have left who had no time to: now, every minute, and at the end.

    Raises:
        HostFault: the engine does not answer at the start.
    """
    docker = settings.sandbox.kind is Sandbox.DOCKER
    return reaping(tell, work=reap if docker else clear_dead)
