"""System calls whose arguments take some making.

Each does something if nobody stops it, and raises an OSError if somebody does.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import struct
from ctypes import create_string_buffer
from typing import Final

from .kernel import call

__all__ = [
    "buffer",
    "by_interrupt",
    "clone",
    "clone_by_structure",
    "device_node",
    "file_handle",
    "mount",
    "perf",
    "personality",
    "pidfd_getfd",
    "process_memory",
    "setns",
    "words",
]

_HERE: Final = -100  # AT_FDCWD
_AT_ONCE: Final = 2  # MNT_DETACH
_NEW_NET: Final = 0x40000000  # CLONE_NEWNET
_NO_RANDOM: Final = 0x0040000  # ADDR_NO_RANDOMIZE


def by_interrupt() -> None:
    """Ask for the process's id as a program of i386 does, in machine code."""
    code = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20; int 0x80; ret
    address = ctypes.addressof(ctypes.c_char.from_buffer(code))
    answer = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
    if answer < 0:
        raise OSError(-answer, os.strerror(-answer))


def buffer(size: int) -> ctypes.Array[ctypes.c_char]:
    """Room for an answer."""
    return create_string_buffer(size)


def words(*values: int) -> ctypes.Array[ctypes.c_char]:
    """A structure of 32-bit words, with zeros after it."""
    return create_string_buffer(b"".join(v.to_bytes(4, "little") for v in values), 256)


def perf() -> int:
    """Count what this process does outside the kernel, which is the harmless part."""
    kind, size, clock, flags = 1, 128, 0, 0b1100000  # SOFTWARE; CPU_CLOCK; exclude the two
    attributes = create_string_buffer(struct.pack("=IIQ24xQ", kind, size, clock, flags), size)
    return call("perf_event_open", attributes, 0, -1, -1, 0)


def clone(flags: int) -> None:
    """Fork by clone, with flags."""
    if call("clone", flags | signal.SIGCHLD, None, None, None, None) == 0:
        os._exit(0)


def clone_by_structure() -> None:
    """Fork by clone3."""
    arguments = create_string_buffer(struct.pack("=32xQ", signal.SIGCHLD), 88)  # exit_signal
    if call("clone3", arguments, 88) == 0:
        os._exit(0)


def mount() -> None:
    """Mount something, and undo it."""
    call("mount", b"none", b"/tmp", b"tmpfs", 0, None)
    call("umount2", b"/tmp", _AT_ONCE)


def device_node() -> None:
    """Make a device, and remove it."""
    path = "/tmp/probe-device"  # noqa: S108 - the sandbox's own
    call("mknodat", _HERE, path.encode(), 0o020600, 0x103)  # a character device: /dev/null
    os.unlink(path)


def setns() -> int:
    """Join the network that one is in anyway."""
    return call("setns", os.open("/proc/self/ns/net", os.O_RDONLY), _NEW_NET)


def file_handle() -> int:
    """Ask for a handle, with which a file could be opened without its path."""
    handle = create_string_buffer((128).to_bytes(4, "little"), 136)
    mount = create_string_buffer(4)
    return call("name_to_handle_at", _HERE, b"/tmp", handle, mount, 0)


def process_memory() -> int:
    """Read this process's memory the way one reads another's."""
    source, target = create_string_buffer(b"probe"), create_string_buffer(8)
    vectors = [
        create_string_buffer(struct.pack("=QQ", ctypes.addressof(where), 5), 16)
        for where in (target, source)
    ]
    return call("process_vm_readv", os.getpid(), vectors[0], 1, vectors[1], 1, 0)


def pidfd_getfd() -> int:
    """Take a descriptor of this process the way one takes another's."""
    return call("pidfd_getfd", call("pidfd_open", os.getpid(), 0), 1, 0)


def personality() -> int:
    """Run on without the randomisation of addresses."""
    return call("personality", _NO_RANDOM)
