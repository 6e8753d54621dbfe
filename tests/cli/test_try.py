"""`arena try`: what an author sees of ten bad bots and of good ones, with a sandbox and without."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.errors import HostFault
from arena.sandbox.containers import LABEL
from arena.sandbox.images import resolve
from arena.sandbox.slots import state_folder
from arena.submissions.manifest import example_bots
from tests.cli.matchroom import Room
from tests.e2e.house import until
from tests.hostile.builds.badbots import BAD, GOOD_BUILD, Bad, write_bot
from tests.sandbox.conftest import docker_engine

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine"]

ROOT = Path(__file__).parents[2]
WITHOUT = ("syntax_error", "raises_in_choose", "illegal_answer")
WITH = [
    pytest.param(name, marks=[pytest.mark.slow] if bad.takes_long else [])
    for name, bad in sorted(BAD.items())
]


@pytest.fixture
def image(docker_engine: APIClient) -> str:
    try:
        return resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))


@pytest.fixture
def nothing_left(room: Room) -> Iterator[None]:
    """Nothing stays of a trial but what its author had before."""
    yield
    assert list((room.folder / "temporary").iterdir()) == []
    assert slots_with(room.folder) == []


def marked(folder: Path, owner: Path) -> str:
    """A bot's folder with something in it by which its copies can be told from others'."""
    (folder / "marker.txt").write_text(str(owner))
    return str(folder)


def slots_with(owner: Path) -> list[Path]:
    """The folders of sandboxes with a bot of this test; others may be at work on this machine."""
    found = []
    for path in (state_folder() / "slots").glob("*/bot/marker.txt"):
        with contextlib.suppress(FileNotFoundError):
            if path.read_text() == str(owner):
                found.append(path.parent)
    return found


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def assert_told(told: tuple[str, ...], out: str) -> None:
    for pattern in told:
        assert any(re.fullmatch(pattern, line) for line in lines(out)), (pattern, out)


def bad_bot(folder: Path, name: str, bad: Bad) -> str:
    return marked(write_bot(folder, name, bad), folder)


def good(folder: Path, example: str, more: str = "") -> str:
    """An example bot that plays at one table only: quick."""
    own = folder / "good"
    own.mkdir()
    for path in example_bots()[example].iterdir():
        if path.is_file():
            (own / path.name).write_bytes(path.read_bytes())
    with (own / "bot.toml").open("a") as file:
        file.write(f'players = [2]\nrulesets = ["express"]\n{more}')
    return marked(own, folder)


# -- without a sandbox ------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHOUT)
@pytest.mark.usefixtures("nothing_left")
def test_a_bad_bot_is_told_why_without_a_sandbox_too(room: Room, name: str) -> None:
    bad = BAD[name]
    done = room.call("try", bad_bot(room.folder, name, bad), "--no-docker")
    assert done.code == 1, done.err
    assert_told(bad.told, done.out)
    assert "accepted" not in done.out


@pytest.mark.usefixtures("nothing_left")
def test_what_could_not_be_checked_without_a_sandbox_is_said(room: Room) -> None:
    folder = good(room.folder, "cautious")
    done = room.call("try", folder, "--no-docker", "--jobs", "1")
    assert done.code == 0, done.out
    told = lines(done.out)
    start = told.index("not checked, for want of a sandbox (--no-docker):")
    unchecked = " ".join(told[start:])
    for words in ("network", "memory", "held still", "image python"):
        assert words in unchecked
    assert_told(
        (
            r"pack      3 files in [\d,]+ bytes \(\d\.\d s\)",
            r"check     3 files, [\d,]+ bytes, all names and sizes as they must be \(\d\.\d s\)",
            r"store     SHA-256 [0-9a-f]{64} \(\d\.\d s\)",
            r"build     nothing to build; no image \(\d\.\d s\)",
            r"validate  2 tables, 4 hands, no fault \(\d+\.\d s\)",
            r"started in \d+\.\d\d s at most, of 20 s; answered in .* at most, of 1,000 ms; .*",
            r"accepted as far as could be checked  cautious 1\.0: archive [0-9a-f]{8}\.\.\. "
            r"\(the SHA-256 that arena pack prints\), version [0-9a-f]{16} "
            r"\(bot, image and what was built\)",
        ),
        done.out,
    )
    assert lines(room.call("pack", folder).out)[-1] in done.out  # SHA-256 ...


@pytest.mark.parametrize("as_json", [False, True])
@pytest.mark.usefixtures("nothing_left")
def test_whether_a_build_works_cannot_be_told_without_a_sandbox(room: Room, as_json: bool) -> None:
    folder = good(room.folder, "cautious", 'build = ["make", "bot"]\n')
    done = room.call("try", folder, "--no-docker", *(["--json"] if as_json else []))
    assert done.code == 1
    assert done.message == (
        "whether cautious 1.0 would be accepted cannot be told without Docker (--no-docker): "
        "its build 'make bot' is run in a sandbox only"
    )
    assert "validate" not in done.out
    assert "FAILED" not in done.out


# -- an archive -------------------------------------------------------------------------------


@pytest.mark.usefixtures("nothing_left")
def test_an_archive_goes_the_same_way(room: Room) -> None:
    room.call("pack", good(room.folder, "racer"), "--out", "sent.zip")
    digest = hashlib.sha256((room.folder / "sent.zip").read_bytes()).hexdigest()
    done = room.call("try", "sent.zip", "--no-docker", "--keep", "kept")
    assert done.code == 0, done.out + done.err
    steps = [line.split()[0] for line in done.out.splitlines() if line[0] != " "]
    assert steps == ["check", "store", "build", "validate", "not", "accepted"]
    assert lines(done.out)[-1].startswith(
        f"accepted as far as could be checked  racer 1.0: archive {digest[:8]}... (its SHA-256), "
    )
    assert not (room.folder / "kept" / "bot.zip").exists()


def spoilt(path: Path, how: str) -> None:
    """An archive that must be refused."""
    if how == "size":
        path.touch()
        os.truncate(path, 40_001_233)
    elif how == "text":
        path.write_text("hello")
    else:
        with zipfile.ZipFile(path, "w") as archive:
            for number in range(2102 if how == "count" else 1):
                archive.writestr(f"file{number}", "")
            archive.comment = b"made by hand" if how == "comment" else b""


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("size", "has 40,001,233 bytes; at most 33,554,432 are allowed (rule: upload)"),
        ("count", "has 2102 entries; at most 2000 are allowed (rule: count)"),
        ("comment", "has a comment of 12 bytes at its end; it may have none (rule: format)"),
        ("nothing", "has no bot.toml at its root (rule: bot.toml)"),
        (
            "text",
            "is no zip file, or does not end with its end record: nothing may follow "
            "(rule: format)",
        ),
    ],
)
@pytest.mark.usefixtures("nothing_left")
def test_what_is_wrong_with_an_archive_begins_with_its_name(
    room: Room, how: str, told: str
) -> None:
    (room.folder / "in").mkdir()
    spoilt(room.folder / "in" / "hasty.zip", how)
    done = room.call("try", "in/hasty.zip", "--no-docker")
    assert done.code == 2
    assert lines(done.out)[1:] == [f"hasty.zip: {told}"]
    assert re.fullmatch(r"check     FAILED \(\d\.\d s\)", lines(done.out)[0])
    value = room.call("try", "in/hasty.zip", "--no-docker", "--json").json
    assert value["why"] == [f"hasty.zip: {told}"]
    (step,) = value["steps"]
    assert (step["step"], step["passed"], step["told"]) == ("check", False, f"hasty.zip: {told}")


def test_what_is_neither_folder_nor_file_is_refused(room: Room) -> None:
    os.mkfifo(room.folder / "pipe.zip")
    done = room.call("try", "pipe.zip", "--no-docker")
    assert done.code == 2
    assert done.message == "pipe.zip: is neither a folder nor a file"


def test_an_archive_whose_program_is_not_here_is_no_bad_bot(room: Room) -> None:
    folder = Path(good(room.folder, "racer"))
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(manifest.replace('"python", "', '"no-such-program", "'))
    room.call("pack", str(folder), "--out", "sent.zip")
    for subject in ("sent.zip", str(folder)):
        done = room.call("try", subject, "--no-docker")
        assert done.code == 2
        assert done.message == "bot 'racer': no program 'no-such-program' in PATH to run it with"


# -- as one value -----------------------------------------------------------------------------


def test_json_says_the_same_in_one_value(room: Room) -> None:
    illegal = write_bot(room.folder, "illegal", BAD["illegal_answer"])
    done = room.call("try", str(illegal), "--no-docker", "--json")
    assert done.code == 1
    value = done.json
    assert value["accepted"] is False
    assert value["failed_step"] == "validate"
    assert value["docker"] is False
    steps = [(one["step"], one["passed"]) for one in value["steps"]]
    assert steps == [
        ("pack", True),
        ("check", True),
        ("store", True),
        ("build", True),
        ("validate", False),
    ]
    assert value["steps"][-1]["told"] == value["why"][0]
    (table,) = value["tables"]
    assert value["why"] == [f"{table['table']}: {table['problems'][0]}"]
    assert table["moment"]["prompt"] == 1
    assert table["moment"]["answered"].endswith("is not legal now")
    assert value["tables_not_played"] == 1
    assert value["not_checked"]


def test_what_is_made_on_the_way_can_be_kept(room: Room) -> None:
    done = room.call("try", good(room.folder, "racer"), "--no-docker", "--keep", "kept")
    assert done.code == 0, done.out
    kept = room.folder / "kept"
    assert (kept / "bot.zip").read_bytes()[:2] == b"PK"
    assert len(list((kept / "records").glob("*.jsonl"))) == 2
    assert len(list((kept / "artefacts").glob("??/*"))) == 1
    # What the table in arena/submissions/README.md says lies there; this bot has no build.
    table = (ROOT / "arena/submissions/README.md").read_text("utf-8").partition("| in DIR |")[2]
    told = re.findall(r"^\| `([^/`]+)", table, re.MULTILINE)
    assert {path.name for path in kept.iterdir()} == {*told} - {"build.log"}
    again = room.call("verify", *(str(path) for path in (kept / "records").glob("*.jsonl")))
    assert again.code == 0, again.err
    done = room.call("try", str(room.folder / "good"), "--no-docker", "--keep", "kept")
    assert done.code == 2
    assert done.message == "--keep kept: has records already; name an empty folder"


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        ("no_toml", r".*bot\.toml: No such file or directory"),
        ("bad_key", r".*bot\.toml: line \d+: unknown key 'speed'.*"),
        ("link", r"entry 'data': is a link: put what it points to in its place \(rule: kind\)"),
        ("image", r"--image rust: there are no images without Docker: --no-docker"),
    ],
)
def test_bad_input_is_one_line_and_code_2(room: Room, spoil: str, message: str) -> None:
    folder = Path(good(room.folder, "racer"))
    more = []
    if spoil == "no_toml":
        (folder / "bot.toml").unlink()
    elif spoil == "bad_key":
        with (folder / "bot.toml").open("a") as file:
            file.write("speed = 9\n")
    elif spoil == "link":
        (folder / "data").symlink_to("/etc/passwd")
    else:
        more = ["--image", "rust"]
    done = room.call("try", str(folder), "--no-docker", *more)
    assert done.code == 2
    assert re.fullmatch(message, done.message), done.message


def test_without_an_engine_it_says_so_and_goes_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{room.folder}/no.sock")
    done = room.call("try", good(room.folder, "racer"))
    assert done.code == 0, done.err
    assert "not checked, for want of a sandbox (the Docker engine at unix://" in done.out


# -- in containers ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITH)
@pytest.mark.usefixtures("image", "nothing_left")
def test_a_bad_bot_is_told_why(room: Room, name: str) -> None:
    bad = BAD[name]
    done = room.call("try", bad_bot(room.folder, name, bad))
    assert done.code == 1, done.out + done.err
    assert_told(bad.told, done.out)
    assert "accepted" not in done.out
    assert "\x1b" not in done.out


@pytest.mark.usefixtures("image", "nothing_left")
def test_a_bot_that_needs_its_build_passes(room: Room) -> None:
    done = room.call("try", bad_bot(room.folder, "good_build", GOOD_BUILD), "--keep", "kept")
    assert done.code == 0, done.out + done.err
    assert_told(
        (
            r"accepted  good_build 1\.0: archive [0-9a-f]{8}\.\.\. \(the SHA-256 that arena pack "
            r"prints\), version [0-9a-f]{16} \(bot, image and what was built\)",
        ),
        done.out,
    )
    assert len(list((room.folder / "kept" / "artefacts").glob("??/*"))) == 1
    assert (room.folder / "kept" / "build.log").exists()
    version = next((room.folder / "kept" / "shelf").glob("you/*/versions/*")).name
    assert f"version {version[:16]} (" in done.out


@pytest.mark.usefixtures("nothing_left")
def test_a_good_bot_passes_with_its_costs_told(room: Room, image: str) -> None:
    done = room.call("try", good(room.folder, "cautious"), "--json")
    assert done.code == 0, done.out + done.err
    value = done.json
    assert value["accepted"] is True
    assert value["version"]["image"] == image
    assert value["version"]["archive"] == value["version"]["artefact"]
    assert value["not_checked"] == []
    assert [one["table"] for one in value["tables"]] == [
        "express, 2 players",
        "express, 2 players, against itself",
    ]
    for table in value["tables"]:
        assert table["problems"] == []
        assert 0 < table["start_up"] < 20
        assert table["processor_time"] > 0
        assert table["peak"] > 2**20
        assert table["games"] == 2


@pytest.mark.slow
@pytest.mark.usefixtures("image", "nothing_left")
def test_an_example_bot_passes_at_every_table(room: Room) -> None:
    done = room.call("try", str(example_bots()["keeper"]))
    assert done.code == 0, done.out + done.err


@pytest.mark.usefixtures("image")
def test_an_image_that_nobody_offers_is_the_authors_mistake(room: Room) -> None:
    done = room.call("try", good(room.folder, "racer", 'image = "windows"\n'))
    assert done.code == 2
    assert_told(
        (
            r"check     FAILED \(.* s\)",
            r"entry 'bot\.toml': image 'windows': there is no such image here; image must be one "
            r"of cpp, go, java, javascript, other, python, rust, typescript \(rule: bot\.toml\)",
        ),
        done.out,
    )


@pytest.mark.usefixtures("image")
def test_an_image_that_nobody_has_is_one_line_and_code_2(room: Room) -> None:
    done = room.call("try", good(room.folder, "racer"), "--image", "no/such")
    assert done.code == 2
    assert done.out == ""
    assert done.message == (
        "--image 'no/such': there is no such image: name one of the languages cpp, go, java, "
        "javascript, other, python, rust, typescript, or an image that the engine has"
    )


@pytest.mark.usefixtures("image", "nothing_left")
def test_a_program_that_its_image_does_not_have_is_explained(room: Room) -> None:
    folder = Path(good(room.folder, "racer"))
    manifest = (folder / "bot.toml").read_text()
    (folder / "bot.toml").write_text(manifest.replace('"python", "', '"node", "'))
    done = room.call("try", str(folder))
    assert done.code == 1
    assert_told(
        (
            r"express, 2 players: STARTUP: cannot start 'node' in its image: .*",
            r"hint: the image of the language python has no program 'node': .*",
        ),
        done.out,
    )


# -- broken off -------------------------------------------------------------------------------


SLEEPY = 'build = ["sh", "-c", "sleep 1000"]\n'


@pytest.mark.parametrize(
    ("number", "more"),
    [(signal.SIGINT, SLEEPY), (signal.SIGTERM, SLEEPY), (signal.SIGINT, ""), (signal.SIGTERM, "")],
    ids=["build, Ctrl-C", "build, SIGTERM", "validate, Ctrl-C", "validate, SIGTERM"],
)
@pytest.mark.usefixtures("nothing_left", "image")
def test_whoever_breaks_it_off_finds_nothing_left(
    room: Room, docker_engine: APIClient, number: signal.Signals, more: str
) -> None:
    command = [sys.executable, "-c", "from arena.cli import main; main()", "try"]
    command.append(good(room.folder, "racer", more))
    # Short: what is in it are sockets too.
    with tempfile.TemporaryDirectory(prefix="try-", dir="/tmp") as temporary:
        environment = {**os.environ, "TMPDIR": temporary}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as trying:
            until(lambda: trying.poll() is not None or containers_of(docker_engine, room.folder))
            seen = containers_of(docker_engine, room.folder)
            trying.send_signal(number)
            trying.communicate(timeout=60)
        assert seen
        assert trying.returncode == 130
        assert os.listdir(temporary) == []
    assert containers_of(docker_engine, room.folder) == []
    left = {one["Id"] for one in docker_engine.containers(all=True)}
    assert left.isdisjoint(seen)


def containers_of(engine: APIClient, owner: Path) -> list[str]:
    """The containers with a bot of this test."""
    slots = {str(path) for path in slots_with(owner)}
    found = engine.containers(all=True, filters={"label": LABEL})
    return [
        str(one["Id"])
        for one in found
        if any(mount.get("Source") in slots for mount in one["Mounts"])
    ]
