from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from arena.errors import HostFault, InputError
from arena.sandbox import slots
from arena.sandbox.freezer import Freezer, freezer_file, share_file
from arena.sandbox.policy import KIB, Policy
from arena.sandbox.slots import clear_dead, is_alive, life, slot, state_folder
from tests.e2e.house import until

pytestmark = pytest.mark.usefixtures("own_state")

OWN = "1:cpuset:/\n6:freezer:/arena/abc\n4:memory:/arena/abc\n0::/unified/x\n"
BOTH = """\
37 31 0:34 / /sys/fs/cgroup/freezer rw,relatime - cgroup cgroup rw,freezer
41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
"""
ONLY_SECOND = "25 30 0:23 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
WITHIN = "25 30 0:23 /docker/me /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"


@pytest.mark.parametrize(
    ("groups", "mounts", "file"),
    [
        (OWN, BOTH, "/sys/fs/cgroup/freezer/arena/abc/freezer.state"),
        (
            "0::/arena.slice/docker-1.scope\n",
            ONLY_SECOND,
            "/sys/fs/cgroup/arena.slice/docker-1.scope/cgroup.freeze",
        ),
        ("0::/docker/me/inner\n", WITHIN, "/sys/fs/cgroup/inner/cgroup.freeze"),
        ("0::/\n", ONLY_SECOND, None),
        (OWN, "", None),
    ],
)
def test_where_a_freezer_is(groups: str, mounts: str, file: str | None) -> None:
    assert freezer_file(groups, mounts) == (None if file is None else Path(file))


def test_where_a_share_of_the_processor_is_set() -> None:
    both = "5:cpu,cpuacct:/arena/abc\n0::/x\n"
    mounts = "37 31 0:34 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n" + ONLY_SECOND
    assert share_file(both, mounts) == Path("/cg/cpu/arena/abc/cpu.shares")
    assert share_file("0::/x\n", ONLY_SECOND) == Path("/sys/fs/cgroup/x/cpu.weight")


@pytest.mark.parametrize(
    ("state", "still", "moving", "share", "given", "least"),
    [
        ("freezer.state", "FROZEN\n", "FREEZING\n", "cpu.shares", "1024", "2"),
        (
            "cgroup.freeze",
            "populated 1\nfrozen 1\n",
            "populated 1\nfrozen 0\n",
            "cpu.weight",
            "100",
            "1",
        ),
    ],
)
def test_who_is_not_still_when_looked_at_gets_next_to_nothing_of_the_processor(
    tmp_path: Path, state: str, still: str, moving: str, share: str, given: str, least: str
) -> None:
    told = tmp_path / ("cgroup.events" if state == "cgroup.freeze" else state)
    (tmp_path / state).write_text("")
    (tmp_path / share).write_text("")
    freezer = Freezer(tmp_path / state, tmp_path / share)
    freezer.look()  # nobody is held still
    freezer.freeze()
    told.write_text(still)
    freezer.look()
    assert (tmp_path / share).read_text() == ""
    told.write_text(moving)
    freezer.look()
    assert (tmp_path / share).read_text() == least
    freezer.thaw()
    assert (tmp_path / share).read_text() == given
    freezer.freeze()
    told.write_text(still)
    (tmp_path / share).write_text("")
    freezer.close()
    assert (tmp_path / share).read_text() == ""
    without = Freezer(tmp_path / state)
    without.freeze()
    told.write_text(moving)
    without.look()
    without.close()


def test_a_freezer_writes_the_words_of_its_version_once(tmp_path: Path) -> None:
    for name, frozen, thawed in (
        ("freezer.state", "FROZEN", "THAWED"),
        ("cgroup.freeze", "1", "0"),
    ):
        file = tmp_path / name
        file.write_text("")
        freezer = Freezer(file)
        freezer.freeze()
        assert file.read_text() == frozen
        file.write_text("")
        freezer.freeze()
        assert file.read_text() == ""
        freezer.close()
        assert file.read_text() == freezer.thaw_word == thawed
        freezer.close()


def test_slots_have_numbers_and_folders_of_their_own() -> None:
    with ExitStack() as stack:
        owner = stack.enter_context(life())
        taken = [stack.enter_context(slot(owner)) for _ in range(20)]
        assert len({one.uid for one in taken}) == 20
        assert len({one.folder for one in taken}) == 20
        for one in taken:
            assert (one.run.stat().st_mode & 0o777, one.bot.stat().st_mode & 0o777) == (
                0o755,
                0o755,
            )
            assert one.folder.stat().st_mode & 0o077 == 0
            assert len(str(one.run / "seat.sock")) < 100
    for name in ("slots", "owners", "uids", "lives"):
        assert list((state_folder() / name).iterdir()) == []


def test_a_number_is_not_given_twice_between_processes() -> None:
    code = (
        "import sys\n"
        "from arena.sandbox.slots import life, slot\n"
        "with life() as owner, slot(owner) as one:\n"
        "    print(one.uid, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with ExitStack() as stack:
        others = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", code],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for _ in range(4)
        ]
        numbers = []
        for one in others:
            assert one.stdout is not None
            numbers.append(int(one.stdout.readline()))
        assert len(set(numbers)) == 4
        for one in others:
            one.communicate()


def test_there_is_an_end_of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_EACH", 1)
    monkeypatch.setattr(slots, "_FIRST", 59_000)
    with (
        life() as owner,
        slot(owner),
        pytest.raises(HostFault, match="all 1 user numbers for sandboxes are taken"),
        slot(owner),
    ):
        raise AssertionError("taken twice")


def test_a_life_ends_with_its_process_however_that_ends() -> None:
    code = (
        "from arena.sandbox.slots import life, slot\n"
        "import sys\n"
        "with life() as owner, slot(owner) as one:\n"
        "    print(owner, one.folder, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout is not None
        owner, folder = one.stdout.readline().split()
        assert is_alive(owner)
        clear_dead()
        assert Path(folder).is_dir()
        os.kill(one.pid, signal.SIGKILL)
        one.wait()
        assert not is_alive(owner)
        clear_dead()
        assert not Path(folder).exists()
        for name in ("lives", "uids", "owners", "slots"):
            assert list((state_folder() / name).iterdir()) == []


def test_a_link_where_a_lock_should_be_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slots, "_EACH", 1)
    (state_folder() / "uids" / str(slots._FIRST + os.geteuid() % 40)).symlink_to("/etc/passwd")
    with (
        life() as owner,
        pytest.raises(HostFault, match="cannot be locked: Too many levels of symbolic links"),
        slot(owner),
    ):
        raise AssertionError("a link was locked")


def test_whoever_reaps_meanwhile_takes_nobody_for_dead_who_begins_to_live() -> None:
    over = threading.Event()
    problems: list[str] = []

    def reap() -> None:
        while not over.is_set():
            clear_dead()

    reapers = [threading.Thread(target=reap) for _ in range(2)]
    for one in reapers:
        one.start()
    try:
        for _ in range(1500):
            with life() as owner:
                if not is_alive(owner):
                    problems.append(owner)
    finally:
        over.set()
        for one in reapers:
            one.join()
    assert problems == []


def test_a_state_folder_with_a_long_path_is_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 70)
    monkeypatch.setenv("ARENA_STATE", str(long))
    with pytest.raises(HostFault, match=r"too long for a socket's path .* set ARENA_STATE to one"):
        state_folder()


def test_a_state_folder_that_others_may_enter_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with tempfile.TemporaryDirectory(prefix="as-") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv("ARENA_STATE", folder)
        with pytest.raises(HostFault, match="must be a folder of this user that nobody else may"):
            state_folder()


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "nobody"])
def test_nobody_lives_under_another_name(name: str) -> None:
    assert not is_alive(name)


def test_a_policy_that_exists_is_sensible() -> None:
    with pytest.raises(InputError, match="sandbox: memory 1024: must be at least 16777216"):
        Policy(memory=KIB)
    with pytest.raises(InputError, match=r"sandbox: processors nan: must be at least 0\.1"):
        Policy(processors=float("nan"))


def _second_version() -> Path | None:
    """Where control groups of version 2 are mounted, also beside those of version 1."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if after.startswith("cgroup2 "):
            return Path(before.split()[4])
    return None


def test_a_real_freezer_of_version_2_holds_a_program_still() -> None:
    home = _second_version()
    if home is None:
        pytest.skip("no control groups of version 2 are mounted here")
    group = home / f"arena-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        pytest.skip(f"{group}: {error.strerror}")
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        (group / "cgroup.procs").write_text(str(busy.pid))
        freezer = Freezer(group / "cgroup.freeze")
        freezer.freeze()
        until(lambda: "frozen 1" in (group / "cgroup.events").read_text())
        held = _ticks(busy.pid)
        assert busy.poll() is None
        assert _ticks(busy.pid) == held
        freezer.thaw()
        until(lambda: _ticks(busy.pid) > held)
        freezer.freeze()
        freezer.close()  # lets go
        assert "frozen 0" in (group / "cgroup.events").read_text()
    finally:
        busy.kill()
        busy.wait()
        until(lambda: not (group / "cgroup.procs").read_text())
        group.rmdir()


def _ticks(pid: int) -> int:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
