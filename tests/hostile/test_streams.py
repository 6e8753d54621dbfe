"""A seat's server against a client that does everything in any order, and goes away at any time."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from random import Random

import pytest

from arena.referee.events import BotNo, ForfeitReason, MatchOver, OutcomeKind
from arena.referee.limits import Instant
from arena.transport.seats import SeatServer, StreamEnd, seat_folder
from tests.hostile import raw, wire

OVER = MatchOver(games=1, won=1, drawn=0, outcome=OutcomeKind.COMPLETED, detail="")


class Client:
    """Does what chance tells it to on up to three connections."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._lines: list[raw.Line] = []
        self._calls: list[tuple[raw.Line, int]] = []

    def act(self) -> None:
        acts: list[Callable[[], object]] = [self.connect, self.call, self.say, self.say, self.say]
        acts += [self.reset, self.half_close, self.leave, self.babble, self.read]
        with contextlib.suppress(Exception):  # most of it is not allowed
            self._rng.choice(acts)()

    def connect(self) -> None:
        if len(self._lines) < 3:
            line = raw.Line(window=self._rng.choice([None, 0, 10]))
            line.socket.settimeout(0.02)
            self._lines.append(line)

    def call(self) -> None:
        line = self._rng.choice(self._lines)
        path = self._rng.choice([wire.PLAY, wire.PLAY, wire.PLAY, "/x.Y/Z"])
        self._calls.append((line, line.open(raw.play_headers(path=path))))

    def say(self) -> None:
        line, stream = self._rng.choice(self._calls)
        said = [wire.join(), wire.answer("0", 0), wire.note("hm"), b"\xff", b"x" * 20_000]
        line.say(stream, self._rng.choice([wire.join(), *said]))

    def reset(self) -> None:
        line, stream = self._rng.choice(self._calls)
        line.http.reset_stream(stream)
        line.flush()

    def half_close(self) -> None:
        line, stream = self._rng.choice(self._calls)
        line.http.end_stream(stream)
        line.flush()

    def leave(self) -> None:
        self._lines.pop(self._rng.randrange(len(self._lines))).socket.close()

    def babble(self) -> None:
        self._rng.choice(self._lines).socket.sendall(self._rng.randbytes(50))

    def read(self) -> None:
        self._rng.choice(self._lines).receive()

    def close(self) -> None:
        for line in self._lines:
            line.socket.close()


async def play(seed: int, monkeypatch: pytest.MonkeyPatch) -> StreamEnd | None:
    """Let a client loose on a seat; how its stream has ended, if it came to one."""
    rng = Random(seed)
    with seat_folder() as folder:
        server = SeatServer(BotNo(0), folder / "0.sock", clock=lambda: Instant(0))
        async with asyncio.timeout(20), server.open(lambda event: None) as seat:
            monkeypatch.setenv("ARENA_ADDRESS", seat.address)
            client = Client(rng)
            await asyncio.to_thread(client.connect)
            await asyncio.to_thread(client.call)
            for _ in range(rng.randint(1, 12)):
                await asyncio.to_thread(client.act)
                if rng.random() < 0.1:
                    server.tell(OVER)
            if rng.random() < 0.5:  # it is still there when it is heard
                await asyncio.wait([seat.ended], timeout=0.3)
            await asyncio.to_thread(client.close)
            # Some never called, so nothing of theirs ends.
            await asyncio.wait([seat.ended], timeout=0.3)
        return seat.ended.result() if seat.ended.done() else None


async def settle() -> None:
    """Let gRPC finish what it has begun; it has no way to be waited for."""
    while others := asyncio.all_tasks() - {asyncio.current_task()}:
        await asyncio.wait(others)


def test_a_stream_ends_in_words_and_without_complaints(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[object] = []

    async def main() -> list[StreamEnd | None]:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context))
        ends = [await play(seed, monkeypatch) for seed in range(60)]
        async with asyncio.timeout(10):
            await settle()
        return ends

    ends = [end for end in asyncio.run(main()) if end is not None]
    assert complaints == []
    assert ends  # how many come to an end in time depends on the machine
    # It was not always the same.
    assert {end.reason for end in ends} == {ForfeitReason.CRASH, ForfeitReason.PROTOCOL}
    assert len({end.why for end in ends}) > 2
