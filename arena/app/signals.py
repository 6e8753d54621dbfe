"""Running until the work is done or a signal ends it, cleaned up in either case."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Coroutine, Iterator
from typing import TypeVar

from arena.errors import HostFault
from arena.referee.precise import precise_loop

__all__ = ["run_until_signalled"]

T = TypeVar("T")


def run_until_signalled(work: Coroutine[None, None, T]) -> T:
    """Run `work`; a signal to end cancels it, so that it cleans up behind itself.

    Raises:
        KeyboardInterrupt: on Ctrl-C, SIGTERM and SIGHUP.
    """

    async def main() -> T:
        with _cancelled_by_signals():
            return await work

    try:
        with asyncio.Runner(loop_factory=precise_loop) as runner:
            return runner.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BaseExceptionGroup as group:
        # The driver's tasks are a group; what goes wrong in one of them is told by itself.
        faults, _ = group.split(HostFault)
        if faults is None:
            raise
        raise HostFault(str(_first(faults))) from None


def _first(group: BaseExceptionGroup[HostFault]) -> BaseException:
    inner: BaseException = group
    while isinstance(inner, BaseExceptionGroup):
        inner = inner.exceptions[0]
    return inner


@contextlib.contextmanager
def _cancelled_by_signals() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals
        return
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()
    assert task is not None
    # What whoever started us had ignored stays so: `nohup` is meant to outlive the terminal.
    numbers = [
        number
        for number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(number) is not signal.SIG_IGN
    ]

    def end() -> None:
        # Once: a second signal would break off the cleaning up.
        if not task.cancelling():
            task.cancel()

    for number in numbers:
        loop.add_signal_handler(number, end)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)
