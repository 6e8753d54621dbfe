"""Running the checks of `probes` where a bot would run, by the launcher that would run it."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.resources
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import HostFault, quoted
from arena.sandbox.launcher import CappedLog, Launcher, Program, Slot, last_lines
from arena.sandbox.probes import report
from arena.sandbox.probes.checks import Check, Finding, Result

__all__ = ["NAMES_OF_THE_LAUNCHER", "probe_folder", "run_probe"]

_PATIENCE: Final = 60.0  # seconds: for some hundred attempts, of which none takes one


async def run_probe(launcher: Launcher, image: str) -> list[Result]:
    """What the checks say in a sandbox that `launcher` makes of an image with Python.

    Raises:
        BotError: the image cannot run them.
        HostFault: there is no sandbox, or its checks came to no result.
    """
    with tempfile.TemporaryDirectory(prefix="arena-probe-") as folder:
        program = Program(command=("python3", "-m", "probes"), folder=Path(folder), image=image)
        probe_folder(Path(folder))
        slot = await launcher.make_ready(program)
        try:
            with _listening(slot.socket):
                return [_freezer(slot), *await _made_in(slot)]
        finally:
            await slot.close()


async def _made_in(slot: Slot) -> list[Result]:
    log = CappedLog()
    try:
        async with asyncio.timeout(_PATIENCE), slot.run({}, log) as running:
            ended = await running.wait()
    except TimeoutError:
        raise HostFault(f"the probe did not end within {_PATIENCE:.0f} s") from None
    try:
        return report.read(log.text())
    except ValueError as error:
        said = quoted("; ".join(last_lines(log.text(), 2)))
        raise HostFault(f"the probe {ended.how} without a result: {error}: {said}") from None


def _freezer(slot: Slot | None) -> Result:
    """Whether a seat can be held still: the launcher knows, its program does not."""
    can: bool | None = getattr(slot, "can_freeze", None)
    words: dict[bool | None, str] = {
        True: "its control group can be written to",
        False: "its control group is not ours",
        None: "this launcher does not say",
    }
    return Check(
        name="freezer",
        threat="A14",
        promise="A bot whose turn it is not can be held still.",
        remedy="Run the server as root, or give its user a control group with a freezer.",
        needed=True,
        look=lambda: Finding(holds=can, seen=words[can]),
    ).result()


NAMES_OF_THE_LAUNCHER: Final = (_freezer(None).name,)
"""The checks that are made from outside the container."""


def probe_folder(folder: Path) -> None:
    """Put the checks into a folder, in which `python3 -m probes` then makes them."""
    inner = folder / "probes"
    inner.mkdir()
    for file in importlib.resources.files("arena.sandbox.probes").iterdir():
        if file.name.endswith(".py"):
            (inner / file.name).write_bytes(file.read_bytes())


@contextlib.contextmanager
def _listening(path: Path | None) -> Iterator[None]:
    """A socket where the referee's would be: what a bot sees shall be seen."""
    with socket.socket(socket.AF_UNIX) as server:
        if path is not None:
            try:
                server.bind(str(path))
                path.chmod(0o666)
                server.listen()
            except OSError as error:
                raise HostFault(f"{path}: no socket there: {error.strerror or error}") from None
        yield
