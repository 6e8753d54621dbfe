"""A referee that says what it is told to: a real server on a real socket, for the SDK's stream.

    async with referee(script) as table: ...

A script is a coroutine that gets the server's side of the stream. What the bot sent is kept.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc.aio

from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import (
    MatchServiceServicer,
    add_MatchServiceServicer_to_server,
)

Context = grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]


@dataclass
class Table:
    """One seat of a scripted referee.

    Attributes:
        address: Where it listens.
        metadata: What the bot sent with its call.
        heard: The messages that the bot sent, read so far.
    """

    address: str
    metadata: dict[str, str] = field(default_factory=dict)
    heard: list[pb.PlayRequest] = field(default_factory=list)
    context: Context | None = None

    async def hear(self) -> pb.PlayRequest:
        """The bot's next message."""
        assert self.context is not None
        message = await self.context.read()
        assert isinstance(message, pb.PlayRequest), "the bot has left"
        self.heard.append(message)
        return message

    async def answer(self) -> pb.Answer:
        """The bot's next answer; notes before it are kept in `heard`."""
        while (message := await self.hear()).WhichOneof("message") == "note":
            pass
        assert message.WhichOneof("message") == "answer"
        return message.answer

    async def tell(self, **arms: object) -> None:
        """Send one message: `tell(prompt=...)`."""
        await self.say(pb.PlayResponse(**arms))  # type: ignore[arg-type]

    async def say(self, message: pb.PlayResponse) -> None:
        """Send a message as it is."""
        assert self.context is not None
        await self.context.write(message)

    def when_over(self, act: Callable[[], object]) -> None:
        """Do something when the stream has ended on this side."""
        assert self.context is not None
        done: Any = lambda _: act()  # noqa: E731 - gRPC's own type wants a context of its own
        self.context.add_done_callback(done)

    @property
    def notes(self) -> list[str]:
        """What the bot noted, as far as it was read."""
        return [one.note.text for one in self.heard if one.WhichOneof("message") == "note"]


Script = Callable[[Table], Awaitable[None]]


class _Servicer(MatchServiceServicer):
    def __init__(self, table: Table, script: Script) -> None:
        self._table = table
        self._script = script

    async def Play(self, request_iterator: object, context: Context) -> None:  # noqa: N802
        table = self._table
        table.context = context
        table.metadata = {key: str(value) for key, value in context.invocation_metadata() or ()}
        await self._script(table)


@contextlib.asynccontextmanager
async def referee(
    script: Script, *, tcp: bool = False, at: Path | None = None
) -> AsyncIterator[Table]:
    """Serve `script` to whoever connects, on a socket of its own, `at` one, or on a port."""
    # Not below tmp_path, which is too long for a socket.
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        server = grpc.aio.server()
        if tcp:
            table = Table(f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}")
        else:
            table = Table(f"unix:{at or Path(folder) / 's'}")
            server.add_insecure_port(table.address)
        add_MatchServiceServicer_to_server(_Servicer(table, script), server)
        await server.start()
        try:
            yield table
        finally:
            await server.stop(None)
