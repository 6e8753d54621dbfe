"""A bot's stream: connect, join, carry prompts to the player and its answers back.

After a thought that took too long the SDK first takes in what has come meanwhile, and sees which
prompts are closed already. It goes on with the one that is open, so one slip costs one decision.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, Coroutine
from time import monotonic
from typing import Any, Final

# gRPC reads this when it is loaded. Without it every connection that ends is a line in the log.
os.environ.setdefault("GRPC_VERBOSITY", "ERROR")

import grpc
import grpc.aio

from arena_sdk._bot import Bot
from arena_sdk._convert import NewerMessage, answer_message, prompt_from
from arena_sdk._convert_match import (
    hand_result_from,
    match_result_from,
    rejection_from,
    welcome_from,
)
from arena_sdk._inbox import Inbox, Mail
from arena_sdk._player import Player
from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import MatchServiceStub

OPTIONS: Final = (
    # The authority is a made-up name: a socket's path is none, and some servers look at it.
    ("grpc.default_authority", "localhost"),
    ("grpc.enable_http_proxy", 0),  # the referee is on this machine
)
PATIENCE: Final = 30.0  # seconds until a referee that cannot be reached is given up
PROTOCOL_VERSION: Final = 1
_PIECE: Final = 0.5  # seconds


class NoReferee(Exception):  # noqa: N818 - what it says
    """The stream could not be opened, was refused, or ended early; the message says why."""


async def play(
    player: Player, address: str, *, token: str = "", patience: float = PATIENCE
) -> None:
    """Play one stream of games at the referee at `address`, to its end.

    Raises:
        NoReferee: it cannot be reached within `patience` seconds, refused the bot, or went away.
    """
    metadata = (("arena-token", token),) if token else None
    async with grpc.aio.insecure_channel(address, options=OPTIONS) as channel:
        call = MatchServiceStub(channel).Play(metadata=metadata, wait_for_ready=True)
        messages = aiter(call)  # read so, what has come can be read even after a write failed
        inbox = Inbox(lambda: anext(messages, None))
        try:
            await _join(call, player.bot, patience)
            over = await Conversation(player, call.write, inbox).run()
        except grpc.aio.AioRpcError as error:
            raise NoReferee(f"{error.code().name}: {error.details()}") from None
        finally:
            await inbox.close()
    if not over:
        raise NoReferee("the referee ended the stream before the match was over")


async def _join(call: _Call, bot: Bot, patience: float) -> None:
    join = pb.Join(
        protocol_version=PROTOCOL_VERSION,
        bot_name=str(bot.name) or type(bot).__name__,
        bot_version=str(bot.version),
        sdk=f"arena_sdk {_version()}",
    )
    if not await _within(patience, call.write(pb.PlayRequest(join=join))):
        raise NoReferee(f"nobody has answered for {patience:g} s")


async def _within(patience: float, work: Coroutine[Any, Any, None]) -> bool:
    """Whether `work` came to its end within so many seconds in which this process could run.

    A referee may hold a bot still as soon as it has joined, for as long as others think. What
    passes meanwhile is no waiting of ours, so time is counted in pieces, each of which is over
    once at the most.
    """
    task = asyncio.ensure_future(work)
    left = patience
    while left > 0:
        piece = min(_PIECE, left)
        await asyncio.wait([task], timeout=piece)
        if task.done():
            task.result()
            return True
        left -= piece
    task.cancel()
    return False


def _version() -> str:
    """The version of the distribution that the SDK is part of."""
    # Not at the top: whoever never joins need not wait for it.
    from importlib import metadata  # noqa: PLC0415

    try:
        return metadata.version("mille-arena")
    except metadata.PackageNotFoundError:  # somebody has copied the SDK
        return "of no known version"


_Call = grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]


class Conversation:
    """What is said on one stream. `write` sends a message, `inbox` has what comes."""

    def __init__(
        self, player: Player, write: Callable[[pb.PlayRequest], Awaitable[None]], inbox: Inbox
    ) -> None:
        self._player = player
        self._write = write
        self._inbox = inbox
        self._is_cut = False

    async def run(self) -> bool:
        """Answer prompts until the match is over; False: the stream ended before.

        Raises:
            grpc.aio.AioRpcError: it ended with an error of the referee's.
        """
        while (mail := await self._next()) is not None:
            arm = mail.message.WhichOneof("message")
            if arm == "prompt":
                await self._take_prompt(mail.message.prompt, mail.came)
            else:
                self._take_news(arm, mail.message)
            if arm == "match_over":
                return True
        return False

    async def _next(self) -> Mail | None:
        try:
            return await self._inbox.next()
        except grpc.aio.AioRpcError:
            if self._is_cut:  # the reason is lost: gRPC tells of the failed write instead
                return None
            raise

    async def _take_prompt(self, message: pb.Prompt, came: float) -> None:
        """Answer a prompt, unless it is closed."""
        limit = message.time_limit.seconds + message.time_limit.nanos / 1e9
        if monotonic() - came >= limit:  # hooks took too long
            await self._inbox.read_ahead()
        try:
            prompt = prompt_from(message, came)
        except NewerMessage as error:
            self._player.passed_over(f"prompt: {error}")
            await self._send(pb.PlayRequest(answer=_default(message)))
            return
        if self._inbox.closes(message):
            self._player.skip(prompt)
            return
        action = self._player.answer(prompt)
        answer = answer_message(message.prompt_id, prompt, action, self._player.orders(prompt))
        if monotonic() - came >= limit:
            await self._inbox.read_ahead()
        # A late answer is sent too, for the referee to count, but not after the end.
        if prompt.has_choice and not self._inbox.closes(message):
            for text in self._player.notes.take():
                await self._send(pb.PlayRequest(note=pb.Note(text=text)))
        if not self._inbox.is_over:
            await self._send(pb.PlayRequest(answer=answer))

    def _take_news(self, arm: str | None, message: pb.PlayResponse) -> None:
        try:
            if arm == "welcome":
                self._player.welcome(welcome_from(message.welcome))
            elif arm == "rejection":
                self._player.rejected(rejection_from(message.rejection))
            elif arm == "hand_over":
                self._player.hand_over(hand_result_from(message.hand_over))
            elif arm == "match_over":
                self._player.match_over(match_result_from(message.match_over))
            else:
                self._player.passed_over("a message of a new kind")
        except NewerMessage as error:
            self._player.passed_over(f"{arm}: {error}")

    async def _send(self, request: pb.PlayRequest) -> None:
        """Send a message, as long as somebody is there: what has come is still to be read."""
        if self._is_cut:
            return
        try:
            await self._write(request)
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            self._is_cut = True
        self._inbox.answered()


def _default(message: pb.Prompt) -> pb.Answer:
    """The default is the answer to what cannot be understood."""
    return pb.Answer(prompt_id=message.prompt_id, legal_index=message.default_index)
