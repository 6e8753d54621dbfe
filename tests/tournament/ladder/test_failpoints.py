"""Killed at every place on the way of a match: afterwards it counts once, or is set aside."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, Table, func, select

from arena.app.rated import calendar
from arena.storage import failpoints
from arena.storage.facts import AttemptState, Match, MatchState
from arena.storage.matches import Matches
from arena.storage.schema import LEDGER, RATING_EVENTS, RESULTS
from arena.storage.store import open_store
from arena.tournament.ladder.spool import Spool


def play(data: Path, fail_point: str = "") -> int:
    """Have one match played by a server of its own; its exit code, negative for a signal."""
    environment = {**os.environ, failpoints.VARIABLE: fail_point}
    if not fail_point:
        del environment[failpoints.VARIABLE]
    command = [sys.executable, "-m", "tests.tournament.ladder.playing", str(data), "1"]
    return subprocess.run(command, env=environment, timeout=120, check=False).returncode


COUNTED = (RESULTS, LEDGER, RATING_EVENTS)


def count(table: Table, connection: Connection) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def left(data: Path) -> tuple[Match, list[int]]:
    """The match, and how many results, entries and rating events there are; the spool is empty."""
    with open_store(data, calendar) as store:
        (match,) = Matches(store.database, calendar).list().items
        counts = [store.database.read(partial(count, table)) for table in COUNTED]
        assert Spool(store.folder.spool).all() == ()
    return match, counts


@pytest.mark.parametrize(
    ("fail_point", "attempts"),
    [
        (failpoints.AFTER_LEASE, 2),
        (failpoints.BEFORE_RECORD, 1),
        (failpoints.AFTER_RESULT_INSERT, 1),
        (failpoints.BEFORE_ACK, 1),
        (failpoints.AFTER_ACK, 1),
    ],
)
def test_a_server_that_is_killed_goes_on_where_it_was(
    tmp_path: Path, fail_point: str, attempts: int
) -> None:
    data = tmp_path / "data"
    assert play(data, fail_point) == -signal.SIGKILL
    assert play(data) == 0
    match, counts = left(data)
    assert match.state is MatchState.DONE
    assert len(match.attempts) == attempts
    assert counts == [1, 1, 2]


def test_a_process_that_is_killed_with_its_report_on_the_disk_has_done_its_work(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    assert play(data, failpoints.AFTER_SPOOL_FSYNC) == 0
    match, counts = left(data)
    assert [one.state for one in match.attempts] == [AttemptState.DONE]
    assert counts == [1, 1, 2]


@pytest.mark.parametrize("fail_point", [failpoints.DURING_MATCH, failpoints.BEFORE_SPOOL_FSYNC])
def test_a_match_that_kills_every_process_is_set_aside(tmp_path: Path, fail_point: str) -> None:
    data = tmp_path / "data"
    assert play(data, fail_point) == 0
    match, counts = left(data)
    assert match.state is MatchState.SET_ASIDE
    assert [one.state for one in match.attempts] == [AttemptState.VOID] * 3
    assert counts == [0, 0, 0]
