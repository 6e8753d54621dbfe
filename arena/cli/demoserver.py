"""The server of `arena demo`: a real one, in a process and a folder of its own."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.output import remarks
from arena.errors import ArenaError, HostFault
from arena.sandbox.holding import interruptions_wait

if TYPE_CHECKING:
    from arena.app.operator import OperatorLogin

__all__ = ["DemoServer", "demo_server", "why_no_docker"]

SETTINGS: Final = """\
# The settings of `arena demo`: short matches, so that something moves in a minute.
[server]
public = "127.0.0.1:0"
operators = "127.0.0.1:0"
metrics = ""
drain = 15
free_space = 64

[sandbox]
kind = "{kind}"

[matches]
boards = 2
hands = 1
window = "{window}"
live_delay = 2
"""
_ARENA: Final = "from arena.cli import main; main()"
_START: Final = 60.0  # seconds
_END: Final = 40.0


@dataclass(frozen=True, slots=True)
class DemoServer:
    """A server that runs: its folder, its process, and how operators get in."""

    folder: Path
    process: subprocess.Popen[bytes]
    login: OperatorLogin

    @property
    def log(self) -> Path:
        """What it writes, a JSON object a line."""
        return self.folder / "server.log"

    def require(self) -> None:
        """Refuse to go on without it.

        Raises:
            HostFault: it has ended.
        """
        if self.process.poll() is not None:
            raise HostFault(f"the server has ended: {_last_words(self.log)}")


def why_no_docker() -> str:
    """Why bots cannot run in containers here, in a line; empty: they can."""
    from arena.sandbox.engine import connect
    from arena.sandbox.images import resolve

    try:
        with contextlib.closing(connect()) as engine:
            resolve(engine, "python")
    except ArenaError as error:
        return str(error)
    return ""


@contextlib.contextmanager
def demo_server(*, docker: bool) -> Iterator[DemoServer]:
    """A server over an embedded database in a folder of its own; nothing of it is left afterwards.

    Raises:
        HostFault: it does not start; the message says why.
    """
    with tempfile.TemporaryDirectory(prefix="arena-demo-") as name:
        folder = Path(name)
        kind, window = ("docker", "sealed") if docker else ("process", "prompt")
        (folder / "arena.toml").write_text(SETTINGS.format(kind=kind, window=window))
        command = [sys.executable, "-c", _ARENA, "serve", "--data", "data"]
        command += [] if docker else ["--trust-authors"]
        with contextlib.ExitStack() as stack:
            log = stack.enter_context((folder / "server.log").open("wb"))
            with interruptions_wait():
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    # Ctrl-C is for us, who then tell it to end.
                    process_group=0,
                )
                stack.callback(_end, process)
            yield DemoServer(folder, process, _wait_for_it(folder, process))


def _wait_for_it(folder: Path, process: subprocess.Popen[bytes]) -> OperatorLogin:
    from arena.app.operator import read_operator_login

    until = time.monotonic() + _START
    while time.monotonic() < until:
        if process.poll() is not None:
            raise HostFault(f"the server does not start: {_last_words(folder / 'server.log')}")
        if '"ready"' in (folder / "server.log").read_text(errors="replace"):
            return read_operator_login(folder / "data")
        time.sleep(0.1)
    raise HostFault(f"the server is not ready after {_START:g} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Have it drain and end; after a while, or when somebody presses Ctrl-C, not so politely."""
    interrupted = False
    with remarks().status("the server ends"):
        for number in (signal.SIGTERM, signal.SIGTERM, signal.SIGKILL):
            if process.poll() is not None:
                break
            process.send_signal(number)
            try:
                process.wait(_END)
            except subprocess.TimeoutExpired:
                continue
            except KeyboardInterrupt:
                interrupted = True
    if interrupted:
        raise KeyboardInterrupt


def _last_words(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()
    for line in reversed(lines):
        if line.startswith("arena: "):
            return line.removeprefix("arena: ")
        with contextlib.suppress(ValueError, AttributeError):
            if text := json.loads(line).get("why"):
                return str(text)
    return lines[-1] if lines else "it has said nothing"
