"""Strangers' builds in real containers: what their authors are told, and what is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import HostFault
from arena.sandbox import containers
from arena.sandbox.images import resolve
from arena.sandbox.policy import BUILDING, MIB
from arena.sandbox.slots import folders_of, life
from arena.submissions.bottoml import Manifest
from arena.submissions.manifest import read_manifest
from arena.tournament.building import Build, DockerBuilder
from tests.hostile.builds.evil import EVIL
from tests.sandbox.conftest import docker_engine

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine"]

SMALL = replace(
    BUILDING,
    memory=128 * MIB,
    processes=32,
    work=24 * MIB,
    work_files=2000,
    temporary=8 * MIB,
    largest_file=64 * MIB,
)
LIMIT = 4.0  # seconds

MANIFEST = """\
name = "built"
version = "1"
language = "python"
run = ["python", "bot.py"]
build = ["sh", "build.sh"]
"""


@pytest.fixture
def image(docker_engine: APIClient) -> str:
    try:
        return resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))


@pytest.fixture
def nothing_left(
    docker_engine: APIClient, image: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """No container and no folder of a build is left when a test is over."""
    lives: list[str] = []

    @contextlib.contextmanager
    def noted() -> Iterator[str]:
        with life() as name:
            lives.append(name)
            yield name

    monkeypatch.setattr("arena.tournament.building.slots.life", noted)
    yield
    assert lives
    for name in lives:
        label = f"{containers.LABEL}={name}"
        assert docker_engine.containers(all=True, filters={"label": label}) == []
        assert folders_of(name) == []


def source(folder: Path, script: str, **files: str) -> Path:
    folder.mkdir(parents=True)
    texts = {"bot.toml": MANIFEST, "build.sh": script, "data.txt": "data\n"}
    for name, text in {
        **texts,
        **{name.replace("__", "."): one for name, one in files.items()},
    }.items():
        (folder / name).write_text(text)
    return folder


def built(folder: Path, image: str, builder: DockerBuilder | None = None) -> Build:
    bot: Manifest = read_manifest(folder)
    builder = builder or DockerBuilder(policy=SMALL, limit=LIMIT)
    return asyncio.run(builder.build(folder, bot, image))


@pytest.mark.parametrize("name", EVIL)
@pytest.mark.usefixtures("nothing_left")
def test_an_evil_build_is_told_of_and_leaves_nothing(name: str, image: str, tmp_path: Path) -> None:
    evil = EVIL[name]
    # What another author has sent, where it would lie on a server.
    source(tmp_path / "work" / "secret_bot", "true", bot__py="KEY = 'CANARY'\n")
    found = built(source(tmp_path / "work" / "own", evil.script), image)
    log = "\n".join(found.log)
    assert re.fullmatch(evil.told, found.problem), (found.problem, log)
    assert re.search(evil.log, log), log
    assert not (evil.unseen and re.search(evil.unseen, log.replace("\n", ""))), log
    assert bool(found.artefact) == (not found.problem)
    assert len(found.log) <= 31
    assert all(len(line) <= 200 for line in found.log)


def test_a_program_that_the_image_lacks_is_named(image: str, tmp_path: Path) -> None:
    folder = source(tmp_path / "own", "")
    (folder / "bot.toml").write_text(MANIFEST.replace('["sh", "build.sh"]', '["bazel", "build"]'))
    found = built(folder, image)
    assert found.problem == "cannot start 'bazel' in its image: No such file or directory"


def test_a_good_build_leaves_what_it_made(image: str, tmp_path: Path) -> None:
    folder = source(tmp_path / "own", "echo 'print(1)' > bot.py; rm data.txt; chmod +x build.sh")
    one, two = built(folder, image), built(folder, image)
    assert one.problem == ""
    assert one.artefact == two.artefact
    with zipfile.ZipFile(io.BytesIO(one.artefact)) as archive:
        assert archive.namelist() == ["bot.py", "bot.toml", "build.sh"]
        assert archive.read("bot.py") == b"print(1)\n"
        assert archive.getinfo("build.sh").external_attr >> 16 & 0o777 == 0o755
    assert one.processor_time is not None
    assert (folder / "data.txt").exists()


@pytest.mark.usefixtures("nothing_left")
def test_owners_share_nothing_that_one_of_them_can_write(image: str, tmp_path: Path) -> None:
    """E13: whatever one build writes wherever it can, the next finds as the image has it."""
    places = "/tmp /dev/shm /build /var/tmp /run /home /root /usr/local/lib /bot /source"
    write = f"for place in {places}; do echo poison > $place/poison 2>/dev/null; done; rm -f poison"
    assert built(source(tmp_path / "ada", write), image).problem == ""
    look = f"for place in {places}; do test ! -e $place/poison || exit 9; done"
    assert built(source(tmp_path / "bob", look), image).problem == ""


@pytest.mark.usefixtures("nothing_left")
def test_owners_do_not_see_each_other_while_both_build(image: str, tmp_path: Path) -> None:
    """E9, E13: one waits with its secret in files, memory and arguments, the other looks for it."""
    waiting = "cp bot.py /tmp; cp bot.py /dev/shm; sh -c 'sleep 3; : CANARY'"
    looking = (
        "sleep 1; grep -r -a -s CANAR[Y] /proc/[0-9]*/cmdline /proc/[0-9]*/environ /tmp /dev/shm "
        "/build /source /bot /run && exit 9; ls -d /proc/[0-9]* | wc -l"
    )
    ada = source(tmp_path / "ada", waiting, bot__py="KEY = 'CANARY'\n")
    bob = source(tmp_path / "bob", looking)

    async def both() -> tuple[Build, Build]:
        builder = DockerBuilder(policy=SMALL, limit=20)
        bots = read_manifest(ada), read_manifest(bob)
        return await asyncio.gather(
            builder.build(ada, bots[0], image), builder.build(bob, bots[1], image)
        )

    one, two = asyncio.run(both())
    assert (one.problem, two.problem) == ("", ""), two.log
    # Its keeper, its shell and what that runs, and nobody else.
    assert int(two.log[-1]) <= 5


def test_an_image_that_is_gone_is_the_hosts_failure(
    docker_engine: APIClient, tmp_path: Path
) -> None:
    with pytest.raises(HostFault, match="No such image"):
        built(source(tmp_path / "own", "true"), "sha256:" + "0" * 64)
