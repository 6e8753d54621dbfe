"""Programs as processes: what becomes of them and of what they start."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import BotError
from arena.sandbox.badness import BOT
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.process import ProcessLauncher
from tests.sandbox.onlookers import until

FOREVER = "while :; do sleep 1000; done"


def shell(script: str, folder: Path, **environment: str) -> Program:
    return Program(command=("sh", "-c", script), folder=folder, environment=environment)


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Heard(CappedLog):
    """A log that lets one wait for the first line."""

    def __init__(self) -> None:
        super().__init__()
        self._line = asyncio.Event()

    def write(self, text: bytes) -> None:
        super().write(text)
        if b"\n" in text:
            self._line.set()

    async def pids(self) -> list[int]:
        await asyncio.wait_for(self._line.wait(), 10)
        return [int(word) for word in self.text().split()]


def run(script: str, folder: Path, **environment: str) -> tuple[str, str]:
    """Run a script to its end: how it ended, and what it wrote."""
    log = CappedLog()

    async def main() -> str:
        async with asyncio.timeout(20):
            launcher = ProcessLauncher()
            async with launcher.run(shell(script, folder, **environment), log) as running:
                return (await running.wait()).how

    return asyncio.run(main()), log.text()


def end_at_once(script: str, folder: Path, grace: float = 0.2) -> list[int]:
    """Run a script until it has written the ids of its processes, leave, and return the ids."""

    async def main() -> list[int]:
        log = Heard()
        async with (
            asyncio.timeout(20),
            ProcessLauncher(grace=grace).run(shell(script, folder), log),
        ):
            return await log.pids()

    return asyncio.run(main())


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 0", "exited with code 0"),
        ("exit 3", "exited with code 3"),
        ("kill -9 $$", "was killed by SIGKILL"),
        ("kill -40 $$", "was killed by signal 40"),
    ],
)
def test_how_a_program_ended(script: str, how: str, tmp_path: Path) -> None:
    assert run(script, tmp_path)[0] == how


def test_what_a_program_writes_on_both_streams_is_kept(tmp_path: Path) -> None:
    assert run("echo out; echo err >&2", tmp_path)[1] in ("out\nerr\n", "err\nout\n")


def test_a_program_runs_in_its_folder_with_its_environment_and_an_empty_input(
    tmp_path: Path,
) -> None:
    _, wrote = run('pwd; echo "$NAME"; cat; echo end', tmp_path, NAME="value")
    assert wrote == f"{tmp_path}\nvalue\nend\n"


def test_a_program_leads_a_session_of_its_own(tmp_path: Path) -> None:
    _, wrote = run("cut -d' ' -f1,6 /proc/$$/stat", tmp_path)
    pid, session = wrote.split()
    assert pid == session
    assert int(session) != os.getsid(0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says who has to go first")
def test_a_program_has_to_go_before_whoever_has_started_it(tmp_path: Path) -> None:
    """H18. It is said right after its start: it waits for that."""
    now = "cat /proc/$$/oom_score_adj"
    script = f"until [ $({now}) -ge {BOT} ]; do :; done; {now}"
    own = int(Path("/proc/self/oom_score_adj").read_text())
    assert run(script, tmp_path) == ("exited with code 0", f"{max(BOT, own)}\n")


def test_the_launcher_s_own_folder_comes_first_on_the_path(tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/bin/sh\necho mine\n")
    tool.chmod(0o700)
    log = CappedLog()

    async def main() -> None:
        program = Program(command=("tool",), folder=tmp_path)
        async with ProcessLauncher(path=tmp_path).run(program, log) as running:
            await running.wait()

    asyncio.run(main())
    assert log.text() == "mine\n"


@pytest.mark.parametrize("command", ["no-such-program", "./missing"])
def test_a_program_that_is_not_there_is_told(command: str, tmp_path: Path) -> None:
    async def main() -> None:
        program = Program(command=(command,), folder=tmp_path)
        async with ProcessLauncher().run(program, CappedLog()):
            pass

    with pytest.raises(BotError, match=f"cannot start '{command}' in .*: No such file"):
        asyncio.run(main())


def test_nobody_else_is_killed_when_a_program_did_not_even_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, _: killed.append(pid))
    monkeypatch.setattr(os, "killpg", lambda pid, _: killed.append(pid))
    test_a_program_that_is_not_there_is_told("no-such-program", tmp_path)
    assert killed == []


def test_a_program_that_runs_is_ended(tmp_path: Path) -> None:
    (pid,) = end_at_once(f"echo $$; {FOREVER}", tmp_path)
    assert not is_alive(pid)


def test_a_program_that_ignores_the_request_to_end_is_killed(tmp_path: Path) -> None:
    (pid,) = end_at_once(f"trap '' TERM; echo $$; {FOREVER}", tmp_path)
    assert not is_alive(pid)


def test_children_that_outlive_a_program_are_killed(tmp_path: Path) -> None:
    script = f"(trap '' TERM; {FOREVER}) & echo $$ $!; exit 0"
    assert not any(is_alive(pid) for pid in end_at_once(script, tmp_path))


def test_children_that_wiped_their_environment_are_killed_with_the_group(tmp_path: Path) -> None:
    script = f"env -i sh -c \"trap '' TERM; echo \\$\\$; {FOREVER}\" & {FOREVER}"
    (pid,) = end_at_once(script, tmp_path)
    assert not is_alive(pid)


def test_children_in_a_session_of_their_own_are_killed(tmp_path: Path) -> None:
    script = f"setsid sh -c \"trap '' TERM HUP; echo \\$\\$; {FOREVER}\" & {FOREVER}"
    (pid,) = end_at_once(script, tmp_path)
    assert not is_alive(pid)


def test_a_child_that_holds_the_output_open_does_not_hold_up_the_end(tmp_path: Path) -> None:
    how, _ = run(f"({FOREVER}) & exit 4", tmp_path)
    assert how == "exited with code 4"


def test_nothing_is_left_when_whoever_waits_is_cancelled(tmp_path: Path) -> None:
    log = Heard()

    async def wait() -> None:
        program = shell(f"trap '' TERM; echo $$; {FOREVER}", tmp_path)
        async with ProcessLauncher(grace=0.1).run(program, log) as running:
            await running.wait()

    async def main() -> list[int]:
        waiting = asyncio.create_task(wait())
        pids = await log.pids()
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        return pids

    assert not any(is_alive(pid) for pid in asyncio.run(main()))


def test_the_mark_is_new_for_every_program(tmp_path: Path) -> None:
    marks = {run('echo "$ARENA_MARK"', tmp_path)[1] for _ in range(2)}
    assert len(marks) == 2
    assert all(len(mark.strip()) == 32 for mark in marks)


def test_a_program_may_tidy_up_when_it_is_asked_to_end(tmp_path: Path) -> None:
    script = "trap 'echo bye > said; exit 0' TERM; echo $$; while :; do sleep 0.05; done"
    end_at_once(script, tmp_path, grace=10)
    assert (tmp_path / "said").read_text() == "bye\n"


def test_an_unreadable_name_of_a_stranger_does_not_end_the_search(tmp_path: Path) -> None:
    """The kernel cuts a program's name after 15 bytes, wherever in a letter that is."""
    stranger = tmp_path / "course-de-mill\xe9"
    stranger.write_bytes(Path("/bin/sleep").resolve().read_bytes())
    stranger.chmod(0o755)
    running = subprocess.Popen([str(stranger), "60"])
    try:
        # The kernel writes the name down after it has closed what a new program does not get.
        comm = Path(f"/proc/{running.pid}/comm")
        until(lambda: comm.read_bytes().startswith(b"course"))
        name = comm.read_bytes()
        with pytest.raises(UnicodeDecodeError):
            name.decode()
        script = f"setsid sh -c \"trap '' TERM HUP; echo \\$\\$; {FOREVER}\" & {FOREVER}"
        (pid,) = end_at_once(script, tmp_path)
        assert not is_alive(pid)
        assert running.poll() is None
    finally:
        running.kill()
        running.wait()
