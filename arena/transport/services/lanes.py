"""Threads for what blocks, given out in turn: whoever asks for much waits for itself.

    ann:  a1 a2 a3 a4         a1 a2 b1 a3 a4: what is begun, if bob comes while a1 is at work
    bob:  b1                  and there is one thread

What nobody waits for any more is never begun.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from arena.tournament.refusals import OverQuota

__all__ = ["Lane", "LaneLimits"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaneLimits:
    """How much at once.

    Attributes:
        threads, threads_each: What is at work, in all and for one payer.
        waiting, waiting_each: What waits for a thread; more is refused.
    """

    threads: int = 4
    threads_each: int = 3
    waiting: int = 200
    waiting_each: int = 24


@dataclass(slots=True)
class _Turns:
    """What one payer has at work, and what of it waits."""

    at_work: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)


class Lane:
    """Some threads and who waits for them; belongs to an event loop, and is to be closed."""

    def __init__(self, limits: LaneLimits, name: str) -> None:
        self._limits = limits
        self._threads = ThreadPoolExecutor(limits.threads, thread_name_prefix=name)
        self._free = limits.threads
        self._waiting = 0
        # In the order in which they have their next turn.
        self._turns: OrderedDict[str, _Turns] = OrderedDict()

    def close(self) -> None:
        """Let go of the threads, which end as soon as they have nothing to do."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, payer: str, work: Callable[..., T], *arguments: Any) -> T:
        """Do something in a thread, when it is the payer's turn.

        Raises:
            OverQuota: too much waits already.
        """
        await self._turn(payer)
        try:
            future = asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        except BaseException:
            self._over(payer)
            raise

        def done(future: asyncio.Future[T]) -> None:
            if not future.cancelled():
                future.exception()  # perhaps nobody is left who would want to know
            self._over(payer)

        # Counted until the thread is done with it, not until somebody stops waiting.
        future.add_done_callback(done)
        return await asyncio.shield(future)

    async def _turn(self, payer: str) -> None:
        turns = self._turns.setdefault(payer, _Turns())
        is_at_once = self._free and turns.at_work < self._limits.threads_each
        if not is_at_once and self._is_full(turns):
            self._forget(payer)
            raise OverQuota(
                "TOO_BUSY",
                "the server has too much to do, or too much for you; try again in a moment",
                wait_seconds=1,
            )
        ticket: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turns.waiting.append(ticket)
        self._waiting += 1
        self._call_up()
        try:
            await ticket
        except asyncio.CancelledError:
            self._leave(payer, ticket)
            raise

    def _is_full(self, turns: _Turns) -> bool:
        limits = self._limits
        return self._waiting >= limits.waiting or len(turns.waiting) >= limits.waiting_each

    def _leave(self, payer: str, ticket: asyncio.Future[None]) -> None:
        """Somebody has gone: before its turn, or in the moment in which it came."""
        if not ticket.cancelled():
            self._over(payer)
            return
        turns = self._turns.get(payer)
        if turns is not None and ticket in turns.waiting:
            turns.waiting.remove(ticket)
            self._waiting -= 1
            self._forget(payer)

    def _over(self, payer: str) -> None:
        self._free += 1
        self._turns[payer].at_work -= 1
        self._forget(payer)
        self._call_up()

    def _call_up(self) -> None:
        """Give the threads that are free to those whose turn it is."""
        while self._free and (payer := self._next()) is not None:
            turns = self._turns[payer]
            self._turns.move_to_end(payer)
            ticket = turns.waiting.popleft()
            self._waiting -= 1
            if ticket.done():  # whoever waited has gone, and has not had the time to leave
                self._forget(payer)
                continue
            self._free -= 1
            turns.at_work += 1
            ticket.set_result(None)

    def _next(self) -> str | None:
        most = self._limits.threads_each
        for payer, turns in self._turns.items():
            if turns.waiting and turns.at_work < most:
                return payer
        return None

    def _forget(self, payer: str) -> None:
        turns = self._turns[payer]
        if not turns.at_work and not turns.waiting:
            del self._turns[payer]
