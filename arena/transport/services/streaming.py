"""Streams that are open: how many there are, and what ends them before they end by themselves."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

from arena.tournament.refusals import OverQuota
from arena.transport.services.payers import Kind, Payer, Shares

__all__ = ["OpenStreams", "StreamEnd", "watched"]


class StreamEnd:
    """How one open stream is ended from outside."""

    def __init__(self) -> None:
        self._task: asyncio.Task[Any] | None = None
        self.cause: Exception | None = None

    def belongs_to(self, task: asyncio.Task[Any] | None) -> None:
        """The task that is to be ended; None: it is past that."""
        self._task = task

    def end(self, cause: Exception) -> None:
        """End it; whoever waits in it gets `cause`."""
        if self._task is not None and self.cause is None:
            self.cause = cause
            self._task.cancel()


class OpenStreams:
    """All open streams of a server: at most `most` of a kind of payer, and `each` of one payer."""

    def __init__(self, most: int, each: int) -> None:
        self._each = each
        self._shares = Shares(most, each)
        self._ending: set[StreamEnd] = set()

    def __len__(self) -> int:
        return len(self._shares)

    @contextlib.contextmanager
    def opened(self, payer: Payer, *, ends_at_drain: bool = True) -> Iterator[StreamEnd]:
        """Count one more while it is open.

        Raises:
            OverQuota: there are too many.
        """
        if not self._shares.add(payer):
            whose = "of one owner" if payer.kind is Kind.HOLDER else "from one address"
            raise OverQuota(
                "TOO_MANY_STREAMS",
                f"too many streams are open: at most {self._each} {whose}; "
                "close one, or try again later",
                most=self._each,
            )
        end = StreamEnd()
        if ends_at_drain:
            self._ending.add(end)
        try:
            yield end
        finally:
            self._ending.discard(end)
            self._shares.remove(payer)

    def end_all(self, cause: Exception) -> None:
        """End those that would not end by themselves."""
        for end in tuple(self._ending):
            end.end(cause)


@contextlib.asynccontextmanager
async def watched(
    stream: StreamEnd, check: Callable[[], Coroutine[Any, Any, None]], every: float
) -> AsyncIterator[None]:
    """Do something as long as `check` does not raise, which is asked every so many seconds.

    What it raises is what comes out of here, and so is what `stream` is ended with.
    """
    task = asyncio.current_task()
    assert task is not None

    async def watch() -> None:
        while True:
            await asyncio.sleep(every)
            try:
                await check()
            except Exception as error:
                stream.end(error)
                return

    watcher = asyncio.create_task(watch())
    stream.belongs_to(task)
    try:
        yield
    except asyncio.CancelledError:
        if stream.cause is None:
            raise
        task.uncancel()
        raise stream.cause from None
    finally:
        stream.belongs_to(None)
        watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watcher
