"""Tasks for the tests of the pool: a worker imports them from here."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from arena.errors import FieldError
from arena.workers.pool import Report

HALF_SOCKET = 1 << 20
"""Bytes that no pipe or socket takes at once."""


def add(a: int, b: int = 0) -> int:
    return a + b


def echo(value: object) -> object:
    return value


def is_loaded(module: str) -> bool:
    return module in sys.modules


# -- what goes wrong --------------------------------------------------------------------------


class DistortedError(ValueError):
    """Arrives as something else: it is made again from its text."""

    def __init__(self, code: int) -> None:
        super().__init__(f"code {code}")


class MuteError(Exception):
    def __str__(self) -> str:
        raise ZeroDivisionError


class Landmine:
    """Can be sent, but not received."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
        return _explode, ()


def _explode() -> None:
    raise LookupError("it does not exist here")


def fail(kind: str) -> None:
    class LocalError(KeyError):
        pass

    raise {
        "plain": ValueError("boom"),
        "two arguments": FieldError("tables[1]", "is empty"),
        "local": LocalError("x"),
        "distorted": DistortedError(3),
        "mute": MuteError(),
        "exit": SystemExit(4),
        "interrupt": KeyboardInterrupt(),
        "cancelled": asyncio.CancelledError(),
    }[kind]


def make_lock() -> object:
    return threading.Lock()


def make_landmine() -> object:
    return Landmine()


def die(how: str) -> None:
    if how.isdecimal():
        os._exit(int(how))
    os.kill(os.getpid(), getattr(signal, how) if how.startswith("SIG") else int(how[1:]))


def report_and_die(report: Report, count: int) -> None:
    for number in range(count):
        report(number)
    os._exit(3)


# -- reports ----------------------------------------------------------------------------------


def count_up(report: Report, count: int) -> int:
    for number in range(count):
        report(number)
    return count


def introduce(report: Report, count: int) -> int:
    report(os.getpid())
    return count_up(report, count)


def chatter(report: Report) -> None:
    """Report for ever."""
    while True:
        report("and another thing")


def report_much(report: Report, pieces: int) -> None:
    for _ in range(pieces):
        report(bytes(HALF_SOCKET))


# -- tasks that take until somebody says so ---------------------------------------------------


def hold(report: Report) -> None:
    """Wait for ever, as something that SIGTERM simply ends."""
    report(os.getpid())
    while True:
        signal.pause()


def hold_fast(report: Report) -> None:
    """Wait for ever, whoever asks for the end."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    hold(report)


def hold_and_tidy(report: Report, told: Path) -> None:
    """Wait as a match does, in an event loop that ends in good order at SIGTERM."""

    async def main() -> None:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        report(os.getpid())
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            with told.open("a") as file:
                file.write("tidy\n")

    try:
        asyncio.run(main())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def await_gate(report: Report, gate: Path) -> str:
    """Wait until somebody has written to the named pipe `gate`; what was written."""
    report(os.getpid())
    return gate.read_text()


# -- where a task finds itself ----------------------------------------------------------------


def surroundings() -> dict[str, object]:
    listing = [sys.executable, "-c", "import os; print(*os.listdir('/proc/self/fd'))"]
    # The listing itself has one more open, the folder.
    told = subprocess.run(listing, close_fds=False, capture_output=True, text=True, check=True)
    return {
        "main thread": threading.current_thread() is threading.main_thread(),
        "threads": threading.active_count(),
        "descriptors": len(os.listdir("/proc/self/fd")) - 1,
        "descriptors of its programs": len(told.stdout.split()) - 1,
        "input": sys.stdin.read(),
        "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "parent": os.getppid(),
    }


def heed(number: int) -> str:
    """What a program that this task starts does at a signal."""
    code = f"import signal; print(signal.getsignal({number}) == signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def speak(text: str) -> None:
    sys.stdout.write(f"{text}\n")  # and is flushed by nobody here
    sys.stderr.write(f"{text}\n")


def call_over_grpc(folder: str) -> bytes:
    """Serve gRPC on a socket and call it, both in this process."""
    import grpc  # noqa: PLC0415 - slow to load, and preloaded where this is used
    import grpc.aio  # noqa: PLC0415

    async def answer(request: bytes, _: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
        return request[::-1]

    async def main() -> bytes:
        server = grpc.aio.server()
        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(answer)
        mirror = grpc.method_handlers_generic_handler("test.Mirror", {"Show": method})
        server.add_generic_rpc_handlers((mirror,))
        address = f"unix:{folder}/mirror.sock"
        server.add_insecure_port(address)
        await server.start()
        async with grpc.aio.insecure_channel(address) as channel:
            show: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
            show = channel.unary_unary("/test.Mirror/Show")
            shown = await show(b"abc", timeout=20)
        await server.stop(None)
        return shown

    return asyncio.run(main())
