"""A bot in bubblewrap: for one's own bots, as far apart from the machine as a container is.

That is not enough for strangers: nothing limits its memory, its processors and its processes, and
all that the kernel can do is open to it. `boxes` says what it sees.

    BubblewrapLauncher.make_ready   folder, copy of the files          (a thread)
    _Box.run                        bwrap, and in it the program       (this loop)
    _Box.close                      the folder is removed              (a thread)

The process that we start is `bwrap`, outside. It waits for another one inside, the first of its
namespace: with it, everything that runs in there is ended by the kernel, at once and without
exception. The program is that one's child. What happens when is told on a pipe (`_Boxed`).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from io import FileIO
from pathlib import Path
from typing import Final

from arena.errors import BotError, HostFault, quoted
from arena.sandbox import guard
from arena.sandbox.badness import BOT, badness
from arena.sandbox.botfiles import copy_files
from arena.sandbox.boxes import ADDRESS, Tools, box_options, find_tools, python_path
from arena.sandbox.guarding import Guard, reap
from arena.sandbox.launcher import CappedLog, Exit, Program, ending
from arena.sandbox.policy import PLAYING
from arena.sandbox.rlimits import prlimit_options
from arena.sandbox.spawned import Spawned, Start, Ward, living
from arena.sandbox.waiting import to_its_end

__all__ = ["BubblewrapLauncher"]

_PATH: Final = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
_SIGNALS: Final = range(129, 193)
"""What bwrap ends with for a program that a signal has killed: 128 and the signal's number."""
_NOT_STARTED: Final = "bwrap: execvp "


class BubblewrapLauncher:
    """Runs programs in namespaces of their own, with private copies of their files.

    `grace` is the time in seconds that a program has between SIGTERM and SIGKILL.
    """

    def __init__(self, *, grace: float = 1.0) -> None:
        self.grace = grace
        self._guard = Guard()
        self._lock = threading.Lock()
        self._tools: Tools | None = None

    async def make_ready(self, program: Program) -> _Box:
        """See `launcher.Launcher`."""
        return await asyncio.to_thread(self._make, program)

    def _make(self, program: Program) -> _Box:
        ward = Ward(guard=self._guard, mark=secrets.token_hex(16), folder=_folder())
        folder = Path(ward.folder)
        try:
            ward.take_on()
            (folder / "run").mkdir()
            (folder / "bot").mkdir()
            with self._lock:
                self._tools = self._tools or find_tools(folder)
            copy_files(program.folder, folder / "bot")
        except BaseException:
            self.clear(ward)
            raise
        return _Box(self, ward, program, self._tools)

    def clear(self, ward: Ward) -> None:
        """Remove what a program had, of which nothing runs any more."""
        guard.remove_tree(ward.folder)
        leaving = self._guard.let_go(ward.mark)
        if leaving is not None:
            reap(leaving)


class _Box:
    """See `launcher.Slot`. Nobody in there can be held still: there is no group to freeze."""

    def __init__(
        self, launcher: BubblewrapLauncher, ward: Ward, program: Program, tools: Tools
    ) -> None:
        self._launcher = launcher
        self._tools = tools
        self._ward = ward
        self._program = program
        self.socket: Path | None = Path(ward.folder) / "run" / "seat.sock"
        self.address = ADDRESS

    @contextlib.asynccontextmanager
    async def run(self, environment: Mapping[str, str], log: CappedLog) -> AsyncIterator[_Boxed]:
        """See `launcher.Slot`. That the program is not there is told by `wait`."""
        program = self._program
        path = f"{Path(sys.executable).parent}:{_PATH}"
        own = {**dict(PLAYING.environment), "PATH": path, "PYTHONPATH": python_path()}
        whole = {**own, **program.environment, **environment}
        options = box_options(Path(self._ward.folder), {k: v for k, v in whole.items() if v})
        with _told(options) as told, _pipe() as (status, far_status):
            start = Start(
                name=program.command[0],
                command=(
                    *(self._tools.choom, "-n", str(badness(BOT)), "--"),
                    *(self._tools.prlimit, *prlimit_options(), "--", self._tools.bwrap),
                    *("--args", str(told), "--json-status-fd", str(far_status)),
                    *("--", *program.command),
                ),
                folder=Path("/"),
                # It can be read in there as that of the first process: nothing of ours is in it.
                environment={},
                descriptors=(told, far_status),
            )
            async with living(
                self._ward,
                start,
                lambda: _Boxed(log, program, status),
                grace=self._launcher.grace,
            ) as running:
                yield running

    def freeze(self) -> None:
        """See `launcher.Slot`."""

    def thaw(self) -> None:
        """See `launcher.Slot`."""

    def look(self) -> None:
        """See `launcher.Slot`."""

    async def close(self) -> None:
        """See `launcher.Slot`."""
        await to_its_end(asyncio.to_thread(self._launcher.clear, self._ward))


class _Boxed(Spawned):
    """One program in there; `launcher.Running` for those who see it.

    On the pipe `status` bwrap writes JSON, a line for each: the number of its process inside when
    that exists, and when it ends, if the program was started at all, the program's exit code.
    """

    def __init__(self, log: CappedLog, program: Program, status: FileIO) -> None:
        super().__init__(log)
        self._own_log = log
        self._program = program
        self._status = status
        self._lines = b""

    @property
    def asked(self) -> int:
        # The first process inside leads a session, and the program is in its group. It heeds no
        # SIGTERM itself: the kernel keeps it from the first process of a namespace.
        self._listen()
        return self._told("child-pid", 0)

    def exit_of(self, code: int) -> Exit:
        if code < 0:
            raise HostFault(f"bwrap {ending(code)}")
        own = self._told("exit-code", -1)
        if own < 0:
            self._refuse()
        return Exit(how=ending(128 - own if own in _SIGNALS else own))

    def _refuse(self) -> None:
        """Say why the program was not even started."""
        lines = self._own_log.text().splitlines()
        why = next((one for one in reversed(lines) if one.startswith("bwrap: ")), "")
        if why.startswith(_NOT_STARTED):
            raise BotError(
                f"cannot start {quoted(self._program.command[0])} in {self._program.folder}: "
                f"{why.rpartition(': ')[2]}; in bubblewrap there is its folder, /usr and the "
                "Python of the arena"
            )
        raise HostFault(why or "bwrap ended before the program was started")

    def process_exited(self) -> None:
        self._listen()
        super().process_exited()

    def _listen(self) -> None:
        with contextlib.suppress(ValueError):  # nobody wants to know any more
            while piece := self._status.read(4096):
                self._lines += piece

    def _told(self, key: str, otherwise: int) -> int:
        """What bwrap has said so far."""
        for line in self._lines.split(b"\n")[:-1]:
            found = json.loads(line)
            if key in found:
                return int(found[key])
        return otherwise


def _folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="arena-bot-")
    except OSError as error:
        raise HostFault(f"no folder for a bot: {error.strerror}; set TMPDIR to one") from None


@contextlib.contextmanager
def _told(options: list[str]) -> Iterator[int]:
    """A file without a name that bwrap reads its options from: a command line is for all to see."""
    file = os.memfd_create("options")
    try:
        os.write(file, b"\0".join(map(os.fsencode, options)) + b"\0")
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)


@contextlib.contextmanager
def _pipe() -> Iterator[tuple[FileIO, int]]:
    """A pipe: its near end, which never blocks, and its far one."""
    near, far = os.pipe()
    os.set_blocking(near, False)
    try:
        with FileIO(near) as file:
            yield file, far
    finally:
        os.close(far)
