"""A bot that needs more than the SDK brings it along: packed here, built where there is no network.

As the page of each language says: fetched with that language's tools at home, then built in the
image of the language and played there. A language whose tools are missing is skipped, by name.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import sys
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.cli.planning import images_of
from arena.errors import HostFault
from arena.sandbox.engine import connect
from arena.sandbox.images import resolve
from arena.sandbox.launcher import Program
from arena.sandbox.policy import PLAYING
from arena.submissions.intake import Intake
from arena.submissions.limits import ArchiveLimits
from arena.submissions.manifest import find_bot
from arena.submissions.packing import pack_folder
from arena.tournament.building import DockerBuilder
from arena.tournament.prepared import built
from tests.figures import Figures, play
from tests.sandbox.conftest import docker_engine, own_state

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine", "own_state"]

pytestmark = pytest.mark.slow


JAVA_VENDOR = """\
mvn -q package dependency:copy-dependencies -DincludeGroupIds=org.apache.commons \
-Dmdep.useRepositoryLayout -Dmdep.copyPom -DoutputDirectory=$PWD/vendor"""


@pytest.fixture
def hasty(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    docker_engine: APIClient,
    own_state: Path,
) -> Path:
    """The folder of a new bot in the language that the test is marked with."""
    language, tool = request.param
    if shutil.which(tool) is None:
        pytest.skip(f"{language}: no {tool}")
    try:
        resolve(docker_engine, language)
    except HostFault as error:
        pytest.skip(f"{language}: {error}")
    arena = Path(sys.executable).with_name("arena")
    run([str(arena), "new-bot", "hasty", "--lang", language], tmp_path)
    return tmp_path / "hasty"


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path}: {old}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def plays(folder: Path, work: Path) -> Figures:
    """Build the bot in its image, without a network, and play with what came of it."""
    bot, found = find_bot(str(folder)), Figures(bot="hasty")
    (image,) = images_of([bot])
    work.mkdir()
    if bot.build:
        (bot,) = built([bot], [image], work, DockerBuilder(), asyncio.run)
    else:
        bot = replaced(bot, folder=unpacked(bot.folder, work))
    program = Program(command=bot.run, folder=bot.folder, image=image)
    with contextlib.closing(connect()) as engine:
        asyncio.run(play(engine, program, PLAYING, 100, found))
    return found


def unpacked(folder: Path, work: Path) -> Path:
    """What a server gets of a bot that is not built."""
    archive = work / "bot.zip"
    archive.write_bytes(pack_folder(folder, ArchiveLimits()).content)
    with archive.open("rb") as file:
        Intake().unpack(file.fileno(), work / "bot")
    return work / "bot"


@pytest.mark.parametrize("hasty", [("go", "go")], indirect=True)
def test_go_vendors_modules(hasty: Path, tmp_path: Path) -> None:
    replace(
        hasty / "hasty_bot.go",
        'import "millearena.example/arena"',
        'import (\n\t"github.com/google/uuid"\n\t"millearena.example/arena"\n)\n\nvar _ = uuid.Nil',
    )
    run(["go", "get", "github.com/google/uuid@v1.6.0"], hasty)
    run(["go", "mod", "vendor"], hasty)
    assert plays(hasty, tmp_path / "work").sdk.startswith("arena_sdk-go ")


@pytest.mark.parametrize("hasty", [("rust", "cargo")], indirect=True)
def test_rust_vendors_crates(hasty: Path, tmp_path: Path) -> None:
    run(["cargo", "add", "hex@0.4"], hasty)
    replace(hasty / "src" / "main.rs", "fn main() {", 'fn main() {\n    let _ = hex::encode("x");')
    run(["sh", "sdk/vendor-crates"], hasty)
    assert list((hasty / "vendor").glob("hex-*"))
    assert plays(hasty, tmp_path / "work").sdk.startswith("arena_sdk-rust ")


@pytest.mark.parametrize("hasty", [("java", "mvn")], indirect=True)
def test_java_brings_a_repository(hasty: Path, tmp_path: Path) -> None:
    replace(
        hasty / "bot" / "pom.xml",
        "</dependencies>",
        "<dependency><groupId>org.apache.commons</groupId><artifactId>commons-lang3</artifactId>"
        "<version>3.14.0</version></dependency></dependencies>"
        "<repositories><repository><id>vendor</id>"
        "<url>file://${project.basedir}/../vendor</url></repository></repositories>",
    )
    replace(
        hasty / "bot" / "src" / "main" / "java" / "HastyBot.java",
        "    Arena.run(",
        '    org.apache.commons.lang3.StringUtils.isEmpty("");\n    Arena.run(',
    )
    run(["sh", "-c", JAVA_VENDOR], hasty)
    assert plays(hasty, tmp_path / "work").sdk.startswith("arena_sdk-java ")


@pytest.mark.parametrize("hasty", [("javascript", "npm")], indirect=True)
def test_javascript_is_bundled_into_one_file(hasty: Path, tmp_path: Path) -> None:
    use_is_number(hasty)
    run(["npm", "install", "--save-dev", "esbuild"], hasty)
    bundle = "--bundle --platform=node --format=esm --outfile=bot.js --external:@mille-arena/sdk"
    run(["npx", "esbuild", "main.js", *bundle.split()], hasty)
    replace(hasty / "bot.toml", '"main.js"', '"bot.js"')
    (hasty / "main.js").unlink()
    assert plays(hasty, tmp_path / "work").sdk.startswith("arena_sdk-typescript ")


def use_is_number(folder: Path) -> None:
    run(["npm", "install", "is-number@7.0.0"], folder)
    path = folder / "main.js"
    path.write_text(f'import isNumber from "is-number";\n{path.read_text()}isNumber(1);\n')
