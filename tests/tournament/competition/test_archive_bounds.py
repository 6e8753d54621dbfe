"""What is read of a stranger's folder has bounds, and what takes too much is a finding."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.errors import InputError
from arena.storage.facts import MatchState, Moment
from arena.tournament.competition import archivefolder, archiveverify, archivewalk
from arena.tournament.competition.archivefolder import (
    Findings,
    lines_of,
    listed,
    open_file,
    read_whole,
)
from arena.tournament.competition.archiveverify import verify_with
from arena.tournament.competition.jsonvalues import json_line, object_from, valued
from arena.workers.pool import MatchPool, WorkerLost
from tests.tournament.competition import archivejobs
from tests.workers.watching import DEADLINE

pytest_plugins = ["tests.tournament.competition.archivefixtures"]


# -- a folder -----------------------------------------------------------------------------------


def test_files_are_listed_with_their_sizes(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_text("123")
    (tmp_path / "a").write_text("")
    assert listed(tmp_path).files == {"a": 0, "b/c": 3}
    assert listed(tmp_path).odd == []


def test_folders_too_deep_are_not_entered(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*"abcdefgh")
    deep.mkdir(parents=True)
    (deep / "file").write_text("")
    found = listed(tmp_path)
    assert found.files == {}
    assert list(map(str, found.odd)) == ["a/b/c/d: is a folder too deep inside of the archive"]


@pytest.mark.parametrize(
    ("name", "bound", "words"),
    [
        ("_MOST_FILES", 2, "has more than 2 files"),
        ("_LARGEST", 4, "has 5 bytes; 4 are allowed"),
        ("_MOST_BYTES", 14, "has 15 bytes; 14 are allowed"),
    ],
)
def test_a_folder_with_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, bound: int, words: str
) -> None:
    for number in range(3):
        (tmp_path / str(number)).write_text("12345")
    monkeypatch.setattr(archivefolder, name, bound)
    with pytest.raises(InputError, match=words):
        listed(tmp_path)


def test_a_sparse_file_is_as_large_as_it_says(tmp_path: Path) -> None:
    with (tmp_path / "large").open("wb") as file:
        os.truncate(file.fileno(), 1 << 40)
    with pytest.raises(InputError, match=r"large has 1,099,511,627,776 bytes"):
        listed(tmp_path)


def test_lines_have_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archivefolder, "LONGEST_LINE", 3)
    (tmp_path / "a").write_bytes(b"123\n1234\n")
    lines = lines_of(tmp_path, "a")
    assert next(lines) == b"123"
    with pytest.raises(InputError, match="line 2: is longer than 3 bytes"):
        next(lines)


def test_whole_files_have_bounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archivefolder, "LONGEST_TEXT", 3)
    (tmp_path / "a").write_bytes(b"123")
    (tmp_path / "b").write_bytes(b"1234")
    assert read_whole(tmp_path, "a") == b"123"
    with pytest.raises(InputError, match="has more than 3 bytes"):
        read_whole(tmp_path, "b")


def test_nothing_but_a_file_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="pipe: is no file"):
        open_file(tmp_path, "pipe")


def test_findings_are_lines_and_cut_short_by_file() -> None:
    findings = Findings()
    findings.add("a", 1, "two\nlines")
    for number in range(60):
        findings.add("b", number, "x")
    told = list(map(str, findings.all()))
    assert told[0] == "a: line 1: two lines"
    assert told[-1] == "b: and 10 more"
    assert len(told) == 1 + 50 + 1


# -- what takes too much ------------------------------------------------------------------------


class _Loses(Executor):
    """An executor whose processes are lost with this task."""

    def __init__(self, task: Callable[..., object], error: Exception) -> None:
        self._task = task
        self._error = error

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if fn is self._task:
            future.set_exception(self._error)
        else:
            future.set_result(fn(*args, **kwargs))
        return future


@pytest.fixture
def unlimited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tasks that run in this process do not limit it."""
    for module in (archiveverify, archivewalk):
        monkeypatch.setattr(module, "limit", lambda seconds: None)


@pytest.mark.usefixtures("unlimited")
def test_a_journal_that_takes_too_much_is_a_finding(whole: Path) -> None:
    lost = WorkerLost("a worker was killed by SIGXCPU before its task was done")
    report = verify_with(_Loses(archivewalk.walk, lost), whole)
    assert list(map(str, report.findings)) == [
        "journal.jsonl: takes too much, and so was not checked: a worker was killed by SIGXCPU "
        "before its task was done"
    ]


@pytest.mark.usefixtures("unlimited")
def test_a_record_that_takes_too_much_is_a_finding(whole: Path) -> None:
    report = verify_with(_Loses(archiveverify.replay, MemoryError()), whole)
    (finding,) = map(str, report.findings)
    assert finding.startswith("records/41-1.jsonl to records/")
    assert finding.endswith("takes more than 4 GiB of memory, and so was not checked")
    assert report.games == 0


def test_a_task_that_does_not_end_is_ended() -> None:
    with MatchPool(1) as pool, pytest.raises(WorkerLost, match="SIGXCPU"):
        pool.submit(archivejobs.never_end).result(DEADLINE)


# -- values -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Inner:
    state: MatchState
    at: Moment | None


@dataclass(frozen=True, slots=True)
class _Outer:
    name: str
    numbers: tuple[int, ...]
    share: float
    inner: tuple[_Inner, ...]
    facts: dict[str, Any]


WHOLE = _Outer(
    "å",
    (1, 2),
    0.1,
    (_Inner(MatchState.DONE, None), _Inner(MatchState.QUEUED, Moment(7))),
    {"a": 1},
)


def test_values_come_back_as_they_were() -> None:
    assert valued(_Outer, object_from(json_line(WHOLE))) == WHOLE


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": 1}, "name: must be of type str, not 1"),
        ({"name": "\ud800"}, "name: holds half of a character"),
        ({"numbers": [1, True]}, r"numbers\[1\]: must be of type int, not True"),
        ({"numbers": 1}, "numbers: must be a list, not 1"),
        ({"numbers": [1 << 63]}, r"numbers\[0\]: is too large"),
        ({"share": "1"}, "share: must be of type float, not '1'"),
        ({"share": 1e300}, "share: 1e.300 is too large"),
        ({"facts": []}, r"facts: must be an object, not \[\]"),
        ({"inner": [{"state": "done"}]}, r"inner\[0\].'at': is missing"),
        ({"inner": [{"state": "won", "at": 1}]}, r"inner\[0\].state: must be one of queued, "),
        ({"inner": [3]}, r"inner\[0\]: must be an object, not 3"),
        ({"more": 1}, "'more': is unknown"),
    ],
)
def test_what_is_not_of_the_form_is_refused(change: dict[str, object], words: str) -> None:
    facts = {**object_from(json_line(WHOLE)), **change}
    with pytest.raises(InputError, match=words):
        valued(_Outer, facts)
