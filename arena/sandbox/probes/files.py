"""What of the file system can be written, executed or connected to."""

from __future__ import annotations

import os
import socket
import stat
from collections.abc import Iterator
from typing import Final

from .checks import Finding, check, first_few
from .mounts import mounts

__all__: list[str] = []

_SCRATCH: Final = ("/tmp", "/dev/shm")  # noqa: S108 - the sandbox's own
"""The folders that a program may fill; `limits` sees to their size."""

_VIRTUAL: Final = ("/proc", "/sys", "/dev")
_SEAT: Final = "/run/arena/seat.sock"
_DEVICES: Final = frozenset({"null", "zero", "full", "random", "urandom", "tty", "console", "ptmx"})
_ENGINES: Final = (
    *("/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock"),
    *("/run/podman/podman.sock", "/run/crio/crio.sock"),
)

_PATIENCE: Final = 5.0  # seconds
_FLAGS: Final = "Start seats with the arena's own launcher, which sets this."


@check("root-read-only", "A5", "Nothing outside /tmp and /dev/shm can be written.", remedy=_FLAGS)
def _root_read_only() -> Finding:
    writable = [path for path in _everything("/", leaving=(*_VIRTUAL, *_SCRATCH)) if _open(path)]
    return Finding(holds=not writable, seen=first_few(writable, "nothing is writable"))


@check("volumes", "A5", "No mount but /tmp and /dev/shm is writable.", remedy=_FLAGS)
def _volumes() -> Finding:
    # No queue can be made: `rlimit-msgqueue` and `message-queue` see to that. A file that covers
    # one of /proc is the device that holds nothing.
    ours = {*_SCRATCH, "/dev", "/dev/mqueue", "/dev/pts", "/proc"}
    found = {one.path for one in mounts() if one.path not in ours and _open(one.path)}
    odd = sorted(path for path in found if not stat.S_ISCHR(_mode(path) or 0))
    return Finding(holds=not odd, seen=first_few(odd, "none"))


@check("proc-sys", "A21", "No setting of the kernel can be changed.", remedy=_FLAGS)
def _proc_sys() -> Finding:
    writable = [path for root in ("/proc/sys", "/sys") for path in _everything(root) if _open(path)]
    return Finding(holds=not writable, seen=first_few(writable, "nothing there is writable"))


@check(
    "devices",
    "A21",
    "There are no devices but those that every program has.",
    remedy=_FLAGS,
)
def _devices() -> Finding:
    odd = [
        path
        for path in _everything("/dev")
        if (mode := _mode(path)) is not None
        and (stat.S_ISBLK(mode) or stat.S_ISCHR(mode))
        and not path.startswith("/dev/pts/")
        and os.path.basename(path) not in _DEVICES
    ]
    return Finding(holds=not odd, seen=first_few(odd, "only the usual ones"))


@check(
    "setuid-files",
    "A18",
    "No program of the image gains rights when it is started.",
    remedy="Build the image again; until then no-new-privileges makes these programs harmless.",
    needed=False,
)
def _setuid_files() -> Finding:
    found = [
        path
        for path in _everything("/", leaving=_VIRTUAL)
        if (mode := _mode(path)) is not None
        and stat.S_ISREG(mode)
        and mode & (stat.S_ISUID | stat.S_ISGID)
    ]
    return Finding(holds=not found, seen=first_few(found, "there is none"))


@check(
    "tmp-noexec",
    "A4",
    "What is written to /tmp cannot be started, is no device and gains no rights.",
    remedy="A speed bump: some languages need to start what they write there.",
    needed=False,
)
def _tmp_noexec() -> Finding:
    options = [one.options for one in mounts() if one.path == "/tmp"]  # noqa: S108
    if not options:
        return Finding(holds=False, seen="it is no mount of its own")
    missing = sorted({"nosuid", "nodev", "noexec"} - options[-1])
    return Finding(holds=not missing, seen=first_few(missing, "nosuid, nodev, noexec are set"))


@check("engine-socket", "A23", "The engine's own socket is not there.", remedy=_FLAGS)
def _engine_socket() -> Finding:
    found = [path for path in _ENGINES if _mode(path) is not None]
    return Finding(holds=not found, seen=first_few(found, "none of its usual places has it"))


@check("unix-sockets", "A23", f"The only unix socket in sight is {_SEAT}.", remedy=_FLAGS)
def _unix_sockets() -> Finding:
    found = [
        path
        for path in _everything("/", leaving=("/proc", "/sys"))
        if (mode := _mode(path)) is not None and stat.S_ISSOCK(mode)
    ]
    odd = [path for path in found if path != _SEAT]
    return Finding(holds=not odd, seen=first_few(odd or found, "no socket at all"))


@check(
    "seat-socket",
    "A23",
    "The referee's socket can be reached.",
    remedy="Docker Desktop cannot share unix sockets: run the server on Linux, or in a container.",
)
def _seat_socket() -> Finding:
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(_PATIENCE)
        try:
            one.connect(_SEAT)
        except OSError as error:
            return Finding(holds=False, seen=f"{_SEAT}: {error.strerror or error}")
    return Finding(holds=True, seen=f"{_SEAT} takes connections")


def _everything(root: str, leaving: tuple[str, ...] = ()) -> Iterator[str]:
    """All paths from `root` on, in no order, without what is below `leaving`; no link is taken."""
    yield root
    for folder, folders, names in os.walk(root):
        paths = {name: os.path.join(folder, name) for name in folders}
        folders[:] = [name for name, path in paths.items() if path not in leaving]
        yield from (paths[name] for name in folders)
        yield from (os.path.join(folder, name) for name in names)


def _mode(path: str) -> int | None:
    try:
        return os.lstat(path).st_mode
    except OSError:
        return None


def _open(path: str) -> bool:
    """Whether the path could be written.

    Not a link, nor a socket, which connecting writes to, nor a device: what is covered in /proc
    is /dev/null.
    """
    mode = _mode(path)
    if mode is None or stat.S_ISLNK(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode):
        return False
    return os.access(path, os.W_OK)
