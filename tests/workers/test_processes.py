"""Workers as processes: where a task finds itself, Ctrl-C, and what is left of them."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from multiprocessing.connection import wait
from pathlib import Path

import pytest

from arena.workers.pool import MatchPool
from arena.workers.processes import ForkServer, Kind
from tests.workers import jobs
from tests.workers.watching import DEADLINE, has_gone

ROOT = Path(__file__).parents[2]

PROGRAM = """\
import sys
from pathlib import Path
from arena.workers.pool import MatchPool
from tests.workers import jobs

def say(pid):
    print("runs", flush=True)

if __name__ == "__main__":
    how, told, gate = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    pool = MatchPool(2, preload=["grpc.aio"])
    if how == "forget":
        pool.submit_reporting(jobs.await_gate, say, gate)
    else:
        with pool:
            if how == "hold":
                tasks = [pool.submit_reporting(jobs.hold_and_tidy, say, told) for _ in range(3)]
            elif how == "early":
                tasks = [pool.submit_reporting(jobs.hold_and_tidy, lambda pid: None, told)]
                say(0)
            else:
                tasks = [pool.submit(jobs.speak, how)]
            for task in tasks:
                task.result()
"""


class Program:
    """A program with a pool, in a session and with a folder for temporary files of its own.

    All its processes have its standard output, which ends when the last of them has gone.
    """

    def __init__(self, command: list[str], how: str, folder: Path) -> None:
        self.told, self.gate, self.temporary = folder / "told", folder / "gate", folder / "tmp"
        self.temporary.mkdir()
        os.mkfifo(self.gate)
        self.running = subprocess.Popen(
            [sys.executable, *command, how, str(self.told), str(self.gate)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={
                **os.environ,
                "PYTHONPATH": f"{folder}:{ROOT}",
                "PYTHONUNBUFFERED": "",
                "TMPDIR": str(self.temporary),
            },
        )

    def await_tasks(self, count: int) -> None:
        assert self.running.stdout is not None
        assert [self.running.stdout.readline() for _ in range(count)] == ["runs\n"] * count

    def interrupt(self) -> None:
        """What Ctrl-C does: everybody in the terminal's process group hears of it."""
        os.killpg(self.running.pid, signal.SIGINT)

    def end(self) -> tuple[int, str, str]:
        """Wait until nobody is left; its exit code, and what all of them wrote."""
        try:
            out, err = self.running.communicate(timeout=DEADLINE)
        except subprocess.TimeoutExpired:
            os.killpg(self.running.pid, signal.SIGKILL)
            raise
        assert list(self.temporary.iterdir()) == []
        return self.running.returncode, out, err


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    return [str(script)]


# -- where a task finds itself ----------------------------------------------------------------


def test_a_task_runs_in_the_main_thread_with_nothing_that_is_not_its_own(pool: MatchPool) -> None:
    own = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(own, True)
    try:
        found = pool.submit(jobs.surroundings).result(DEADLINE)
    finally:
        os.close(own)
    assert found.pop("parent") != os.getpid()
    assert found == {
        "main thread": True,
        "threads": 1,
        "descriptors": 4,  # input, output, errors, and the way to the parent
        "descriptors of its programs": 3,
        "input": "",
        "blocked": set(),
    }


def test_programs_that_a_task_starts_heed_ctrl_c(pool: MatchPool) -> None:
    assert pool.submit(jobs.heed, signal.SIGINT).result(DEADLINE) == "True"


def test_a_task_can_use_grpc_that_was_preloaded() -> None:
    with MatchPool(1, preload=["grpc.aio"]) as pool, tempfile.TemporaryDirectory() as folder:
        assert pool.submit(jobs.is_loaded, "grpc.aio").result(DEADLINE)
        for _ in range(2):
            assert pool.submit(jobs.call_over_grpc, folder).result(DEADLINE) == b"cba"


def test_output_is_left_alone(command: list[str], tmp_path: Path) -> None:
    assert Program(command, "hello", tmp_path).end() == (0, "hello\n", "hello\n")


@pytest.mark.parametrize("way", ["script", "module", "console"])
def test_any_kind_of_main_program(way: str, command: list[str], tmp_path: Path) -> None:
    if way == "module":
        command = ["-m", "program"]
    elif way == "console":
        plain = tmp_path / "program"
        Path(command[0]).rename(plain)
        command = [str(plain)]
    assert Program(command, "hello", tmp_path).end() == (0, "hello\n", "hello\n")


# -- ends -------------------------------------------------------------------------------------


def test_keepers_that_have_ended_leave_nothing(pool: MatchPool) -> None:
    keeper = pool.submit(os.getppid).result(DEADLINE)
    assert has_gone(keeper)
    pool.submit(os.getppid).result(DEADLINE)
    assert not Path(f"/proc/{keeper}").exists()


def test_the_fork_server_stays_until_its_workers_have_gone() -> None:
    server = ForkServer(["tests.workers.jobs"], grace=0.5)
    worker = server.start(pickle.dumps((jobs.hold_fast, True, (), {})))
    wait([worker.sources[1]], DEADLINE)
    (frame,) = worker.frames(has_ended=False)
    kind, pid = pickle.loads(frame)
    assert kind is Kind.REPORT
    worker.close()
    server.close()
    assert not Path(f"/proc/{pid}").exists()


def test_ctrl_c_ends_everybody_and_only_the_parent_speaks(
    command: list[str], tmp_path: Path
) -> None:
    program = Program(command, "hold", tmp_path)
    program.await_tasks(2)
    program.interrupt()
    code, out, err = program.end()
    assert code == -signal.SIGINT
    assert err.count("Traceback") == 1
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert out == ""
    assert program.told.read_text() == "tidy\n" * 2


def test_ctrl_c_before_the_fork_server_is_ready(command: list[str], tmp_path: Path) -> None:
    program = Program(command, "early", tmp_path)
    program.await_tasks(1)
    program.interrupt()
    code, _, err = program.end()
    assert code == -signal.SIGINT
    assert err.count("Traceback") == 1
    assert err.rstrip().endswith("KeyboardInterrupt")


def test_when_the_parent_is_killed_workers_tidy_up_and_go(
    command: list[str], tmp_path: Path
) -> None:
    program = Program(command, "hold", tmp_path)
    program.await_tasks(2)
    program.running.kill()
    assert program.end() == (-signal.SIGKILL, "", "")
    assert program.told.read_text() == "tidy\n" * 2


def test_who_forgets_to_shut_a_pool_down_still_gets_what_was_submitted(
    command: list[str], tmp_path: Path
) -> None:
    program = Program(command, "forget", tmp_path)
    program.await_tasks(1)
    assert program.running.poll() is None
    program.gate.write_text("open")
    assert program.end() == (0, "", "")
