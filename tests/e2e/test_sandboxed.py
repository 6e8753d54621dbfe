"""`arena match` with bots in real containers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from docker.errors import NotFound

from arena.errors import HostFault
from arena.sandbox import containers
from arena.sandbox.images import resolve
from arena.sandbox.reaper import reap
from arena.sandbox.slots import is_alive, state_folder
from tests.e2e.house import until
from tests.sandbox.conftest import docker_engine, own_state

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["docker_engine", "own_state"]

ARENA = (str(Path(sys.executable).with_name("arena")),)


@pytest.fixture(autouse=True)
def nothing_is_left(docker_engine: APIClient, own_state: Path) -> Iterator[None]:
    try:
        resolve(docker_engine, "python")
    except HostFault as error:
        pytest.skip(str(error))
    yield
    assert ours(docker_engine) == set()
    assert not any((own_state / "lives").iterdir())
    assert not any((own_state / "slots").iterdir())


def ours(engine: APIClient) -> set[str]:
    """The containers of this test."""
    label = f"{containers.STATE}={state_folder()}"
    return {one["Id"] for one in engine.containers(all=True, filters={"label": label})}


def match(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*ARENA, "match", *arguments], capture_output=True, text=True, check=False, cwd=cwd
    )


def facts(*arguments: str, cwd: Path) -> dict[str, Any]:
    done = match(*arguments, "--json", cwd=cwd)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_match_in_containers_ends_like_one_without_them(tmp_path: Path) -> None:
    common = ["keeper", "racer", "--boards", "2", "--hands", "1", "--seed", "7"]
    common += ["--window", "prompt"]
    boxed = facts(*common, "--sandbox", "docker", "--record", "records", cwd=tmp_path)
    plain = facts(*common, cwd=tmp_path)
    assert boxed["games"] == plain["games"]
    assert (boxed["sandbox"], boxed["pondering"]) == ("docker", "frozen")
    assert (plain["sandbox"], plain["pondering"]) == ("process", "allowed")
    (record,) = (tmp_path / "records").glob("*.jsonl")
    header = json.loads(record.read_text().splitlines()[0])
    assert header["sandbox"] == "docker"
    assert header["pondering"] == "frozen"
    assert all(image.startswith("sha256:") for image in header["images"])


def test_windows_are_sealed_in_containers_unless_something_else_is_said(tmp_path: Path) -> None:
    common = ["racer", "racer", "--boards", "1", "--hands", "1", "--sandbox", "docker"]
    found = facts(*common, cwd=tmp_path)
    assert found["limits_nanoseconds_and_counts"]["window"] == "sealed"
    found = facts(*common, "--window", "standing", "--pondering", "allowed", cwd=tmp_path)
    assert found["limits_nanoseconds_and_counts"]["window"] == "standing"
    assert found["pondering"] == "allowed"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["racer", "-- python x.py"], "--sandbox docker gives a bot its own folder and no more"),
        (["racer", "module:Class"], "--sandbox docker gives a bot its own folder and no more"),
        (["racer", "racer", "--in-process"], "a bot in this process is in no sandbox; give one"),
        (["racer", "racer", "--port", "0"], "a bot in a sandbox has no network; give one"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    done = match(*arguments, "--sandbox", "docker", cwd=tmp_path)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_runtime_that_the_engine_does_not_know_is_told(tmp_path: Path) -> None:
    done = match("racer", "racer", "--runtime", "runsc", cwd=tmp_path)
    assert done.returncode == 2
    assert "only --sandbox docker has one" in " ".join(done.stderr.split())
    common = ["racer", "racer", "--boards", "1", "--hands", "1"]
    done = match(*common, "--sandbox", "docker", "--runtime", "no-such", cwd=tmp_path)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "--runtime 'no-such': the Docker engine knows " in said
    assert "runc" in said


def test_only_a_container_can_be_held_still(tmp_path: Path) -> None:
    done = match("racer", "racer", "--pondering", "frozen", cwd=tmp_path)
    assert done.returncode == 2
    assert "only --sandbox docker can hold a bot still" in " ".join(done.stderr.split())


def test_a_bot_that_ends_badly_is_told_what_it_took(tmp_path: Path) -> None:
    folder = tmp_path / "hungry"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "hungry"\nversion = "1"\nlanguage = "python"\nrun = ["python", "hungry.py"]\n'
    )
    (folder / "hungry.py").write_text(
        "from arena_sdk import Bot, run\n"
        "class Hungry(Bot):\n"
        "    def choose(self, prompt):\n"
        "        self.meal = bytearray(700 << 20)\n"
        "        return prompt.legal[0]\n"
        "if __name__ == '__main__':\n"
        "    run(Hungry())\n"
    )
    common = ["./hungry", "racer", "--boards", "1", "--hands", "1", "--rotations", "none"]
    found = facts(*common, "--sandbox", "docker", "--logs", "logs", cwd=tmp_path)
    (forfeit,) = found["forfeits"]
    assert (forfeit["bot"], forfeit["reason"]) == ("hungry", "RESOURCE")
    assert "was killed for memory: it wanted more than 512 MiB" in forfeit["detail"]
    log = (tmp_path / "logs" / "1-hungry-match0.log").read_text()
    assert "[sandbox: was killed for memory: it wanted more than 512 MiB; " in log
    assert "at most 512 MiB]" in log


def test_no_engine_is_told_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [*ARENA, "match", "racer", "racer", "--sandbox", "docker"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "DOCKER_HOST": f"unix://{tmp_path}/no.sock"},
    )
    assert done.returncode == 1
    assert "start it, or name another in DOCKER_HOST" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_whoever_ends_the_arena_has_ended_its_containers(
    tmp_path: Path, docker_engine: APIClient, number: signal.Signals
) -> None:
    arena = subprocess.Popen(
        [*ARENA, "match", "racer", "racer", "--sandbox", "docker", "--boards", "500"],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        process_group=0,
    )
    started: set[str] = set()
    label = f"{containers.STATE}={state_folder()}"
    events = docker_engine.events(filters={"label": label}, decode=True)
    for event in events:
        if event["Action"] == "start":
            started.add(event["id"])
        if len(started) == 2:
            events.close()
            break
    arena.send_signal(number)
    assert arena.wait(30) == (130 if number == signal.SIGINT else -signal.SIGKILL)
    for ident in ours(docker_engine):
        with suppress(NotFound):  # a match process that had time has removed it
            docker_engine.wait(ident, timeout=30)
    lives = state_folder() / "lives"
    until(lambda: not any(is_alive(one.name) for one in lives.iterdir()))
    reap()


def test_a_bot_that_has_to_be_built_is_built_once_before_it_plays(tmp_path: Path) -> None:
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "made"\nversion = "1"\nlanguage = "python"\nbuild = ["sh", "build.sh"]\n'
        'run = ["python", "made_bot.py"]\n'
    )
    (folder / "build.sh").write_text("cp source.py made_bot.py\n")
    (folder / "source.py").write_text(
        "from arena_sdk import Bot, run\n"
        "class Made(Bot):\n"
        "    def choose(self, prompt):\n"
        "        return prompt.legal[0]\n"
        "if __name__ == '__main__':\n"
        "    run(Made())\n"
    )
    common = ["./made", "racer", "--boards", "1", "--hands", "1", "--sandbox", "docker"]
    found = facts(*common, cwd=tmp_path)
    assert [bot["games"] for bot in found["bots"]] == [2, 2]
    assert found["forfeits"] == []
    assert not (folder / "made_bot.py").exists()
    (folder / "build.sh").write_text("echo out of order; exit 3\n")
    done = match(*common, cwd=tmp_path)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "bot 'made': its build failed: it exited with code 3; it wrote: out of order" in said


@pytest.mark.parametrize("what", ["rulesets = ['express']", "players = [3]"])
def test_a_bot_plays_only_what_it_says_it_can(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "picky"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "picky"\nversion = "1"\nlanguage = "python"\nrun = ["python", "x.py"]\n{what}\n'
    )
    done = match("./picky", "racer", cwd=tmp_path)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "its bot.toml does not say that it plays classic with 2 players; it plays" in said


def test_why_a_bot_does_not_start_is_told_in_its_own_words(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / "bot.toml").write_text(
        'name = "broken"\nversion = "1"\nlanguage = "python"\nrun = ["python", "x.py"]\n'
    )
    (folder / "x.py").write_text("import numpie\n")
    done = match("./broken", "racer", "--sandbox", "docker", cwd=tmp_path)
    assert done.returncode == 2
    said = " ".join(done.stderr.split())
    assert "exited with code 1 before it joined: ModuleNotFoundError: No module named" in said
    assert "[sandbox" not in said
