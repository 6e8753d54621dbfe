"""What the bridge carries, and what ends it.

Two tasks, one for each way, and no state of the game in either: what a bot may do is judged by the
referee, also where it says something that is no message. Then the referee gets what is no message
in protobuf either, and ends the match by its own rules.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

from arena.errors import quoted
from arena_sdk._bridge_lines import EXAMPLE, LONGEST, BadLine, line_from, request_from
from arena_sdk._bridge_program import Program, TooLong, running
from arena_sdk._stream import OPTIONS, PATIENCE, NoReferee, _version, _within
from millearena.v1 import match_service_pb2 as pb

# Not before `_stream`, which sets what gRPC reads when it is loaded.
import grpc.aio  # isort: skip

NO_REQUEST: Final = b"\xff"
"""What goes to the referee for a line that is no message: the beginning of one that has no end."""

TOO_LONG: Final = bytes(LONGEST + 1)
"""What goes to the referee for a line that is too long: a message that is."""

_PLAY: Final = f"/{pb.DESCRIPTOR.services_by_name['MatchService'].full_name}/Play"
_LAST_WORDS: Final = 0.2  # seconds
_SILENCE: Final = 5.0
"""Seconds without a first line after which something is said: most often it waits in a buffer."""
_Call = grpc.aio.StreamStreamCall[bytes, pb.PlayResponse]


async def bridge(
    command: Sequence[str], address: str, token: str, leave: Callable[[int], NoReturn]
) -> NoReturn:
    """Run a bot, carry what it and the referee at `address` say, and leave as the bot has ended.

    `leave` ends this process, by an exit code or minus the number of a signal.

    Raises:
        CannotStart: its program cannot be started.
        NoReferee: the referee cannot be reached, has refused the bot, or went away.
    """
    metadata = (("arena-token", token),) if token else None
    async with (
        running(command) as program,
        grpc.aio.insecure_channel(address, options=OPTIONS) as channel,
    ):
        play: Any = channel.stream_stream(_PLAY, response_deserializer=pb.PlayResponse.FromString)
        call: _Call = play(metadata=metadata, wait_for_ready=True)
        try:
            await _carry(call, program)
        except grpc.aio.AioRpcError as error:
            raise NoReferee(f"{error.code().name}: {error.details()}") from None
        # With the stream still open: that it has ended must not be known before how we did.
        leave(program.code)


async def _carry(call: _Call, program: Program) -> None:
    """Carry messages until the program has ended.

    Raises:
        grpc.aio.AioRpcError: the referee has ended the stream with an error.
        NoReferee: it has ended it before the match was over, or was never there.
    """
    silence = asyncio.get_running_loop().call_later(_SILENCE, _wonder, program)
    up = asyncio.create_task(_carry_up(call, program))
    down = asyncio.create_task(_carry_down(call, program))
    awaited: set[asyncio.Future[Any]] = {up, down, program.exited}
    try:
        while not down.done() and not program.exited.done():
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if up.done():
                up.result()
                awaited.discard(up)
        if down.done():
            # Who says no more has ended the stream, and the referee has only answered to that.
            if not (up.done() and up.result()):
                down.result()
            program.end_of_input()
            await asyncio.wait([program.exited])  # the referee ends who does not
        else:
            # Offspring of the program may hold its output open for ever.
            await asyncio.wait([up], timeout=_LAST_WORDS)
    finally:
        silence.cancel()
        up.cancel()
        down.cancel()
        await asyncio.gather(up, down, return_exceptions=True)


async def _carry_down(call: _Call, program: Program) -> None:
    """Hand on what the referee says, one message after the other, until the match is over."""
    newer = 0
    async for response in call:
        if line := line_from(response):
            await program.tell(line)
        elif not newer:
            newer += 1
            _say("a message of a kind that is newer than this bridge was passed over")
        if response.WhichOneof("message") == "match_over":
            return
    raise NoReferee("the referee ended the stream before the match was over")


async def _carry_up(call: _Call, program: Program) -> bool:
    """Hand on what the program says, until it says no more or something that is no message.

    Whether it has said all that it will, and nothing was wrong with it.
    """
    number = 0
    try:
        async for line in program.lines():
            number += 1
            request = _filled(request_from(line)).SerializeToString()
            if number == 1 and not await _within(PATIENCE, _send(call, request)):
                raise NoReferee(f"nobody has answered for {PATIENCE:g} s")
            if number > 1:
                await _send(call, request)
    except BadLine as error:
        shown = quoted(line.decode("utf-8", "replace").rstrip("\n"))
        _say(f"{_place(number)} is no PlayRequest: {error}; it is {shown}")
        _say(f"right is one JSON object a line, such as {EXAMPLE}; all else goes to standard error")
        await _send(call, NO_REQUEST)
    except TooLong:
        _say(f"{_place(number + 1)} has more than {LONGEST:,} bytes before its end")
        await _send(call, TOO_LONG)
    else:
        await _end(call)
        return True
    return False


def _wonder(program: Program) -> None:
    """Say what a program may have forgotten that has not said a line yet."""
    if not program.has_said_a_line and not program.exited.done():
        _say(
            f"no line has come on its standard output for {_SILENCE:g} s: does it print its join, "
            "with a line break, and flush its output after each line?"
        )


def _place(number: int) -> str:
    return f"line {number} of the bot's standard output"


def _filled(request: pb.PlayRequest) -> pb.PlayRequest:
    """A join says through what the bot speaks, unless it says so itself."""
    if request.WhichOneof("message") == "join" and not request.join.sdk:
        request.join.sdk = f"stdio-json bridge {_version()}"
    return request


async def _send(call: _Call, request: bytes) -> None:
    """Send a message, if somebody is there: what has come is still to be handed on."""
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.write(request)


async def _end(call: _Call) -> None:
    """The bot says no more: its stream ends as one does that is half-closed."""
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await call.done_writing()


def _say(text: str) -> None:
    """Write a line to the bot's log."""
    sys.stderr.write(f"arena_sdk.bridge: {text}\n")
    sys.stderr.flush()
