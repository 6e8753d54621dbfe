"""Whatever the bytes are: one kind of error, nothing outside the folder, and no second reading."""

from __future__ import annotations

import io
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from arena.errors import SubmissionError
from arena.submissions.checking import check_content
from arena.submissions.limits import ArchiveLimits
from arena.submissions.unpacking import Unpacker
from tests.submissions.rawzip import GOOD_TOML, Raw, build, deflate, good

LIMITS = ArchiveLimits(upload=10**6, unpacked=10**6)
CANARY = b"as it was"

SEEDS = [
    build(good()),
    build(good(Raw(b"d/", mode=0o40755, method=0), Raw(b"d/x", b"y" * 300), Raw(b"e/f/g", b"h"))),
    build(good(Raw(b"x", b"stored" * 9, method=0, mode=0o100755))),
    build(
        good(
            Raw(
                b"x",
                b"",
                both={"flags": 8},
                descriptor=b"PK\7\x08"
                + bytes(4)
                + len(deflate(b"")).to_bytes(4, "little")
                + bytes(4),
            )
        )
    ),
]


def tree(folder: Path) -> dict[str, bytes | None]:
    """All that is in a folder, links not followed: the content of files, None for folders."""
    found: dict[str, bytes | None] = {}
    for place, folders, names in os.walk(folder):
        for name in folders:
            assert not Path(place, name).is_symlink()
            found[str(Path(place, name).relative_to(folder))] = None
        for name in names:
            path = Path(place, name)
            status = path.lstat()
            assert path.is_file()
            assert not path.is_symlink()
            assert status.st_mode & 0o7777 in (0o644, 0o755)
            found[str(path.relative_to(folder))] = path.read_bytes()
    return found


@pytest.fixture(scope="module")
def room() -> Iterator[Path]:
    """A folder with a canary; what is unpacked goes into a folder beside it."""
    folder = Path(tempfile.mkdtemp())
    (folder / "canary").write_bytes(CANARY)
    yield folder
    shutil.rmtree(folder)


def unpacked(archive: bytes, room: Path) -> dict[str, bytes | None] | None:
    """What an archive becomes; None if it is refused. Nothing beside it has changed then."""
    folder = room / "bot"
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        check_content(archive, LIMITS, Unpacker(descriptor))
        return tree(folder)
    except SubmissionError:
        return None
    finally:
        os.close(descriptor)
        shutil.rmtree(folder)
        assert os.listdir(room) == ["canary"]
        assert (room / "canary").read_bytes() == CANARY


def check(archive: bytes, room: Path) -> bool:
    """Whether it passes; if it does, Python's own reader finds the same in it."""
    found = unpacked(archive, room)
    if found is None:
        return False
    with zipfile.ZipFile(io.BytesIO(archive)) as other:
        named = [info for info in other.infolist() if not info.is_dir()]
        theirs = {info.filename: other.read(info) for info in named}
    assert theirs == {name: content for name, content in found.items() if content is not None}
    return True


@pytest.mark.parametrize("seed", SEEDS)
def test_the_seeds_pass(seed: bytes, room: Path) -> None:
    assert check(seed, room)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A good archive after a few changes, most of them in the headers."""
    archive = bytearray(draw(st.sampled_from(SEEDS)))
    starts = [at for at in range(len(archive)) if archive[at : at + 2] == b"PK"]
    for _ in range(draw(st.integers(1, 3))):
        near = draw(st.sampled_from(starts)) + draw(st.integers(0, 50))
        at = draw(st.one_of(st.just(near), st.integers(0, len(archive))))
        at = min(at, len(archive))
        kind = draw(st.sampled_from(["set", "set", "set", "insert", "delete", "copy"]))
        if kind == "set":
            new = draw(st.one_of(st.binary(min_size=1, max_size=4), st.just(b"\0"), st.just(b"/")))
            archive[at : at + len(new)] = new
        elif kind == "insert":
            archive[at:at] = draw(st.binary(max_size=20))
        elif kind == "delete":
            del archive[at : at + draw(st.integers(1, 60))]
        else:
            begin = draw(st.integers(0, len(archive)))
            archive[at:at] = archive[begin : begin + draw(st.integers(1, 100))]
    return bytes(archive)


@settings(max_examples=400)
@given(archive=mutated())
def test_changed_bytes_pass_or_are_refused(archive: bytes, room: Path) -> None:
    event("passes" if check(archive, room) else "refused")


@settings(max_examples=200)
@given(archive=st.binary(max_size=200))
def test_any_bytes_are_refused(archive: bytes, room: Path) -> None:
    assert unpacked(archive, room) is None


NAMES = st.one_of(
    st.sampled_from(
        [b"a", b"A", b"a/b", b"a/", b"../x", b"/x", b"bot.toml", b"b", b"canary", b"con"]
    ),
    st.binary(max_size=6),
)
NUMBERS = st.sampled_from([0, 1, 8, 2**16 - 1])


@st.composite
def made(draw: st.DrawFn) -> bytes:
    """An archive with consistent offsets, in which single fields are odd."""
    entries = [Raw(b"bot.toml", GOOD_TOML)]
    for _ in range(draw(st.integers(0, 3))):
        odd = st.dictionaries(
            st.sampled_from(["flags", "method", "crc", "size"]), NUMBERS, max_size=1
        )
        entries.append(
            Raw(
                draw(NAMES),
                draw(st.binary(max_size=20)),
                method=draw(st.sampled_from([0, 8])),
                mode=draw(st.sampled_from([0, 0o100644, 0o40755, 0o100755, 0o120777])),
                both=draw(odd) if draw(st.booleans()) else {},
                local=draw(odd) if draw(st.integers(0, 5)) == 0 else {},
            )
        )
    return build(entries)


@settings(max_examples=400)
@given(archive=made())
def test_odd_entries_pass_or_are_refused(archive: bytes, room: Path) -> None:
    event("passes" if check(archive, room) else "refused")
