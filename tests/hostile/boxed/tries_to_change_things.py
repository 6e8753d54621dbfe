# /// expected
# verdict = "COMPLETED"
# within = 30
# threats = ["A21"]
# faults = {}
# limits = { start_up = 60 }
# log = ["tried, 0 worked"]
# never = ["WORKED"]
# ///
"""Plays well, after it has tried to write, make and remove whatever there is."""

import os
import stat
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile import inside, wire

OWN = ("/tmp", "/dev/shm", "/dev/mqueue")
FOLDERS = ("/", "/bot", "/arena", "/etc", "/usr/bin", "/run", "/run/arena", "/dev", "/var/tmp")
DEVICE = os.makedev(1, 1)


def tries() -> Iterator[tuple[str, Callable[[], object]]]:
    for folder in (*FOLDERS, "/proc", "/sys", "/sys/fs/cgroup", "/dev/pts"):
        path = Path(folder, "mine")
        yield f"a file in {folder}", path.touch
        yield f"a folder in {folder}", path.mkdir
        yield f"a link in {folder}", partial(path.symlink_to, "/")
    for folder in (*FOLDERS, *OWN):
        node = f"{folder}/device"
        yield f"a device in {folder}", partial(os.mknod, node, stat.S_IFBLK | 0o666, DEVICE)
    for name in (
        "/bot/words.txt",
        "/arena/wrap",
        "/etc/passwd",
        "/run/arena/seat.sock",
    ):
        yield f"removing {name}", partial(os.unlink, name)
        yield f"renaming {name}", partial(os.rename, name, f"{name}.old")
        yield f"the mode of {name}", partial(os.chmod, name, 0o777)
    yield "a program in /tmp", executed
    for root in ("/proc/sys", "/sys"):
        for place, _, names in os.walk(root):
            for name in names:
                path = Path(place, name)
                if path.is_char_device():  # what is covered is /dev/null
                    continue
                yield f"writing {path}", partial(os.open, path, os.O_WRONLY | os.O_NONBLOCK)


def executed() -> None:
    program = Path("/tmp/program")
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    if os.spawnv(os.P_WAIT, str(program), [str(program)]):
        raise OSError("it does not run")


outcomes = [inside.attempt(what, act) for what, act in tries() if not what.startswith("writing")]
writable = [what for what, act in tries() if what.startswith("writing") and inside.works(act)]
for what in writable:
    wire.log(f"WORKED: {what}")
wire.log(f"{len(outcomes)} tried, {sum(outcomes) + len(writable)} worked")
wire.Seat().play_on()
