"""Programs in real containers, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from docker.errors import NotFound

from arena.errors import BotError, HostFault
from arena.sandbox import containers, kept
from arena.sandbox.docker import ADDRESS, DockerLauncher, DockerSlot
from arena.sandbox.images import resolve
from arena.sandbox.launcher import CappedLog, Exit, Program
from arena.sandbox.policy import BUILDING, MIB, PLAYING, Policy
from arena.sandbox.reaper import reap
from arena.sandbox.slots import is_alive, life, state_folder
from arena.sandbox.wrapframes import Frame

if TYPE_CHECKING:
    from docker import APIClient

SMALL = replace(PLAYING, memory=64 * MIB)


@pytest.fixture
def image(docker_engine: APIClient, own_state: Path) -> str:
    try:
        return resolve(docker_engine, "python").id
    except HostFault as error:
        pytest.skip(str(error))


@pytest.fixture
def owner(image: str) -> Iterator[str]:
    with life() as name:
        yield name


class Box:
    """Makes slots for scripts, in a folder with files."""

    def __init__(self, engine: APIClient, image: str, owner: str, folder: Path) -> None:
        self.engine, self.image, self.owner, self.folder = engine, image, owner, folder

    @contextlib.asynccontextmanager
    async def slot(self, *command: str, policy: Policy = SMALL) -> AsyncIterator[DockerSlot]:
        launcher = DockerLauncher(self.engine, self.owner, policy=policy)
        program = Program(command=command, folder=self.folder, image=self.image)
        slot = await launcher.make_ready(program)
        try:
            yield slot
        finally:
            await slot.close()

    async def ended(self, script: str, policy: Policy = SMALL) -> tuple[Exit, str]:
        log = CappedLog()
        async with (
            self.slot("sh", "-c", script, policy=policy) as slot,
            slot.run({}, log) as running,
        ):
            found = await asyncio.wait_for(running.wait(), 30)
        return found, log.text()

    def run(self, script: str, policy: Policy = SMALL) -> tuple[Exit, str]:
        return asyncio.run(self.ended(script, policy))


@pytest.fixture
def box(docker_engine: APIClient, image: str, owner: str, tmp_path: Path) -> Iterator[Box]:
    folder = tmp_path / "bot"
    folder.mkdir()
    yield Box(docker_engine, image, owner, folder)
    left = docker_engine.containers(all=True, filters={"label": f"{containers.LABEL}={owner}"})
    assert left == []
    assert list((state_folder() / "slots").iterdir()) == []


# -- how it ends --------------------------------------------------------------------------------


def test_an_exit_code_a_signal_and_what_it_took_are_told(box: Box) -> None:
    assert box.run("exit 3")[0].how == "exited with code 3"
    assert box.run("kill -SEGV $$")[0].how == "was killed by SIGSEGV"
    busy, _ = box.run("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
    assert busy.how == "exited with code 0"
    assert busy.processor_time is not None
    assert busy.processor_time > 0.02
    assert busy.peak is not None
    assert 0 < busy.peak <= SMALL.memory


def test_a_program_that_is_not_there_is_the_bots_fault(box: Box) -> None:
    async def start() -> None:
        async with box.slot("no-such-program") as slot, slot.run({}, CappedLog()):
            raise AssertionError("it runs")

    with pytest.raises(BotError, match=r"cannot start 'no-such-program' in its image: No such"):
        asyncio.run(start())


def test_a_program_that_takes_too_much_memory_is_killed_for_it(box: Box) -> None:
    found, _ = box.run("exec python3 -c 'x = bytearray(100 << 20)'")
    assert found.for_memory
    assert found.how == "was killed for memory: it wanted more than 64 MiB"


def test_a_child_that_takes_too_much_memory_is_only_counted(box: Box) -> None:
    found, _ = box.run("python3 -c 'x = bytearray(100 << 20)'; exit 0")
    assert found.how == "exited with code 0"
    assert not found.for_memory
    assert found.killed_besides == 1


def test_beginning_and_end_of_what_it_prints_are_kept(box: Box) -> None:
    _, log = box.run("echo first; head -c 300000 /dev/zero | tr '\\0' x; echo; echo last >&2")
    assert log.startswith("first\n")
    assert log.endswith("last\n")
    assert "bytes ...]" in log
    assert len(log) < 80_000


def test_what_it_leaves_behind_ends_with_it(box: Box) -> None:
    found, log = box.run("setsid sh -c 'sleep 0.2; echo survived' & setsid sleep 1000 & exit 5")
    assert found.how == "exited with code 5"
    assert "survived" not in log


def test_who_ignores_every_signal_is_ended(box: Box) -> None:
    async def end() -> str:
        log = _Log("ready")
        script = "trap '' TERM INT HUP; echo ready; while :; do sleep 100; done"
        async with box.slot("sh", "-c", script) as slot, slot.run({}, log):
            await asyncio.wait_for(log.seen.wait(), 20)
        return log.text()

    assert asyncio.run(end()) == "ready\n"


def test_the_keeper_cannot_be_killed_traced_or_written_to(box: Box) -> None:
    found, log = box.run(
        "kill -9 1; kill -TERM 1; kill -STOP 1; ls /proc/1/fd; cat /proc/1/mem; cat /proc/1/maps; "
        "echo frame > /proc/1/fd/1; echo still here"
    )
    assert found.how == "exited with code 0"
    assert log.rstrip().endswith("still here")
    assert log.count("Permission denied") >= 4


# -- what it sees -------------------------------------------------------------------------------


def test_it_has_its_own_copy_of_its_files_and_cannot_change_them(box: Box) -> None:
    (box.folder / "data.txt").write_text("mine\n")
    (box.folder / ".git").mkdir()
    (box.folder / ".cargo").write_text("yes\n")
    (box.folder / "link").symlink_to("/etc/passwd")
    (box.folder / "inner").mkdir()
    (box.folder / "inner" / "tool").write_text("#!/bin/sh\necho tool\n")
    (box.folder / "inner" / "tool").chmod(0o700)
    _, log = box.run("pwd; ls -a; cat data.txt; inner/tool; echo x > data.txt; echo x > new")
    assert log.startswith("/bot\n.\n..\n.cargo\ndata.txt\ninner\nmine\ntool\n")
    assert log.count("Read-only file system") == 2
    assert (box.folder / "data.txt").read_text() == "mine\n"


def test_no_two_live_seats_have_a_user_number_or_a_socket_in_common(box: Box) -> None:
    async def two() -> tuple[str, str, bool]:
        first, second = CappedLog(), CappedLog()
        async with box.slot("id", "-u") as one, box.slot("id", "-u") as other:
            assert one.address == other.address == ADDRESS
            async with one.run({}, first) as a, other.run({}, second) as b:
                await asyncio.gather(a.wait(), b.wait())
            return first.text(), second.text(), one.socket == other.socket

    first, second, same_socket = asyncio.run(two())
    assert int(first) >= 20_000
    assert int(second) >= 20_000
    assert first != second
    assert not same_socket


def test_its_environment_is_what_it_is_given_and_no_more(box: Box) -> None:
    async def seen() -> str:
        log = CappedLog()
        async with box.slot("env") as slot, slot.run({"ARENA_X": "a\nb"}, log) as running:
            await running.wait()
        return log.text()

    os.environ["ARENA_CANARY"] = "canary"
    try:
        text = asyncio.run(seen())
    finally:
        del os.environ["ARENA_CANARY"]
    assert "canary" not in text
    names = {line.partition("=")[0] for line in text.splitlines()} - {"b"}
    assert names <= {"PATH", "HOSTNAME", "HOME", "LANG", "ARENA_X", "PYTHONPATH"}
    assert "HOSTNAME=bot\n" in text


# -- holding it still ---------------------------------------------------------------------------


class _Log(CappedLog):
    """A log that says when a word has come."""

    def __init__(self, word: str) -> None:
        super().__init__()
        self.seen = asyncio.Event()
        self._word = word

    def write(self, text: bytes) -> None:
        super().write(text)
        if self._word in self.text():
            self.seen.set()


def test_who_is_held_still_does_nothing_until_let_go(box: Box) -> None:
    async def hold() -> tuple[float, float, float]:
        log = _Log("ready")
        script = "echo ready; while :; do :; done"
        async with box.slot("sh", "-c", script) as slot, slot.run({}, log):
            if not slot.can_freeze:
                pytest.skip("this user may not write to the freezer of a control group")
            await asyncio.wait_for(log.seen.wait(), 20)
            slot.freeze()
            before = await _still(box.engine, slot)
            await asyncio.sleep(0.3)
            held = _used(box.engine, slot)
            slot.thaw()
            for _ in range(400):
                after = _used(box.engine, slot)
                if after > held:
                    break
                await asyncio.sleep(0.01)
            slot.freeze()  # and it can be ended like this
            return before, held, after

    before, held, after = asyncio.run(hold())
    assert before == held
    assert after > held


async def _still(engine: APIClient, slot: DockerSlot) -> float:
    """What its processes have used, as soon as that no longer grows: freezing takes a moment."""
    last = -1.0
    for _ in range(200):
        now = _used(engine, slot)
        if now == last:
            return now
        last = now
        await asyncio.sleep(0.02)
    raise AssertionError("it was not held still")


def _used(engine: APIClient, slot: DockerSlot) -> float:
    top = engine.top(slot.ident, "-o pid")
    ticks = 0
    for (pid,) in top["Processes"]:
        with contextlib.suppress(OSError):
            ticks += sum(
                map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13])
            )
    return float(ticks)


# -- when the arena dies ------------------------------------------------------------------------


DYING = """
    import asyncio, os, signal, sys
    from pathlib import Path
    from arena.sandbox.docker import DockerLauncher
    from arena.sandbox.engine import connect
    from arena.sandbox.launcher import CappedLog, Program
    from arena.sandbox.slots import life

    async def main(image, folder):
        with life() as owner:
            launcher = DockerLauncher(connect(), owner)
            command = ("sh", "-c", "trap '' TERM; while :; do sleep 1; done")
            program = Program(command=command, folder=Path(folder), image=image)
            one, other = await asyncio.gather(*(launcher.make_ready(program) for _ in range(2)))
            async with one.run({}, CappedLog()), other.run({}, CappedLog()):
                one.freeze()
                print(owner, one.ident, other.ident, flush=True)
                os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(main(*sys.argv[1:]))
"""


def test_whoever_kills_the_arena_has_ended_the_bots_too(
    docker_engine: APIClient, image: str, tmp_path: Path
) -> None:
    dead = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(DYING), image, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        timeout=60,
    )
    assert dead.returncode == -signal.SIGKILL
    owner, *idents = dead.stdout.split()
    for ident in idents:  # also the one that was held still
        docker_engine.wait(ident, timeout=20)
        assert not docker_engine.inspect_container(ident)["State"]["Running"]
    assert not is_alive(owner)
    reap()
    label = {"label": f"{containers.LABEL}={owner}"}
    assert docker_engine.containers(all=True, filters=label) == []
    assert list((state_folder() / "slots").iterdir()) == []


def test_a_reaper_leaves_the_living_alone(box: Box) -> None:
    async def live() -> str:
        log = _Log("ready")
        async with box.slot("sh", "-c", "echo ready; exec sleep 100") as slot, slot.run({}, log):
            await asyncio.wait_for(log.seen.wait(), 20)
            reap()
            return cast("str", box.engine.inspect_container(slot.ident)["State"]["Status"])

    assert asyncio.run(live()) == "running"


# -- building -----------------------------------------------------------------------------------


def _built(box: Box, command: str, limit: float = 30) -> tuple[bool, str, dict[str, bytes], str]:
    files: dict[str, bytes] = {}

    def receive(frame: Frame) -> None:
        if frame.kind == "F":
            files[frame.content.decode()] = b""
        else:
            files[next(reversed(files))] += frame.content

    async def build() -> tuple[bool, str, dict[str, bytes], str]:
        log = CappedLog()
        async with box.slot("sh", "-c", command, policy=BUILDING) as slot:
            found = await slot.build(limit, log, receive)
            left_out = f"{found.left_out_count} {' '.join(sorted(found.left_out))}"
            return found.is_good, f"{found.exit.how}\n{log.text()}", files, left_out

    return asyncio.run(build())


def test_what_a_build_leaves_comes_back_as_files(box: Box) -> None:
    (box.folder / "source.txt").write_text("hello")
    good, said, files, left_out = _built(
        box,
        "pwd; mkdir -p out/deep; cd out/deep; tr a-z A-Z < ../../source.txt > result; "
        "chmod +x result",
    )
    assert good
    assert said == "exited with code 0\n/build\n"
    assert files == {"644 source.txt": b"hello", "755 out/deep/result": b"HELLO"}
    assert left_out == "0 "
    assert (box.folder / "source.txt").read_text() == "hello"


def test_links_pipes_and_devices_are_left_out_and_nobody_waits_for_them(box: Box) -> None:
    good, _, files, left_out = _built(
        box, "ln -s /etc/passwd link; ln -s / folder; mkfifo pipe; echo good > file; ln file hard"
    )
    assert good
    assert set(files) == {"644 file", "644 hard"}
    assert left_out == "3 folder link pipe"


def test_a_build_that_fails_sends_nothing(box: Box) -> None:
    good, said, files, _ = _built(box, "echo wrong >&2; exit 2")
    assert not good
    assert said == "exited with code 2\nwrong\n"
    assert files == {}


def test_a_build_without_end_is_ended(box: Box) -> None:
    good, said, files, _ = _built(box, "echo begun; while :; do :; done", limit=1)
    assert not good
    assert said.startswith("was not over after 1 s\nbegun\n")
    assert files == {}


def test_what_a_build_started_writes_nothing_into_what_is_received(box: Box) -> None:
    good, _, files, _ = _built(
        box, "echo first > file; setsid sh -c 'while :; do echo late >> file; done' & sleep 0.1"
    )
    assert good
    assert files["644 file"].startswith(b"first\n")


def test_who_receives_may_refuse(box: Box) -> None:
    def refuse(frame: Frame) -> None:
        raise BotError("too much")

    async def build() -> None:
        async with box.slot("sh", "-c", "echo x > file", policy=BUILDING) as slot:
            await slot.build(30, CappedLog(), refuse)

    with pytest.raises(BotError, match="too much"):
        asyncio.run(build())


def test_where_a_program_cannot_be_held_still_that_is_refused_if_it_is_to_be(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(containers, "freezer_of", lambda pid: None)
    program = Program(command=("true",), folder=box.folder, image=box.image)

    async def make(*, holds_still: bool) -> None:
        launcher = DockerLauncher(box.engine, box.owner, policy=SMALL, holds_still=holds_still)
        slot = await launcher.make_ready(program)
        slot.freeze()
        await slot.close()

    asyncio.run(make(holds_still=False))
    with pytest.raises(HostFault, match=r"cannot be held still: .*run as root, or allow pondering"):
        asyncio.run(make(holds_still=True))


def test_a_container_of_the_dead_is_removed_also_if_it_was_paused(box: Box) -> None:
    async def leave() -> str:
        launcher = DockerLauncher(box.engine, "0123456789abcdef", policy=SMALL)
        program = Program(command=("true",), folder=box.folder, image=box.image)
        slot = await launcher.make_ready(program)
        box.engine.pause(slot.ident)
        reap()  # nobody lives who is called so
        with pytest.raises(NotFound):
            box.engine.inspect_container(slot.ident)
        await slot.close()
        return slot.ident

    assert asyncio.run(leave())


@pytest.mark.parametrize(
    "attempt",
    [
        "import resource; resource.prlimit(1, resource.RLIMIT_NOFILE, (0, 0))",
        "import os; os.sched_setaffinity(1, {0})",
        "import os; os.sched_setscheduler(1, os.SCHED_IDLE, os.sched_param(0))",
        "import os; os.setpriority(os.PRIO_PROCESS, 1, 19)",
        "import os; os.setpriority(os.PRIO_USER, 0, 19)",
        "import os; os.pidfd_open(1)",
        "import mmap; mmap.mmap(-1, 1 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x8000)",
        "import mmap; mmap.mmap(-1, 1 << 20).madvise(22)",
        "import os; os.posix_fadvise(os.open('/bin/sh', 0), 0, 0, os.POSIX_FADV_DONTNEED)",
        "import os; os.openpty()",
    ],
)
def test_what_reaches_the_keeper_or_everybody_is_refused(box: Box, attempt: str) -> None:
    policy = replace(SMALL, memory=128 * MIB)
    found, log = box.run(f'exec python3 -c "{attempt}; print(1)"', policy)
    assert found.how == "exited with code 1"
    assert "Error: " in log
    assert "Traceback" in log


def test_who_made_its_keeper_fail_has_ended_itself(box: Box) -> None:
    class Odd(CappedLog):
        def write(self, text: bytes) -> None:
            raise AssertionError("nothing is written")

    async def end() -> Exit:
        async with box.slot("sleep", "1000") as slot, slot.run({}, Odd()) as running:
            report = {"wrap": 1, "failed": "poll: Invalid argument"}
            running._take(Frame("R", json.dumps(report).encode()))
            box.engine.kill(slot.ident)
            return await running.wait()

    found = asyncio.run(end())
    assert found.how == "made the keeper of its sandbox fail: poll: Invalid argument"


def test_a_keeper_that_takes_no_command_is_no_fault_of_the_bot(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "_BEGINNING", 0.2)

    async def start() -> None:
        async with box.slot("true") as slot:
            slot.freeze()  # the keeper too
            async with slot.run({}, CappedLog()):
                raise AssertionError("it runs")

    with pytest.raises(HostFault, match=r"a sandbox did not take its command within 0\.2 s"):
        asyncio.run(start())


def test_a_build_whose_links_have_endless_names_is_told_of(box: Box) -> None:
    deep = "; ".join([f"mkdir {'d' * 250}; cd {'d' * 250}"] * 10)
    good, _, _, left_out = _built(box, f"{deep}; ln -s /etc/passwd link")
    assert good
    count, name = left_out.split()
    assert count == "1"
    assert name.endswith("d/link")


def test_control_groups_of_containers_that_are_no_more_are_removed(
    docker_engine: APIClient,
) -> None:
    homes = containers._homes()
    if not homes:
        pytest.skip("no container has run here, or systemd keeps control groups")
    forgotten, other = homes[0] / ("0" * 64), homes[0] / "somebody-s"
    try:
        forgotten.mkdir()
        other.mkdir()
    except OSError as error:
        pytest.skip(f"{homes[0]}: {error.strerror}")
    try:
        containers.clear_groups(docker_engine)
        assert not forgotten.exists()
        assert other.exists()
    finally:
        other.rmdir()
