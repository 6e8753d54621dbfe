"""System calls by number, on x86_64 and aarch64: as a filter sees them, past the C library."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import signal
from collections.abc import Callable
from typing import Final

from .checks import Finding

__all__ = ["NUMBERS", "call", "denied", "in_child"]

NUMBERS: Final[dict[str, tuple[int, int]]] = {
    # name: number on x86_64, number on aarch64
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "chroot": (161, 51),
    "clone": (56, 220),
    "clone3": (435, 435),
    "fsopen": (430, 430),
    "getpid": (39, 172),
    "io_setup": (206, 0),
    "io_uring_setup": (425, 425),
    "kcmp": (312, 272),
    "keyctl": (250, 219),
    "memfd_secret": (447, 447),
    "mknodat": (259, 33),
    "mount": (165, 40),
    "mq_open": (240, 180),
    "msgget": (68, 186),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "perf_event_open": (298, 241),
    "personality": (135, 92),
    "pidfd_getfd": (438, 438),
    "pidfd_open": (434, 434),
    "process_vm_readv": (310, 270),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "setns": (308, 268),
    "socket": (41, 198),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "userfaultfd": (323, 282),
}

_COLUMN: Final = {"x86_64": 0, "aarch64": 1}

Argument = int | bytes | ctypes.Array[ctypes.c_char] | None


def call(name: str | int, *arguments: Argument) -> int:
    """Make a system call, by its name or its number; what it returns.

    Raises:
        OSError: the kernel, or a filter in front of it, refused.
        LookupError: its number on this machine is not known.
    """
    library = ctypes.CDLL(None, use_errno=True)
    library.syscall.restype = ctypes.c_long
    number = name if isinstance(name, int) else _number(name)
    result = int(library.syscall(ctypes.c_long(number), *map(_native, arguments)))
    if result == -1:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def _number(name: str) -> int:
    machine = platform.machine()
    if machine not in _COLUMN:
        raise LookupError(f"the numbers of system calls on {machine} are not known")
    return NUMBERS[name][_COLUMN[machine]]


def _native(argument: Argument) -> ctypes.c_long | ctypes.c_char_p | ctypes.c_void_p:
    if argument is None:
        return ctypes.c_void_p(None)
    if isinstance(argument, int):
        return ctypes.c_long(argument)
    if isinstance(argument, bytes):
        return ctypes.c_char_p(argument)
    return ctypes.c_void_p(ctypes.addressof(argument))


def denied(name: str, *arguments: Argument) -> Finding:
    """Whether a system call fails that would do something with these arguments."""
    return in_child(lambda: call(name, *arguments))


def in_child(act: Callable[[], object]) -> Finding:
    """Whether `act` fails with an OSError or kills who does it; a child does, and ends."""
    child = os.fork()
    if not child:
        code = 255
        try:
            act()
            code = 0
        except OSError as error:
            code = error.errno or 254
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Finding(holds=True, seen=f"killed by {signal.Signals(os.WTERMSIG(status)).name}")
    code = os.WEXITSTATUS(status)
    if code == 0:
        return Finding(holds=False, seen="it worked")
    if code not in errno.errorcode:
        return Finding(holds=None, seen="the attempt itself broke down")
    return Finding(holds=True, seen=f"refused: {errno.errorcode[code]}")
