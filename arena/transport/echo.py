"""The yardstick for the referee's speed: a bare conversation over the same servers, and a bot.

`converse` sends prepared messages to bots in turn and waits for an answer to each, with the same
server options, loop and sockets as a seat, and with nothing of a referee around it. `main` is the
least bot there can be, for both sides of the comparison: it answers every prompt with its first
legal action. What a referee costs beyond the yardstick is what it does itself.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import grpc.aio

from arena.transport.convert import PROTOCOL_VERSION, SERVICE
from arena.transport.seats import OPTIONS
from millearena.v1 import match_service_pb2 as pb
from millearena.v1.match_service_pb2_grpc import MatchServiceStub

__all__ = ["Conversation", "converse"]

MATCH_OVER = pb.PlayResponse(match_over=pb.MatchOver()).SerializeToString()


@dataclass(frozen=True, slots=True)
class Conversation:
    """What a bare conversation took: messages answered, CPU and wall seconds of this process."""

    answers: int
    cpu: float
    wall: float


async def converse(
    folder: Path, command: Sequence[str], messages: Sequence[Sequence[bytes]], rounds: int
) -> Conversation:
    """Send each bot its `messages` over and over, `rounds` in all, bots taking turns.

    `command` is started once for each bot with ARENA_ADDRESS; the first message of a bot is its
    join. Measured from the first message sent to the last answer.
    """
    async with AsyncExitStack() as stack:
        ends = []
        processes = []
        for number in range(len(messages)):
            end = _End()
            await end.listen(f"unix:{folder}/{number}.sock")
            stack.push_async_callback(end.server.stop, None)
            environment = {**os.environ, "ARENA_ADDRESS": f"unix:{folder}/{number}.sock"}
            process = await asyncio.create_subprocess_exec(*command, env=environment)
            ends.append(end)
            processes.append(process)
        for end in ends:
            await end.joined.wait()
        cpu, wall = time.process_time(), time.perf_counter()
        for at in range(rounds):
            for end, own in zip(ends, messages, strict=True):
                end.outbox.put_nowait(own[at % len(own)])
                await end.answers.get()
        took = Conversation(
            rounds * len(ends), time.process_time() - cpu, time.perf_counter() - wall
        )
        for end, process in zip(ends, processes, strict=True):
            end.outbox.put_nowait(MATCH_OVER)
            await process.wait()
        return took


class _End:
    """One stream that sends and receives bytes."""

    def __init__(self) -> None:
        self.joined = asyncio.Event()
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self.answers: asyncio.Queue[bytes] = asyncio.Queue()
        self.server = grpc.aio.server(options=OPTIONS)

    async def listen(self, address: str) -> None:
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            self._play
        )
        handler = grpc.method_handlers_generic_handler(SERVICE, {"Play": play})
        self.server.add_generic_rpc_handlers((handler,))
        self.server.add_insecure_port(address)
        await self.server.start()

    async def _play(
        self, _requests: object, context: grpc.aio.ServicerContext[bytes, bytes]
    ) -> None:
        await context.read()
        self.joined.set()
        listening = asyncio.create_task(self._listen(context))
        while True:
            message = await self.outbox.get()
            await context.write(message)
            if message == MATCH_OVER:
                break
        listening.cancel()

    async def _listen(self, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
        while isinstance(raw := await context.read(), bytes):
            self.answers.put_nowait(raw)


async def _play(address: str) -> None:
    options = (("grpc.default_authority", "localhost"),)
    async with grpc.aio.insecure_channel(address, options=options) as channel:
        call = MatchServiceStub(channel).Play(wait_for_ready=True)
        await call.write(pb.PlayRequest(join=pb.Join(protocol_version=PROTOCOL_VERSION)))
        while isinstance(response := await call.read(), pb.PlayResponse):
            if response.HasField("prompt"):
                answer = pb.Answer(prompt_id=response.prompt.prompt_id, legal_index=0)
                await call.write(pb.PlayRequest(answer=answer))
            elif response.HasField("match_over"):
                return


def main() -> None:
    """Play one stream at ARENA_ADDRESS."""
    address = os.environ.get("ARENA_ADDRESS")
    if not address:
        sys.exit("ARENA_ADDRESS is not set")
    asyncio.run(_play(address))


if __name__ == "__main__":
    main()
