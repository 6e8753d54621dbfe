"""Going through a replay by keys, in a terminal.

`Position` knows where a key leads and nothing of terminals; `walk` draws and reads keys.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console

    from arena.cli.frames import Place

__all__ = ["HELP", "Key", "Position", "keys", "walk"]

HELP: Final = (
    "space or right: next   b or left: back   n: next hand   g: next game   "
    "c: next coup fourré   q: quit"
)

Key = str
"""What came from the keyboard: a character, or an escape sequence."""

_NEXT: Final = (" ", "\r", "\n", "\x1b[C", "\x1bOC")
_BACK: Final = ("b", "\x7f", "\x1b[D", "\x1bOD")
_QUIT: Final = ("q", "\x04", "")


class Position:
    """Where somebody is among the frames with these places.

    Attributes:
        at: The frame, from 0.
        remark: Why the last key led nowhere; empty if it did.
    """

    def __init__(self, places: Sequence[Place], at: int = 0) -> None:
        self.at = at
        self.remark = ""
        self._places = places

    def press(self, key: Key) -> bool:
        """Go where a key leads; False: to the end of it all. Other keys change nothing."""
        self.remark = ""
        if key in _QUIT:
            return False
        if key in _NEXT:
            self._go(self.at + 1 if self.at + 1 < len(self._places) else None, "action")
        elif key in _BACK:
            self.at = max(0, self.at - 1)
        elif key == "n":
            self._go(self._later(lambda one, now: one[:2] != now[:2]), "hand")
        elif key == "g":
            self._go(self._later(lambda one, now: one.game != now.game), "game")
        elif key == "c":
            self._go(self._later(lambda one, _: one.is_coup), "coup fourré")
        return True

    def _go(self, at: int | None, what: str) -> None:
        if at is None:
            self.remark = f"there is no later {what}"
        else:
            self.at = at

    def _later(self, wanted: Callable[[Place, Place], bool]) -> int | None:
        now = self._places[self.at]
        later = range(self.at + 1, len(self._places))
        return next((at for at in later if wanted(self._places[at], now)), None)


def walk(
    console: Console,
    position: Position,
    pressed: Iterator[Key],
    draw: Callable[[int], Iterator[Text]],
) -> None:
    """Draw the frame where `position` is, and follow the keys until they lead out."""
    with console.screen(hide_cursor=True):
        while True:
            console.clear()
            for line in draw(position.at):
                console.print(line)
            console.print(Text(position.remark, "yellow"))
            console.print(Text(HELP, "dim"))
            if not position.press(next(pressed, "")):
                return


_KEY: Final = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


@contextlib.contextmanager
def keys() -> Iterator[Iterator[Key]]:
    """The keys that are pressed from now on; the terminal is as it was afterwards."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)  # keys come at once, and Ctrl-C still interrupts
        with _signals() as signalled:
            yield _read(terminal, signalled)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read(terminal: int, signalled: int) -> Iterator[Key]:
    while True:
        ready, _, _ = select.select([terminal, signalled], [], [])
        if signalled in ready:
            os.read(signalled, 1024)  # its handler has run by now, or runs before the next wait
        elif typed := os.read(terminal, 1024):
            yield from _KEY.findall(typed.decode(errors="replace"))
        else:
            return


@contextlib.contextmanager
def _signals() -> Iterator[int]:
    """A descriptor that a signal makes readable.

    Without it a signal between the interpreter's last look and the start of a blocking read waits
    for the next key.
    """
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    earlier = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(earlier)
        os.close(reader)
        os.close(writer)
