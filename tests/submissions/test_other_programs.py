"""What is accepted means the same to other programs, and what they write is accepted (E6)."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.submissions.intake import Intake
from tests.submissions.rawzip import GOOD_TOML, Raw, build, good
from tests.submissions.test_fuzz import SEEDS, tree

ACCEPTED = [
    *SEEDS,
    build(good(*(Raw(b"many/f%d" % one, b"%d" % one * one) for one in range(300)))),
    build(good(Raw(b"/".join([b"d"] * 11) + b"/x", b"deep"), Raw(b"n" * 200, b"long"))),
]

UNPACK = {
    "zipfile": [sys.executable, "-m", "zipfile", "-e", "{archive}", "{folder}"],
    "unzip": ["unzip", "-q", "{archive}", "-d", "{folder}"],
    "bsdtar": ["bsdtar", "-x", "-f", "{archive}", "-C", "{folder}"],
}


def require(program: str) -> None:
    if program != "zipfile" and shutil.which(program) is None:
        pytest.skip(f"{program} is not installed: nothing was compared with it")


def ours(archive: Path, folder: Path) -> dict[str, bytes | None]:
    with archive.open("rb") as file:
        Intake().unpack(file.fileno(), folder)
    return tree(folder)


@pytest.mark.parametrize("program", UNPACK)
def test_another_program_unpacks_the_same(program: str, tmp_path: Path) -> None:
    require(program)
    archive = tmp_path / "bot.zip"
    for number, content in enumerate(ACCEPTED):
        archive.write_bytes(content)
        folder = tmp_path / f"theirs{number}"
        folder.mkdir()
        command = [word.format(archive=archive, folder=folder) for word in UNPACK[program]]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        for path in folder.rglob("*"):
            path.chmod(0o755)  # other programs keep other modes
        assert tree(folder) == ours(archive, tmp_path / f"ours{number}")


def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    (folder / "lib" / "deep").mkdir(parents=True)
    (folder / "bot.toml").write_bytes(GOOD_TOML)
    (folder / "mine.py").write_bytes(b"pass\n" * 1000)
    (folder / "lib" / "deep" / "book.bin").write_bytes(os.urandom(5000))
    (folder / "lib" / "empty").write_bytes(b"")
    for path in folder.rglob("*"):
        path.chmod(0o755)
    return folder


def zip_program(folder: Path, archive: Path) -> None:
    require("zip")
    subprocess.run(["zip", "-q", "-r", archive, "."], cwd=folder, check=True, timeout=60)


def bsdtar_program(folder: Path, archive: Path) -> None:
    require("bsdtar")
    command = ["bsdtar", "-c", "-f", str(archive), "--format", "zip", *os.listdir(folder)]
    subprocess.run(command, cwd=folder, check=True, timeout=60)


def zipfile_module(folder: Path, archive: Path) -> None:
    shutil.make_archive(str(archive.with_suffix("")), "zip", folder)


class _Pipe(io.RawIOBase):
    """A file that cannot go back, so that sizes come after the content."""

    def __init__(self) -> None:
        self.written = b""

    def writable(self) -> bool:
        return True

    def write(self, piece: object) -> int:
        self.written += bytes(piece)  # type: ignore[call-overload]
        return len(piece)  # type: ignore[arg-type]


def zipfile_into_a_pipe(folder: Path, archive: Path) -> None:
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as writing:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                writing.write(path, path.relative_to(folder))
    archive.write_bytes(pipe.written)


@pytest.mark.parametrize(
    "write", [zip_program, bsdtar_program, zipfile_module, zipfile_into_a_pipe]
)
def test_what_other_programs_write_is_accepted(
    write: Callable[[Path, Path], None], tmp_path: Path
) -> None:
    folder, archive = sources(tmp_path), tmp_path / "theirs.zip"
    write(folder, archive)
    assert ours(archive, tmp_path / "ours") == tree(folder)
