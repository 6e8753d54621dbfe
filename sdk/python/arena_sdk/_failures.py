"""What a bot raises: it goes to the bot's log, and is counted for a line at its end."""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from typing import Final

_LONGEST: Final = 200
_QUESTIONS: Final = ("choose", "respond")


class StrictFailure(Exception):  # noqa: N818 - no error of the SDK: it ends a strict run
    """In strict play a bot has raised. The message says what, in one line."""


class Failures:
    """Counts what the methods of a bot raise, by method."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._last: dict[str, str] = {}

    def take(self, method: str, error: Exception) -> None:
        """Write the traceback of what `method` has raised, and count it."""
        self._counts[method] += 1
        self._last[method] = in_one_line(error)
        # The first step is the SDK's own call, which nobody looks for.
        steps = error.__traceback__
        if steps is not None and steps.tb_next is not None:
            steps = steps.tb_next
        traceback.print_exception(type(error), error, steps)
        sys.stderr.flush()

    def summary(self) -> list[str]:
        """What there was, a phrase for each method."""
        return [self._phrase(method, count) for method, count in self._counts.items()]

    def _phrase(self, method: str, count: int) -> str:
        times = "time" if count == 1 else "times"
        played = "; default actions were played" if method in _QUESTIONS else ""
        return f"{method} raised {count} {times} (last: {self._last[method]}){played}"


class StrictFailures(Failures):
    """The first one ends the run.

    Raises:
        StrictFailure: from `take`, after the traceback was written.
    """

    def take(self, method: str, error: Exception) -> None:
        super().take(method, error)
        raise StrictFailure(f"{method} raised {in_one_line(error)}") from error


def in_one_line(error: BaseException) -> str:
    """An exception as the last line of a traceback has it, cut short."""
    words = " ".join("".join(traceback.format_exception_only(error)).split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 3]}..."
