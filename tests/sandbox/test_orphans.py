"""Plain processes: those that have left their session, their environment and their parent."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from arena.sandbox import spawned
from arena.sandbox.launcher import Program
from arena.sandbox.process import ProcessLauncher
from tests.sandbox.onlookers import Heard, new_token, running, stat, until

ROOT = Path(__file__).parents[2]
PR_GET_CHILD_SUBREAPER = 37

LEAVE = """\
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
def leave(then):
    # In a session of its own, without a parent, and with an environment of nothing.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-c", then, sys.argv[1]], {})
        os._exit(0)
    os.wait()
"""
STAY = "import time; print('on', flush=True); time.sleep(600)"
STOP = "import os, signal; print('on', flush=True); os.kill(os.getpid(), signal.SIGSTOP)"
RACE = """\
import os, time
line = os.open({path!r}, os.O_WRONLY)
os.write(line, b"on")
end = time.monotonic() + 60  # should nobody end it
while time.monotonic() < end:
    if os.fork() == 0:
        os.setsid()
    else:
        os._exit(0)
"""


@pytest.fixture
def token() -> Iterator[str]:
    word = new_token()
    yield word
    left = running(word)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left


@contextlib.asynccontextmanager
async def lone(token: str, then: str, more: str = "time.sleep(600)") -> AsyncIterator[Heard]:
    """A program that has left somebody who does `then`, and itself goes on to do `more`."""
    log = Heard()
    code = f"{LEAVE}leave({then!r})\n{more}\n"
    program = Program(command=(sys.executable, "-c", code, token), folder=Path("/"))
    async with asyncio.timeout(40), ProcessLauncher(grace=0.2).run(program, log):
        yield log


def reaper_setting() -> int:
    value = ctypes.c_int()
    ctypes.CDLL(None).prctl(PR_GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0)
    return value.value


def orphans(token: str) -> list[int]:
    return [pid for pid in running(token) if stat(pid)[1:2] == [str(os.getpid())]]


def is_lost(pid: int) -> bool:
    """Whether nothing about it says whose it is."""
    is_apart = int(stat(pid)[3]) not in (pid, os.getsid(0))
    return is_apart and Path(f"/proc/{pid}/environ").read_bytes() == b""


@pytest.mark.parametrize("then", [STAY, STOP])
def test_who_has_left_everything_is_ended_with_the_last_program(then: str, token: str) -> None:
    async def main() -> None:
        async with lone(token, then) as log:
            await log.hear("on")
            # The program itself, a child of ours too, has its mark; the other one has nothing.
            assert [pid for pid in orphans(token) if is_lost(pid)] != []

    asyncio.run(main())
    assert running(token) == []


def test_who_forks_all_the_time_is_ended(token: str, tmp_path: Path) -> None:
    """Its number is another one before one can look, so that a line tells whether it lives."""
    path = tmp_path / "line"
    os.mkfifo(path)
    line = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def hear() -> bytes | None:
        """What was said; nothing if nobody is there; None if somebody is, and is silent."""
        try:
            return os.read(line, 16)
        except BlockingIOError:
            return None

    async def main() -> None:
        async with lone(token, RACE.format(path=str(path))):
            await asyncio.to_thread(until, lambda: hear() == b"on")
            assert hear() is None

    try:
        asyncio.run(main())
        assert hear() == b""
    finally:
        os.close(line)


def test_also_when_its_program_has_ended_before(token: str) -> None:
    async def main() -> None:
        async with lone(token, STAY, more="sys.exit()") as log:
            await log.hear("on")

    asyncio.run(main())
    assert running(token) == []


def test_an_orphan_that_could_be_somebody_s_who_plays_lives_as_long_as_that(token: str) -> None:
    other = new_token()

    async def main() -> None:
        async with lone(other, STAY) as still_here:
            await still_here.hear("on")
            async with lone(token, STAY) as log:
                await log.hear("on")
            (left,) = running(token)
            assert is_lost(left)
            assert len(running(other)) == 2

    asyncio.run(main())
    assert running(token) == running(other) == []


def test_children_that_are_no_program_s_are_left_alone(token: str) -> None:
    apart = subprocess.Popen(["sleep", "600"], start_new_session=True)
    near: subprocess.Popen[bytes] | None = None

    async def main() -> None:
        nonlocal near
        async with lone(token, STAY) as log:
            near = await asyncio.to_thread(subprocess.Popen, ["sleep", "600"])
            await log.hear("on")

    try:
        asyncio.run(main())
        assert running(token) == []
        assert near is not None
        assert (apart.poll(), near.poll()) == (None, None)
    finally:
        for one in (apart, near):
            if one is not None:
                one.kill()
                one.wait()


def test_orphans_come_here_only_while_programs_run(token: str) -> None:
    before = reaper_setting()

    async def main() -> int:
        async with lone(token, STAY) as log:
            await log.hear("on")
            return reaper_setting()

    assert asyncio.run(main()) == 1
    assert reaper_setting() == before == 0


def test_orphans_that_end_by_themselves_are_reaped_meanwhile(
    token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawned, "_BETWEEN_REAPS", 0.01)
    brief = "import os; print('pid', os.getpid(), flush=True)"

    async def main() -> None:
        async with lone(token, brief) as log:
            await log.hear("\n")
            pid = int(log.text().split()[1])
            await asyncio.to_thread(until, lambda: not stat(pid))

    asyncio.run(main())


def test_how_a_program_ended_is_known_though_orphans_are_waited_for(token: str) -> None:
    async def main() -> list[str]:
        code = f"{LEAVE}leave('pass')\nsys.exit(int(sys.argv[2]))"
        launcher = ProcessLauncher()

        async def one(number: int) -> str:
            command = (sys.executable, "-c", code, token, str(number))
            async with launcher.run(Program(command=command, folder=Path("/")), Heard()) as ran:
                return (await ran.wait()).how

        async with asyncio.timeout(40):
            return await asyncio.gather(*map(one, range(6)))

    assert asyncio.run(main()) == [f"exited with code {number}" for number in range(6)]


ARENA = """\
import asyncio, sys
from pathlib import Path
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.process import ProcessLauncher
async def main():
    program = Program(command=(sys.executable, "-c", sys.argv[1], sys.argv[2]), folder=Path("/"))
    async with ProcessLauncher().run(program, CappedLog()) as running:
        await running.wait()
asyncio.run(main())
"""
MOVED = """\
import os, subprocess, sys, time
code = "import time; time.sleep(600)"
command = [sys.executable, "-c", code, sys.argv[1]]
subprocess.Popen(command, env={}, start_new_session=True)
time.sleep(600)
"""


def test_a_guard_finds_by_its_parent_who_has_moved_and_wiped_its_environment(token: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    arena = subprocess.Popen([sys.executable, "-c", ARENA, MOVED, token], env=environment)
    try:
        # The arena, the program, and its child.
        until(lambda: len(running(token)) == 3)
    finally:
        arena.kill()
        arena.wait()
    until(lambda: running(token) == [])
