"""Bots that are built for a match that is played from their folders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import BotError, HostFault
from arena.sandbox.images import resolve
from arena.submissions.artefact import ArtefactReceiver
from arena.submissions.bottoml import Manifest
from arena.submissions.manifest import read_manifest
from arena.tournament.building import Build, DockerBuilder
from arena.tournament.prepared import built
from tests.sandbox.conftest import docker_engine, own_state

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine", "own_state"]

IMAGE = "sha256:" + "1" * 64
TOML = 'name = "{name}"\nversion = "1"\nlanguage = "python"\nrun = ["./bot"]\n'


@dataclass
class Bench:
    """Adds a file to the sources, or fails."""

    result: Build | None = None
    fault: str = ""
    seen: list[tuple[str, str]] = field(default_factory=list)

    async def build(self, source: Path, bot: Manifest, image: str) -> Build:
        self.seen.append((bot.name, image))
        if self.fault:
            raise HostFault(self.fault)
        if self.result is not None:
            return self.result
        receiver = ArtefactReceiver((source / "bot.toml").read_bytes())
        receiver.begin(b"644 bot.toml")
        receiver.add((source / "bot.toml").read_bytes())
        receiver.begin(b"644 main.txt")
        receiver.add((source / "main.txt").read_bytes())
        receiver.begin(b"755 bot")
        receiver.add(b"#!/bin/sh\n")
        return Build(artefact=receiver.packed())


def a_bot(folder: Path, name: str, build: str = "") -> Manifest:
    own = folder / name
    own.mkdir()
    more = f"build = {build}\n" if build else ""
    (own / "bot.toml").write_text(TOML.format(name=name) + more)
    (own / "main.txt").write_text(name)
    return read_manifest(own)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    return path


def prepared(bench: Bench, work: Path, *bots: Manifest) -> tuple[Manifest, ...]:
    return built(bots, [IMAGE] * len(bots), work, bench, asyncio.run)


def test_who_needs_no_build_comes_back_unchanged(tmp_path: Path, work: Path) -> None:
    plain, made = a_bot(tmp_path, "plain"), a_bot(tmp_path, "made", '["make"]')
    bench = Bench()
    first, second = prepared(bench, work, plain, made)
    assert first is plain
    assert second == replace(made, folder=second.folder)
    assert second.folder.is_relative_to(work)
    assert {path.name for path in second.folder.iterdir()} == {"bot", "bot.toml", "main.txt"}
    assert (second.folder / "bot").stat().st_mode & 0o777 == 0o755
    assert read_manifest(second.folder) == second
    assert {path.name for path in made.folder.iterdir()} == {"bot.toml", "main.txt"}
    assert bench.seen == [("made", IMAGE)]


def test_who_plays_twice_in_one_image_is_built_once(tmp_path: Path, work: Path) -> None:
    made = a_bot(tmp_path, "made", '["make"]')
    bench = Bench()
    other = "sha256:" + "2" * 64
    found = built([made] * 3, [IMAGE, other, IMAGE], work, bench, asyncio.run)
    assert bench.seen == [("made", IMAGE), ("made", other)]
    assert found[0] == found[2] != found[1]


def test_a_build_that_fails_is_one_line_with_its_last_ones(tmp_path: Path, work: Path) -> None:
    bench = Bench(Build(problem="it exited with code 2", log=("one", "two", "  three", "four")))
    with pytest.raises(BotError) as caught:
        prepared(bench, work, a_bot(tmp_path, "made", '["make"]'))
    assert str(caught.value) == (
        "bot 'made': its build failed: it exited with code 2; it wrote: two | three | four"
    )


def test_what_cannot_be_packed_or_played_is_told_too(tmp_path: Path, work: Path) -> None:
    linked = a_bot(tmp_path, "linked", '["make"]')
    (linked.folder / "data").symlink_to("/etc/passwd")
    with pytest.raises(BotError, match=r"bot 'linked': cannot be packed .*'data': is a link.*kind"):
        prepared(Bench(), work, linked)
    broken = a_bot(tmp_path, "broken", '["make"]')
    (work / "more").mkdir()
    with pytest.raises(BotError, match=r"bot 'broken': what its build leaves is refused: .*zip"):
        prepared(Bench(Build(artefact=b"no zip")), work / "more", broken)


def test_a_machine_that_fails_is_not_the_bots_fault(tmp_path: Path, work: Path) -> None:
    made = a_bot(tmp_path, "made", '["make"]')
    with pytest.raises(HostFault, match="out of order"):
        prepared(Bench(fault="out of order"), work, made)
    with pytest.raises(HostFault, match="bot-0: cannot be made: File exists"):
        prepared(Bench(), work, made)


# -- in a container ---------------------------------------------------------------------------


@pytest.fixture
def image(docker_engine: APIClient, own_state: Path) -> Iterator[str]:
    """The image of Python; of what a test has built there no container is left."""
    try:
        yield resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))
    assert list((own_state / "slots").iterdir()) == []


def test_a_bot_is_built_in_its_image(image: str, tmp_path: Path, work: Path) -> None:
    made = a_bot(tmp_path, "made", """["sh", "-c", "printf '#!/bin/sh' >bot; chmod +x bot"]""")
    (found,) = built([made], [image], work, DockerBuilder(), asyncio.run)
    assert (found.folder / "bot").read_text() == "#!/bin/sh"
    assert (found.folder / "bot").stat().st_mode & 0o111
    assert not (made.folder / "bot").exists()


def test_a_build_that_fails_in_its_image_is_one_line(
    image: str, tmp_path: Path, work: Path
) -> None:
    made = a_bot(tmp_path, "made", '["sh", "-c", "echo started; echo no luck >&2; exit 3"]')
    with pytest.raises(BotError) as caught:
        built([made], [image], work, DockerBuilder(), asyncio.run)
    assert str(caught.value) == (
        "bot 'made': its build failed: it exited with code 3; it wrote: started | no luck"
    )
