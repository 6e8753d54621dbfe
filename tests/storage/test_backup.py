"""Backups: made while the server writes, verified, and restored to either kind of database."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from arena.errors import HostFault, InputError
from arena.ladder.rating import Parameters
from arena.storage import failpoints
from arena.storage.backup import back_up, read_contents, restore
from arena.storage.check import check_data
from arena.storage.facts import Receipt
from arena.storage.folder import STORES
from arena.storage.schema import METADATA
from arena.storage.store import Store, open_store
from tests.storage.cluster import Cluster
from tests.storage.conftest import FakeClock
from tests.storage.worlds import World, digest, report_on


def play(store: Store, *names: str) -> World:
    """A world with matches between new owners' bots, with all the files that rows name."""
    world = World(store)
    archive = store.folder.store("archives").put(b"archive")
    artefact = store.folder.store("artefacts").put(b"artefact")
    assert (archive, artefact) == (digest("archive"), digest("artefact"))
    versions = world.bots(*names)
    for first, second in itertools.pairwise(versions):
        lease = world.lease(first, second)
        store.records.put(f"record {lease.match}-{lease.attempt}".encode())
        log = store.logs.put(f"log {lease.match}".encode())
        report = report_on(lease)
        seats = (replace(report.seats[0], log=log), *report.seats[1:])
        assert store.matches.record(replace(report, seats=seats)) is Receipt.RECORDED
    return world


def rows(store: Store) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables but the one that each transaction changes."""

    def read(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in METADATA.sorted_tables
            if table.name != "last_write"
        }

    return store.database.read(read)


@pytest.fixture(params=["sqlite", "postgresql"])
def target(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database to restore into."""
    if request.param == "sqlite":
        yield ""
        return
    cluster: Cluster = request.getfixturevalue("postgres")
    with cluster.empty() as address:
        yield address


def test_what_is_restored_is_what_was_there(
    store: Store, url: str, target: str, tmp_path: Path, clock: FakeClock
) -> None:
    play(store, "ann", "bob", "cid")
    before = rows(store)
    contents = back_up(tmp_path / "data", tmp_path / "copy", clock, url=url)
    assert contents.missing == ()
    assert contents.files == 6  # an archive, an artefact, and for each match a record and a log
    play(store, "dan", "eve")  # comes after it
    assert restore(tmp_path / "copy", tmp_path / "other", url=target) == contents
    assert check_data(tmp_path / "other", url=target).violations == ()
    with open_store(tmp_path / "other", clock, url=target) as restored:
        assert rows(restored) == before
        assert restored.ledger.rebuild(write=False).different == 0
        for name in STORES:
            assert set(restored.folder.store(name)) <= set(store.folder.store(name))
        play(restored, "dan", "eve")  # and it goes on, with new numbers
    assert check_data(tmp_path / "other", url=target).violations == ()


def test_a_backup_while_the_server_writes(
    store: Store, url: str, tmp_path: Path, clock: FakeClock
) -> None:
    world = play(store, "ann", "bob")
    one, two = (world.upload(owner, "more") for owner in ("ann", "bob"))
    failed: list[BaseException] = []
    over = threading.Event()
    progress = threading.Semaphore(0)

    def work() -> None:
        try:
            while not over.is_set():
                lease = world.lease(one, two)
                store.records.put(f"record {lease.match}-{lease.attempt}".encode())
                store.matches.record(report_on(lease))
                progress.release()
        except BaseException as error:
            failed.append(error)

    writer = threading.Thread(target=work)
    writer.start()
    try:
        for number in range(3):
            for _ in range(5):  # so much is written between two backups
                assert progress.acquire(timeout=60)
            copy = tmp_path / f"copy {number}"
            assert back_up(tmp_path / "data", copy, clock, url=url).missing == ()
            restore(copy, tmp_path / f"other {number}")
            checked = check_data(tmp_path / f"other {number}")
            assert checked.violations == ()
            assert checked.results > 5 * number
    finally:
        over.set()
        writer.join()
    assert failed == []


def test_a_file_that_is_missing_is_told_and_the_rest_is_saved(
    store: Store, url: str, tmp_path: Path, clock: FakeClock
) -> None:
    play(store, "ann", "bob", "cid")
    lost = store.records.place(digest("record 1-1"))
    lost.unlink()
    contents = back_up(tmp_path / "data", tmp_path / "copy", clock, url=url)
    assert contents.missing == (f"records/{lost.name}",)
    assert contents.files == 5
    restore(tmp_path / "copy", tmp_path / "other")
    found = check_data(tmp_path / "other").violations
    assert [one.promise for one in found] == [5]
    assert lost.name in found[0].what


# -- what is no backup, or no longer ------------------------------------------------------------


@pytest.fixture
def copy(tmp_path: Path, clock: FakeClock) -> Path:
    with open_store(tmp_path / "data", clock) as store:
        play(store, "ann", "bob")
    back_up(tmp_path / "data", tmp_path / "copy", clock)
    return tmp_path / "copy"


def _spoil(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.unlink()  # it may be a link
    path.write_bytes(bytes(content))


def test_a_damaged_database_is_not_restored(copy: Path, tmp_path: Path) -> None:
    _spoil(copy / "arena.sqlite")
    with pytest.raises(HostFault, match="has changed"):
        restore(copy, tmp_path / "other")


def test_a_damaged_file_is_not_restored(copy: Path, tmp_path: Path, clock: FakeClock) -> None:
    _spoil(next((copy / "records").glob("*/*")))
    with pytest.raises(HostFault, match="has changed"):
        restore(copy, tmp_path / "other")
    with pytest.raises(HostFault, match=r"arena\.sqlite: is missing"):
        open_store(tmp_path / "other", clock)  # half of one is refused


def test_a_folder_in_use_is_not_restored_into(copy: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not empty"):
        restore(copy, tmp_path / "data")


def test_a_database_in_use_is_not_restored_into(
    copy: Path, tmp_path: Path, clock: FakeClock, postgres: Cluster
) -> None:
    with postgres.fresh() as url:
        open_store(tmp_path / "used", clock, url=url).close()
        with pytest.raises(InputError, match="is not empty"):
            restore(copy, tmp_path / "other", url=url)


def test_what_is_no_backup_is_refused(copy: Path, tmp_path: Path, clock: FakeClock) -> None:
    with pytest.raises(InputError, match=r"backup\.json"):
        restore(tmp_path / "data", tmp_path / "other")
    with pytest.raises(InputError, match="exists"):
        back_up(tmp_path / "data", copy, clock)
    with pytest.raises(InputError, match=r"has no arena\.sqlite"):
        back_up(tmp_path / "nowhere", tmp_path / "new", clock)
    (copy / "backup.json").write_text('{"format": 2}')
    with pytest.raises(InputError, match="format 2"):
        read_contents(copy)
    (copy / "backup.json").write_text("[]")
    with pytest.raises(InputError, match="damaged"):
        read_contents(copy)


_BACK_UP = """
import sys
from pathlib import Path
from arena.storage.backup import back_up
back_up(Path(sys.argv[1]), Path(sys.argv[2]), lambda: 0)
"""


def test_a_backup_that_is_killed_is_none(copy: Path, tmp_path: Path, clock: FakeClock) -> None:
    new = tmp_path / "new"
    done = subprocess.run(
        [sys.executable, "-c", _BACK_UP, tmp_path / "data", new],
        env={**os.environ, failpoints.VARIABLE: failpoints.DURING_BACKUP},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert not new.exists()
    assert back_up(tmp_path / "data", new, clock).missing == ()
    assert not new.with_name("new.partial").exists()


def test_the_parameters_come_along(copy: Path, tmp_path: Path, clock: FakeClock) -> None:
    restore(copy, tmp_path / "other")
    with contextlib.closing(open_store(tmp_path / "other", clock)) as store:
        assert store.parameters == Parameters()
