"""An upload on its way in: every step that can refuse it, and what played before plays on."""

from __future__ import annotations

import asyncio
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.errors import HostFault, InputError, SubmissionError
from arena.referee.events import BotNo, ForfeitReason
from arena.submissions.artefact import ArtefactReceiver
from arena.submissions.bottoml import Manifest
from arena.submissions.limits import ArchiveLimits, Rule
from arena.submissions.packing import pack_folder
from arena.submissions.shelf import Entrant, Shelf
from arena.tournament.building import Build
from arena.tournament.intake import Accepted, Intake, Places, Refused, Step, Workshop
from arena.tournament.matches import MatchSpec
from arena.tournament.validation_watch import Trial
from tests.tournament.trials import Heard, ring, trial

SEED = bytes(32)
IMAGE = "sha256:" + "1" * 64
MINE = Entrant("ada", "mine")

TOML = """\
name = "mine"
version = "{version}"
language = "python"
run = ["python", "bot.py"]
players = [2]
rulesets = ["express"]
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@dataclass
class Workbench:
    """A builder that needs no sandbox: it keeps the sources and adds `made`."""

    problem: str = ""
    fault: str = ""
    made: dict[str, bytes] = field(default_factory=lambda: {"made.txt": b"made"})
    seen: list[dict[str, bytes]] = field(default_factory=list)

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        if self.fault:
            raise HostFault(self.fault)
        assert image == IMAGE
        files = contents(source)
        self.seen.append(files)
        if self.problem:
            return Build(problem=self.problem, log=("no luck",))
        receiver = ArtefactReceiver(files["bot.toml"])
        for name, content in {**files, **self.made}.items():
            receiver.begin(f"644 {name}".encode())
            receiver.add(content)
        return Build(artefact=receiver.packed())


@dataclass
class Table:
    """Plays trials as it is told, and looks at what lies in the bot's folder."""

    lost: str = ""
    fault: str = ""
    seen: list[dict[str, bytes]] = field(default_factory=list)

    def play(self, spec: MatchSpec, bots: frozenset[BotNo]) -> Trial:
        folder = spec.bots[0].folder
        self.seen.append(contents(folder))
        if self.fault:
            raise HostFault(self.fault)
        lost = (0, ForfeitReason.CRASH, self.lost) if self.lost else None
        return trial(spec, lost=lost)


class Office:
    """An intake over a folder, and what goes into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places = Places.below(folder / "store")
        self.bench = Workbench()
        self.table = Table()
        self.heard = Heard()
        self.image_of: Callable[[Manifest], str] = lambda bot: IMAGE

    def pack(self, version: str = "1", *, build: bool = False, more: str = "") -> bytes:
        source = Path(tempfile.mkdtemp(dir=self.folder))
        text = TOML.format(version=version) + ('build = ["make"]\n' if build else "") + more
        (source / "bot.toml").write_text(text)
        (source / "bot.py").write_text(f"# {version}\n")
        return pack_folder(source, ArchiveLimits()).content

    @property
    def shelf(self) -> Shelf:
        assert isinstance(self.places.shelf, Shelf)
        return self.places.shelf

    @property
    def intake(self) -> Intake:
        workshop = Workshop(builder=self.bench, image_of=self.image_of, run=asyncio.run)
        return Intake(self.places, ring(self.table.play), workshop)

    def take(self, content: bytes, owner: str = "ada") -> Accepted | Refused:
        self.heard = Heard()
        with tempfile.TemporaryFile(dir=self.folder) as file:
            file.write(content)
            file.flush()
            try:
                return self.intake.take(file.fileno(), owner, self.heard, seed=SEED)
            finally:
                assert list(self.places.work.iterdir()) == []

    def accept(self, content: bytes) -> Accepted:
        taken = self.take(content)
        assert isinstance(taken, Accepted), taken
        return taken

    def refuse(self, content: bytes) -> Refused:
        taken = self.take(content)
        assert isinstance(taken, Refused), taken
        return taken


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_without_a_build_the_archive_itself_is_what_plays(office: Office) -> None:
    content = office.pack()
    taken = office.accept(content)
    version = taken.version
    assert version.artefact == version.archive
    assert version.image == IMAGE
    assert taken.build is None
    assert office.shelf.active(MINE) == version
    with office.places.artefacts.open(version.artefact) as file:
        assert file.read() == content
    assert office.table.seen[0] == {"bot.toml": TOML.format(version=1).encode(), "bot.py": b"# 1\n"}
    assert len(office.heard.tables) == 2
    assert [step.partition(":")[0] for step in office.heard if not step.endswith("...")] == [
        "check",
        "store",
        "build",
        "validate",
    ]


def test_what_a_build_left_is_what_plays(office: Office) -> None:
    taken = office.accept(office.pack(build=True))
    assert taken.version.artefact != taken.version.archive
    assert set(office.bench.seen[0]) == {"bot.toml", "bot.py"}
    assert set(office.table.seen[0]) == {"bot.toml", "bot.py", "made.txt"}
    assert taken.version.artefact in office.places.artefacts


def test_equal_uploads_are_one_version(office: Office) -> None:
    content = office.pack(build=True)
    assert office.accept(content).version == office.accept(content).version
    assert len(office.shelf.versions(MINE)) == 1


@pytest.mark.parametrize(
    ("spoil", "step", "why"),
    [
        ("archive", Step.CHECK, "has 11 bytes, which is no zip file"),
        ("image", Step.CHECK, "entry 'bot.toml': no such image (rule: bot.toml)"),
        ("build", Step.BUILD, "it exited with code 2"),
        ("play", Step.VALIDATE, "express, 2 players: CRASH: exited with code 1"),
    ],
)
def test_whatever_refuses_an_upload_the_one_before_plays_on(
    office: Office, spoil: str, step: Step, why: str
) -> None:
    before = office.accept(office.pack("1"))
    content = office.pack("2", build=True)
    if spoil == "archive":
        content = b"no zip file"
    elif spoil == "image":

        def refuse(bot: Manifest) -> str:
            raise SubmissionError(Rule.MANIFEST, "no such image", "bot.toml")

        office.image_of = refuse
    elif spoil == "build":
        office.bench.problem = "it exited with code 2"
    elif spoil == "play":
        office.table.lost = "exited with code 1"
    refused = office.refuse(content)
    assert refused.step is step
    if spoil != "archive":
        assert refused.why == (why,)
    assert (refused.build is not None) == (step in (Step.BUILD, Step.VALIDATE))
    assert (refused.report is not None) == (step is Step.VALIDATE)
    assert office.shelf.active(MINE) == before.version
    assert len(office.shelf.versions(MINE)) == 1


@pytest.mark.parametrize("where", ["build", "play", "image", "shelf"])
def test_a_machine_that_fails_is_not_the_authors_fault(
    office: Office, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = office.accept(office.pack("1"))
    if where == "build":
        office.bench.fault = "out of order"
    elif where == "play":
        office.table.fault = "out of order"
    elif where == "image":

        def fail(bot: Manifest) -> str:
            raise HostFault("out of order")

        office.image_of = fail
    else:

        def full(*_: object) -> None:
            raise OSError(28, "out of order")

        monkeypatch.setattr("arena.submissions.shelf.os.rename", full)
    with pytest.raises(HostFault, match="out of order"):
        office.take(office.pack("2", build=True))
    monkeypatch.undo()
    assert office.shelf.active(MINE) == before.version


def test_an_archive_that_is_changed_while_it_is_taken_in_is_refused(office: Office) -> None:
    first, second = office.pack("1"), office.pack("2")

    class Swaps(Heard):
        """Somebody writes over the file between two steps."""

        def ended(self, step: str, told: str) -> None:
            super().ended(step, told)
            if step == Step.CHECK:
                os.pwrite(file.fileno(), second, 0)

    with tempfile.TemporaryFile(dir=office.folder) as file:
        file.write(first)
        file.flush()
        taken = office.intake.take(file.fileno(), "ada", Swaps(), seed=SEED)
    assert isinstance(taken, Refused)
    assert taken.step is Step.STORE
    assert "was announced" in taken.why[0]
    assert office.table.seen == []


def test_an_artefact_that_changed_on_the_disk_never_plays(office: Office) -> None:
    taken = office.accept(office.pack())
    (path,) = (office.folder / "store" / "artefacts").glob(f"*/{taken.version.artefact}")
    path.chmod(0o644)
    path.write_bytes(b"something else")
    with pytest.raises(HostFault, match="has changed"):
        office.places.artefacts.open(taken.version.artefact)


def test_owners_have_plain_names_and_their_own_entrants(office: Office) -> None:
    with pytest.raises(InputError, match=r"owner '\.\./ada': must be"):
        office.take(office.pack(), "../ada")
    assert isinstance(office.take(office.pack("1"), "ada"), Accepted)
    assert isinstance(office.take(office.pack("2"), "bob"), Accepted)
    versions = {owner: office.shelf.active(Entrant(owner, "mine")) for owner in ("ada", "bob")}
    assert [one.manifest.version if one else "" for one in versions.values()] == ["1", "2"]


def test_without_a_sandbox_a_bot_that_needs_no_build_has_no_image(office: Office) -> None:
    office.image_of = lambda bot: ""
    assert office.accept(office.pack()).version.image == ""
    assert "build: nothing to build; no image" in list(office.heard)


def test_what_was_left_by_the_killed_is_removed_and_nothing_else(office: Office) -> None:
    (office.places.work / "left").mkdir()
    (office.places.work / "left" / "file").touch()
    (office.folder / "store" / "archives" / ".incoming" / "left").touch()
    assert office.places.remove_leftovers() == 2
    assert list(office.places.work.iterdir()) == []
