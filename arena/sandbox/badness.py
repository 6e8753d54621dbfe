"""Who has to go when the machine has no memory left: bots, then what plays them, the server last.

The kernel ends the process with the largest `oom_score`. What is added to it here, in thousandths
of the machine's memory, is passed on to children: proc(5), `oom_score_adj`.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import Final

__all__ = ["BOT", "WORKER", "badness", "sooner"]

WORKER: Final = 250
"""Of a process that plays a match, or builds: the server outlives it, and gives its task back."""

BOT: Final = 500


def badness(least: int) -> int:
    """What a program that we start has at least; never below our own, which may not be undone."""
    return max(least, _read("self"))


def sooner(least: int, pid: int | None = None) -> None:
    """Have a process, or this very one, end before those with less, where that is Linux."""
    if sys.platform == "linux":
        whose = "self" if pid is None else str(pid)
        # Gone already; or there is no /proc that could be written.
        with contextlib.suppress(OSError, ValueError):
            if _read(whose) < least:
                _file(whose).write_text(str(least))


def _read(whose: str) -> int:
    return int(_file(whose).read_text())


def _file(whose: str) -> Path:
    return Path("/proc") / whose / "oom_score_adj"
