"""What bots are run in, as a server asks for it: is it there, are its images, what is left over."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Final

from arena.errors import HostFault
from arena.sandbox.slots import clear_dead
from arena.settings import Settings
from arena.tournament.matches import Sandbox

__all__ = ["cleaning_up", "missing_images", "probe_of"]

_INTERVAL: Final = 60.0  # seconds


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
    if settings.sandbox.kind is Sandbox.DOCKER:
        from arena.sandbox.reaper import reaping  # noqa: PLC0415 - needs Docker

        return reaping(tell)
    return _clearing(tell)


@contextlib.contextmanager
def _clearing(tell: Callable[[str], None]) -> Iterator[None]:
    """The same where there are no containers: folders only."""
    clear_dead()
    over = threading.Event()

    def again() -> None:
        while not over.wait(_INTERVAL):
            try:
                clear_dead()
            except HostFault as fault:
                tell(str(fault))

    thread = threading.Thread(target=again, name="cleaner", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
