"""`python -m arena_sdk module:Class`: be the bot of that class."""

from __future__ import annotations

import sys
from pathlib import Path

from arena.errors import BotError
from arena_sdk import run
from arena_sdk._loading import class_in_module


def main() -> None:
    """Run the bot that the only argument names."""
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        sys.exit("usage: python -m arena_sdk module:Class")
    try:
        bot = class_in_module(sys.argv[1], Path.cwd())()
    except BotError as error:
        sys.exit(f"arena_sdk: {error}")
    run(bot)


if __name__ == "__main__":
    main()
