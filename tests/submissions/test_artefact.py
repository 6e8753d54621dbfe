"""What a build leaves, received file by file: refused like an upload, packed like an upload."""

from __future__ import annotations

import itertools
import stat
import tempfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostFault, SubmissionError
from arena.submissions.artefact import ARTEFACT_BOUNDS, ARTEFACT_LIMITS, ArtefactReceiver
from arena.submissions.intake import Intake

MANIFEST = (
    b'name = "built"\nversion = "1"\nlanguage = "python"\nrun = ["./bot"]\nbuild = ["make"]\n'
)
FILES = {"bot.toml": (False, MANIFEST), "bot": (True, b"#!/bin/sh\n"), "lib/a.txt": (False, b"")}


def received(
    files: Iterable[tuple[str, tuple[bool, bytes]]], *, manifest: bytes = MANIFEST, piece: int = 7
) -> bytes:
    receiver = ArtefactReceiver(manifest)
    for name, (is_program, content) in files:
        receiver.begin(b"%s %s" % (b"755" if is_program else b"644", name.encode()))
        for at in range(0, len(content), piece):
            receiver.add(content[at : at + piece])
    return receiver.packed()


def refused(*heads: str, limits: dict[str, int] | None = None, content: bytes = b"") -> str:
    receiver = ArtefactReceiver(MANIFEST, replace(ARTEFACT_LIMITS, **(limits or {})))
    try:
        for head in heads:
            receiver.begin(head.encode())
            receiver.add(content)
    except SubmissionError as error:
        return str(error)
    raise AssertionError(f"{heads} are received")


def test_what_was_received_is_unpacked_as_an_upload_is(tmp_path: Path) -> None:
    content = received(FILES.items())
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        intake = Intake(limits=ARTEFACT_LIMITS, bounds=ARTEFACT_BOUNDS)
        submission = intake.unpack(file.fileno(), tmp_path / "out")
    assert submission.files == len(FILES)
    for name, (is_program, text) in FILES.items():
        path = tmp_path / "out" / name
        assert path.read_bytes() == text
        assert stat.S_IMODE(path.stat().st_mode) == (0o755 if is_program else 0o644)


def test_equal_files_make_equal_bytes_in_whatever_order_and_pieces_they_come() -> None:
    one = received(FILES.items())
    for order in itertools.permutations(FILES.items()):
        assert received(order, piece=3) == one
    other = received({**FILES, "bot": (False, FILES["bot"][1])}.items())
    assert other != one


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../canary", "its name has a part '..'"),
        ("/etc/shadow", "absolute path"),
        ("a\\b", "backslash"),
        ("na\u00efve", "something else than"),
        ("a\x1b[2Jb", "something else than"),
        ("a\nb", "something else than"),
        ("con.txt", "a device on Windows"),
        ("/".join("a" * 13), "lies 13 deep; at most 12 are allowed"),
        ("a" * 201, "201 bytes; at most 200 are allowed"),
    ],
)
def test_names_are_those_of_an_upload(name: str, problem: str) -> None:
    assert problem in refused(f"644 {name}")


def test_names_that_are_one_elsewhere_are_refused() -> None:
    assert "are one name on some machines" in refused("644 Bot", "644 bot")
    assert "is there twice" in refused("644 bot", "644 bot")
    assert "is a file and a folder" in refused("644 lib", "644 lib/a")


def test_too_much_is_refused_at_the_file_that_makes_it_too_much() -> None:
    told = refused("644 a", "644 b", limits={"unpacked": 15}, content=b"0123456789")
    assert told == (
        "entry 'b': with it the files have more than 15 bytes together; let the build remove what "
        "only the build needs (rule: unpacked)"
    )
    told = refused("644 a", "644 b", "644 c", limits={"entries": 2})
    assert told == "entry 'c': with it there are more than 2 files (rule: count)"


def test_bot_toml_stays_what_was_checked() -> None:
    without = {name: one for name, one in FILES.items() if name != "bot.toml"}
    with pytest.raises(SubmissionError, match=r"'bot\.toml': the build has removed it"):
        received(without.items())
    other = {**FILES, "bot.toml": (False, MANIFEST.replace(b"./bot", b"./cat"))}
    with pytest.raises(SubmissionError, match=r"'bot\.toml': the build has changed it"):
        received(other.items())


@pytest.mark.parametrize("head", [b"", b"bot", b"777 bot", b"4755 bot", b"644 lib/"])
def test_what_no_keeper_says_is_the_hosts_failure(head: bytes) -> None:
    with pytest.raises(HostFault, match="the keeper of a build sends"):
        ArtefactReceiver(MANIFEST).begin(head)


def test_content_without_a_file_is_the_hosts_failure() -> None:
    with pytest.raises(HostFault, match="content without a file"):
        ArtefactReceiver(MANIFEST).add(b"x")


def test_the_largest_artefact_that_nothing_packs_fits_its_own_limit() -> None:
    limits = ARTEFACT_LIMITS
    # Headers of each file: 30 and 46 bytes and twice its name; 22 at the end.
    headers = limits.entries * (30 + 46 + 2 * limits.path) + 22
    assert limits.unpacked + headers <= limits.upload
