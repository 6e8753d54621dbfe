"""The messages that have come from the referee, and when.

While a bot thinks nothing is read: its thoughts and this run in one thread. So a message that is
there at once when it is asked for may have been there ever since there was nothing the last time,
and counts from then on.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Final, NamedTuple

from millearena.v1 import match_service_pb2 as pb

_CLOSING: Final = frozenset({"prompt", "hand_over", "welcome", "match_over"})
"""What is sent only when the receiver's last prompt is closed. A rejection names its prompt."""

_QUIET: Final = 0.005  # seconds without a message after which nothing more is on its way
_AT_ONCE: Final = 0.001  # seconds in which one gets a message that was there already


class Mail(NamedTuple):
    """A message, and when it came at the earliest, on `time.monotonic`."""

    message: pb.PlayResponse
    came: float


class Inbox:
    """The messages of a stream. `read` gives the next one, and at the end something else.

    A message is read when it is asked for. After a long thought those that have come meanwhile are
    read ahead, by a task of their own, which may be left over to wait for the next one.
    """

    def __init__(
        self, read: Callable[[], Awaitable[object]], clock: Callable[[], float] = monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._empty_at = clock()  # when nothing was there for the last time
        self._ahead: deque[Mail] = deque()
        self._reading: asyncio.Task[object] | None = None

    async def next(self) -> Mail | None:
        """The next message; None when the stream has ended."""
        if self._ahead:
            return self._ahead.popleft()
        asked = self._clock()
        if self._reading is None:
            message = await self._read()
        else:
            reading, self._reading = self._reading, None
            message = await reading
        return self._mail(message, asked)

    def answered(self) -> None:
        """An answer has gone out: what comes next was sent after it."""
        self._empty_at = self._clock()

    def closes(self, prompt: pb.Prompt) -> bool:
        """Whether what has been read ahead closes a prompt."""
        return bool(self._ahead) and any(_closes(mail.message, prompt) for mail in self._ahead)

    @property
    def is_over(self) -> bool:
        """Whether what has been read ahead ends the match or the stream."""
        if self._reading is not None and self._reading.done():
            return True
        return bool(self._ahead) and _arm(self._ahead[-1].message) == "match_over"

    async def read_ahead(self) -> None:
        """Read what has come, until nothing does for a moment or the stream has ended.

        To be called after a thought that was longer than its prompt allows. Before such a one the
        next prompt cannot have come.
        """
        while True:
            asked = self._clock()
            if self._reading is None:
                self._reading = asyncio.ensure_future(self._read_one())
            await asyncio.wait([self._reading], timeout=_QUIET)
            if not self._reading.done() or self._reading.exception() is not None:
                return
            mail = self._mail(self._reading.result(), asked)
            if mail is None:
                return  # the end, which `next` finds there
            self._ahead.append(mail)
            self._reading = None

    async def close(self) -> None:
        """End what is still being read."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _mail(self, message: object, asked: float) -> Mail | None:
        if not isinstance(message, pb.PlayResponse):
            return None
        now = self._clock()
        if now - asked >= _AT_ONCE:
            self._empty_at = now
        return Mail(message, self._empty_at)

    async def _read_one(self) -> object:
        return await self._read()


def _closes(message: pb.PlayResponse, prompt: pb.Prompt) -> bool:
    arm = _arm(message)
    if arm == "rejection":
        return message.rejection.prompt_id == prompt.prompt_id
    return arm in _CLOSING


def _arm(message: pb.PlayResponse) -> str | None:
    arm: str | None = message.WhichOneof("message")
    return arm
