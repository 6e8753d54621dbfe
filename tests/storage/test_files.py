"""Files under their SHA-256: whole or not there, and verified whenever they are read."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import FieldError, HostFault
from arena.storage import failpoints
from arena.storage.facts import Moment
from arena.storage.files import FileStore
from arena.storage.folder import free_space
from arena.storage.schema import AUDIT
from arena.storage.store import Store, open_store
from tests.storage.mounts import small_disk

CONTENT = b"what a match has written\n"
DIGEST = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def files(tmp_path: Path) -> FileStore:
    return FileStore(tmp_path / "records")


def test_what_is_put_is_read(files: FileStore) -> None:
    assert files.put(CONTENT) == DIGEST
    assert files.put([CONTENT[:5], b"", CONTENT[5:]]) == DIGEST
    assert files.read(DIGEST) == CONTENT
    assert DIGEST in files
    assert list(files) == [DIGEST]


def test_a_file_is_copied_in(files: FileStore, tmp_path: Path) -> None:
    (tmp_path / "spooled").write_bytes(CONTENT)
    assert files.put_file(tmp_path / "spooled") == DIGEST
    assert files.read(DIGEST) == CONTENT


def test_nothing_stored_is_nothing_found(files: FileStore) -> None:
    assert list(files) == []
    assert DIGEST not in files
    assert files.remove_leftovers() == 0
    with pytest.raises(HostFault, match="No such file"):
        files.open(DIGEST)


@pytest.mark.parametrize(
    "name", ["", "abc", DIGEST.upper(), f"../{DIGEST}", f"{DIGEST}\n", "é" * 64]
)
def test_what_is_no_digest_is_refused(files: FileStore, name: str) -> None:
    with pytest.raises(FieldError, match="64 hexadecimal digits"):
        files.open(name)


def test_a_changed_file_is_refused_and_put_right(files: FileStore) -> None:
    files.put(CONTENT)
    place = files.place(DIGEST)
    place.chmod(0o644)
    place.write_bytes(CONTENT[:-1])
    with pytest.raises(HostFault, match="has changed"):
        files.open(DIGEST)
    files.put(CONTENT)
    assert files.read(DIGEST) == CONTENT


def test_a_link_to_elsewhere_is_refused(files: FileStore, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(CONTENT)
    place = files.place(DIGEST)
    place.parent.mkdir(parents=True)
    place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(HostFault, match="symbolic links"):
        files.open(DIGEST)


_PUT = """
import sys
from pathlib import Path
from arena.storage.files import FileStore
FileStore(Path(sys.argv[1])).put(b"what a match has written\\n")
"""


@pytest.mark.parametrize(
    ("point", "is_there"),
    [(failpoints.BEFORE_FILE_RENAME, False), (failpoints.AFTER_FILE_RENAME, True)],
)
def test_a_kill_leaves_all_of_it_or_nothing(files: FileStore, point: str, is_there: bool) -> None:
    done = subprocess.run(
        [sys.executable, "-c", _PUT, files.folder],
        env={**os.environ, failpoints.VARIABLE: point},
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert (DIGEST in files) == is_there
    assert files.remove_leftovers() == (not is_there)
    assert files.put(CONTENT) == DIGEST


def test_a_file_that_is_being_written_is_no_leftover(files: FileStore) -> None:
    def pieces() -> list[bytes]:
        assert files.remove_leftovers() == 0
        return [CONTENT]

    assert files.put(piece for make in [pieces] for piece in make()) == DIGEST


# -- a full disk --------------------------------------------------------------------------------


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", "4m") as disk:
        files = FileStore(disk / "records")
        before = free_space(disk)
        with pytest.raises(HostFault, match="No space left"):
            files.put(os.urandom(1 << 20) for _ in range(8))
        assert list(files) == []
        assert list((disk / "records" / ".incoming").iterdir()) == []
        assert free_space(disk) >= before - (64 << 10)
        files.put(CONTENT)  # there is room again, without anybody's help
        assert files.read(DIGEST) == CONTENT


def test_a_database_on_a_full_disk_recovers_by_itself(tmp_path: Path) -> None:
    with (
        small_disk(tmp_path / "disk") as disk,
        open_store(disk / "data", lambda: Moment(1)) as store,
    ):

        def note(detail: str) -> None:
            values = {"at": 0, "who": "test", "action": "a", "target": "", "detail": detail}
            store.database.write(
                lambda connection: connection.execute(AUDIT.insert().values(values))
            )

        note("first")
        ballast = disk / "ballast"
        with pytest.raises(OSError, match="No space left"):
            _fill(ballast)
        assert free_space(disk) < 1 << 16
        with pytest.raises(HostFault, match="full"):
            note("x" * (8 << 20))
        assert _details(store) == ["first"]
        ballast.unlink()
        note("last")
        assert _details(store) == ["first", "last"]


def _fill(path: Path) -> None:
    with path.open("wb", buffering=0) as file:
        while file.write(bytes(1 << 16)):
            pass


def _details(store: Store) -> list[str]:
    query = AUDIT.select().order_by(AUDIT.c.number)
    rows = store.database.read(lambda connection: connection.execute(query).all())
    return [row.detail for row in rows]
