"""An event loop that wakes when it is time, not up to a millisecond later."""

from __future__ import annotations

import asyncio
import selectors

__all__ = ["precise_loop"]


def precise_loop() -> asyncio.AbstractEventLoop:
    """An event loop for matches: its waits are counted in microseconds.

    The usual one waits by epoll_wait(2), in whole milliseconds rounded up, counted from when it was
    last awake. So the end of a window would come later or sooner depending on whether an answer
    had come shortly before it, and whoever waits for that end could tell holders of a safety by it.
    select(2) takes no descriptors from 1024 on; a process that plays a match has some tens.
    """
    return asyncio.SelectorEventLoop(selectors.SelectSelector())
