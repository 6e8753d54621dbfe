"""Artefacts unpacked for play: verified, kept while they are used, made again when they vanish."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.sandbox.guard import remove_tree
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from arena.submissions.store import ArchiveStore
from arena.tournament.ladder.pantry import ArtefactGone, Pantry

TOML = """\
name = "mine"
version = "1"
language = "python"
run = ["python", "bot.py"]
"""


class Larder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = ArchiveStore(folder / "artefacts", most=ARTEFACT_LIMITS.upload)
        self.archives = ArchiveStore(folder / "archives")
        self.told: list[tuple[str, bool]] = []
        self.pantry = Pantry(
            self.store, folder / "pantry", kept=1, archives=self.archives, tell=self.tell
        )

    def tell(self, event: str, /, **facts: object) -> None:
        self.told.append((event, bool(facts.get("alert"))))

    def add(self, name: str) -> str:
        source = self.folder / f"source-{name}"
        source.mkdir()
        (source / "bot.toml").write_text(TOML)
        (source / "bot.py").write_text(f"# {name}\n")
        return self.store.add([pack_folder(source, ArchiveLimits()).content])

    @property
    def there(self) -> set[str]:
        return {path.name for path in (self.folder / "pantry").iterdir()}


@pytest.fixture
def larder(tmp_path: Path) -> Larder:
    return Larder(tmp_path)


def test_an_artefact_is_unpacked_once_and_made_again_when_it_vanishes(larder: Larder) -> None:
    digest = larder.add("a")
    path = larder.pantry.take(digest)
    assert (path / "bot.py").read_text() == "# a\n"
    before = path.stat().st_ino
    assert larder.pantry.take(digest).stat().st_ino == before
    remove_tree(str(path))
    assert (larder.pantry.take(digest) / "bot.py").read_text() == "# a\n"


def test_what_nobody_uses_goes_when_there_is_more_of_it_than_is_kept(larder: Larder) -> None:
    digests = [larder.add(name) for name in "abc"]
    for digest in digests[:2]:
        larder.pantry.take(digest)
    larder.pantry.take(digests[0])
    larder.pantry.give_back(digests[0])  # somebody else still has it
    larder.pantry.give_back(digests[1])
    larder.pantry.take(digests[2])
    assert larder.there == set(digests)
    larder.pantry.give_back(digests[0])
    larder.pantry.take(digests[2])
    assert larder.there == {digests[0], digests[2]}  # the other one was idle for longer


def test_a_start_begins_with_nothing(larder: Larder) -> None:
    digest = larder.add("a")
    (larder.pantry.take(digest) / "bot.py").write_text("# somebody else's\n")
    pantry = Pantry(larder.store, larder.folder / "pantry")
    assert larder.there == set()
    assert (pantry.take(digest) / "bot.py").read_text() == "# a\n"


@pytest.mark.parametrize("damage", ["gone", "changed", "no archive"])
def test_what_cannot_be_unpacked_is_this_machines_fault(larder: Larder, damage: str) -> None:
    digest = larder.add("a")
    path = larder.folder / "artefacts" / digest[:2] / digest
    path.chmod(0o600)
    why = "has changed"
    if damage == "gone":
        path.unlink()
        why = "no archive"
    elif damage == "changed":
        path.write_bytes(path.read_bytes()[:-1])
    else:
        digest = larder.store.add([b"no zip file"])
        why = "cannot be unpacked: is no zip file"
    with pytest.raises(HostFault, match=why):
        larder.pantry.take(digest)
    assert larder.there == set()
    assert not larder.pantry._uses


@pytest.mark.parametrize("damage", ["gone", "changed"])
def test_an_artefact_that_is_an_upload_is_made_again(larder: Larder, damage: str) -> None:
    """E17: nothing was built of it, so the archive has the same bytes."""
    digest = larder.add("a")
    path = larder.folder / "artefacts" / digest[:2] / digest
    content = path.read_bytes()
    assert larder.archives.add([content]) == digest
    path.chmod(0o600)
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(content[:-1])
    assert (larder.pantry.take(digest) / "bot.py").read_text() == "# a\n"
    assert path.read_bytes() == content
    assert larder.told == [("artefact made again", True)]


def test_what_is_damaged_in_both_places_is_gone(larder: Larder) -> None:
    digest = larder.add("a")
    path = larder.folder / "artefacts" / digest[:2] / digest
    larder.archives.add([path.read_bytes()])
    path.unlink()
    archive = larder.folder / "archives" / digest[:2] / digest
    archive.chmod(0o600)
    archive.write_bytes(b"something else")
    with pytest.raises(ArtefactGone, match="nor is its upload"):
        larder.pantry.take(digest)


def change(path: Path) -> None:
    path.parent.chmod(0o755)
    if path.exists():
        path.chmod(0o644)


@pytest.mark.parametrize("what", ["bytes", "longer", "new", "missing", "runs", "a link", "a pipe"])
def test_what_was_changed_after_unpacking_does_not_play(larder: Larder, what: str) -> None:
    """E8: a bot in the sandbox `process` can write where its opponent lies."""
    digest = larder.add("a")
    folder = larder.pantry.take(digest)
    bot = folder / "bot.py"
    change(bot)
    before = bot.stat()
    match what:
        case "bytes":
            bot.write_text("# b\n")
            os.utime(bot, ns=(before.st_atime_ns, before.st_mtime_ns))
        case "longer":
            bot.write_text("# a\n# b\n")
        case "new":
            (folder / "json.py").write_text("# shadows a module\n")
        case "missing":
            bot.unlink()
        case "runs":
            bot.chmod(0o755)
        case "a link":
            bot.unlink()
            bot.symlink_to("/etc/hostname")
        case _:
            bot.unlink()
            os.mkfifo(bot)
    folder.chmod(0o555)
    if what != "runs" and bot.is_file() and not bot.is_symlink():
        bot.chmod(0o444)
    again = larder.pantry.take(digest)
    assert again == folder
    assert sorted(path.name for path in again.iterdir()) == ["bot.py", "bot.toml"]
    assert (again / "bot.py").read_text() == "# a\n"
    assert larder.told == [("unpacked bot changed", True)]
    larder.pantry.take(digest)
    assert len(larder.told) == 1


def test_what_is_unpacked_is_read_only_and_caches_of_python_are_no_alert(larder: Larder) -> None:
    digest = larder.add("a")
    folder = larder.pantry.take(digest)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes == {digest: 0o555, "bot.py": 0o444, "bot.toml": 0o444}
    folder.chmod(0o755)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "bot.cpython-311.pyc").write_bytes(b"?")
    folder.chmod(0o555)
    assert sorted(path.name for path in larder.pantry.take(digest).iterdir()) == [
        "bot.py",
        "bot.toml",
    ]
    assert larder.told == [("unpacked bot changed", False)]
