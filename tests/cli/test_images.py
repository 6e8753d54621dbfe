"""`arena images`: what it prints and how it ends, with an engine that only knows images."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.sandbox.imagebases import DEBIAN_BASE, public_bases
from arena.sandbox.images import Language, tag_of, wrap_digest
from tests.cli.matchroom import Done, Room
from tests.sandbox.imageengine import FakeEngine, image

GO = tag_of("go")


def call(room: Room, monkeypatch: pytest.MonkeyPatch, engine: FakeEngine, *args: str) -> Done:
    monkeypatch.setattr("arena.sandbox.engine.connect", lambda: engine)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    done = room.call("images", *args)
    assert engine.is_closed
    return done


def debian() -> FakeEngine:
    return FakeEngine({DEBIAN_BASE: image("")})


# -- list ------------------------------------------------------------------------------------------


def test_the_list_has_every_language(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    old = image("rust", Labels={"mille-arena.language": "rust", "mille-arena.wrap": "0"})
    engine = FakeEngine({GO: image("go"), tag_of("rust"): old})
    done = call(room, monkeypatch, engine, "list")
    assert (done.code, done.err) == (0, "")
    heading, *lines = (line.split() for line in done.out.splitlines())
    assert heading == ["language", "size", "built", "wrapper", "id"]
    rows = {line[0]: " ".join(line[1:]) for line in lines}
    assert rows.keys() == set(Language)
    assert rows["go"] == "332 MB 2026-11-30 09:46 UTC of this version sha256:676f00000000"
    assert rows["rust"] == "332 MB 2026-11-30 09:46 UTC build it again sha256:727573740000"
    assert rows["java"] == "not built"
    assert max(len(line) for line in done.out.splitlines()) <= 80


def test_the_list_in_json(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = image("go")
    done = call(room, monkeypatch, FakeEngine({GO: facts}), "list", "--json")
    assert done.json == {
        "images": [
            {
                "language": "go",
                "id": facts["Id"],
                "size_bytes": facts["Size"],
                "created": facts["Created"],
                "wrap": wrap_digest(),
                "is_current": True,
            }
        ],
        "missing": ["python", "javascript", "rust", "java", "cpp", "other"],
    }


def test_an_engine_that_says_no_moment_is_no_failure(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = call(room, monkeypatch, FakeEngine({GO: image("go") | {"Created": ""}}), "list")
    assert "332 MB  unknown" in done.out


# -- build -----------------------------------------------------------------------------------------


def test_what_was_built_is_listed(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    done = call(room, monkeypatch, debian(), "build", "go", "rust", "go")
    assert done.code == 0
    _, *lines = (line.split() for line in done.out.splitlines())
    assert [(line[0], line[1], line[2], line[4]) for line in lines] == [
        ("go", "332", "MB", "sha256:676f00000000"),
        ("rust", "332", "MB", "sha256:727573740000"),
    ]
    assert done.err.splitlines() == [
        "base images: from debootstrap (the engine cannot fetch the public ones)",
        "building the image for go",
        "building the image for rust",
    ]


def test_a_build_in_json_keeps_its_remarks_apart(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = FakeEngine(offered=list(public_bases(Language.GO).values()))
    done = call(room, monkeypatch, engine, "build", "go", "--json")
    facts = done.json
    assert facts["from"] == "registry"
    assert facts["images"][0]["id"] == engine.images[GO]["Id"]
    assert facts["images"][0]["seconds"] >= 0
    assert done.err.splitlines()[0] == "base images: from the registry"


def test_options_reach_the_build(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"
    (room.folder / "ca.pem").write_text(bundle)
    options = ("--from", "debian", "--network", "host", "--ca", "ca.pem", "--verbose")
    engine = debian()
    done = call(room, monkeypatch, engine, "build", "typescript", *options)
    assert done.code == 0
    (asked,) = engine.built
    assert asked["tag"] == "mille-arena/javascript:latest"
    assert asked["network_mode"] == "host"
    assert bundle.encode() in asked["content"]
    assert done.err.splitlines()[1:] == [
        "javascript: Step 1/1 : FROM base",
        "javascript: Successfully built 0123",
    ]


def test_a_failed_build_shows_the_end_of_its_log(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = [{"stream": f"line {number}\n"} for number in range(100)]
    engine = FakeEngine({DEBIAN_BASE: image("")}, events=[*log, {"error": "no space left"}])
    done = call(room, monkeypatch, engine, "build", "go")
    assert (done.code, done.out) == (1, "")
    assert done.message == "the image for go could not be built: no space left"
    shown = [line for line in done.err.splitlines() if line.startswith("  line")]
    assert shown == [f"  line {number}" for number in range(80, 100)]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("cobol",),
            "language 'cobol': must be one of python, javascript, go, rust, java, cpp, other, "
            "typescript",
        ),
        (("go", "--ca", "nowhere.pem"), "certificates nowhere.pem: No such file or directory"),
        (("go", "--ca", "bots.py"), "certificates bots.py: must be in the format PEM"),
    ],
)
def test_bad_input_is_one_line(room: Room, args: tuple[str, ...], message: str) -> None:
    done = room.call("images", "build", *args)
    assert (done.code, done.out, done.err) == (2, "", f"arena: {message}\n")


@pytest.mark.parametrize("args", [("list",), ("build", "go"), ("build", "--json")])
def test_without_an_engine_it_says_where_it_looked(tmp_path: Path, args: tuple[str, ...]) -> None:
    where = f"unix://{tmp_path}/docker.sock"
    done = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "images", *args],
        env=os.environ | {"DOCKER_HOST": where},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"arena: the Docker engine at {where} cannot answer: ")
    assert "DOCKER_HOST" in line


def test_without_the_package_docker_it_says_how_to_install_it() -> None:
    program = "import sys; sys.modules['docker'] = None; from arena.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "images", "list"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == (
        "arena: the Python package docker is missing: pip install 'mille-arena[server]'\n"
    )
