"""Bots in containers, where the engine or the arena is in trouble: never a bot's fault."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.app import play_match
from arena.errors import HostFault
from arena.referee.events import OutcomeKind
from arena.sandbox.containers import LABEL
from arena.sandbox.engine import connect
from arena.sandbox.freezer import freezer_of
from arena.sandbox.images import resolve
from arena.sandbox.reaper import reap
from arena.tournament.matches import MatchSpec
from tests.hostile import features
from tests.hostile.boxhouse import QUIET_BOX, boxed, left_in_boxes
from tests.hostile.cases import read_case
from tests.hostile.engines import come_of, come_of_in_time
from tests.hostile.gauge import Gauged, gauging
from tests.hostile.house import spec_of
from tests.hostile.proxy import Rule, Trouble, proxy

if TYPE_CHECKING:
    from docker import APIClient

if WHY_NOT := features.why_not():
    pytest.skip(f"the failing engine is not tried: {WHY_NOT}", allow_module_level=True)

# A connection that was cut is closed when the package docker lets go of it, and not before.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]

ROOT = Path(__file__).parents[2]
PATIENCE = 3
"""Seconds that an engine has for an answer, in these tests."""

LIMIT = 40
"""Seconds after which a match should long have been given up."""


@pytest.fixture
def engine() -> Iterator[APIClient]:
    with contextlib.closing(connect()) as one:
        yield one


@pytest.fixture
def spec(engine: APIClient, tmp_path: Path) -> MatchSpec:
    case = read_case(QUIET_BOX)
    return boxed(spec_of(case, tmp_path), case, tmp_path / "bots", engine)


@pytest.fixture
def place() -> Iterator[Path]:
    """A path for a socket, short enough to be one."""
    with tempfile.TemporaryDirectory(prefix="p-") as folder:
        yield Path(folder, "e.sock")


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for `condition`; the engine and the kernel have no other way to tell."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def all_left(engine: APIClient, machine: Gauged) -> list[str]:
    """What is left once it has been reaped."""
    reap()
    return left_in_boxes(engine, machine)


ANY = [one for one in Trouble if one is not Trouble.LIED]
TROUBLES = [
    *[("/create", trouble) for trouble in ANY],
    *[("/attach", trouble) for trouble in ANY],
    *[("/start", trouble) for trouble in ANY if trouble is not Trouble.CUT],  # it has no content
    ("/images/.*/json", Trouble.REFUSED),
    ("GET .*/containers/.*/json", Trouble.FAILED),
    ("GET .*/containers/.*/json", Trouble.HELD_BACK),
    ("GET .*/containers/.*/json", Trouble.CUT),
    ("/info", Trouble.FAILED),
    ("/version", Trouble.REFUSED),
]


@pytest.mark.parametrize(("line", "trouble"), TROUBLES, ids=[f"{a} {b.name}" for a, b in TROUBLES])
def test_an_engine_that_fails_is_the_hosts_fault(
    line: str, trouble: Trouble, spec: MatchSpec, engine: APIClient, place: Path
) -> None:
    with proxy(place, Rule(line, trouble)) as failing:
        told, machine = come_of_in_time(spec, f"unix://{place}", patience=PATIENCE, limit=LIMIT)
        assert failing.troubled
    assert "engine" in told
    assert all_left(engine, machine) == []


def test_an_engine_behind_a_proxy_is_as_good(
    spec: MatchSpec, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with proxy(place):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
        assert come_of(spec) == "COMPLETED"


def test_an_engine_that_hangs_up_and_lies_is_the_hosts_fault(
    spec: MatchSpec, engine: APIClient, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is said of an end by an engine that has lost its containers counts for nothing."""
    asked = Rule("GET .*/containers/.*/json|/wait", Trouble.LIED, after=len(spec.bots))
    root = Path(engine.info()["DockerRootDir"])
    with proxy(place, asked) as lying, gauging(root) as machine:
        monkeypatch.setenv("DOCKER_HOST", f"unix://{place}")
        seen = 0

        def cut(*_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == 40:
                lying.cut_attached()

        try:
            verdict = play_match(spec, watch=cut).verdict
        except HostFault as error:
            told = str(error)
        else:
            assert verdict.kind is OutcomeKind.VOID
            told = str(verdict.void)
        monkeypatch.delenv("DOCKER_HOST")
    assert lying.troubled
    assert "sandbox" in told
    assert all_left(engine, machine) == []


def committed(engine: APIClient, change: str) -> str:
    """The id of an image like the one for Python, but for a change."""
    base = resolve(engine, "python").id
    made = engine.create_container(image=base, command=["/arena/wrap"])["Id"]
    try:
        return str(engine.commit(made, changes=[change])["Id"])
    finally:
        engine.remove_container(made)


def test_an_image_that_is_removed_while_matches_wait_is_named(
    spec: MatchSpec, engine: APIClient
) -> None:
    gone = committed(engine, "LABEL hostile=removed")
    engine.remove_image(gone)
    images = (spec.venue.images[0], gone)
    told = come_of(replace(spec, venue=replace(spec.venue, images=images)))
    assert gone.removeprefix("sha256:")[:12] in told
    assert "image" in told.lower()


def test_a_volume_is_refused_and_would_be_no_way_to_the_disk(
    engine: APIClient, tmp_path: Path
) -> None:
    image = committed(engine, "VOLUME /data")
    try:
        with pytest.raises(HostFault, match="declares the volume '/data'"):
            resolve(engine, image)
        case = read_case(QUIET_BOX.with_name("_fills_a_volume.py"))
        spec = boxed(spec_of(case), case, tmp_path, engine)
        images = (image, *spec.venue.images[1:])
        outcome = play_match(replace(spec, venue=replace(spec.venue, images=images)))
    finally:
        engine.remove_image(image)
    assert outcome.verdict.kind is OutcomeKind.COMPLETED
    assert "4, then ENOSPC" in outcome.logs[0]


PLAY = """\
import contextlib, sys
from pathlib import Path
from arena.app import play_match
from arena.sandbox.engine import connect
from tests.hostile.boxhouse import QUIET_BOX, boxed
from tests.hostile.cases import read_case
from tests.hostile.engines import come_of, come_of_in_time
from tests.hostile.house import spec_of

from dataclasses import replace
case = read_case(QUIET_BOX.with_name("stops_itself.py"))
case = replace(case, limits=replace(case.limits, time=replace(case.limits.time, turn=10**12)))
with contextlib.closing(connect()) as engine:
    spec = boxed(spec_of(case), case, Path(sys.argv[1]), engine)
play_match(spec)
"""


@pytest.mark.parametrize("guarded", [True, False], ids=["guard", "no guard"])
def test_a_seat_that_is_held_still_goes_when_the_arena_is_killed(
    guarded: bool, engine: APIClient, tmp_path: Path
) -> None:
    arena = subprocess.Popen([sys.executable, "-c", PLAY, str(tmp_path)], cwd=ROOT)
    machine = Gauged()
    try:
        until(lambda: bool(held_by(engine, arena.pid, machine)))
        if not guarded:
            for pid in children_of(arena.pid):
                os.kill(pid, signal.SIGKILL)
    finally:
        arena.kill()
        arena.wait()
    assert all_left(engine, machine) == []


def children_of(parent: int) -> list[int]:
    text = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(one) for one in text.split()]


def held_by(engine: APIClient, pid: int, machine: Gauged) -> list[str]:
    """The containers of a process that are held still."""
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            target = one.readlink()
            if target.parent.name == "lives":
                machine.lives.add(target.name)
            elif target.parent.name == "uids":
                machine.users.add(int(target.name))
    held = []
    for life in machine.lives:
        for box in engine.containers(filters={"label": f"{LABEL}={life}"}):
            machine.containers.add(box["Id"])
            keeper = engine.inspect_container(box["Id"])["State"]["Pid"]
            freezer = freezer_of(keeper) if keeper else None
            if freezer is not None:
                if freezer.path.read_text().strip() in ("FROZEN", "1"):
                    held.append(box["Id"])
                freezer.close()
    return held
