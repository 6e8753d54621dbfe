"""Removing what is left of those who had no time to do it: at the start, every minute, at the end.

A container of ours says whose it is, and its owner's life is a lock that the kernel lets go of with
the owner. So nobody who lives is ever disturbed, whoever started it.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Final

from arena.errors import HostFault
from arena.sandbox import containers
from arena.sandbox.engine import connect
from arena.sandbox.slots import clear_dead, is_alive

__all__ = ["reap", "reaping"]

_INTERVAL: Final = 60.0  # seconds


def reap() -> int:
    """Remove the containers and folders of lives that have ended; how many containers.

    Raises:
        HostFault: the engine does not answer.
    """
    with contextlib.closing(connect()) as engine:
        count = containers.reap(engine, is_alive)
        containers.clear_groups(engine)
    clear_dead()
    return count


@contextlib.contextmanager
def reaping(
    tell: Callable[[str], None],
    interval: float = _INTERVAL,
    *,
    work: Callable[[], object] = reap,
) -> Iterator[None]:
    """Reap now, as long as this lasts, and at its end.

    `tell` gets what goes wrong later on, in another thread: it is tried again then. `work` is what
    is done each time; where there are no containers, `slots.clear_dead` is enough.

    Raises:
        HostFault: the engine does not answer at the start.
    """
    work()
    over = threading.Event()

    def again() -> None:
        while not over.wait(interval):
            _try(work, tell)

    thread = threading.Thread(target=again, name="reaper", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        _try(work, tell)


def _try(work: Callable[[], object], tell: Callable[[str], None]) -> None:
    try:
        work()
    except HostFault as error:
        tell(f"what is left of sandboxes stays for now: {error}")
