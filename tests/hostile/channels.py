"""For pairs of bots in containers: every way to pass something on, both its ends.

`open_all` is the sender's: it does what it can, and keeps it so. `heard` is the receiver's: what of
it can be noticed elsewhere. Nothing that works in one container by itself counts.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import mmap
import os
import select
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

__all__ = ["Listener", "hold", "open_all", "touch_all"]

NAME: Final = "covert-mark"
PLACE: Final = 8_675_309
"""Where a lock begins: a number that nobody else would lock."""

SHARED: Final = (
    *("/etc/debian_version", "/etc/passwd", "/usr/bin/perl", "/usr/lib/os-release"),
    *("/bot/tests/hostile/wire.py", "/bot/tests/hostile/inside.py", "/arena/wrap", "/dev/null"),
    *("/dev/urandom", "/sys/kernel/mm/transparent_hugepage/enabled", "/proc/sys/kernel/ostype"),
    *("/sys/fs/cgroup/pids/pids.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"),
    *("/run/arena/seat.sock", "/proc/filesystems", "/dev/ptmx"),
)
"""Files that both have: of the image, of the bot's copy, of the kernel."""

FOLDERS: Final = (
    *("/tmp", "/dev/shm", "/dev/mqueue", "/run/arena", "/bot", "/run", "/dev", "/var/tmp"),
    *("/sys/fs/cgroup", "/proc/sys/kernel", "/dev/pts", "/run/lock"),
)

_LIBC: Final = ctypes.CDLL(None, use_errno=True)
_CREATE: Final = 0o1666
_KEY: Final = 0x00C0FFEE
_VSOCK: Final = 40
_OFD_GET, _OFD_SET = 36, 37
_LOCK: Final = struct.Struct("hhqqi4x")
_EVENT: Final = struct.Struct("iIII")
_kept: list[object] = []


def open_all() -> int:
    """Send on everything that keeps; on how much of it."""
    return sum(_worked(send) for send in _senders())


def _worked(send: Callable[[], object]) -> bool:
    with contextlib.suppress(OSError, ValueError):
        _kept.append(send())
        return True
    return False


def _senders() -> Iterator[Callable[[], object]]:
    yield from (partial(_locked, path) for path in SHARED)
    yield partial(_locked_by_description, "/tmp/locked")
    yield from (partial((Path(one) / NAME).write_text, NAME) for one in FOLDERS)
    yield partial(_listening, socket.AF_UNIX, f"\0{NAME}")
    yield partial(_listening, socket.AF_UNIX, f"/tmp/{NAME}.sock")
    yield partial(_listening, _VSOCK, (0xFFFFFFFF, 4242))
    yield partial(_listening, socket.AF_INET, ("127.0.0.1", 4242))
    yield partial(_called, "mq_open", f"/{NAME}".encode(), os.O_CREAT | os.O_RDWR, 0o666, None)
    yield partial(_called, "shmget", _KEY, 4096, _CREATE)
    yield partial(_called, "semget", _KEY, 1, _CREATE)
    yield partial(_called, "msgget", _KEY, _CREATE)
    yield partial(_called, "syscall", 248, b"user", NAME.encode(), b"1", 1, -4)  # add_key
    yield partial(Path("/proc/self/comm").write_text, NAME)


def _called(name: str, *arguments: object) -> int:
    outcome = int(getattr(_LIBC, name)(*arguments))
    if outcome < 0:
        raise OSError(ctypes.get_errno(), name)
    return outcome


def _locked(path: str) -> int:
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    lock = _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, PLACE, 1, 0)
    fcntl.fcntl(file, _OFD_SET, lock)
    return file


def _locked_by_description(path: str) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT)
    fcntl.fcntl(file, _OFD_SET, _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, PLACE, 1, 0))
    fcntl.lockf(file, fcntl.LOCK_EX, 1, PLACE + 1)
    return file


def _listening(family: int, address: object) -> socket.socket:
    line = socket.socket(family)
    line.bind(address)  # type: ignore[arg-type]
    line.listen()
    return line


def touch_all() -> None:
    """Do to files what somebody who watches them would be told."""
    for path in SHARED:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))


class Listener:
    """The receiver: watches from the beginning, and tells what it has heard."""

    def __init__(self) -> None:
        self._watch = _called("inotify_init1", os.O_NONBLOCK | os.O_CLOEXEC)
        watched = (*SHARED, *FOLDERS)
        numbers = [_LIBC.inotify_add_watch(self._watch, path.encode(), 0xFFF) for path in watched]
        self._paths = dict(zip(numbers, watched, strict=True))

    def heard(self) -> list[str]:
        """On which channels there is something."""
        # What is watched comes first: all that is below is noticed too.
        found = [f"a watch on {path}" for path in self._noticed()]
        return found + [name for name, listen in _listeners() if _answers(listen)]

    def _noticed(self) -> set[str]:
        """Which files somebody has used since this was asked last."""
        found = set()
        while select.select([self._watch], [], [], 0)[0]:
            events = os.read(self._watch, 65536)
            while events:
                number, _, _, length = _EVENT.unpack_from(events)
                found.add(self._paths.get(number, "?"))
                events = events[_EVENT.size + length :]
        return found

    def forget(self) -> None:
        """Forget what has been noticed so far, which was oneself."""
        self._noticed()


def _answers(listen: Callable[[], object]) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return bool(listen())
    return False


def _listeners() -> Iterator[tuple[str, Callable[[], object]]]:
    for path in SHARED:
        yield f"flock on {path}", partial(_is_locked, path)
        yield f"a lock on {path}", partial(_has_lock, path)
    for folder in FOLDERS:
        yield f"{folder}/{NAME}", partial(_finds, Path(folder))
    for name in ("locks", "net/unix", "keys", "sysvipc/shm", "sysvipc/sem", "sysvipc/msg"):
        yield f"/proc/{name}", partial(_says, Path(f"/proc/{name}"))
    yield "an abstract socket", partial(_connects, socket.AF_UNIX, f"\0{NAME}")
    yield "a socket in /tmp", partial(_connects, socket.AF_UNIX, f"/tmp/{NAME}.sock")
    for host in (1, 2, 3, 0xFFFFFFFF):
        yield f"AF_VSOCK {host}", partial(_connects, _VSOCK, (host, 4242))
    yield "loopback", partial(_connects, socket.AF_INET, ("127.0.0.1", 4242))
    yield "a message queue", partial(_is_there, "mq_open", f"/{NAME}".encode(), os.O_RDWR)
    yield "shared memory", partial(_is_there, "shmget", _KEY, 0, 0)
    yield "a semaphore", partial(_is_there, "semget", _KEY, 0, 0)
    yield "messages", partial(_is_there, "msgget", _KEY, 0)
    yield "a key", partial(_is_there, "syscall", 249, b"user", NAME.encode(), None, -4)
    yield "the name of a process", lambda: any(map(_says, Path("/proc").glob("[0-9]*/comm")))


def _is_there(name: str, *arguments: object) -> bool:
    return _called(name, *arguments) >= 0


def _finds(folder: Path) -> bool:
    return (folder / NAME).exists()


def _is_locked(path: str) -> bool:
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False


def _has_lock(path: str) -> bool:
    file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    try:
        asked = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, PLACE, 1, 0)
        kind = _LOCK.unpack(fcntl.fcntl(file, _OFD_GET, asked))[0]
    finally:
        os.close(file)
    return bool(kind != fcntl.F_UNLCK)


def _says(path: Path) -> bool:
    text = path.read_text(errors="replace")
    return any(word in text for word in (NAME, str(PLACE), f"{_KEY:x}", str(_KEY)))


def _connects(family: int, address: object) -> bool:
    with socket.socket(family) as line:
        line.settimeout(0.2)
        line.connect(address)  # type: ignore[arg-type]
    return True


# -- figures ------------------------------------------------------------------------------------


@contextlib.contextmanager
def hold() -> Iterator[None]:
    """Hold much of all that somebody might count."""
    over = threading.Event()
    threads = [threading.Thread(target=over.wait, daemon=True) for _ in range(60)]
    for thread in threads:
        thread.start()
    files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
    for _ in range(20):
        with contextlib.suppress(OSError):
            files.append(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
    memory = mmap.mmap(-1, 32 << 20)
    memory.write(b"x" * (32 << 20))
    shared = Path("/dev/shm/held")
    shared.write_bytes(b"x" * (8 << 20))
    locked = mmap.mmap(-1, 64 << 10)
    _LIBC.mlock(ctypes.addressof(ctypes.c_char.from_buffer(locked)), 64 << 10)
    try:
        yield
    finally:
        over.set()
        memory.close()
        shared.unlink()
        for file in files:
            os.close(file)
        for thread in threads:
            thread.join()


def burn(seconds: float) -> None:
    """Think hard."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass
