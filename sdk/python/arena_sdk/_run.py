"""The life of a bot: connect, join, answer every prompt, leave when the match is over.

After a `choose` that took too long the SDK first takes in what has come meanwhile, and sees which
prompts are closed already. It goes on with the one that is open, so one slip costs one decision.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

import grpc
import grpc.aio

from arena_sdk._bot import Bot
from arena_sdk._player import Player
from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import MatchServiceStub

ADDRESS: Final = "ARENA_ADDRESS"
PROTOCOL_VERSION: Final = 1

# The authority is a made-up name: a socket's path is none, and some servers look at it.
OPTIONS: Final = (("grpc.default_authority", "localhost"),)


def run(bot: Bot) -> None:
    """Play one match with `bot` at the referee that ARENA_ADDRESS names, and return after it.

    Raises:
        SystemExit: ARENA_ADDRESS is not set, the referee refused the bot, or it went away.
    """
    address = os.environ.get(ADDRESS)
    if not address:
        sys.exit(f"arena_sdk: {ADDRESS} is not set; start the bot with `arena match`")
    player = Player(bot)
    try:
        asyncio.run(_play(bot, player, address))
    except grpc.aio.AioRpcError as error:
        sys.exit(f"arena_sdk: {error.code().name}: {error.details()}")
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        player.report()


async def _play(bot: Bot, player: Player, address: str) -> None:
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call = MatchServiceStub(channel).Play(wait_for_ready=True)
        await call.write(_join(bot))
        inbox = Inbox(call.read)
        try:
            await _converse(player, call, inbox)
        finally:
            await inbox.close()


async def _converse(player: Player, call: _Call, inbox: Inbox) -> None:
    """Answer prompts until the stream ends."""
    while (prompt := await inbox.next_prompt()) is not None:
        if inbox.closes(prompt):
            player.skip(prompt)
            continue
        began = time.monotonic()
        answer = player.answer(prompt)
        limit = prompt.time_limit
        if time.monotonic() - began >= limit.seconds + limit.nanos / 1e9:
            await inbox.read_ahead()
        # A late answer is sent too, for the referee to count, but not after the end.
        if not inbox.is_over:
            await call.write(answer)


def _join(bot: Bot) -> pb.PlayRequest:
    name = bot.name or type(bot).__name__
    join = pb.Join(
        protocol_version=PROTOCOL_VERSION,
        bot_name=name,
        bot_version=bot.version,
        sdk="arena_sdk for Python",
    )
    return pb.PlayRequest(join=join)


_Call = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]

_CLOSING: Final = frozenset({"prompt", "hand_over", "welcome", "match_over"})
"""What is sent only when the receiver's last prompt is closed. A rejection names its prompt."""

_QUIET: Final = 0.005  # seconds without a message after which nothing more is on its way


class Inbox:
    """The messages that have come. `read` gives the next one, and at the end something else.

    A message is read when it is asked for. After a long thought those that have come meanwhile are
    read ahead, by a task of their own, which may be left over to wait for the next one.
    """

    def __init__(self, read: Callable[[], Awaitable[object]]) -> None:
        self._read = read
        self._ahead: deque[pb.PlayResponse] = deque()
        self._reading: asyncio.Task[object] | None = None

    async def next_prompt(self) -> pb.Prompt | None:
        """The next prompt; None when the stream has ended."""
        while isinstance(message := await self._next(), pb.PlayResponse):
            if message.WhichOneof("message") == "prompt":
                return message.prompt
        return None

    def closes(self, prompt: pb.Prompt) -> bool:
        """Whether what has been read ahead closes a prompt."""
        return bool(self._ahead) and any(_closes(message, prompt) for message in self._ahead)

    @property
    def is_over(self) -> bool:
        """Whether what has been read ahead ends the match or the stream."""
        if self._reading is not None and self._reading.done():
            return True
        return bool(self._ahead) and self._ahead[-1].WhichOneof("message") == "match_over"

    async def read_ahead(self) -> None:
        """Read what has come, until nothing does for a moment or the stream has ended.

        To be called after a thought that was longer than its prompt allows. Before such a one the
        next prompt cannot have come.
        """
        while True:
            if self._reading is None:
                self._reading = asyncio.ensure_future(self._read_one())
            await asyncio.wait([self._reading], timeout=_QUIET)
            if not self._reading.done() or self._reading.exception() is not None:
                return
            message = self._reading.result()
            if not isinstance(message, pb.PlayResponse):
                return  # the end, which `_next` finds there
            self._ahead.append(message)
            self._reading = None

    async def close(self) -> None:
        """End what is still being read."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _next(self) -> object:
        if self._ahead:
            return self._ahead.popleft()
        if self._reading is None:
            return await self._read()
        reading, self._reading = self._reading, None
        return await reading

    async def _read_one(self) -> object:
        return await self._read()


def _closes(message: pb.PlayResponse, prompt: pb.Prompt) -> bool:
    kind = message.WhichOneof("message")
    if kind == "rejection":
        return message.rejection.prompt_id == prompt.prompt_id
    return kind in _CLOSING
