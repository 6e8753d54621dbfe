"""Example bots in other languages: built beforehand by `make languages`, or skipped by name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from arena.cli.kits import KITS
from arena.errors import BotError
from arena.submissions.bottoml import Manifest
from arena.submissions.manifest import example_bots, read_manifest, require_program

SDKS: Final = Path(__file__).parents[2] / "sdk"


def arena(*args: str) -> dict[str, Any]:
    """What a command of the arena says for programs; it has to end well."""
    done = subprocess.run(
        [Path(sys.executable).with_name("arena"), *args, "--json"],
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, (done.stdout, done.stderr)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def foreign() -> list[str]:
    """The names of the example bots that are not in Python."""
    folders = example_bots().items()
    return [name for name, folder in folders if read_manifest(folder).language != "python"]


def ready(name: str) -> Manifest:
    """An example bot whose language has passed `make languages` here; else the test is skipped."""
    bot = read_manifest(example_bots()[name])
    home = SDKS / KITS.get(bot.language, "bridge")
    # Whether everything that it needs is there, only the tools of its language can tell.
    if not (home / ".checked").exists():
        pytest.skip(f"{bot.language}: `make languages` has not passed here")
    try:
        require_program(bot, Path(sys.executable).parent)
    except BotError as error:
        pytest.skip(f"{bot.language}: {error}")
    return bot
