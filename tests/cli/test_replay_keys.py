"""`arena replay` by keys: where they lead, and a real terminal around it."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from arena.cli.frames import Place
from arena.cli.stepping import Position
from arena.errors import InputError
from tests.cli.recordcommands import MAIN, ROOT, sample, write
from tests.referee.recorded import said_by

LINES = sample()
PLAYS = [line for line in said_by(LINES) if line["t"] == "play"]


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return write(tmp_path / "record.jsonl", LINES)


PLACES = [
    Place(0, 0, False),
    Place(0, 0, True),
    Place(0, 1, False),
    Place(1, 0, False),
    Place(1, 0, True),
]


@pytest.mark.parametrize(
    ("pressed", "at", "remark"),
    [
        (" ", 1, ""),
        ("\x1b[C", 1, ""),
        ("\r", 1, ""),
        ("  b", 1, ""),
        ("b", 0, ""),
        ("n", 2, ""),
        ("nn", 3, ""),
        ("nnn", 3, "there is no later hand"),
        ("g", 3, ""),
        ("gg", 3, "there is no later game"),
        ("c", 1, ""),
        ("cc", 4, ""),
        ("ccc", 4, "there is no later coup fourré"),
        ("      ", 4, "there is no later action"),
        ("x?", 0, ""),
    ],
)
def test_keys_lead_where_they_say(pressed: str, at: int, remark: str) -> None:
    position = Position(PLACES)
    keys = [pressed] if pressed.startswith("\x1b") else list(pressed)
    assert all(position.press(key) for key in keys)
    assert (position.at, position.remark) == (at, remark)


def find(what: str, number: int) -> Sequence[int]:
    if what == "line" or number > len(PLACES):
        raise InputError(f"{what} {number}: not here")
    return [number - 1] if what == "action" else [0, 3]


@pytest.mark.parametrize(
    ("pressed", "at", "remark"),
    [
        ("4\r", 3, ""),
        ("44\x7f\n", 3, ""),
        ("4\x7f ", 1, ""),
        ("12\r", 0, "action 12: not here"),
        ("7l", 0, "line 7: not here"),
        ("2p", 3, "prompt 2: 2 of 2; the same again leads on"),
        ("2p2p", 0, "prompt 2: 1 of 2; the same again leads on"),
        ("4n", 2, ""),
        ("4n\r", 3, ""),
        ("p", 0, "type the number of the prompt first, then p"),
        ("l", 0, "type the number of the line first, then l"),
    ],
)
def test_a_number_leads_to_what_it_is_the_number_of(pressed: str, at: int, remark: str) -> None:
    position = Position(PLACES, find=find)
    assert all(position.press(key) for key in pressed)
    assert (position.at, position.remark, position.number) == (at, remark, "")


def test_a_number_is_shown_while_it_is_typed() -> None:
    position = Position(PLACES, find=find)
    assert all(position.press(key) for key in "1234567890")
    assert position.number == "123456789"


def test_quitting_and_the_end_of_the_keyboard_lead_out() -> None:
    for key in ("q", "\x04", ""):
        assert not Position(PLACES).press(key)


class Terminal:
    """A command in a terminal."""

    def __init__(self, *args: str) -> None:
        self.outer, inner = pty.openpty()
        termios.tcsetwinsize(inner, (40, 100))
        self.before = termios.tcgetattr(inner)
        self.process = subprocess.Popen(
            [sys.executable, "-c", MAIN, *args],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm"},
        )
        self.inner = inner
        self.seen = ""

    def press(self, key: str) -> None:
        os.write(self.outer, key.encode())

    def expect(self, text: str) -> str:
        """Read until `text` has come, and give what came; what follows is for the next time."""
        while text not in self.seen:
            ready, _, _ = select.select([self.outer], [], [], 30)
            assert ready, f"{text!r} did not come: {self.seen!r}"
            self.seen += os.read(self.outer, 4096).decode(errors="replace")
        end = self.seen.index(text) + len(text)
        come, self.seen = self.seen[:end], self.seen[end:]
        return come

    def end(self) -> int:
        code = self.process.wait(timeout=30)
        assert termios.tcgetattr(self.inner) == self.before
        return code


@contextlib.contextmanager
def terminal(*args: str) -> Iterator[Terminal]:
    opened = Terminal(*args)
    try:
        yield opened
    finally:
        opened.process.kill()
        opened.process.wait()
        os.close(opened.outer)
        os.close(opened.inner)


def test_in_a_terminal_it_goes_step_by_step(record: Path) -> None:
    with terminal("replay", str(record)) as shown:
        page = shown.expect("q: quit")
        assert f"action 1 of {len(PLAYS)}" in page
        assert str(PLAYS[0]["action"]) in page
        shown.press(" ")
        assert f"action 2 of {len(PLAYS)}" in shown.expect("q: quit")
        shown.press("\x1b[C")
        assert f"action 3 of {len(PLAYS)}" in shown.expect("q: quit")
        shown.press("g")
        assert "game 1, board 0" in shown.expect("q: quit")
        shown.press("g")
        shown.expect("there is no later game")
        shown.expect("q: quit")
        shown.press("3\r")
        shown.expect(f"action 3 of {len(PLAYS)}")
        shown.press("99999\r")
        shown.expect(f"action 99999: this has actions 1 to {len(PLAYS)}")
        shown.press("q")
        assert shown.end() == 0


def test_it_begins_where_it_is_told_to_and_leads_back_from_there(record: Path) -> None:
    with terminal("replay", str(record), "--from", "3") as shown:
        assert f"action 3 of {len(PLAYS)}" in shown.expect("q: quit")
        shown.press("b")
        assert f"action 2 of {len(PLAYS)}" in shown.expect("q: quit")
        shown.press("q")
        assert shown.end() == 0


def test_an_interrupt_leaves_the_terminal_as_it_was(record: Path) -> None:
    with terminal("replay", str(record)) as shown:
        shown.expect("q: quit")
        shown.process.send_signal(signal.SIGINT)
        shown.expect("arena: interrupted")
        assert shown.end() == 130


def test_full_does_not_wait_for_keys_in_a_terminal(record: Path) -> None:
    with terminal("replay", str(record), "--full", "--game", "0", "--hand", "0") as shown:
        shown.expect("altogether")
