"""For bots in languages without gRPC: it speaks gRPC for them, and JSON with them.

    ARENA_ADDRESS=unix:/tmp/seat.sock python -m arena_sdk.bridge -- lua5.4 bot.lua

The bridge starts the program and connects to the referee. On the program's standard input and
output each line is one JSON object: a PlayResponse to the bot, a PlayRequest from it, in protobuf's
JSON mapping. The bridge does not play, and keeps no time. `sdk/bridge/README.md` says how to write
such a bot, whose `bot.toml` has `bridge = "stdio-json"`; then it is started so by itself.

It ends as the program has ended, by the same code or the same signal.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from typing import Final, NoReturn

from arena_sdk._run import _address, _token

__all__ = ["main"]

_NOT_STARTED: Final = 127
"""What a shell ends with where there is no such program."""

_HEEDED: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def main() -> None:
    """Be the bridge of the program that the arguments name.

    Never returns.

    Raises:
        SystemExit: with a line that says why.
    """
    command = _command(sys.argv[1:])
    address, token = _address(), _token()
    # Slow to load, and not needed to say what is wrong with the command line.
    import asyncio  # noqa: PLC0415

    from arena_sdk._bridge_program import CannotStart  # noqa: PLC0415
    from arena_sdk._stream import NoReferee  # noqa: PLC0415

    try:
        number = asyncio.run(_until_told(command, address, token))
    except CannotStart as error:
        sys.stderr.write(f"arena_sdk.bridge: {error}\n")
        sys.exit(_NOT_STARTED)
    except NoReferee as error:
        sys.exit(f"arena_sdk.bridge: {error}")
    _leave(-number)


def _command(words: Sequence[str]) -> Sequence[str]:
    if len(words) < 2 or words[0] != "--":
        sys.exit("usage: python -m arena_sdk.bridge -- PROGRAM [ARGUMENT ...]")
    return words[1:]


async def _until_told(command: Sequence[str], address: str, token: str) -> int:
    """Be the bridge until a signal ends it, whose number this is; otherwise this never returns."""
    import asyncio  # noqa: PLC0415

    from arena_sdk._bridge_talk import bridge  # noqa: PLC0415

    loop = asyncio.get_running_loop()
    working = asyncio.ensure_future(bridge(command, address, token, _leave))
    told: list[int] = []

    def heed(number: int) -> None:
        if not told:  # ending the program takes a moment, which a second one must not cut short
            told.append(number)
            working.cancel()

    for number in _HEEDED:
        if signal.getsignal(number) is not signal.SIG_IGN:  # whoever started us wants it so
            loop.add_signal_handler(number, heed, number)
    try:
        await working
    except asyncio.CancelledError:
        if not told:
            raise
    return told[0]


def _leave(code: int) -> NoReturn:
    """End as the program did, at once: who looks at how we end means the program."""
    sys.stderr.flush()
    if code < 0:
        import resource  # noqa: PLC0415

        # What it leaves of itself has the program left already.
        _, most = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, most))
        if code not in (-signal.SIGKILL, -signal.SIGSTOP):
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


if __name__ == "__main__":
    main()
