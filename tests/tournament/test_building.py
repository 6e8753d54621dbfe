"""Builds in the image of each language, and which image that is."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import HostFault, SubmissionError
from arena.sandbox.images import Language, resolve
from arena.submissions.artefact import ARTEFACT_BOUNDS, ARTEFACT_LIMITS
from arena.submissions.bottoml import Manifest
from arena.submissions.intake import Intake
from arena.submissions.manifest import read_manifest
from arena.tournament.building import Build, DockerBuilder, ImageList, shown_log
from tests.sandbox.conftest import docker_engine
from tests.tournament.trials import bot

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine"]

# Language, build command, sources, what is there afterwards.
PROGRAMS: dict[Language, tuple[str, dict[str, str], str]] = {
    Language.PYTHON: (
        '["python", "-m", "compileall", "-q", "bot.py"]',
        {"bot.py": "print(1)\n"},
        "bot.py",
    ),
    Language.JAVASCRIPT: (
        '["tsc", "--outDir", "built", "bot.ts"]',
        {"bot.ts": "const one: number = 1\nexport default one\n"},
        "built/bot.js",
    ),
    Language.GO: (
        '["go", "build", "-o", "bot", "."]',
        {
            "go.mod": "module example.com/bot\n\ngo 1.19\n",
            "main.go": 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println(1) }\n',
        },
        "bot",
    ),
    Language.RUST: (
        '["sh", "-c", "cargo build --release --offline && mv target/release/bot . && '
        'rm -r target"]',
        {
            "Cargo.toml": '[package]\nname = "bot"\nversion = "1.0.0"\nedition = "2021"\n',
            "src/main.rs": 'fn main() { println!("1") }\n',
            "build.rs": 'fn main() { println!("cargo:rerun-if-changed=build.rs") }\n',
        },
        "bot",
    ),
    Language.JAVA: (
        '["javac", "-d", "classes", "Bot.java"]',
        {"Bot.java": "class Bot { public static void main(String[] a) { } }\n"},
        "classes/Bot.class",
    ),
    Language.CPP: (
        '["g++", "-O2", "-o", "bot", "bot.cpp"]',
        {"bot.cpp": "#include <iostream>\nint main() { std::cout << 1; }\n"},
        "bot",
    ),
    Language.OTHER: (
        '["make", "bot", "LDLIBS=-lcjson"]',
        {"bot.c": '#include <cjson/cJSON.h>\nint main(void) { return !cJSON_Parse("1"); }\n'},
        "bot",
    ),
}


def built(folder: Path, image: str) -> tuple[Build, Manifest]:
    manifest = read_manifest(folder)
    return asyncio.run(DockerBuilder().build(folder, manifest, image)), manifest


@pytest.mark.parametrize("language", Language)
def test_the_image_of_a_language_builds_its_programs(
    docker_engine: APIClient, language: Language, tmp_path: Path
) -> None:
    try:
        image = resolve(docker_engine, language).id
    except HostFault as error:
        pytest.skip(str(error))
    command, files, made = PROGRAMS[language]
    source = tmp_path / "source"
    text = f'name = "b"\nversion = "1"\nlanguage = "{language}"\nrun = ["./bot"]\n'
    for name, content in {**files, "bot.toml": f"{text}build = {command}\n"}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(content)
    build, _ = built(source, image)
    assert build.problem == "", build.log
    with tempfile.TemporaryFile() as file:
        file.write(build.artefact)
        file.flush()
        intake = Intake(limits=ARTEFACT_LIMITS, bounds=ARTEFACT_BOUNDS)
        intake.unpack(file.fileno(), tmp_path / "made")
    assert (tmp_path / "made" / made).stat().st_size > 0


def test_a_build_can_have_a_runtime_of_the_engine(docker_engine: APIClient, tmp_path: Path) -> None:
    try:
        image = resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))
    (tmp_path / "bot.toml").write_text(
        'name = "b"\nversion = "1"\nlanguage = "python"\nrun = ["./bot"]\nbuild = ["true"]\n'
    )
    manifest = read_manifest(tmp_path)
    usual = docker_engine.info()["DefaultRuntime"]
    assert asyncio.run(DockerBuilder(runtime=usual).build(tmp_path, manifest, image)).problem == ""
    with pytest.raises(HostFault, match="no-such-runtime"):
        asyncio.run(DockerBuilder(runtime="no-such-runtime").build(tmp_path, manifest, image))


def test_a_bot_gets_the_image_of_its_language_by_id(docker_engine: APIClient) -> None:
    try:
        found = resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))
    assert found.startswith("sha256:")
    assert ImageList().id_of(bot()) == found
    assert ImageList().id_of(bot(language="other", image="python")) == found
    assert ImageList().id_of(bot(bridge="stdio-json")) == found
    assert ImageList(more={"house-blend": found}).id_of(bot(image="house-blend")) == found
    assert ImageList(instead="python").id_of(bot(language="cpp")) == found


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        (bot(image="windows"), "image 'windows'"),
        (bot(image="mille-arena/base"), "image 'mille-arena/base'"),
    ],
)
def test_an_image_that_is_not_offered_is_the_authors_mistake(manifest: Manifest, told: str) -> None:
    with pytest.raises(SubmissionError) as caught:
        ImageList(more={"extra": "sha256:0"}).id_of(manifest)
    assert str(caught.value) == (
        f"entry 'bot.toml': {told}: there is no such image here; image must be one of "
        "cpp, extra, go, java, javascript, other, python, rust, typescript (rule: bot.toml)"
    )


def test_an_image_that_is_missing_is_the_hosts_failure(docker_engine: APIClient) -> None:
    with pytest.raises(HostFault, match="there is no image"):
        ImageList(more={"extra": "sha256:" + "0" * 64}).id_of(bot(image="extra"))


def test_of_a_long_log_the_first_and_the_last_lines_are_shown() -> None:
    assert shown_log("") == ()
    assert shown_log("one\n\n  \ntwo\x1b[31m\a\n") == ("one", "two?[31m?")
    text = "".join(f"line {number}\n" for number in range(100))
    shown = shown_log(text)
    assert len(shown) == 31
    assert shown[0] == "line 0"
    assert shown[10] == "[... 70 lines ...]"
    assert shown[-1] == "line 99"
    assert shown_log("\n".join(f"{number}" for number in range(30)))[10] == "10"
    assert len(shown_log("x" * 10_000)[0]) == 200
