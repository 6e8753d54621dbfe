"""`run`: a bot's whole life as a program."""

from __future__ import annotations

import os
import re
import sys
from typing import Final

from arena_sdk._bot import Bot
from arena_sdk._failures import Failures, StrictFailure, StrictFailures
from arena_sdk._player import Player

ADDRESS: Final = "ARENA_ADDRESS"
TOKEN: Final = "ARENA_TOKEN"
STRICT: Final = "ARENA_STRICT"
INTERRUPTED: Final = 130
_TARGET: Final = re.compile(r"unix:.+|.+:\d{1,5}")


def run(bot: Bot, *, strict: bool | None = None) -> None:
    """Play with `bot` at the referee that ARENA_ADDRESS names, and return when it is over.

    With `strict`, the first exception that the bot raises ends the program after its traceback;
    None leaves that to the environment: ARENA_STRICT=1.

    Raises:
        SystemExit: with a line that says why: `bot` is a class, ARENA_ADDRESS is not set, the
            referee refused the bot or went away, or a strict bot has raised.
    """
    if isinstance(bot, type):
        sys.exit(f"arena_sdk: run() takes a bot, not its class: run({bot.__name__}())")
    address, token = _address(), _token()
    if strict is None:
        strict = os.environ.get(STRICT, "") not in ("", "0")
    # Slow to load, and who plays in one process with the referee never needs them.
    import asyncio  # noqa: PLC0415

    from arena_sdk._stream import NoReferee, play  # noqa: PLC0415

    player = Player(bot, failures=StrictFailures() if strict else Failures())
    try:
        asyncio.run(play(player, address, token=token))
    except NoReferee as error:
        sys.exit(f"arena_sdk: {error}")
    except StrictFailure as error:
        sys.exit(f"arena_sdk: strict play ends here: {error}")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    finally:
        player.report()


def _address() -> str:
    address = os.environ.get(ADDRESS, "")
    if not address:
        sys.exit(f"arena_sdk: {ADDRESS} is not set; start the bot with `arena match`")
    if not _TARGET.fullmatch(address):
        sys.exit(f"arena_sdk: {ADDRESS} {address!r}: must be unix:PATH or HOST:PORT")
    return address


def _token() -> str:
    """The token for the referee; it is never shown."""
    token = os.environ.get(TOKEN, "")
    if not token.isascii() or not token.isprintable():
        sys.exit(f"arena_sdk: {TOKEN}: must be printable ASCII")
    return token
