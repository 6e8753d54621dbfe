# /// expected
# verdict = "COMPLETED"
# within = 20
# threats = ["A18", "A19", "D19"]
# faults = {}
# log = ["tried, 0 worked"]
# never = ["WORKED"]
# ///
"""Plays well, after it has tried the calls and sockets by which others have broken out."""

import ctypes
import errno
import mmap
import os
import platform
import socket
from collections.abc import Callable, Iterator
from functools import partial

from tests.hostile import inside, wire

LIBC = ctypes.CDLL(None, use_errno=True)
LOOKED_AT = {errno.EFAULT, errno.EINVAL, errno.EBADF, errno.ESRCH}
"""Errors of a kernel that would have done it, had it been asked properly."""

NUMBERS = {
    "io_uring_setup": 425,
    "bpf": 321,
    "userfaultfd": 323,
    "perf_event_open": 298,
    "keyctl": 250,
    "add_key": 248,
    "request_key": 249,
    "ptrace": 101,
    "kcmp": 312,
    "process_vm_readv": 310,
    "process_vm_writev": 311,
    "pidfd_getfd": 438,
    "unshare": 272,
    "setns": 308,
    "mount": 165,
    "umount2": 166,
    "pivot_root": 155,
    "chroot": 161,
    "open_by_handle_at": 304,
    "name_to_handle_at": 303,
    "memfd_secret": 447,
    "syslog": 103,
    "mq_open": 240,
    "mq_unlink": 241,
    "shmget": 29,
    "semget": 64,
    "msgget": 68,
    "io_setup": 206,
    "fsopen": 430,
    "open_tree": 428,
    "move_mount": 429,
    "quotactl": 179,
    "fanotify_init": 300,
    "init_module": 175,
    "kexec_load": 246,
    "reboot": 169,
    "iopl": 172,
    "ioperm": 173,
    "acct": 163,
    "swapon": 167,
    "settimeofday": 164,
    "sethostname": 170,
    "clone3": 435,
    "vmsplice": 278,
    "modify_ldt": 154,
    "seccomp": 317,
}
"""On x86-64."""

FAMILIES = (*range(2, 45),)


def asked(number: int) -> object:
    LIBC.syscall(number, 0, 0, 0, 0, 0)
    error = ctypes.get_errno()
    if error and error not in LOOKED_AT:
        raise OSError(error, os.strerror(error))
    return errno.errorcode.get(error, "done")


def namespace(flag: int) -> None:
    pid = LIBC.syscall(56, flag | 17, 0, 0, 0, 0)  # clone, with SIGCHLD
    if pid == 0:
        os._exit(0)
    if pid < 0:
        raise OSError(ctypes.get_errno(), "clone")


def tries() -> Iterator[tuple[str, Callable[[], object]]]:
    if platform.machine() == "x86_64":
        for name, number in NUMBERS.items():
            yield name, partial(asked, number)
        for flag in (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000):
            yield f"clone with {flag:#x}", partial(namespace, flag)
    for family in FAMILIES:
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            yield f"socket of family {family}", partial(socket.socket, family, kind)
    yield "much locked memory", lambda: locked(1 << 20)
    yield "a real-time priority", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    yield "a high priority", partial(os.setpriority, os.PRIO_PROCESS, 0, -5)
    yield "being root", partial(os.setuid, 0)
    yield "being another seat", partial(os.setuid, os.getuid() + 1)
    yield "another group", partial(os.setgroups, [0])


def locked(size: int) -> None:
    room = mmap.mmap(-1, size)
    if LIBC.mlock(ctypes.addressof(ctypes.c_char.from_buffer(room)), size) < 0:
        raise OSError(ctypes.get_errno(), "mlock")


inside.attempts(tries())
wire.Seat().play_on()
