"""Programs in bubblewrap: what they see, what they can do, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BotError, HostFault
from arena.sandbox import boxes
from arena.sandbox.badness import BOT, badness
from arena.sandbox.boxes import MASKED
from arena.sandbox.bubblewrap import BubblewrapLauncher
from arena.sandbox.launcher import CappedLog, Exit, Program
from arena.sandbox.policy import PLAYING
from arena.sandbox.rlimits import process_limits
from arena.sandbox.spawned import Spawned
from tests.sandbox.onlookers import Heard, new_token, running, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for temporary files beside `tmp_path`, which has to be empty in the end."""
    with tempfile.TemporaryDirectory(prefix="t-") as name:
        monkeypatch.setattr(tempfile, "tempdir", name)
        yield Path(name)
        assert list(Path(name).iterdir()) == []


@pytest.fixture
def tools(house: Path) -> None:
    """What bubblewrap needs, or a reason why there is no test of it."""
    for name in ("run", "bot"):
        (house / name).mkdir()
    try:
        boxes.find_tools(house)
    except HostFault as error:
        pytest.skip(str(error))
    finally:
        for name in ("run", "bot"):
            (house / name).rmdir()


@pytest.fixture
def token(tools: None) -> Iterator[str]:
    word = new_token()
    yield word
    assert running(word) == []


class Box:
    """Runs scripts in Python in a bot's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextlib.asynccontextmanager
    async def program(
        self, *command: str, log: CappedLog, grace: float = 0.5, address: str = ""
    ) -> AsyncIterator[Spawned]:
        slot = await BubblewrapLauncher(grace=grace).make_ready(
            Program(command=command, folder=self.folder)
        )
        try:
            async with asyncio.timeout(60), slot.run({"ARENA_ADDRESS": address}, log) as process:
                yield process
        finally:
            await slot.close()

    def run(self, *command: str, address: str = "") -> tuple[Exit, str]:
        """Run a command to its end: how it ended, and what it wrote."""
        log = CappedLog()

        async def main() -> Exit:
            async with self.program(*command, log=log, address=address) as process:
                return await process.wait()

        return asyncio.run(main()), log.text()

    def look(self, script: str, *arguments: str, address: str = "") -> Any:
        """Run a script that prints JSON; what it says."""
        (self.folder / "look.py").write_text(textwrap.dedent(script))
        found, text = self.run("python", "look.py", *arguments, address=address)
        assert found.is_clean, text
        return json.loads(text)


@pytest.fixture
def box(tools: None, tmp_path: Path) -> Box:
    return Box(tmp_path)


# -- what it sees --------------------------------------------------------------------------------


def test_its_folder_is_a_copy_and_its_python_has_the_sdk(box: Box) -> None:
    (box.folder / "data").mkdir()
    (box.folder / "data" / "words.txt").write_text("some\n")
    seen = box.look("""
        import json, os, pathlib, socket, sys
        import arena_sdk, grpc
        words = pathlib.Path("data/words.txt").read_text()
        print(json.dumps([os.getcwd(), words, sys.version, socket.gethostname(), os.getuid()]))
    """)
    assert seen == ["/bot", "some\n", sys.version, "bot", 1000]


CONNECT = """
    import json, socket, sys
    def reached(family, address):
        try:
            with socket.socket(family) as one:
                one.settimeout(5)
                one.connect(address)
                return True
        except OSError:
            return False
    print(json.dumps({
        "interfaces": [name for _, name in socket.if_nameindex()],
        "tcp": reached(socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))),
        "abstract": reached(socket.AF_UNIX, "\\0" + sys.argv[2]),
    }))
"""


def test_there_is_no_network(box: Box) -> None:
    name = f"arena-test-{secrets.token_hex(8)}"
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as abstract:
        abstract.bind(f"\0{name}")
        abstract.listen()
        port = str(tcp.getsockname()[1])
        seen = box.look(CONNECT, port, name)
        script = textwrap.dedent(CONNECT)
        outside = subprocess.run(
            [sys.executable, "-c", script, port, name], capture_output=True, check=True
        )
    assert seen == {"interfaces": ["lo"], "tcp": False, "abstract": False}
    assert json.loads(outside.stdout)["tcp"] is json.loads(outside.stdout)["abstract"] is True


def test_there_are_no_other_processes(box: Box) -> None:
    canary = new_token()
    other = subprocess.Popen([sys.executable, "-c", "input()", canary], stdin=subprocess.PIPE)
    try:
        seen = box.look(
            """
            import glob, json, os
            found = []
            for name in glob.glob("/proc/[0-9]*"):
                for what in ("cmdline", "environ"):
                    found.append(open(f"{name}/{what}").read())
            print(json.dumps([os.getpid(), found]))
            """
        )
    finally:
        other.communicate()
    own, texts = seen
    assert own < 10
    assert any("look.py" in text for text in texts)
    assert not any(canary in text for text in texts)


def test_the_files_of_the_machine_cannot_be_read(box: Box) -> None:
    name = f"canary-{secrets.token_hex(8)}"
    with contextlib.ExitStack() as stack:
        places = [Path("/tmp"), Path("/var/tmp"), Path.home(), box.folder.parent, ROOT / "tests"]
        for place in places:
            path = place / name
            path.write_text("")
            stack.callback(path.unlink)
        (box.folder / name).write_text("")
        seen = box.look(
            """
            import json, os, sys
            found = []
            for folder, _, names in os.walk("/"):
                found += [folder for name in names if name == sys.argv[1]]
            print(json.dumps([found, sorted(os.listdir("/etc"))]))
            """,
            name,
        )
    found, configured = seen
    assert found == ["/bot"]
    assert {"passwd", "hostname", "resolv.conf"} & set(configured) == set()


def test_the_environment_is_what_it_is_given(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = secrets.token_hex(16)
    monkeypatch.setenv("ARENA_TEST_SECRET", canary)
    seen = box.look(
        """
        import json, os
        first = [open(f"/proc/1/{what}").read() for what in ("environ", "cmdline")]
        print(json.dumps([dict(os.environ), first]))
        """,
        address="somewhere",
    )
    own, first = seen
    more = {"PATH", "PYTHONPATH", "PWD", "ARENA_ADDRESS", "LC_CTYPE"}
    usual = set(dict(PLAYING.environment))
    assert usual <= set(own) <= usual | more
    assert own["ARENA_ADDRESS"] == "somewhere"
    assert own["PWD"] == "/bot"
    assert "bwrap" in first[1]
    assert not any(canary in text or str(box.folder) in text for text in first)


def test_only_input_and_output_are_open(box: Box) -> None:
    seen = box.look("""
        import json, os
        print(json.dumps([one for one in range(512) if os.path.exists(f"/proc/self/fd/{one}")]))
    """)
    assert seen == [0, 1, 2]


# -- what it can do ------------------------------------------------------------------------------


def test_what_can_be_written_to_has_a_limited_size(box: Box) -> None:
    seen = box.look("""
        import json, os
        places = {}
        for folder, folders, _ in os.walk("/"):
            if folder == "/":
                folders.remove("proc")
            try:
                with open(f"{folder}/written", "x"):
                    facts = os.statvfs(folder)
                    places[folder] = facts.f_blocks * facts.f_frsize
            except OSError:
                pass
        print(json.dumps(places))
    """)
    # What is bound below /tmp, as the checkout may be, leaves folders of the same tmpfs.
    own = {name: size for name, size in seen.items() if not name.startswith("/tmp/")}
    assert own == {"/tmp": PLAYING.temporary, "/dev/shm": PLAYING.shared}
    assert set(seen.values()) == set(own.values())


def test_a_full_place_says_so(box: Box) -> None:
    seen = box.look("""
        import errno, json
        written = 0
        try:
            with open("/dev/shm/file", "wb", buffering=0) as file:
                while True:
                    written += file.write(bytes(1 << 20))
        except OSError as error:
            print(json.dumps([written, errno.errorcode[error.errno]]))
    """)
    assert seen == [PLAYING.shared, "ENOSPC"]


def test_nothing_of_the_kernel_s_can_be_changed(box: Box) -> None:
    seen = box.look("""
        import json, os
        found = []
        for folder, folders, names in os.walk("/proc"):
            if folder == "/proc":
                folders[:] = [one for one in folders if not one.isdecimal()]
                folders[:] = [one for one in folders if one not in ("self", "thread-self")]
            for name in names:
                try:
                    os.close(os.open(f"{folder}/{name}", os.O_WRONLY | os.O_NONBLOCK))
                    found.append(f"{folder}/{name}")
                except OSError:
                    pass
        print(json.dumps(sorted(found)))
    """)
    # Those are covered by /dev/null.
    assert seen == sorted(MASKED)


def test_what_others_do_is_not_told(box: Box) -> None:
    seen = box.look(f"""
        import json
        print(json.dumps([open(name).read() for name in {MASKED!r}]))
    """)
    assert seen == [""] * len(MASKED)


def test_it_is_in_a_session_without_a_terminal(box: Box) -> None:
    seen = box.look("""
        import json, os
        status = open("/proc/self/stat").read().rpartition(")")[2].split()
        try:
            os.close(os.open("/dev/tty", os.O_RDWR))
            terminal = True
        except OSError:
            terminal = False
        print(json.dumps([os.getsid(0), int(status[4]), terminal]))
    """)
    # Of a session that was begun outside, the number would be 0 in here.
    assert seen == [1, 0, False]


def test_it_has_no_rights_and_can_get_none(box: Box) -> None:
    seen = box.look("""
        import ctypes, errno, json
        lines = dict(one.split(":\\t") for one in open("/proc/self/status").read().splitlines())
        rights = {name: int(lines[name], 16) for name in lines if name.startswith("Cap")}
        libc = ctypes.CDLL(None, use_errno=True)
        CLONE_NEWUSER = 0x10000000
        done = libc.unshare(CLONE_NEWUSER)
        print(json.dumps([rights, lines["NoNewPrivs"], done, ctypes.get_errno()]))
    """)
    rights, none_new, done, _ = seen
    assert set(rights) >= {"CapEff", "CapPrm", "CapBnd"}
    assert not any(rights.values())
    assert (none_new, done) == ("1", -1)


def test_it_has_the_limits_of_a_process(box: Box) -> None:
    seen = box.look(f"""
        import json, resource
        names = {list(process_limits())!r}
        limits = [resource.getrlimit(getattr(resource, "RLIMIT_" + one.upper())) for one in names]
        print(json.dumps(dict(zip(names, limits))))
    """)
    assert seen == {name: [most, most] for name, most in process_limits().items()}


def test_it_has_to_go_before_whoever_has_started_it(box: Box) -> None:
    """H18."""
    seen = box.look("""
        import json
        print(json.dumps(int(open("/proc/self/oom_score_adj").read())))
    """)
    assert seen == badness(BOT) >= BOT


# -- how it ends ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("exit 0", "exited with code 0"),
        ("exit 1", "exited with code 1"),
        ("exit 255", "exited with code 255"),
        ("kill -9 $$", "was killed by SIGKILL"),
        ("kill -40 $$", "was killed by signal 40"),
    ],
)
def test_how_it_ended_is_known(script: str, how: str, box: Box) -> None:
    assert box.run("sh", "-c", script)[0].how == how


def test_both_streams_are_heard(box: Box) -> None:
    assert box.run("sh", "-c", "echo out; echo err >&2")[1] in ("out\nerr\n", "err\nout\n")


@pytest.mark.parametrize("name", ["no-such-program", "./missing"])
def test_a_program_that_is_not_there_is_told(name: str, box: Box) -> None:
    with pytest.raises(BotError, match=f"cannot start '{name}' in .*: No such file or directory"):
        box.run(name)


def test_it_may_tidy_up_when_it_is_asked_to_end(box: Box, token: str) -> None:
    log = Heard()
    code = (
        "import signal, sys, time\n"
        "signal.signal(signal.SIGTERM, lambda *_: (print('tidy'), sys.exit()))\n"
        "print('on', flush=True)\ntime.sleep(600)"
    )

    async def main() -> Exit | None:
        async with box.program("python", "-c", code, token, log=log, grace=20) as process:
            await log.hear("on")
        return process.exit

    assert asyncio.run(main()) == Exit(how="exited with code 0", was_ended=True)
    assert log.text() == "on\ntidy\n"


LEAVE = """\
import os, signal, sys, time
for number in (signal.SIGTERM, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        code = "import time; print('on', flush=True); open('/tmp/on', 'x'); time.sleep(600)"
        os.execve(sys.executable, [sys.executable, "-c", code, sys.argv[1]], {})
    os._exit(0)
"""
RACE = """\
import os
print("on", flush=True)
end = time.monotonic() + 60  # should nobody end it
while time.monotonic() < end:
    if os.fork() == 0:
        os.setsid()
    else:
        os._exit(0)
"""


@pytest.mark.parametrize(
    "code",
    [
        "print('on', flush=True); time.sleep(600)",
        "print('on', flush=True); os.kill(os.getpid(), signal.SIGSTOP)",
        f"{LEAVE}time.sleep(600)",
        f"{LEAVE}while not os.path.exists('/tmp/on'): pass",
        RACE,
    ],
    ids=["deaf", "stopped", "left-behind", "left-alone", "racing"],
)
def test_nothing_is_left(code: str, box: Box, token: str) -> None:
    deaf = "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    log = Heard()

    async def main() -> None:
        command = ("python", "-c", deaf + code, token)
        async with box.program(*command, log=log, grace=0.2):
            await log.hear("on")

    asyncio.run(main())
    # The first process in there has it too; with it the kernel has ended all others.
    assert running(token) == []


ARENA = """\
import asyncio, sys
from pathlib import Path
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.bubblewrap import BubblewrapLauncher
async def main():
    code = "import time; time.sleep(600)"
    program = Program(command=("python", "-c", code, sys.argv[1]), folder=Path(sys.argv[2]))
    slot = await BubblewrapLauncher().make_ready(program)
    async with slot.run({}, CappedLog()) as running:
        await running.wait()
asyncio.run(main())
"""


def test_nothing_is_left_when_the_arena_is_killed(box: Box, token: str, house: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(house)}
    command = [sys.executable, "-c", ARENA, token, str(box.folder)]
    arena = subprocess.Popen(command, env=environment)
    try:
        # The arena, bwrap outside and inside, and the program.
        until(lambda: len(running(token)) == 4)
    finally:
        arena.kill()
        arena.wait()
    until(lambda: running(token) == [])
    until(lambda: list(house.iterdir()) == [])


# -- machines that cannot do it -------------------------------------------------------------------


def fake(folder: Path, options: str, then: str) -> None:
    """A `bwrap` that has these options, and otherwise does something else."""
    path = folder / "bwrap"
    path.write_text(f'#!/bin/sh\n[ "$1" = --help ] && {{ echo "{options}"; exit; }}\n{then}\n')
    path.chmod(0o755)
    for name in ("prlimit", "choom"):
        (folder / name).symlink_to("/bin/true")


ALL_OPTIONS = " ".join((*boxes._APART, *boxes._ALSO_NEEDED))


@pytest.mark.parametrize(
    ("options", "then", "why"),
    [
        (None, "", "there is no program 'bwrap': install bubblewrap"),
        (
            ALL_OPTIONS.replace("--disable-userns", "").replace("--size", ""),
            "",
            "has no --disable-userns, --size: install bubblewrap 0.8 or newer",
        ),
        (
            ALL_OPTIONS,
            "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
            "bwrap: No permissions to create new namespace: this user must be allowed user",
        ),
        (ALL_OPTIONS, "kill -9 $$", "it ended with -9: this user must be allowed user namespaces"),
    ],
)
def test_a_machine_that_cannot_do_it_is_told_why(
    options: str | None,
    then: str,
    why: str,
    house: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if options is not None:
        fake(tmp_path, options, then)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(HostFault) as caught:
        asyncio.run(BubblewrapLauncher().make_ready(Program(command=("true",), folder=tmp_path)))
    assert str(caught.value).startswith("--sandbox bubblewrap: ")
    assert why in str(caught.value)
    assert "give --sandbox docker" in str(caught.value)
    assert "\n" not in str(caught.value)
