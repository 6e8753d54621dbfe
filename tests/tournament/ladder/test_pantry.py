"""Artefacts unpacked for play: verified, kept while they are used, made again when they vanish."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.sandbox.guard import remove_tree
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.limits import ArchiveLimits
from arena.submissions.packing import pack_folder
from arena.submissions.store import ArchiveStore
from arena.tournament.ladder.pantry import Pantry

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
        self.pantry = Pantry(self.store, folder / "pantry", kept=1)

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
