"""What a log says of its program's end: what real programs have written, by language.

The files in `logs` are what interpreters and runtimes wrote of small broken programs; the names of
folders were shortened.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Final

import pytest

from arena.sandbox.lastwords import excerpt, what_happened
from arena.sandbox.launcher import REMARK

LOGS: Final = Path(__file__).parent / "logs"

SAID: Final[dict[str, list[str]]] = json.loads((LOGS.parent / "lastwords.json").read_text())
"""What is understood of each log: the last error and where, then what was said after it."""


def log(name: str) -> str:
    return (LOGS / f"{name}.txt").read_text()


def test_every_log_has_its_row() -> None:
    assert {path.stem for path in LOGS.iterdir()} == set(SAID)


@pytest.mark.parametrize("name", SAID)
def test_what_happened_and_where(name: str) -> None:
    assert list(what_happened(log(name))) == SAID[name]


@pytest.mark.parametrize("name", SAID)
def test_what_was_written_before_changes_nothing(name: str) -> None:
    before = "loading the table\nthere are 106 cards\n"
    assert list(what_happened(before + log(name))) == SAID[name]


def test_the_last_of_two_errors_counts_and_what_follows_it_is_told() -> None:
    both = f"{log('python_raise')}{log('go_panic')}"
    assert list(what_happened(both)) == SAID["go_panic"]
    after = f"{log('python_raise')}giving up\n"
    assert what_happened(after) == (*SAID["python_raise"], "giving up")


@pytest.mark.parametrize("text", ["", "\n \n", f"{REMARK}killed]\n"])
def test_nothing_is_said_of_nothing(text: str) -> None:
    assert what_happened(text) == ()
    assert excerpt(text, 5) == []


def test_a_log_that_breaks_off_is_told_as_far_as_it_goes() -> None:
    whole = log("python_raise")
    broken = "".join(whole.splitlines(keepends=True)[:-1])
    assert what_happened(broken) == (
        'raise ValueError("no table for 3") (/home/me/hasty/bot.py, line 3)',
    )


def test_what_is_told_is_printable_and_of_bounded_length() -> None:
    (line,) = what_happened("\x1b[31mno\ttable " + "x" * 5000 + " at bot.pl line 2.\n")
    assert line.startswith("?[31mno table xxx")
    assert line.endswith(" at bot.pl line 2.")
    assert len(line) <= 200


@pytest.mark.parametrize(
    "line",
    [
        '  File "a.py", line 1',
        "Traceback (most recent call last):",
        "thread '" + "'" * 900 + " panicked at ",
        "panic: x",
        "Error: x",
        "/a:1",
        "==1==ERROR: AddressSanitizer: x",
        "lua: x",
        "x",
        "x" * 30_000,
        "at " * 10_000,
    ],
)
def test_no_log_takes_long(line: str) -> None:
    """A bot writes what it likes, and 64 KiB of it are kept."""
    text = (line + "\n") * (65_536 // len(line) + 1)
    began = time.process_time()
    what_happened(text)
    excerpt(text, 5)
    assert time.process_time() - began < 2


# -- excerpts ---------------------------------------------------------------------------------


def test_of_a_log_without_an_error_the_last_lines_are_shown() -> None:
    text = "".join(f"line {number}\n\n" for number in range(40))
    assert excerpt(text, 5) == [f"line {number}" for number in range(35, 40)]


@pytest.mark.parametrize("name", SAID)
def test_an_excerpt_has_the_head_of_the_error_and_the_end_of_the_log(name: str) -> None:
    text = "playing\n" * 9 + log(name)
    lines = excerpt(text, 6)
    assert len(lines) <= 12
    again = what_happened("\n".join(lines))
    assert [core(one) for one in again] == [core(one) for one in SAID[name]]
    assert lines[-1] == excerpt(text, 1)[-1]


def core(text: str) -> str:
    """A message without what may be among the lines that an excerpt leaves out."""
    return re.sub(r"(; caused by .*)?( \(\S+, line \d+\))?$", "", text)


def test_what_is_left_out_of_an_excerpt_is_counted() -> None:
    lines = excerpt(log("lua_module"), 3)
    assert lines[0] == "lua5.4: c.lua:1: module 'cjsonx' not found:"
    assert lines[3] == "[... 14 lines ...]"
    assert lines[-1].strip() == "[C]: in ?"


@pytest.mark.parametrize("count", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("name", SAID)
def test_an_excerpt_of_an_excerpt_is_the_same(name: str, count: int) -> None:
    once = excerpt("chatter\n" * 9 + log(name) + "more\n" * 9, count)
    assert excerpt("\n".join(once), count) == once
