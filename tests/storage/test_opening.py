"""Opening a store: what is made, what is kept, and what is refused without a change."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from arena.errors import ArenaError, HostFault, InputError
from arena.ladder.rating import Parameters
from arena.storage import advisory
from arena.storage.facts import Moment
from arena.storage.store import Host, open_store
from tests.faults.site import until
from tests.storage.cluster import Cluster
from tests.storage.conftest import FakeClock, OpenStore
from tests.storage.mounts import read_only


def _content(folder: Path) -> dict[str, str]:
    """What is in a folder; the lock file is not its content, nor is SQLite's shared memory."""
    files = [one for one in folder.rglob("*") if one.is_file()]
    return {
        str(one.relative_to(folder)): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in files
        if one.name != "arena.lock" and not one.name.endswith(("-shm", "-wal"))
    }


def test_what_is_made_once_stays(reopen: OpenStore) -> None:
    with reopen() as store:
        key, identity = store.page_key, store.folder.identity()
    with reopen() as store:
        assert store.page_key == key
        assert store.folder.identity() == identity
        assert len(key) == 32
        assert not store.parameters_differ


def test_other_parameters_do_not_hold_by_themselves(
    reopen: OpenStore, url: str, tmp_path: Path, clock: FakeClock
) -> None:
    reopen().close()
    other = Parameters(beta=3.5)
    with open_store(tmp_path / "data", clock, url=url, parameters=other) as store:
        assert store.parameters_differ
        assert store.parameters == Parameters()


def test_closing_twice_is_no_fault(reopen: OpenStore) -> None:
    store = reopen()
    store.close()
    store.close()
    reopen()


# -- a second server ----------------------------------------------------------------------------


def test_a_second_server_on_the_folder_is_told_who_has_it(
    reopen: OpenStore, clock: FakeClock, tmp_path: Path
) -> None:
    reopen()
    with pytest.raises(HostFault, match=r"process \d+ on '.+', since 2023-11-14 22:13:20 UTC"):
        open_store(tmp_path / "data", clock)


def test_a_second_server_on_the_database_is_told_who_has_it(
    postgres: Cluster, clock: FakeClock, tmp_path: Path
) -> None:
    with postgres.fresh() as url, open_store(tmp_path / "one", clock, url=url):
        expected = rf"another server writes to it: arena \w+ pid {os.getpid()} on .+ since 20\d\d-"
        with pytest.raises(HostFault, match=expected):
            open_store(tmp_path / "two", clock, url=url)


def test_a_session_of_a_server_that_is_just_ending_is_waited_for(
    postgres: Cluster, clock: FakeClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisory, "_ENDING", "60s")  # so that no machine is too busy for it
    key = f"{advisory._KEY}, hashtext(current_schema())"
    with postgres.fresh() as url:
        open_store(tmp_path / "one", clock, url=url).close()
        with postgres.session(url) as ending:
            ending.execute(f"SELECT pg_advisory_lock({key})")
            with ThreadPoolExecutor(1) as pool:
                opened = pool.submit(open_store, tmp_path / "one", clock, url=url)
                waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
                until(lambda: ending.execute(waits).fetchone() == (1,))
                ending.execute(f"SELECT pg_advisory_unlock({key})")
                opened.result().close()


_HOLD = """
import sys, pathlib
from arena.storage.store import open_store
store = open_store(pathlib.Path(sys.argv[1]), lambda: 0)
print("open", flush=True)
sys.stdin.read()
"""


def test_a_server_that_was_killed_holds_nothing(tmp_path: Path, clock: FakeClock) -> None:
    folder = tmp_path / "data"
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, folder],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as other:  # fmt: skip
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(HostFault, match=f"process {other.pid} on"):
            open_store(folder, clock)
        other.kill()
    open_store(folder, clock).close()


def test_folder_and_database_have_to_belong_together(
    postgres: Cluster, clock: FakeClock, tmp_path: Path
) -> None:
    with postgres.fresh() as url:
        open_store(tmp_path / "one", clock, url=url).close()
        with pytest.raises(HostFault, match="do not belong together"):
            open_store(tmp_path / "two", clock, url=url)
        open_store(tmp_path / "one", clock, url=url).close()


# -- start-ups that are refused -----------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, clock: FakeClock) -> Path:
    """A data folder with a file of a match."""
    folder = tmp_path / "data"
    with open_store(folder, clock) as store:
        store.records.put(b"a record")
    return folder


def _change(statement: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with sqlite3.connect(folder / "arena.sqlite") as database:
            database.execute(statement)
        database.close()

    return change


def _remove_database(folder: Path) -> None:
    for one in folder.glob("arena.sqlite*"):
        one.unlink()


def _replace(folder: Path) -> None:
    _remove_database(folder)
    _change("CREATE TABLE recipes (name TEXT)")(folder)


def _garble(folder: Path) -> None:
    _remove_database(folder)
    (folder / "arena.sqlite").write_bytes(b"not a database at all" * 100)


def _give_away(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(folder, 12345, 12345)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (_remove_database, r"arena\.sqlite: is missing"),
        (_give_away, r"belongs to user 12345, and this is root"),
        (_change("UPDATE schema_version SET version_num = '9999'"), r"newer program"),
        (_change("DELETE FROM schema_version"), r"revision 'none'"),
        (_change("DROP TABLE schema_version"), r"schema_version is missing"),
        (_change("DROP TABLE ledger"), r"table 'ledger' is missing"),
        (_replace, r"another program's"),
        (_garble, r"not a database"),
    ],
)
def test_what_is_refused_stays_as_it_was(
    folder: Path, clock: FakeClock, spoil: Callable[[Path], None], message: str
) -> None:
    spoil(folder)
    before = _content(folder)
    with pytest.raises(HostFault, match=message) as caught:
        open_store(folder, clock)
    assert "\n" not in str(caught.value)
    assert _content(folder) == before


def test_a_read_only_disk_is_refused(folder: Path, clock: FakeClock) -> None:
    with read_only(folder), pytest.raises(HostFault, match="read-only"):
        open_store(folder, clock)


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "9p", "fuse.sshfs", "ceph"])
def test_a_network_file_system_is_refused(tmp_path: Path, clock: FakeClock, kind: str) -> None:
    host = Host(file_system=lambda _: kind)
    with pytest.raises(HostFault, match=rf"network file system \({kind}\)"):
        open_store(tmp_path / "data", clock, host=host)


@pytest.mark.parametrize("kind", ["ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", ""])
def test_a_disk_of_this_machine_will_do(tmp_path: Path, clock: FakeClock, kind: str) -> None:
    open_store(tmp_path / "data", clock, host=Host(file_system=lambda _: kind)).close()


def test_somebody_elses_folder_is_refused(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"")
    with pytest.raises(InputError, match=r"holds 'holiday\.jpg' and no data of a server"):
        open_store(tmp_path, clock)
    assert [one.name for one in tmp_path.iterdir()] == ["holiday.jpg"]


def test_a_disk_of_its_own_will_do(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "lost+found").mkdir()
    open_store(tmp_path, clock).close()


def test_a_file_is_no_folder(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "data").write_bytes(b"")
    with pytest.raises(InputError, match="is no folder"):
        open_store(tmp_path / "data", clock)


# -- addresses ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://name:secret@host/arena", "'mysql' is not known"),
        ("postgresql+psycopg:name:secret", "is no address"),
        ("postgresql://name:secret@/arena?host=/nowhere", r"arena.*/nowhere"),
        ("postgresql://name:secret@127.0.0.1:1/arena?password=secret", r"127\.0\.0\.1"),
    ],
)
def test_no_message_tells_a_password(
    tmp_path: Path, clock: FakeClock, url: str, message: str
) -> None:
    with pytest.raises(ArenaError, match=message) as caught:
        open_store(tmp_path / "data", clock, url=url)
    assert "secret" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_moments_are_the_clocks(tmp_path: Path) -> None:
    with open_store(tmp_path / "data", lambda: Moment(5)) as store:
        assert store.clock() == 5


def test_foreign_keys_hold(reopen: OpenStore) -> None:
    store = reopen()
    with pytest.raises(Exception, match=r"(?i)foreign key"), store.database.writing() as connection:
        connection.execute(
            text("INSERT INTO entrants (owner, name, created, mu, sigma, conservative)"
                 " VALUES (99, 'x', 0, 25, 8, 1)")
        )  # fmt: skip
