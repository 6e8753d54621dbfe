"""System calls that must fail.

Each is made with arguments that would do something: an EINVAL for bad arguments would look like a
refusal. `errno` tells them apart where that matters.
"""

from __future__ import annotations

import errno
import functools
import os
import platform
import socket
from collections.abc import Callable
from typing import Final

from .attempts import (
    buffer,
    by_interrupt,
    clone,
    clone_by_structure,
    device_node,
    file_handle,
    mount,
    perf,
    personality,
    pidfd_getfd,
    process_memory,
    setns,
    words,
)
from .checks import CHECKS, Check, Finding, check
from .kernel import call, denied, in_child

__all__: list[str] = []

_SECCOMP: Final = (
    "Run seats with the arena's seccomp profile; see deploy/seccomp/README.md if the engine "
    "refuses it."
)

_NEW_USER: Final = 0x10000000  # CLONE_NEWUSER
_ONLY_USER_MODE: Final = 1  # UFFD_USER_MODE_ONLY

_FAMILIES: Final = (
    # name, number, kind of socket, what it would reach, threat
    ("inet", 2, socket.SOCK_STREAM, "the network (IPv4)", "A23"),
    ("inet6", 10, socket.SOCK_STREAM, "the network (IPv6)", "A23"),
    ("netlink", 16, socket.SOCK_RAW, "the kernel's network tables", "A18"),
    ("packet", 17, socket.SOCK_RAW, "raw packets", "A18"),
    ("key", 15, socket.SOCK_RAW, "the kernel's IPsec keys", "A18"),
    ("bluetooth", 31, socket.SOCK_RAW, "Bluetooth", "A18"),
    ("alg", 38, socket.SOCK_SEQPACKET, "the kernel's ciphers (CVE-2026-31431)", "D19"),
    ("vsock", 40, socket.SOCK_STREAM, "the hypervisor and its guests", "D9"),
)


def _family(number: int, kind: int) -> Finding:
    finding = denied("socket", number, kind, 0)
    # A kernel without the family refuses too, and the next one may have it.
    if finding.holds and "EPERM" not in finding.seen and "EACCES" not in finding.seen:
        return Finding(holds=None, seen=f"{finding.seen}, which is the kernel's word")
    return finding


CHECKS.extend(
    Check(
        name=f"socket-{name}",
        threat=threat,
        promise=f"No socket leads to {reach}.",
        remedy=_SECCOMP,
        needed=True,
        look=functools.partial(_family, number, kind),
    )
    for name, number, kind, reach, threat in _FAMILIES
)


@check(
    "socket-unix",
    "A23",
    "A unix socket can be made: it is the only way to the referee.",
    remedy="The seccomp profile refuses too much for this engine; report the engine's version.",
)
def _socket_unix() -> Finding:
    finding = in_child(lambda: call("socket", socket.AF_UNIX, socket.SOCK_STREAM, 0))
    works = finding.holds is False
    return Finding(holds=works, seen="it works" if works else finding.seen)


_REFUSED: Final[tuple[tuple[str, str, str, Callable[[], object]], ...]] = (
    # name, threat, what cannot be done, the attempt
    ("io-uring", "A18", "io_uring be set up", lambda: call("io_uring_setup", 1, buffer(256))),
    (
        *("keyctl", "D9", "the kernel's keyrings be used"),
        lambda: call("keyctl", 0, -3, 1),  # KEYCTL_GET_KEYRING_ID of the session, made if need be
    ),
    (
        *("add-key", "D9", "a key be left in the kernel"),
        lambda: call("add_key", b"user", b"arena", b"probe", 5, -2),  # the process's own keyring
    ),
    (
        *("userfaultfd", "A18", "page faults be handled"),
        lambda: call("userfaultfd", os.O_CLOEXEC | _ONLY_USER_MODE),
    ),
    (
        *("bpf", "A18", "programs be loaded into the kernel"),
        lambda: call("bpf", 0, words(2, 4, 4, 1), 72),  # BPF_MAP_CREATE: a small array
    ),
    ("perf", "D7", "the processor's counters be read", perf),
    ("memfd-secret", "A18", "memory be hidden from the host", lambda: call("memfd_secret", 0)),
    ("unshare", "A18", "a user namespace be entered", lambda: call("unshare", _NEW_USER)),
    ("clone-namespace", "A18", "a process be born in a namespace", lambda: clone(_NEW_USER)),
    ("setns", "A18", "another namespace be joined", setns),
    ("mount", "A21", "anything be mounted", mount),
    ("fsopen", "A21", "a file system be made", lambda: call("fsopen", b"tmpfs", 0)),
    ("chroot", "A21", "the root folder be changed", lambda: call("chroot", b"/tmp")),
    ("device-node", "A21", "a device be made", device_node),
    ("file-handle", "A18", "a file be had without its path", file_handle),
    (
        *("message-queue", "A19", "a POSIX message queue be made"),
        lambda: call("mq_open", b"probe", os.O_CREAT | os.O_RDWR, 0o600, None),
    ),
    (
        *("system-v-ipc", "D9", "a System V message queue be made"),
        lambda: call("msgget", 0, 0o1600),  # IPC_PRIVATE; IPC_CREAT, mode 0600
    ),
    ("ptrace", "A18", "a process be traced", lambda: call("ptrace", 0, 0, None, None)),
    ("process-memory", "A18", "another process's memory be read", process_memory),
    (
        *("kcmp", "A18", "processes be compared"),
        lambda: call("kcmp", os.getpid(), os.getpid(), 1, 0, 0),  # KCMP_VM
    ),
    ("pidfd-getfd", "A18", "another process's descriptors be taken", pidfd_getfd),
    ("kernel-log", "D7", "the kernel's log be read", lambda: call("syslog", 3, buffer(64), 64)),
    ("personality", "A18", "address randomisation be turned off", personality),
)

CHECKS.extend(
    Check(
        name=name,
        threat=threat,
        promise=f"In no way can {what}.",
        remedy=_SECCOMP,
        needed=True,
        look=functools.partial(in_child, attempt),
    )
    for name, threat, what, attempt in _REFUSED
)


@check(
    "clone3",
    "A18",
    "The C library is told that clone3 does not exist, and takes clone instead.",
    remedy=_SECCOMP,
)
def _clone3() -> Finding:
    finding = in_child(clone_by_structure)
    return Finding(holds=finding.seen.endswith(errno.errorcode[errno.ENOSYS]), seen=finding.seen)


@check(
    "other-architecture",
    "A18",
    "System calls of 32-bit programs, which have other numbers, are not possible.",
    remedy=_SECCOMP,
)
def _other_architecture() -> Finding:
    if platform.machine() != "x86_64":
        return Finding(holds=True, seen=f"{platform.machine()} has none here")
    narrow = in_child(by_interrupt)
    wide = in_child(lambda: call(0x40000000 + 39))  # getpid of the x32 interface
    return Finding(
        holds=bool(narrow.holds and wide.holds), seen=f"i386 {narrow.seen}; x32 {wide.seen}"
    )
