"""Versions and the one that plays: whole whatever is killed, by whoever, on a full disk too."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import HostFault, InputError
from arena.submissions.bottoml import Manifest
from arena.submissions.shelf import Entrant, Shelf, Version, version_of

ADA = Entrant("ada", "keeper")


def version(number: int) -> Version:
    return Version(
        archive=f"{number:064x}",
        artefact=f"{number + 1:064x}",
        image="sha256:" + "0" * 64,
        manifest=Manifest(
            name="keeper",
            version=str(number),
            language="python",
            run=("python", "bot.py"),
            folder=Path("/somewhere"),
        ),
    )


ONE, TWO = version(1), version(2)


def without_folder(one: Version) -> Version:
    return replace(one, manifest=replace(one.manifest, folder=Path()))


def test_the_version_that_was_put_there_last_plays(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    assert shelf.active(ADA) is None
    assert shelf.versions(ADA) == ()
    shelf.put(ADA, ONE)
    shelf.put(ADA, TWO)
    assert Shelf(tmp_path).active(ADA) == without_folder(TWO)
    assert set(shelf.versions(ADA)) == {ONE.digest, TWO.digest}
    shelf.activate(ADA, ONE.digest)
    assert shelf.active(ADA) == without_folder(ONE)


def test_a_version_says_all_of_its_bot_and_nothing_of_this_machine() -> None:
    assert version_of(ONE.as_bytes()) == without_folder(ONE)
    assert b"somewhere" not in ONE.as_bytes()
    assert ONE.digest == without_folder(ONE).digest
    assert ONE.digest != replace(ONE, artefact="f" * 64).digest


def test_a_version_is_named_by_its_bridge_only_if_it_has_one() -> None:
    bridged = replace(ONE, manifest=replace(ONE.manifest, bridge="stdio-json"))
    assert version_of(bridged.as_bytes()) == without_folder(bridged)
    assert b"bridge" not in ONE.as_bytes()
    # The name of a version must never change: it is stored.
    assert ONE.digest == "52562968c21d75056a494a5b08dc3bd4d1d890b5fc7b032c44834b2ebe295a71"


def test_entrants_do_not_meet_whatever_their_bots_are_called(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "shelf")
    names = ["keeper", "../ada/keeper", "/etc", "active", "\u2603" * 64, "a/b"]
    entrants = [Entrant(owner, name) for owner in ("ada", "bob") for name in names]
    for number, entrant in enumerate(entrants):
        shelf.put(entrant, version(number))
    for number, entrant in enumerate(entrants):
        assert shelf.active(entrant) == without_folder(version(number))
    assert [path.name for path in tmp_path.iterdir()] == ["shelf"]


@pytest.mark.parametrize("owner", ["", "..", "a/b", "Ada", "-a", "a" * 65, ".new", "a\n"])
def test_an_owner_has_a_plain_name(owner: str) -> None:
    with pytest.raises(InputError, match="must be 1 to 64 of a-z 0-9 _ -"):
        Entrant(owner, "keeper")


def test_a_version_that_is_not_there_does_not_play(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(ADA, ONE)
    for digest in (TWO.digest, "../active", ""):
        with pytest.raises(InputError, match="'keeper' of ada has no version"):
            shelf.activate(ADA, digest)
    assert shelf.active(ADA) == without_folder(ONE)


def test_what_has_changed_on_the_disk_is_not_played(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(ADA, ONE)
    (path,) = tmp_path.glob(f"ada/*/versions/{ONE.digest}")
    path.write_bytes(ONE.as_bytes().replace(b"bot.py", b"cat.py"))
    with pytest.raises(HostFault, match="has changed: its bytes now have another SHA-256"):
        shelf.active(ADA)
    (active,) = tmp_path.glob("ada/*/active")
    active.write_text("nonsense")
    with pytest.raises(HostFault, match="has changed: it holds no digest"):
        shelf.active(ADA)


# -- killed, at every moment ------------------------------------------------------------------

CALLS = ("mkdir", "open", "fsync", "rename", "unlink", "fdopen", "close")


def put_and_be_killed(folder: Path, step: int) -> int:
    """Put version two there in a process that kills itself at its `step`-th call of the system."""
    child = os.fork()
    if child == 0:
        try:
            shelf = Shelf(folder)
            left = iter(range(step - 1, -1, -1))
            for name in CALLS:
                setattr(os, name, deadly(getattr(os, name), left))
            shelf.put(ADA, TWO)
            os._exit(0)
        finally:
            os._exit(70)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def deadly(real: Callable[..., object], left: Iterator[int]) -> Callable[..., object]:
    """`real`, but for the call at which nothing is left: that one kills who makes it."""

    def call(*args: object, **options: object) -> object:
        if next(left) == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **options)

    return call


def steps(folder: Path) -> Iterator[int]:
    """Every step at which a process can be killed, until one is not."""
    for step in range(1, 100):
        code = put_and_be_killed(folder, step)
        if code == 0:
            return
        assert code == -signal.SIGKILL
        yield step
    raise AssertionError("it never comes to its end")


def test_whoever_is_killed_leaves_what_played_or_what_shall_play(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(ADA, ONE)
    seen = []
    for _ in steps(tmp_path):
        active = shelf.active(ADA)
        seen.append(active == without_folder(TWO))
        assert active in (without_folder(ONE), without_folder(TWO))
        for digest in shelf.versions(ADA):
            shelf.version(ADA, digest)
        shelf.activate(ADA, ONE.digest)
    assert len(seen) > 8
    assert seen[0] is False
    assert seen[-1] is True
    assert shelf.active(ADA) == without_folder(TWO)
    assert shelf.remove_leftovers() > 0
    assert list((tmp_path / ".new").iterdir()) == []


def test_of_two_at_once_both_versions_are_there_and_one_plays(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    both = [
        subprocess.Popen(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
                "from tests.submissions.test_shelf import ADA, version\n"
                "from arena.submissions.shelf import Shelf\n"
                "shelf = Shelf(Path(sys.argv[1]))\n"
                "for number in range(30):\n"
                "    shelf.put(ADA, version(2 * number + int(sys.argv[3])))\n"
                "    assert shelf.active(ADA) is not None\n",
                str(tmp_path),
                str(Path(__file__).parents[2]),
                str(which),
            ]
        )
        for which in range(2)
    ]
    assert [process.wait(timeout=60) for process in both] == [0, 0]
    assert len(shelf.versions(ADA)) == 60
    active = shelf.active(ADA)
    assert active in (without_folder(version(58)), without_folder(version(59)))
    assert list((tmp_path / ".new").iterdir()) == []


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "mkstemp"])
def test_a_full_disk_leaves_what_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    shelf = Shelf(tmp_path)
    shelf.put(ADA, ONE)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if call == "write":
        # Raw files: what `os.fdopen` gives has a write of its own.
        real = os.fdopen

        def unwritable(descriptor: int, *args: object, **options: object) -> object:
            os.close(descriptor)
            return real(os.open("/dev/full", os.O_WRONLY), *args, **options)  # type: ignore[call-overload]

        monkeypatch.setattr(os, "fdopen", unwritable)
    elif call == "mkstemp":
        monkeypatch.setattr("tempfile.mkstemp", full)
    else:
        monkeypatch.setattr(os, call, full)
    with pytest.raises(HostFault, match="No space left on device"):
        shelf.put(ADA, TWO)
    monkeypatch.undo()
    assert shelf.active(ADA) == without_folder(ONE)
    assert list((tmp_path / ".new").iterdir()) == []
