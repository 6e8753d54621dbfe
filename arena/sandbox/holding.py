"""Starting a process without losing it to Ctrl-C."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["interruptions_wait"]


@contextlib.contextmanager
def interruptions_wait() -> Iterator[None]:
    """Within, a signal that would raise an exception is kept, and raises it at the end.

    For the moment between the birth of a process and the first line that can end it: an exception
    in between, most likely inside of `Popen`, would leave a process that nobody knows.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    kept: list[int] = []

    def keep(number: int, frame: FrameType | None) -> None:
        kept.append(number)

    # A handler of ours ends with `exec`: what is started inherits neither it nor a blocked signal.
    before = {
        number: signal.signal(number, keep)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        if callable(signal.getsignal(number))
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for one in kept[:1]:
            signal.raise_signal(one)
