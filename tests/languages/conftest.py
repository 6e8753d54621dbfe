"""Example bots in other languages: built beforehand by `make languages`, or skipped by name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from arena.errors import BotError
from arena.submissions.bottoml import Manifest
from arena.submissions.manifest import example_bots, read_manifest, require_program


def foreign() -> list[str]:
    """The names of the example bots that are not in Python."""
    folders = example_bots().items()
    return [name for name, folder in folders if read_manifest(folder).language != "python"]


def ready(name: str) -> Manifest:
    """An example bot that can be played as it lies here; the test is skipped if it cannot."""
    bot = read_manifest(example_bots()[name])
    try:
        require_program(bot, Path(sys.executable).parent)
    except BotError as error:
        pytest.skip(f"{bot.language}: not built here, see `make languages`: {error}")
    return bot
