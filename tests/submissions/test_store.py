"""The store: one object for equal bytes, whole or not at all, and never another one's bytes."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import resource
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostFault, SubmissionError
from arena.submissions.limits import Rule
from arena.submissions.store import ArchiveStore

BYTES = b"PK archive " * 1000
DIGEST = hashlib.sha256(BYTES).hexdigest()


@pytest.fixture
def store(tmp_path: Path) -> ArchiveStore:
    return ArchiveStore(tmp_path / "store")


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


def stored(tmp_path: Path, digest: str = DIGEST) -> Path:
    return tmp_path / "store" / digest[:2] / digest


def test_what_is_added_is_found_under_its_digest(store: ArchiveStore, tmp_path: Path) -> None:
    assert DIGEST not in store
    assert store.add([BYTES[:7], b"", BYTES[7:]]) == DIGEST
    assert DIGEST in store
    with store.open(DIGEST) as file:
        assert file.read() == BYTES
    assert files(tmp_path) == [stored(tmp_path)]
    assert stored(tmp_path).stat().st_mode & 0o777 == 0o444


def test_equal_bytes_are_stored_once(store: ArchiveStore, tmp_path: Path) -> None:
    for _ in range(50):
        assert store.add([BYTES]) == DIGEST
    assert files(tmp_path) == [stored(tmp_path)]
    assert store.add([BYTES + b"x"]) != DIGEST
    assert len(files(tmp_path)) == 2


def test_many_at_once_store_it_once(store: ArchiveStore, tmp_path: Path) -> None:
    start = threading.Barrier(8)
    digests = []

    def add() -> None:
        start.wait()
        digests.append(store.add([BYTES]))

    threads = [threading.Thread(target=add) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert digests == [DIGEST] * 8
    assert files(tmp_path) == [stored(tmp_path)]


def test_it_is_on_the_disk_before_it_has_its_name(
    store: ArchiveStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    sync, rename = os.fsync, os.rename

    def noted_sync(descriptor: int) -> None:
        steps.append("fsync")
        sync(descriptor)

    def noted_rename(old: str, new: Path) -> None:
        assert os.stat(old).st_dev == os.stat(new.parent).st_dev
        steps.append("rename")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", noted_sync)
    monkeypatch.setattr(os, "rename", noted_rename)
    store.add([BYTES])
    assert steps == ["fsync", "rename", "fsync", "fsync"]


# -- what was announced (E7, a partial upload) ------------------------------------------------


@pytest.mark.parametrize(
    ("length", "digest", "problem"),
    [
        (len(BYTES) + 1, "", "has 11000 bytes; 11001 were announced: send it again"),
        (len(BYTES) - 1, "", "has 11000 bytes; 10999 were announced"),
        (None, "0" * 64, f"has the SHA-256 {DIGEST}; '{'0' * 64}' was announced"),
        (None, DIGEST.upper(), "was announced"),
    ],
)
def test_a_lying_length_or_digest_is_refused_and_leaves_nothing(
    length: int | None, digest: str, problem: str, store: ArchiveStore, tmp_path: Path
) -> None:
    with pytest.raises(SubmissionError) as caught:
        store.add([BYTES], length=length, digest=digest)
    assert caught.value.rule == Rule.UPLOAD
    assert problem in caught.value.problem
    assert files(tmp_path) == []
    assert store.add([BYTES], length=len(BYTES), digest=DIGEST) == DIGEST


def test_an_aborted_upload_leaves_nothing(store: ArchiveStore, tmp_path: Path) -> None:
    def cut_off() -> Iterator[bytes]:
        yield BYTES
        assert len(files(tmp_path)) == 1
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        store.add(cut_off())
    assert files(tmp_path) == []
    with store.receive() as upload:
        upload.write(BYTES)
    assert files(tmp_path) == []


def test_too_much_is_refused_as_soon_as_it_comes(tmp_path: Path) -> None:
    store = ArchiveStore(tmp_path / "store", most=1000)
    asked = 0

    def endless() -> Iterator[bytes]:
        nonlocal asked
        while True:
            asked += 1
            yield bytes(300)

    with pytest.raises(SubmissionError, match=r"more than the 1000 bytes that are .*rule: upload"):
        store.add(endless())
    assert asked == 4
    assert files(tmp_path) == []
    assert store.add([bytes(1000)]) in store


# -- a file that changes (E8) -----------------------------------------------------------------


def test_a_file_that_was_swapped_is_refused(store: ArchiveStore, tmp_path: Path) -> None:
    store.add([BYTES])
    (tmp_path / "other").write_bytes(BYTES.replace(b"a", b"b", 1))
    os.replace(tmp_path / "other", stored(tmp_path))
    with pytest.raises(
        HostFault, match=r"has changed: its bytes now have the SHA-256 [0-9a-f]{64}"
    ):
        store.open(DIGEST)
    assert store.add([BYTES]) == DIGEST  # the right bytes mend it
    store.open(DIGEST).close()


def test_a_file_that_is_swapped_after_opening_does_not_matter(
    store: ArchiveStore, tmp_path: Path
) -> None:
    store.add([BYTES])
    with store.open(DIGEST) as file:
        (tmp_path / "other").write_bytes(b"other")
        os.replace(tmp_path / "other", stored(tmp_path))
        assert file.read() == BYTES


@pytest.mark.parametrize("kind", ["link", "pipe", "folder", "cut", "empty"])
def test_what_is_no_longer_that_file_is_refused(
    kind: str, store: ArchiveStore, tmp_path: Path
) -> None:
    store.add([BYTES])
    path = stored(tmp_path)
    path.rename(tmp_path / "right")
    match kind:
        case "link":
            path.symlink_to(tmp_path / "right")
        case "pipe":
            os.mkfifo(path)
        case "folder":
            path.mkdir()
        case _:
            path.write_bytes(BYTES[:-1] if kind == "cut" else b"")
    with pytest.raises(HostFault, match=str(path)):
        store.open(DIGEST)


@pytest.mark.parametrize(
    "digest", ["", "x", "../../etc/passwd", DIGEST.upper(), DIGEST[:-1], DIGEST + "\n", "." * 64]
)
def test_a_bad_digest_is_refused(digest: str, store: ArchiveStore) -> None:
    for ask in (store.open, store.__contains__):
        with pytest.raises(SubmissionError, match=r"must be 64 hexadecimal digits .*rule: digest"):
            ask(digest)


def test_a_digest_that_nobody_has_uploaded_is_refused(store: ArchiveStore) -> None:
    with pytest.raises(SubmissionError, match=rf"no archive {DIGEST} is stored"):
        store.open(DIGEST)


# -- a machine that fails ---------------------------------------------------------------------


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A file system with room for 64 KiB."""
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small file system; files with a limit are tried anyway")
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "arena-test", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def small_files(folder: Path) -> Iterator[None]:
    """No file of this process can have more than 64 KiB."""
    folder.mkdir()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("small", [small_disk, small_files], ids=["disk", "files"])
def test_a_full_disk_leaves_nothing_and_is_got_over(small: object, tmp_path: Path) -> None:
    assert callable(small)
    with small(tmp_path / "small"):
        store = ArchiveStore(tmp_path / "small" / "store")
        with pytest.raises(HostFault, match=r"No space left|File too large"):
            store.add([bytes(10_000)] * 20)
        assert files(tmp_path / "small") == []
        assert store.add([BYTES]) == DIGEST
        store.open(DIGEST).close()


def test_what_a_killed_server_has_left_is_removed_and_nothing_else(
    store: ArchiveStore, tmp_path: Path
) -> None:
    store.add([BYTES])
    left = tmp_path / "store" / ".incoming" / "left"
    left.write_bytes(b"half")
    with store.receive() as upload:
        upload.write(b"at work")
        assert store.remove_leftovers() == 1
        assert not left.exists()
        digest = upload.keep()
    assert files(tmp_path) == sorted([stored(tmp_path), stored(tmp_path, digest)])


def test_an_upload_is_locked_while_it_lasts(store: ArchiveStore, tmp_path: Path) -> None:
    with store.receive():
        (path,) = files(tmp_path)
        with path.open("rb") as file, pytest.raises(BlockingIOError):
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(HostFault, match="Not a directory"):
        ArchiveStore(tmp_path / "file" / "store")
