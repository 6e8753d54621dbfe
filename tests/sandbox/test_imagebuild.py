"""Language images: what goes into them, what they are made from, and how they are built."""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostFault
from arena.sandbox import wheels
from arena.sandbox.buildfiles import archive, files_for, sdk_files
from arena.sandbox.imagebases import (
    DEBIAN_BASE,
    Source,
    choose_source,
    fetch_bases,
    public_bases,
    python_of,
)
from arena.sandbox.imagebuild import Building, build_image, log_lines
from arena.sandbox.images import WITH_PYTHON, Language, find, tag_of, wrap_digest
from tests.sandbox.imageengine import FakeEngine, image

EVERY = list(Language)


# -- what goes into them ---------------------------------------------------------------------------


def test_an_archive_depends_on_its_files_alone() -> None:
    files = {"b/c": b"two", "a": b"one"}
    content = archive(files)
    assert content == archive(dict(reversed(files.items())))
    with tarfile.open(fileobj=io.BytesIO(content)) as tar:
        members = tar.getmembers()
        assert [one.name for one in members] == ["a", "b/c"]
        assert {(one.mtime, one.mode, one.uid, one.gid, one.uname) for one in members} == {
            (0, 0o644, 0, 0, "")
        }
        assert tar.extractfile("b/c").read() == b"two"  # type: ignore[union-attr]


@pytest.mark.parametrize("language", EVERY)
def test_only_what_is_copied_goes_into_a_build(language: Language) -> None:
    files = files_for(language, wheels={"grpc/__init__.py": b""}, certificates=b"PEM")
    top = {name.partition("/")[0] for name in files}
    copied = re.findall(
        r"^COPY (?!--from)(.+) \S+$", files["Dockerfile"].decode(), flags=re.MULTILINE
    )
    tops = {one.partition("/")[0] for one in " ".join(copied).split()}
    assert top == {"Dockerfile", *tops}


def test_the_python_image_gets_what_the_sdk_imports_and_no_server() -> None:
    files = files_for(Language.PYTHON, wheels={"grpc/__init__.py": b"gRPC"}, certificates=b"")
    assert files["site/grpc/__init__.py"] == b"gRPC"
    parts = {name.split("/")[2] for name in files if name.startswith("site/arena/")}
    assert parts == {"__init__.py", "errors.py", "engine", "referee", "stats"}
    assert not any("__pycache__" in name for name in files)


def test_the_image_of_other_languages_gets_the_same_as_that_of_python() -> None:
    wheels = {"grpc/__init__.py": b"gRPC"}
    of_python, of_others = (
        {name: files[name] for name in files if name.startswith("site/")}
        for files in (
            files_for(language, wheels=wheels, certificates=b"") for language in WITH_PYTHON
        )
    )
    assert of_python == of_others
    assert "site/arena_sdk/bridge.py" in of_others


def test_the_sdk_can_be_imported_from_those_files_alone(tmp_path: Path) -> None:
    for name, content in sdk_files().items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    program = f"""
import importlib, pkgutil, sys
sys.path.insert(0, {str(tmp_path)!r})
import arena, arena_sdk
for module in pkgutil.walk_packages(arena_sdk.__path__, "arena_sdk."):
    importlib.import_module(module.name)
places = {{name: sys.modules[name].__file__ for name in sys.modules if name.startswith("arena")}}
assert all(place.startswith({str(tmp_path)!r}) for place in places.values()), places
print(len(places), arena.__version__)
"""
    done = subprocess.run(
        [sys.executable, "-I", "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert int(done.stdout.split()[0]) > len(_modules_of("arena_sdk"))


def _modules_of(package: str) -> list[str]:
    return [name for name in sdk_files() if name.startswith(f"{package}/")]


def test_wheels_are_unpacked_to_their_files() -> None:
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as made:
        made.mkdir("grpc")
        made.writestr("grpc/__init__.py", "x = 1\n")
    assert wheels.unpack([wheel.getvalue()]) == {"grpc/__init__.py": b"x = 1\n"}


def test_wheels_that_pip_cannot_fetch_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(HostFault, match=r"^pip cannot fetch grpcio==\S+ and protobuf==\S+ for Py"):
        wheels.fetch_wheels("3.13", "amd64")


# -- where bases come from -------------------------------------------------------------------------


def test_public_images_come_first() -> None:
    offered = list(public_bases(Language.GO).values())
    assert choose_source(FakeEngine(offered=offered).client, [Language.GO]) is Source.REGISTRY
    there = {name: image("") for name in offered}
    assert choose_source(FakeEngine(there).client, [Language.GO]) is Source.REGISTRY


def test_debian_takes_the_place_of_what_is_not_offered() -> None:
    engine = FakeEngine({DEBIAN_BASE: image("")}, offered=[public_bases(Language.GO)["BASE"]])
    assert choose_source(engine.client, [Language.GO]) is Source.DEBIAN


def test_without_either_both_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostFault) as caught:
        choose_source(FakeEngine().client, [Language.GO])
    assert str(caught.value) == (
        "no base image: the engine cannot fetch debian:12.9-slim from its registry, and making one "
        "here needs debootstrap: apt-get install debootstrap"
    )


def test_the_python_of_a_base_is_what_it_says() -> None:
    name = public_bases(Language.PYTHON)["BASE"]
    engine = FakeEngine({name: image("", Env=["PATH=/bin", "PYTHON_VERSION=3.14.2"])})
    assert python_of(engine.client, Source.REGISTRY) == "3.14"
    with pytest.raises(HostFault, match="does not say in PYTHON_VERSION"):
        python_of(FakeEngine({name: image("")}).client, Source.REGISTRY)


def debootstrap(place: Path, monkeypatch: pytest.MonkeyPatch, *, ending: str = "") -> Path:
    """Put a debootstrap before the real one that makes next to nothing; the temporary folder."""
    program = place / "debootstrap"
    program.write_text(
        '#!/bin/sh\necho "I: Retrieving $2 from $4"\nmkdir -p "$3/etc/dpkg/dpkg.cfg.d" "$3/dev"\n'
        f'touch "$3/etc/hostname" "$3/dev/null"\n{ending}\n'
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(place), prepend=":")
    monkeypatch.setenv("MIRROR", "http://mirror/debian")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    temporary = place / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    return temporary


def test_a_debian_is_made_and_nothing_of_it_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = debootstrap(tmp_path, monkeypatch, ending="echo 'I: Done' >&2")
    engine, lines = FakeEngine(), list[str]()
    fetch_bases(engine.client, [Language.GO], Source.DEBIAN, lines.append)
    assert lines == [
        "mille-arena/base: I: Retrieving trixie from http://mirror/debian",
        "mille-arena/base: I: Done",
    ]
    assert "./etc/dpkg/dpkg.cfg.d/arena" in engine.imported
    assert not {"./etc/hostname", "./dev/null"} & set(engine.imported)
    assert find(engine.client, DEBIAN_BASE) is not None
    assert list(temporary.iterdir()) == []
    # It is there now: made again only if somebody asks for that.
    fetch_bases(engine.client, [Language.GO], Source.DEBIAN, lines.append)
    assert len(lines) == 2
    fetch_bases(engine.client, [Language.GO], Source.DEBIAN, lines.append, anew=True)
    assert len(lines) == 4


def test_a_debian_that_cannot_be_made_is_not_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ending = "echo 'E: Invalid Release signature' >&2; exit 1"
    temporary = debootstrap(tmp_path, monkeypatch, ending=ending)
    engine = FakeEngine()
    with pytest.raises(HostFault, match=r"^debootstrap failed: E: Invalid Release signature$"):
        fetch_bases(engine.client, [Language.GO], Source.DEBIAN, lambda line: None)
    assert engine.images == {}
    assert list(temporary.iterdir()) == []


def test_an_interrupted_debian_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = debootstrap(tmp_path, monkeypatch, ending="exec sleep 1000")

    def interrupt(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch_bases(FakeEngine().client, [Language.GO], Source.DEBIAN, interrupt)
    assert list(temporary.iterdir()) == []


def test_making_a_debian_needs_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    debootstrap(tmp_path, monkeypatch)
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(HostFault) as caught:
        fetch_bases(FakeEngine().client, [Language.GO], Source.DEBIAN, lambda line: None)
    assert str(caught.value) == (
        "no base image mille-arena/base: making one here with debootstrap needs root"
    )


# -- how they are built ----------------------------------------------------------------------------


def built(engine: FakeEngine, language: Language, source: Source) -> dict[str, Any]:
    how = Building(source=source, network="host")
    assert build_image(engine.client, language, how, lambda line: None).language == language
    return engine.built[-1]


def test_a_build_from_the_registry_fetches_what_is_lacking(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy:3128")
    engine = FakeEngine(offered=list(public_bases(Language.GO).values()))
    asked = built(engine, Language.GO, Source.REGISTRY)
    assert set(engine.fetched) == set(engine.offered)
    assert asked["buildargs"] == {"HTTPS_PROXY": "http://proxy:3128", "WRAP_DIGEST": wrap_digest()}
    assert (asked["tag"], asked["network_mode"], asked["nocache"]) == (tag_of("go"), "host", False)


def test_a_build_from_debian_says_which_packages() -> None:
    engine = FakeEngine({DEBIAN_BASE: image("")})
    asked = built(engine, Language.RUST, Source.DEBIAN)
    assert engine.fetched == []
    assert asked["buildargs"]["BASE"] == asked["buildargs"]["WRAP_BASE"] == DEBIAN_BASE
    assert asked["buildargs"]["PACKAGES"] == "rustc cargo"


def test_a_base_that_cannot_be_fetched_is_one_line() -> None:
    how = Building(source=Source.REGISTRY)
    with pytest.raises(
        HostFault, match=r"^the engine cannot fetch the base image debian\S+, .*host$"
    ):
        build_image(FakeEngine().client, Language.GO, how, lambda line: None)


def test_a_failed_build_has_its_reason_and_its_log() -> None:
    events = [
        {"stream": "Step 1/2 : FROM base\nStep 2"},
        {"stream": "/2 : RUN false\n\n"},
        {"stream": "E: no such"},
        {"error": "The command '/bin/sh -c false'\n returned a non-zero code: 1"},
    ]
    lines: list[str] = []
    with pytest.raises(HostFault) as caught:
        lines.extend(log_lines("go", events))
    assert str(caught.value) == (
        "the image for go could not be built: The command '/bin/sh -c false' returned a non-zero "
        "code: 1"
    )


def test_the_lines_of_a_log_are_put_together() -> None:
    pieces: list[Mapping[str, Any]] = [
        {"stream": "Step 1/"},
        {"aux": {}},
        {"stream": "2 : FROM\n\n --->"},
        {"stream": " 0\n"},
    ]
    assert list(log_lines("go", pieces)) == ["Step 1/2 : FROM", " ---> 0"]
