"""Bots as processes, where their launcher or this machine is in trouble."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.errors import BotError, HostFault
from arena.sandbox import guard
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.policy import KIB, PLAYING
from arena.sandbox.process import ProcessLauncher
from arena.sandbox.rlimits import process_limits
from tests.hostile.house import MARK, marked

ROOT = Path(__file__).parents[2]
LINGERS = Path(__file__).with_name("bots") / "_lingers.py"
PLAY = f"""\
import sys
from pathlib import Path
from tests.hostile.house import play_alone
play_alone(Path({str(LINGERS)!r}))
"""


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files, which has to be empty in the end."""
    with tempfile.TemporaryDirectory(prefix="t-") as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)
        assert list(Path(name).iterdir()) == []


def until(condition: Callable[[], bool], seconds: float = 30) -> None:
    """Wait for `condition`; the processes of others have no other way to tell."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def shell(script: str) -> Program:
    return Program(command=("sh", "-c", script), folder=Path("/"))


class Heard(CappedLog):
    """A log that lets one wait for the first words."""

    def __init__(self) -> None:
        super().__init__()
        self.words = asyncio.Event()

    def write(self, text: bytes) -> None:
        super().write(text)
        self.words.set()


def run(script: str, launcher: ProcessLauncher | None = None) -> tuple[str, str]:
    """Run a script to its end: how it ended, and what it wrote."""
    log = CappedLog()
    by = launcher or ProcessLauncher()

    async def main() -> str:
        async with asyncio.timeout(20), by.run(shell(script), log) as running:
            return (await running.wait()).how

    return asyncio.run(main()), log.text()


def test_when_the_arena_is_killed_nothing_of_a_match_is_left() -> None:
    with tempfile.TemporaryDirectory(prefix="t-") as folder:
        mark = uuid.uuid4().hex
        environment = {**os.environ, MARK: mark, "TMPDIR": folder, "PYTHONPATH": str(ROOT)}
        arena = subprocess.Popen([sys.executable, "-c", PLAY], env=environment)
        # Arena and guard, the other seat, and the bot with a child in its session and one apart.
        until(lambda: len(list(marked(mark))) >= 6)
        arena.kill()
        arena.wait()
        until(lambda: not list(marked(mark)), 10)
        assert list(Path(folder).glob("arena-bot-*")) == []


def test_how_a_bot_ends_is_known_when_ends_of_children_were_to_be_ignored() -> None:
    code = (
        "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from tests.hostile.test_processes import run; print(run('exit 7')[0])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout == "exited with code 7\n"
    assert done.stderr == ""


def test_a_program_has_limits_and_a_folder_of_its_own(house: Path) -> None:
    # The limits come a moment after the start.
    limits = "; ".join(f"ulimit -H{letter}" for letter in "ncfl")
    _, wrote = run(f"sleep 0.2; {limits}; touch $TMPDIR/file; echo $TMPDIR")
    files, core, largest, locked, folder = wrote.split()
    assert (files, core) == (str(PLAYING.open_files), "0")
    assert int(largest) * 512 == PLAYING.largest_file
    assert int(locked) * KIB == process_limits()["memlock"]
    assert Path(folder).parent == house


def test_a_program_has_no_limit_that_counts_for_its_user_or_for_what_runtimes_reserve(
    house: Path,
) -> None:
    limits = "; ".join(f"ulimit -H{letter}" for letter in "vp")
    # Of an ordinary shell's: bash is asked, as not every shell knows both letters.
    command = ["bash", "-c", limits]
    own = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    _, wrote = run(f"sleep 0.2; bash -c '{limits}'")
    assert wrote == own


def test_reading_through_proc_does_not_hold_up_the_event_loop(
    house: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: list[threading.Thread] = []

    def noting_where(real: Callable[..., None]) -> Callable[..., None]:
        def called(*args: object) -> None:
            threads.append(threading.current_thread())
            real(*args)

        return called

    for name in ("sweep", "remove_tree"):
        monkeypatch.setattr(guard, name, noting_where(getattr(guard, name)))
    run("true")
    assert len(threads) == 2
    assert threading.main_thread() not in threads


@pytest.mark.parametrize("times", [1, 2, 3])
def test_nothing_is_left_however_often_it_is_cancelled(times: int, house: Path) -> None:
    mark = uuid.uuid4().hex
    script = f"export {MARK}={mark}; trap '' TERM HUP; setsid sleep 60 & sleep 60 & echo on; wait"

    async def main() -> None:
        log = Heard()

        async def one() -> None:
            async with ProcessLauncher(grace=0.3).run(shell(script), log) as running:
                await running.wait()

        task = asyncio.create_task(one())
        await asyncio.wait_for(log.words.wait(), 10)
        for _ in range(times):
            task.cancel()
            await asyncio.sleep(0.05)
        await asyncio.wait([task])
        assert task.cancelled()

    asyncio.run(main())
    assert list(marked(mark)) == []


def test_who_has_stopped_is_woken_up_to_tidy_up(house: Path) -> None:
    async def main() -> str:
        log = Heard()
        script = "trap 'echo tidy; exit' TERM; echo on; kill -STOP $$; sleep 60"
        async with ProcessLauncher(grace=10).run(shell(script), log):
            await asyncio.wait_for(log.words.wait(), 10)
        return log.text()

    assert asyncio.run(main()) == "on\ntidy\n"


@pytest.fixture
def freezer() -> Iterator[Path]:
    """A control group of version 1 that can be frozen."""
    group = Path("/sys/fs/cgroup/freezer", f"arena-test-{uuid.uuid4().hex}")
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group for freezing (version 1) can be made: {error.strerror}")
    try:
        yield group
    finally:
        (group / "freezer.state").write_text("THAWED")
        until(lambda: (group / "cgroup.procs").read_text() == "")
        group.rmdir()


def test_who_is_frozen_is_ended(freezer: Path, house: Path) -> None:
    async def main() -> int:
        log = Heard()
        async with ProcessLauncher(grace=0.1).run(shell("echo $$; sleep 600"), log):
            await asyncio.wait_for(log.words.wait(), 10)
            (freezer / "cgroup.procs").write_text(log.text())
            (freezer / "freezer.state").write_text("FROZEN")
            state = freezer / "freezer.state"
            await asyncio.to_thread(until, lambda: state.read_text() == "FROZEN\n")
        return int(log.text())

    pid = asyncio.run(main())
    assert not Path(f"/proc/{pid}").exists()


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EAGAIN, HostFault),
        (errno.EMFILE, HostFault),
        (errno.ENOMEM, HostFault),
        (errno.ENOENT, BotError),
        (errno.EACCES, BotError),
    ],
)
def test_a_machine_that_is_full_is_nobody_s_fault(
    number: int, kind: type[Exception], house: Path
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    async def main() -> None:
        asyncio.get_running_loop().subprocess_exec = fail  # type: ignore[method-assign, assignment]
        async with ProcessLauncher().run(shell("true"), CappedLog()):
            pass

    with pytest.raises(kind, match="cannot start 'sh' in /: "):
        asyncio.run(main())


def test_a_guard_runs_only_as_long_as_a_program_does(house: Path) -> None:
    launcher = ProcessLauncher()
    for _ in range(2):
        assert run("exit 0", launcher)[0] == "exited with code 0"
        assert launcher._guard._running is None


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_guard_that_somebody_has_put_out_of_action_is_no_trouble(
    number: signal.Signals, house: Path
) -> None:
    launcher = ProcessLauncher()

    async def main() -> str:
        async with launcher.run(shell("sleep 0.1; exit 5"), CappedLog()) as running:
            assert launcher._guard._running is not None
            os.kill(launcher._guard._running.pid, number)
            return (await running.wait()).how

    assert asyncio.run(main()) == "exited with code 5"
    assert launcher._guard._running is None


def test_a_folder_is_removed_however_deep_it_is(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to(tmp_path)
    (root / "locked").mkdir(mode=0)
    there = os.getcwd()
    try:
        os.chdir(root)
        for _ in range(1_200):  # Python's own functions go 1,000 deep, and paths are 4,096 long
            os.mkdir("d" * 10)
            os.chdir("d" * 10)
        Path("file").touch()
    finally:
        os.chdir(there)
    guard.remove_tree(str(root))
    assert not root.exists()
    assert tmp_path.exists()
    guard.remove_tree(str(root))  # there is nothing, and that is fine
