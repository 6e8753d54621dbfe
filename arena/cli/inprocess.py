"""`--in-process`: Python bots as objects of the process that plays the match.

What a bot finds there is as near as possible to a process of its own: its folder is the present one
and the first in `sys.path`, modules of that folder are loaded anew for each leg and are nobody
else's, what it prints is its log, and ARENA_BOT_SEED is set while it is made. What it cannot be is
stopped, nor can it be kept from what all share.
"""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Final

from arena.errors import BotError
from arena.referee.events import BotNo
from arena.sandbox.launcher import CappedLog
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchOutcome, MatchSpec

if TYPE_CHECKING:
    from pathlib import Path

    from arena_sdk import Bot
    from arena_sdk._player import Player

__all__ = ["Home", "play_in_process", "require_python"]

_SEED: Final = "ARENA_BOT_SEED"


def require_python(bot: Manifest) -> None:
    """Refuse a bot that cannot be called as an object; nothing of it is run for that.

    Raises:
        BotError: its `run` is no Python file of its folder.
    """
    if bot.python_class:
        return
    path = _program(bot)
    if path is None:
        raise BotError(
            f"bot {bot.name!r} cannot play in this process: its run must be a Python file, "
            f'such as ["python", "my_bot.py"]; leave out --in-process'
        )
    if not path.is_file():
        raise BotError(f"bot {bot.name!r}: {path}: no such file")


def _program(bot: Manifest) -> Path | None:
    """The file of a bot that is a Python program without arguments."""
    if bot.language != "python" or bot.bridge:
        return None
    if len(bot.run) == 2 and bot.run[0].startswith("python"):
        path = bot.folder / bot.run[1]
        return path if path.suffix == ".py" else None
    return None


def play_in_process(report: Callable[[object], None], spec: MatchSpec) -> MatchOutcome:
    """Play a match between Python bots in this process: a task for a pool."""
    from arena_sdk._failures import Failures, StrictFailures
    from arena_sdk._local import play_locally
    from arena_sdk._player import Player

    logs = [CappedLog() for _ in spec.bots]
    homes: dict[BotNo, Home] = {}

    def around(bot: BotNo) -> Home:
        if bot not in homes:
            homes[bot] = Home(spec.bots[bot].folder, logs[bot])
        return homes[bot]

    def make(bot: BotNo, leg: int) -> Player:
        homes[bot].clear()
        failures = StrictFailures() if spec.venue.strict_bots else Failures()
        seed = str(spec.bot_seed(bot, leg))
        return Player(_make(spec.bots[bot], seed), failures=failures, seed=seed)

    outcome = play_locally(spec.plan(), make, report, around=around)
    return MatchOutcome(
        verdict=outcome.verdict,
        results=outcome.results,
        tallies=outcome.tallies,
        logs=tuple(log.text() for log in logs),
    )


def _make(bot: Manifest, seed: str) -> Bot:
    from arena_sdk._loading import class_in_file, class_in_module

    before = os.environ.get(_SEED)
    os.environ[_SEED] = seed
    try:
        if bot.python_class:
            module = bot.python_class.partition(":")[0]
            if not _is_shared(module, ""):
                sys.modules.pop(module, None)
            return class_in_module(bot.python_class, bot.folder)()
        return class_in_file(bot.folder / bot.run[1])()
    except BotError:
        raise  # says it all
    except BaseException:
        traceback.print_exc()  # to its log
        raise
    finally:
        if before is None:
            del os.environ[_SEED]
        else:
            os.environ[_SEED] = before


class Home:
    """What a bot finds around it, whenever it is called: enter it for each call.

    Nobody else's modules of the same name, and nobody else's folder, are there meanwhile.
    """

    def __init__(self, folder: Path, log: CappedLog) -> None:
        self._folder = str(folder)
        self._stream = _LogStream(log)
        self._modules: dict[str, ModuleType] = {}
        self._before = os.getcwd(), sys.stdout, sys.stderr
        self._known = 0

    def clear(self) -> None:
        """Forget all modules of the bot, those that are loaded now included."""
        for name in self._modules:
            sys.modules.pop(name, None)
        self._modules.clear()

    def __enter__(self) -> None:
        self._before = os.getcwd(), sys.stdout, sys.stderr
        self._known = len(sys.modules)
        os.chdir(self._folder)
        sys.path.insert(0, self._folder)
        sys.modules.update(self._modules)
        sys.stdout = sys.stderr = self._stream

    def __exit__(self, *_: object) -> None:
        folder, sys.stdout, sys.stderr = self._before
        os.chdir(folder)
        if self._folder in sys.path:
            sys.path.remove(self._folder)
        for name in self._modules:
            sys.modules.pop(name, None)
        if len(sys.modules) != self._known:
            self._take_in_new()

    def _take_in_new(self) -> None:
        """What was loaded from the bot's folder goes with it; what came from elsewhere stays."""
        inside = os.path.join(self._folder, "")
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None)
            if isinstance(file, str) and file.startswith(inside) and not _is_shared(name, file):
                self._modules[name] = sys.modules.pop(name)


def _is_shared(module: str, file: str) -> bool:
    """Whether a module is everybody's although it may lie in a bot's folder."""
    # Whoever plays from a checkout has this project, and what it needs, below the present folder.
    ours = module.partition(".")[0] in ("arena", "arena_sdk", "millearena", "__main__")
    return ours or f"{os.sep}site-packages{os.sep}" in file


class _LogStream(io.TextIOBase):
    """A text stream into a log."""

    def __init__(self, log: CappedLog) -> None:
        self._log = log

    def write(self, text: str) -> int:
        self._log.write(text.encode("utf-8", "replace"))
        return len(text)
