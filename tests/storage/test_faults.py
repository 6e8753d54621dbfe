"""Databases that do not answer: waited for, and nothing is lost or doubled."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select

from arena.errors import HostFault
from arena.storage.database import Patience
from arena.storage.schema import AUDIT
from arena.storage.store import Host, Store, open_store
from tests.storage.cluster import Cluster
from tests.storage.conftest import FakeClock

_HOLD = """
import sqlite3, sys, threading
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN IMMEDIATE")
print("locked", flush=True)
threading.Event().wait(float(sys.argv[2]))
database.execute("COMMIT")
"""


@contextlib.contextmanager
def _locked_for(folder: Path, seconds: float) -> Iterator[None]:
    """Another process holds the lock to write, so long."""
    command = [sys.executable, "-c", _HOLD, str(folder / "arena.sqlite"), str(seconds)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "locked\n"
        try:
            yield
        finally:
            other.kill()


def _note(connection: Connection, action: str) -> None:
    values = {"at": 0, "who": "test", "action": action, "target": "", "detail": ""}
    connection.execute(insert(AUDIT).values(values))


def _actions(store: Store) -> list[str]:
    query = select(AUDIT.c.action).order_by(AUDIT.c.number)
    return list(store.database.read(lambda connection: connection.scalars(query).all()))


# -- SQLite -------------------------------------------------------------------------------------


def _wait_out(folder: Path, clock: FakeClock, seconds: float, patience: Patience) -> None:
    with open_store(folder, clock, host=Host(patience=patience)) as store:
        failed: list[BaseException] = []

        def write(number: int) -> None:
            try:
                store.database.write(lambda connection: _note(connection, str(number)))
            except BaseException as error:
                failed.append(error)

        with _locked_for(folder, seconds):
            writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
            for one in writers:
                one.start()
            assert _actions(store) == []  # reading goes on meanwhile
            for one in writers:
                one.join()
        assert failed == []
        assert sorted(_actions(store)) == ["0", "1", "2", "3"]


def test_a_lock_of_another_process_is_waited_out(tmp_path: Path, clock: FakeClock) -> None:
    # Longer than SQLite itself waits, so that it has to be tried again.
    _wait_out(tmp_path / "data", clock, 1.5, Patience(busy=200, total=60_000))


@pytest.mark.slow
def test_a_lock_of_30_seconds_is_waited_out(tmp_path: Path, clock: FakeClock) -> None:
    _wait_out(tmp_path / "data", clock, 30, Patience())


def test_a_lock_for_ever_is_told_in_one_line(tmp_path: Path, clock: FakeClock) -> None:
    folder = tmp_path / "data"
    host = Host(patience=Patience(busy=50, total=300))
    with open_store(folder, clock, host=host) as store:
        with _locked_for(folder, 60), pytest.raises(HostFault, match="somebody else") as caught:
            store.database.write(lambda connection: _note(connection, "never"))
        assert "\n" not in str(caught.value)
        store.database.write(lambda connection: _note(connection, "later"))
        assert _actions(store) == ["later"]


# -- PostgreSQL ---------------------------------------------------------------------------------


def test_a_server_that_is_down_is_told_in_one_line(
    postgres: Cluster, tmp_path: Path, clock: FakeClock
) -> None:
    host = Host(patience=Patience(total=200))
    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url, host=host) as store:
        postgres.stop()
        try:
            with pytest.raises(HostFault, match="database postgresql"):
                store.database.write(lambda connection: _note(connection, "never"))
            with pytest.raises(HostFault, match="database postgresql"):
                _actions(store)
        finally:
            postgres.start()
        assert _actions(store) == []
        store.database.write(lambda connection: _note(connection, "later"))
        assert _actions(store) == ["later"]


def test_a_cut_connection_is_made_again(
    postgres: Cluster, tmp_path: Path, clock: FakeClock
) -> None:
    calls: list[int] = []

    def work(connection: Connection) -> None:
        calls.append(1)
        _note(connection, "once")
        if len(calls) == 1:
            postgres.cut_all()

    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url) as store:
        store.database.write(work)
        assert len(calls) == 2
        assert _actions(store) == ["once"]


@pytest.mark.parametrize("is_in", [True, False])
def test_a_commit_whose_answer_is_lost_counts_once(
    postgres: Cluster,
    tmp_path: Path,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    is_in: bool,
) -> None:
    # The connection is cut at the very commit: after it was done, or before.
    real = Connection.commit
    cuts: list[int] = []

    def commit(connection: Connection) -> None:
        if not cuts:
            cuts.append(1)
            if is_in:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("COMMIT")
            postgres.cut_all()
            if is_in:  # the driver would say nothing of a transaction that is over already
                connection.exec_driver_sql("SELECT 1")
        real(connection)

    calls: list[int] = []

    def work(connection: Connection) -> None:
        calls.append(1)
        _note(connection, "once")

    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url) as store:
        monkeypatch.setattr(Connection, "commit", commit)
        store.database.write(work)
        monkeypatch.undo()
        assert cuts
        assert len(calls) == (1 if is_in else 2)
        assert _actions(store) == ["once"]


@pytest.mark.slow
def test_nothing_is_lost_or_doubled_while_the_server_crashes(
    postgres: Cluster, tmp_path: Path, clock: FakeClock
) -> None:
    crashes = 5
    acknowledged: list[str] = []
    failed: list[BaseException] = []
    over = threading.Event()
    progress = threading.Condition()

    def write(store: Store, writer: int) -> None:
        try:
            number = 0
            while not over.is_set():
                action = f"{writer}-{number}"
                store.database.write(partial(_note, action=action))
                with progress:
                    acknowledged.append(action)
                    progress.notify_all()
                number += 1
        except BaseException as error:
            failed.append(error)

    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url) as store:
        writers = [threading.Thread(target=write, args=(store, one)) for one in range(3)]
        for one in writers:
            one.start()
        for _ in range(crashes):
            with progress:  # so much has come in since the last crash
                target = len(acknowledged) + 20
                assert progress.wait_for(lambda: len(acknowledged) >= target or failed, 90)  # noqa: B023
            postgres.stop("immediate")
            postgres.start()
        over.set()
        for one in writers:
            one.join()
        assert failed == []
        assert sorted(_actions(store)) == sorted(acknowledged)


@pytest.mark.slow
def test_the_lock_against_a_second_server_outlives_a_restart(
    postgres: Cluster, tmp_path: Path, clock: FakeClock
) -> None:
    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url) as store:
        postgres.stop("immediate")
        postgres.start()
        store.database.write(lambda connection: _note(connection, "after"))
        with pytest.raises(HostFault, match="another server writes to it"):
            open_store(tmp_path / "other", clock, url=url)


def test_the_second_of_two_servers_does_not_write(
    postgres: Cluster, tmp_path: Path, clock: FakeClock
) -> None:
    # After a restart, in which all locks are gone, another one was quicker.
    with postgres.fresh() as url, open_store(tmp_path / "data", clock, url=url) as store:
        postgres.cut_all()
        with postgres.session(url) as other:
            other.execute("SELECT pg_advisory_lock(%s, hashtext('public'))", [0x6172656E])
            with pytest.raises(HostFault, match="another server writes to it"):
                store.database.write(lambda connection: _note(connection, "never"))
        assert _actions(store) == []
