"""The check in a process of its own: within its limits, whatever the archive does."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import HostFault, SubmissionError
from arena.submissions import checking
from arena.submissions.intake import Intake, remove_leftovers
from arena.submissions.limits import MIB, ArchiveLimits, CheckBounds, Rule
from arena.submissions.store import ArchiveStore
from tests.submissions.rawzip import GOOD_TOML, Raw, bomb_of_zeros, build, good, quoted_overlap
from tests.submissions.test_fuzz import tree
from tests.submissions.test_store import small_disk

ENDLESS = ArchiveLimits(ratio=2000, unpacked=2**34)
"""Limits that let a bomb go off, so that the bounds of the check itself are met."""


@contextlib.contextmanager
def opened(folder: Path, content: bytes) -> Iterator[int]:
    path = folder / "upload.zip"
    path.write_bytes(content)
    with path.open("rb") as file:
        yield file.fileno()


def refusal(folder: Path, content: bytes, intake: Intake) -> SubmissionError:
    """How an archive is refused, unpacked or only checked; nothing of it is left."""
    target = folder / "bot"
    with opened(folder, content) as archive:
        with pytest.raises(SubmissionError) as caught:
            intake.check(archive)
        with pytest.raises(SubmissionError) as again:
            intake.unpack(archive, target)
    assert str(again.value) == str(caught.value)
    assert os.listdir(folder) == ["upload.zip"]
    return caught.value


def bomb(mebibytes: int) -> bytes:
    """A file of zeros in an archive that announces it rightly."""
    size = mebibytes * MIB
    entry = Raw(b"zeros", packed=bomb_of_zeros(mebibytes), both={"size": size, "crc": 1})
    return build(good(entry))


@pytest.fixture(scope="module")
def large() -> bytes:
    """The largest archive that there may be, of stored bytes that are no two the same."""
    content = random.Random(1).randbytes(ArchiveLimits().upload)
    spare = len(build(good(Raw(b"large", b"", method=0))))
    return build(good(Raw(b"large", content[: -spare or None], method=0)))


@pytest.fixture(scope="module")
def baseline() -> int:
    """The address space in bytes, in whole MiB, of a check that has not begun yet."""
    code = "import arena.submissions.checker; print(open('/proc/self/statm').read())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return -(-int(done.stdout.split()[0]) * resource.getpagesize() // MIB) * MIB


def test_what_is_in_an_archive_is_told(tmp_path: Path) -> None:
    toml = GOOD_TOML + b'build = ["make"]\nplayers = [2]\nrulesets = ["express"]\n'
    content = build([Raw(b"bot.toml", toml), Raw(b"x", b"y" * 10)])
    with opened(tmp_path, content) as archive:
        found = Intake().check(archive)
    assert found.digest == hashlib.sha256(content).hexdigest()
    assert (found.files, found.unpacked) == (2, len(toml) + 10)
    assert (found.manifest.name, found.manifest.build) == ("mine", ("make",))
    assert (found.manifest.players, found.manifest.rulesets) == ((2,), ("express",))


def test_it_is_unpacked_with_two_modes_whatever_the_umask(tmp_path: Path) -> None:
    entries = good(
        Raw(b"d/", method=0, mode=0o40700),
        Raw(b"d/run", b"#!", mode=0o100500),
        Raw(b"e/f/open", b"o", mode=0o100666),
    )
    before = os.umask(0o077)
    try:
        with opened(tmp_path, build(entries)) as archive:
            found = Intake().unpack(archive, tmp_path / "bot")
    finally:
        os.umask(before)
    folder = tmp_path / "bot"
    assert found.manifest.folder == folder
    modes = {str(path.relative_to(folder)): path.stat().st_mode for path in folder.rglob("*")}
    assert {name: mode & 0o7777 for name, mode in modes.items()} == {
        "bot.toml": 0o644,
        "mine.py": 0o644,
        "d": 0o755,
        "d/run": 0o755,
        "e": 0o755,
        "e/f": 0o755,
        "e/f/open": 0o644,
    }
    assert folder.stat().st_mode & 0o7777 == 0o755
    assert tree(folder)["e/f/open"] == b"o"


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "bot").symlink_to("nowhere")
    with opened(tmp_path, build(good())) as archive:
        with pytest.raises(HostFault, match="exists already"):
            Intake().unpack(archive, tmp_path / "bot")
        with pytest.raises(HostFault, match="no folder can be made there"):
            Intake().unpack(archive, tmp_path / "no" / "bot")


def test_half_an_archive_is_never_left(tmp_path: Path) -> None:
    entries = good(Raw(b"d/e/x", b"first"), Raw(b"z", b"last", both={"crc": 1}))
    error = refusal(tmp_path, build(entries), Intake())
    assert (error.rule, error.entry) == (Rule.CONTENT, "z")


def test_it_is_not_this_process_that_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("an archive is read in this process")

    monkeypatch.setattr(checking, "read_archive", never)
    monkeypatch.setattr(checking, "parse_manifest", never)
    monkeypatch.setattr(zlib, "decompressobj", never)
    with opened(tmp_path, build(good())) as archive:
        assert Intake().unpack(archive, tmp_path / "bot").files == 2


# -- bombs within fixed memory (E3) -----------------------------------------------------------

BOMBS = {
    "ratio": (bomb(64), Rule.RATIO),
    "large": (bomb(2000), Rule.UNPACKED),
    "forged small": (
        build(good(Raw(b"x", packed=bomb_of_zeros(64), both={"size": 10}))),
        Rule.CONTENT,
    ),
    "forged large": (build(good(Raw(b"x", b"y", both={"size": 2**31 - 1}))), Rule.CONTENT),
    "forged packed": (build(good(Raw(b"x", b"y", both={"packed": 2**31 - 1}))), Rule.FORMAT),
    "overlap": (quoted_overlap(500, bytes(30_000)), Rule.FORMAT),
    "one place": (
        build(good(*(Raw(b"f%d" % one, b"y", central={"start": 0}) for one in range(1000)))),
        Rule.FORMAT,
    ),
    "empty blocks": (
        build(good(Raw(b"x", b"", packed=b"\0\0\0\xff\xff" * 100_000))),
        Rule.CONTENT,
    ),
    "in bot.toml": (
        build([Raw(b"bot.toml", packed=bomb_of_zeros(64), both={"size": 16_000})]),
        Rule.CONTENT,
    ),
    "brackets in bot.toml": (
        build([Raw(b"bot.toml", b"a=" + b"[" * 16_000, method=0)]),
        Rule.MANIFEST,
    ),
    "digits in bot.toml": (
        build([Raw(b"bot.toml", b"a=" + b"9" * 16_000, method=0)]),
        Rule.MANIFEST,
    ),
    "dots in bot.toml": (
        build([Raw(b"bot.toml", b"a." * 8000 + b"a=1", method=0)]),
        Rule.MANIFEST,
    ),
    "many dots in bot.toml": (
        build([Raw(b"bot.toml", (b"a." * 190 + b"a=1\n[[b]]\n") * 40, method=0)]),
        Rule.MANIFEST,
    ),
    "count": (build([], here=60_000, total=60_000), Rule.COUNT),
}


@pytest.mark.parametrize("case", BOMBS)
def test_a_bomb_is_refused_in_little_more_memory_than_a_small_archive_takes(
    case: str, tmp_path: Path, baseline: int
) -> None:
    content, rule = BOMBS[case]
    intake = Intake(bounds=CheckBounds(memory=baseline + 8 * MIB))
    assert refusal(tmp_path, content, intake).rule == rule


def test_the_overlapping_bomb_is_one() -> None:
    """Who does not look for overlaps reads far more from it than it is long, and all is right."""
    archive = BOMBS["overlap"][0]
    total, directory = 0, archive.index(b"PK\1\2")
    while archive[directory : directory + 4] == b"PK\1\2":
        checksum, _, size, name = struct.unpack_from("<3LH", archive, directory + 16)
        (start,) = struct.unpack_from("<L", archive, directory + 42)
        content = zlib.decompressobj(-15).decompress(archive[start + 30 + name :])
        assert (len(content), zlib.crc32(content)) == (size, checksum)
        total += size
        directory += 46 + name
    assert total > 100 * len(archive)


@pytest.mark.slow
def test_the_largest_archive_needs_its_own_size_more(
    tmp_path: Path, baseline: int, large: bytes
) -> None:
    assert len(large) == ArchiveLimits().upload
    with opened(tmp_path, large) as archive:
        enough = Intake(bounds=CheckBounds(memory=baseline + len(large) + 8 * MIB))
        assert enough.unpack(archive, tmp_path / "bot").files == 3
    with opened(tmp_path, large + b"x") as archive, pytest.raises(SubmissionError) as caught:
        enough.check(archive)
    assert caught.value.rule == Rule.UPLOAD


def test_of_an_archive_that_is_too_large_its_whole_size_is_told(tmp_path: Path) -> None:
    path = tmp_path / "upload.zip"
    path.touch()
    os.truncate(path, 3 * ArchiveLimits().upload)
    with path.open("rb") as archive, pytest.raises(SubmissionError) as caught:
        Intake().check(archive.fileno())
    assert str(caught.value) == (
        "has 100,663,296 bytes; at most 33,554,432 are allowed (rule: upload)"
    )


@pytest.mark.slow
def test_unpacked_is_counted_at_its_default(tmp_path: Path, baseline: int) -> None:
    rng = random.Random(2)
    block = b"".join(rng.randbytes(64) + bytes(4032) for _ in range(256))
    most = ArchiveLimits().unpacked // len(block)
    for count, passes in ((most - 1, True), (most + most // 100, False)):
        deflater = zlib.compressobj(1, zlib.DEFLATED, -15)
        packed = b"".join(deflater.compress(block) for _ in range(count)) + deflater.flush()
        checksum = 0
        for _ in range(count):
            checksum = zlib.crc32(block, checksum)
        entry = Raw(b"x", packed=packed, both={"size": count * len(block), "crc": checksum})
        content = build(good(entry))
        memory = baseline + len(content) + 8 * MIB
        intake = Intake(bounds=CheckBounds(memory=memory))
        if passes:
            with opened(tmp_path, content) as archive:
                assert intake.check(archive).unpacked > count * len(block)
        else:
            assert refusal(tmp_path, content, intake).rule == Rule.UNPACKED


# -- the bounds of the check ------------------------------------------------------------------


def test_who_needs_too_much_memory_is_refused(tmp_path: Path, baseline: int, large: bytes) -> None:
    memory = baseline + 16 * MIB
    error = refusal(tmp_path, large, Intake(bounds=CheckBounds(memory=memory)))
    assert error.rule == Rule.EFFORT
    assert error.problem == f"needs more than {memory // MIB} MiB of memory to be checked"


@pytest.mark.parametrize(
    ("bounds", "problem"),
    [
        (CheckBounds(cpu=1), "takes more than 1 s of processor time to be checked"),
        (CheckBounds(wall=1), "takes more than 1 s to be checked"),
    ],
)
def test_who_takes_too_long_is_refused(bounds: CheckBounds, problem: str, tmp_path: Path) -> None:
    with opened(tmp_path, bomb(4000)) as archive, pytest.raises(SubmissionError) as caught:
        Intake(limits=ENDLESS, bounds=bounds).check(archive)
    assert (caught.value.rule, caught.value.problem) == (Rule.EFFORT, problem)


def children() -> list[int]:
    """The processes that this one has started and that still run."""
    path = Path(f"/proc/self/task/{threading.main_thread().native_id}/children")
    threads = path.parents[1].glob("*/children")
    return [int(pid) for one in threads for pid in one.read_text().split()]


def test_a_check_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    before = set(children())
    faults: list[HostFault] = []
    with opened(tmp_path, bomb(4000)) as archive:

        def unpack() -> None:
            try:
                Intake(limits=ENDLESS).unpack(archive, tmp_path / "bot")
            except HostFault as error:
                faults.append(error)

        thread = threading.Thread(target=unpack)
        thread.start()
        # As soon as something has been written.
        while thread.is_alive() and not list(tmp_path.glob(".unpacking-*/zeros")):
            thread.join(0.001)
        (child,) = set(children()) - before
        os.kill(child, signal.SIGKILL)
        thread.join()
    assert [str(one) for one in faults] == ["the check of an upload ended with code -9: "]
    assert os.listdir(tmp_path) == ["upload.zip"]
    assert set(children()) <= before


def test_a_full_disk_is_the_machine_s_fault(tmp_path: Path) -> None:
    place = tmp_path / "small"
    with small_disk(place), opened(tmp_path, build(good(Raw(b"x", bytes(100_000))))) as archive:
        with pytest.raises(HostFault, match=r"cannot be checked or unpacked: No space left"):
            Intake(limits=ArchiveLimits(ratio=2000)).unpack(archive, place / "bot")
        assert os.listdir(place) == []


def test_a_place_that_takes_nothing_is_the_machine_s_fault(tmp_path: Path) -> None:
    with (
        opened(tmp_path, build(good())) as archive,
        pytest.raises(HostFault, match="no folder can be made there"),
    ):
        Intake().unpack(archive, Path("/proc/bot"))


def test_what_a_killed_server_has_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / ".unpacking-left" / "d").mkdir(parents=True)
    (tmp_path / ".unpacking-left" / "d" / "x").write_text("half")
    (tmp_path / ".unpacking-link").symlink_to(tmp_path)
    (tmp_path / "bot").mkdir()
    assert remove_leftovers(tmp_path) == 1
    assert sorted(os.listdir(tmp_path)) == [".unpacking-link", "bot"]


# -- the same bytes (E8) ----------------------------------------------------------------------


def test_bytes_that_were_changed_in_place_are_refused(tmp_path: Path) -> None:
    """From the store to the check: even who writes into the very file is noticed."""
    store = ArchiveStore(tmp_path / "store")
    digest = store.add([build(good())])
    with store.open(digest) as file:
        assert Intake().check(file.fileno(), digest=digest).digest == digest
        path = tmp_path / "store" / digest[:2] / digest
        path.chmod(0o644)
        path.write_bytes(build(good(Raw(b"evil.py", b"x"))))
        with pytest.raises(HostFault, match=f"the archive {digest} has changed"):
            Intake().unpack(file.fileno(), tmp_path / "bot", digest=digest)
    assert not (tmp_path / "bot").exists()


def test_where_the_descriptor_stands_does_not_matter(tmp_path: Path) -> None:
    with opened(tmp_path, build(good())) as archive:
        os.lseek(archive, 0, os.SEEK_END)
        assert Intake().check(archive).files == 2
