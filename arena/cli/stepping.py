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

from arena.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from arena.cli.frames import Place

__all__ = ["HELP", "Key", "Position", "keys", "walk"]

HELP: Final = (
    "space or right: next   b or left: back   n: next hand   g: next game   c: next coup fourré\n"
    "number and enter: to that action   number and p: to that prompt   number and l: to that line\n"
    "q: quit"
)

Key = str
"""What came from the keyboard: a character, or an escape sequence."""

_NEXT: Final = (" ", "\r", "\n", "\x1b[C", "\x1bOC")
_BACK: Final = ("b", "\x7f", "\x1b[D", "\x1bOD")
_ERASE: Final = "\x7f"
_QUIT: Final = ("q", "\x04", "")
_MOST_DIGITS: Final = 9

Find = Callable[[str, int], Sequence[int]]
"""Where the `action`, `prompt` or `line` with a number is: frames from 0, in their order.

Raises `InputError`, which says what there is, if there is no such thing.
"""

_JUMPS: Final = {"\r": "action", "\n": "action", "p": "prompt", "l": "line"}
"""What a number is the number of, by the key after it."""


def _nothing(what: str, number: int) -> Sequence[int]:
    raise InputError(f"{what} {number}: nothing can be found here")


class Position:
    """Where somebody is among the frames with these places.

    Attributes:
        at: The frame, from 0.
        remark: Why the last key led nowhere; empty if it did.
        number: The digits that were typed, as long as no other key has used them.
    """

    def __init__(self, places: Sequence[Place], at: int = 0, find: Find = _nothing) -> None:
        self.at = at
        self.remark = ""
        self.number = ""
        self._places = places
        self._find = find

    def press(self, key: Key) -> bool:
        """Go where a key leads; False: to the end of it all. Other keys change nothing."""
        self.remark = ""
        if key in _QUIT:
            return False
        if key.isdecimal() and key.isascii():
            self.number = (self.number + key)[:_MOST_DIGITS]
            return True
        number, self.number = self.number, ""
        if number and key == _ERASE:
            self.number = number[:-1]
        elif number and key in _JUMPS:
            self._jump(_JUMPS[key], int(number))
        elif key in ("p", "l"):
            self.remark = f"type the number of the {_JUMPS[key]} first, then {key}"
        else:
            self._step(key)
        return True

    def _jump(self, what: str, number: int) -> None:
        try:
            found = self._find(what, number)
        except InputError as error:
            self.remark = str(error)
            return
        # Several bots have had a prompt of that number: each time it leads to the next of them.
        self.at = next((at for at in found if at > self.at), found[0])
        if len(found) > 1:
            place = found.index(self.at) + 1
            self.remark = f"{what} {number}: {place} of {len(found)}; the same again leads on"

    def _step(self, key: Key) -> None:
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
            console.print(Text(position.number or position.remark, "yellow"))
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
