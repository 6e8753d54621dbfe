"""The checks that are made inside a container: each can fail, and says so when it should."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import errno
import fcntl
import itertools
import json
import os
import pty
import resource
import signal
import subprocess
import sys
import termios
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostFault
from arena.sandbox.launcher import CappedLog, Exit, Program, Running, Slot
from arena.sandbox.masks import still_stat
from arena.sandbox.probes import files, kernel, limits, mounts, privacy, report
from arena.sandbox.probes.checks import CHECKS, Check, Finding, Result, State, first_few
from arena.sandbox.probing import run_probe

MIB = 1024 * 1024


def finding_of(name: str) -> Finding:
    (one,) = [check for check in CHECKS if check.name == name]
    return one.look()


# -- what a check is --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("holds", "needed", "state"),
    [
        (True, True, State.OK),
        (True, False, State.OK),
        (False, True, State.FAIL),
        (False, False, State.WARN),
        (None, True, State.UNKNOWN),
        (None, False, State.UNKNOWN),
    ],
)
def test_the_state_of_a_promise(holds: bool | None, needed: bool, state: State) -> None:
    one = Check("name", "A1", "It holds.", "Mend it.", needed, lambda: Finding(holds, "seen"))
    assert one.result().state is state


def test_a_check_that_breaks_down_cannot_tell() -> None:
    def breaks() -> Finding:
        raise OSError(errno.ENOENT, "No such file")

    result = Check("name", "A1", "It holds.", "Mend it.", True, breaks).result()
    assert result.state is State.UNKNOWN
    assert "No such file" in result.seen


def test_what_was_seen_is_of_bounded_length() -> None:
    long = Check("name", "A1", "It.", "Mend it.", True, lambda: Finding(True, "x" * 10_000))
    assert len(long.result().seen) <= 200


def test_names_are_told_apart() -> None:
    names = [one.name for one in CHECKS]
    assert len(names) == len(set(names)) > 40


def test_every_check_says_what_it_promises_and_what_to_do() -> None:
    for one in CHECKS:
        assert one.promise.endswith("."), one.name
        assert one.remedy.endswith("."), one.name
        assert one.threat[0] in "ABCDEFGH", one.name
        assert one.threat[1:].isdecimal(), one.name


def test_things_are_listed_in_part() -> None:
    assert first_few([], "nothing") == "nothing"
    assert first_few(["a", "b", "c"], "nothing") == "a, b, c"
    assert first_few(["a", "b", "c", "d", "e"], "nothing") == "a, b, c and 2 more"


# -- system calls -----------------------------------------------------------------------------


def test_a_call_is_made_by_its_number() -> None:
    assert kernel.call("getpid") == os.getpid()


def test_a_call_that_works_is_no_refusal() -> None:
    assert kernel.denied("getpid") == Finding(holds=False, seen="it worked")


def test_a_call_that_fails_is_refused() -> None:
    finding = kernel.denied("chroot", b"/nowhere/at/all")
    assert finding.holds
    assert finding.seen.startswith("refused: E")


def test_an_attempt_that_kills_is_refused() -> None:
    finding = kernel.in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))
    assert finding == Finding(holds=True, seen="killed by SIGKILL")


def test_an_attempt_that_breaks_down_tells_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert kernel.in_child(lambda: int("none")).holds is None


def test_numbers_of_an_unknown_machine_are_not_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "vax")
    with pytest.raises(LookupError, match="vax"):
        kernel.call("getpid")


def test_the_numbers_are_the_kernel_s() -> None:
    headers = {
        0: Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
        1: Path("/usr/include/asm-generic/unistd.h"),
    }
    present = {column: path for column, path in headers.items() if path.is_file()}
    if not present:
        pytest.skip("needs the kernel's headers (package linux-libc-dev)")
    for column, path in present.items():
        words = path.read_text().replace("__NR3264_", "__NR_").split()
        known = {name.removeprefix("__NR_"): word for name, word in itertools.pairwise(words)}
        ours = {name: str(numbers[column]) for name, numbers in kernel.NUMBERS.items()}
        shared = ours.keys() & known.keys()  # these headers may be older than the newest calls
        assert len(shared) > 25
        assert {name: known[name] for name in shared} == {name: ours[name] for name in shared}


# -- files and mounts -------------------------------------------------------------------------

TABLE = """\
22 1 0:21 / / ro,relatime - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/ABC
23 22 0:22 / /proc rw,nosuid shared:1 master:2 - proc proc rw
24 22 0:23 / /tmp rw,nosuid,nodev,noexec - tmpfs tmpfs rw,size=65536k,nr_inodes=4096
25 22 8:1 /run/slots/owner-smith/with\\040blank /bot ro - ext4 /dev/vda rw
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mountinfo"
    path.write_text(TABLE)
    monkeypatch.setattr(mounts, "_TABLE", path)
    return path


def test_mounts_are_read(table: Path) -> None:
    _, proc, tmp, bot = mounts.mounts()
    assert (proc.path, proc.kind) == ("/proc", "proc")
    assert {"noexec", "size=65536k"} <= tmp.options
    assert (bot.root, bot.path) == ("/run/slots/owner-smith/with blank", "/bot")


def test_names_that_tell_are_found(table: Path) -> None:
    assert finding_of("opaque-names").holds is False
    table.write_text(TABLE.replace("owner-smith", "3348586d4e23930a"))
    assert finding_of("opaque-names").holds


def test_flags_of_the_temporary_folder_are_found(table: Path) -> None:
    assert finding_of("tmp-noexec").holds
    table.write_text(TABLE.replace("nodev,noexec", "exec"))
    assert finding_of("tmp-noexec") == Finding(holds=False, seen="nodev, noexec")


@pytest.mark.parametrize("mode", [0o4755, 0o2755])
def test_programs_with_rights_of_their_own_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    program = tmp_path / "sudo"
    program.touch()
    monkeypatch.setattr(files, "_everything", lambda *_, **__: iter([str(program)]))
    assert finding_of("setuid-files").holds
    program.chmod(mode)
    assert finding_of("setuid-files").holds is False


# -- limits, as both versions of control groups tell them -------------------------------------


@pytest.fixture
def group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    machine = {"MemTotal": 8192 * MIB, "SwapTotal": 1024 * MIB}
    monkeypatch.setattr(limits, "_CGROUP", tmp_path)
    monkeypatch.setattr(limits, "_of_machine", machine.__getitem__)

    def write(**values: str) -> None:
        for name, value in values.items():
            path = tmp_path / name.replace("__", "/").replace("_DOT_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{value}\n")

    return write


@pytest.mark.parametrize(
    ("name", "values", "holds"),
    [
        ("pids-limit", {"pids_DOT_max": "128"}, True),
        ("pids-limit", {"pids_DOT_max": "max"}, False),
        ("pids-limit", {"pids__pids_DOT_max": "128"}, True),
        ("pids-limit", {"pids__pids_DOT_max": "max"}, False),
        ("pids-limit", {"pids_DOT_max": "100000"}, False),
        ("pids-limit", {}, None),
        ("memory-limit", {"memory_DOT_max": str(512 * MIB)}, True),
        ("memory-limit", {"memory_DOT_max": "max"}, False),
        ("memory-limit", {"memory__memory_DOT_limit_in_bytes": str(2**63 - 4096)}, False),
        ("memory-limit", {}, None),
        ("swap-limit", {"memory_DOT_swap_DOT_max": "0"}, True),
        ("swap-limit", {"memory_DOT_swap_DOT_max": "max"}, False),
        ("swap-limit", {}, False),
        (
            "swap-limit",
            {
                "memory__memory_DOT_limit_in_bytes": "1000",
                "memory__memory_DOT_memsw_DOT_limit_in_bytes": "1000",
            },
            True,
        ),
        (
            "swap-limit",
            {
                "memory__memory_DOT_limit_in_bytes": "1000",
                "memory__memory_DOT_memsw_DOT_limit_in_bytes": "2000",
            },
            False,
        ),
        ("cpu-limit", {"cpu_DOT_max": "100000 100000"}, True),
        ("cpu-limit", {"cpu_DOT_max": "max 100000"}, False),
        ("cpu-limit", {"cpu__cpu_DOT_cfs_quota_us": "100000"}, True),
        ("cpu-limit", {"cpu__cpu_DOT_cfs_quota_us": "-1"}, False),
        ("cpu-limit", {}, None),
    ],
)
def test_limits_of_a_control_group(
    group: Callable[..., None], name: str, values: dict[str, str], holds: bool | None
) -> None:
    group(**values)
    assert finding_of(name).holds is holds


def test_without_swap_nothing_has_to_be_limited(
    group: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_of_machine", lambda _: 0)
    assert finding_of("swap-limit").holds


@pytest.mark.parametrize(
    ("limit", "holds"),
    [(0, True), (8 * MIB, True), (8 * MIB + 1, False), (resource.RLIM_INFINITY, False)],
)
def test_limits_of_a_process(monkeypatch: pytest.MonkeyPatch, limit: int, holds: bool) -> None:
    # What counts is how far it could raise its limit.
    monkeypatch.setattr("resource.getrlimit", lambda _: (0, limit))
    assert finding_of("rlimit-memlock").holds is holds


def test_a_program_that_outlives_the_referee_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_LEAST_BADNESS", -1000)
    assert finding_of("oom-first").holds
    monkeypatch.setattr(limits, "_LEAST_BADNESS", 1001)
    assert finding_of("oom-first").holds is False


# -- what it can learn ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value"), [("MATCH_ID", "7"), ("TMPDIR", "/tmp/opponent"), ("LANG", "owner-smith")]
)
def test_telling_variables_are_found(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setattr(os, "environ", {"HOME": "/tmp", "PATH": "/usr/bin", "LC_ALL": "C"})
    assert finding_of("environment").holds
    monkeypatch.setattr(os, "environ", {name: value})
    assert finding_of("environment") == Finding(holds=False, seen=name)


@pytest.mark.parametrize("name", ["host-counters", "other-counters"])
def test_counters_that_can_be_read_are_found(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for tell in ("_readable", "_tells"):
        monkeypatch.setattr(privacy, tell, lambda _: False)
    assert finding_of(name).holds
    for tell in ("_readable", "_tells"):
        monkeypatch.setattr(privacy, tell, lambda _: True)
    assert finding_of(name).holds is False


def test_a_load_that_never_changes_tells_nothing(tmp_path: Path) -> None:
    file = tmp_path / "stat"
    for text, tells in ((still_stat(), False), ("", False), ("cpu0 0 0 7\n", True)):
        file.write_text(text)
        assert privacy._tells(str(file)) is tells
    assert privacy._tells("/proc/stat")
    assert privacy._tells("/proc/uptime")
    assert not privacy._tells(str(tmp_path / "none"))


def test_a_filter_that_refuses_even_unix_sockets_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert finding_of("socket-unix").holds
    monkeypatch.setitem(kernel.NUMBERS, "socket", (1000, 1000))
    assert finding_of("socket-unix").holds is False


def test_a_program_that_watches_itself_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1)
    assert finding_of("first-process").holds is False


def test_a_first_process_that_can_be_looked_into_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(privacy, "_opens", lambda path: path == "/proc/1/mem")
    monkeypatch.setattr(privacy, "_lists", lambda _: False)
    assert finding_of("first-process") == Finding(holds=False, seen="/proc/1/mem")


ONE_CHECK = """
from arena.sandbox.probes import report
from arena.sandbox.probes.checks import CHECKS
(one,) = [check for check in CHECKS if check.name == {name!r}]
print(one.result().state.value)
"""


def said_by_another(name: str, **options: Any) -> str:
    """The word of one check that a process of its own makes."""
    done = subprocess.run(
        [sys.executable, "-c", ONE_CHECK.format(name=name)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=Path(__file__).parents[2],
        **options,
    )
    return str(done.stdout).strip()


def test_descriptors_that_were_left_open_are_found(tmp_path: Path) -> None:
    assert said_by_another("descriptors") == "ok"
    file = os.open(tmp_path, os.O_RDONLY)
    try:
        assert said_by_another("descriptors", pass_fds=[file]) == "fail"
    finally:
        os.close(file)


def test_other_processes_are_found() -> None:
    other = subprocess.Popen(["cat"], stdin=subprocess.PIPE)
    try:
        assert said_by_another("processes") == "fail"
    finally:
        other.communicate()


def test_a_terminal_is_found() -> None:
    assert said_by_another("terminal", start_new_session=True) == "ok"
    master, terminal = pty.openpty()

    def take() -> None:
        os.setsid()
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    try:
        assert said_by_another("terminal", preexec_fn=take, pass_fds=[terminal]) == "fail"
    finally:
        os.close(master)
        os.close(terminal)


# -- the line of results ----------------------------------------------------------------------


def test_results_are_read_between_whatever_else_was_written() -> None:
    result = Result("n", "A1", "p.", "r.", needed=True, state=State.UNKNOWN, seen="s")
    line = json.dumps([dataclasses.asdict(result)])
    (one,) = report.read(f"Traceback of somebody\n{report.FORMAT} {line}\nmore")
    assert one == result


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no such line",
        "arena-probe/2 []",
        f"{report.FORMAT} [",
        f"{report.FORMAT} 7",
        f"{report.FORMAT} [7]",
        f'{report.FORMAT} [{{"name": "n"}}]',
        f'{report.FORMAT} [{{"state": "splendid"}}]',
    ],
)
def test_a_broken_line_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        report.read(text)


class Silent:
    """A launcher whose programs write what they are told to, and whose slots know no freezing."""

    def __init__(self, says: str) -> None:
        self.says = says
        self.socket = None
        self.address = ""

    async def make_ready(self, program: Program) -> Slot:
        assert (program.folder / "probes" / "__main__.py").is_file()
        return self

    @contextlib.asynccontextmanager
    async def run(self, environment: Any, log: CappedLog) -> AsyncIterator[Running]:
        log.write(self.says.encode())
        yield Over()

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def look(self) -> None: ...

    async def close(self) -> None: ...


class Over:
    exit = Exit(how="exited with code 3")

    async def wait(self) -> Exit:
        return self.exit


def test_a_probe_without_a_result_is_the_host_s_fault() -> None:
    with pytest.raises(HostFault, match=r"exited with code 3 without a result: .*'no python'"):
        asyncio.run(run_probe(Silent("no python"), "image"))


def test_a_launcher_that_does_not_say_whether_it_can_freeze_is_not_trusted() -> None:
    (freezer,) = asyncio.run(run_probe(Silent(f"{report.FORMAT} []"), "image"))
    assert (freezer.name, freezer.state, freezer.needed) == ("freezer", State.UNKNOWN, True)
