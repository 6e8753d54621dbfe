"""What has to be true of the machine on which strangers' programs run."""

from __future__ import annotations

from typing import Final

from arena.sandbox.hostfacts import Facts
from arena.sandbox.hostjudging import at_least, host_check, listed
from arena.sandbox.policy import GIB
from arena.sandbox.probes.checks import Finding, first_few

__all__ = ["KERNEL_FLOORS", "LEAST_FILES", "LEAST_FREE", "LONGEST_SOCKET", "SQLITE_FLOORS"]

KERNEL_FLOORS: Final = ((6, 18, 22), (7, 0, 0))
"""Of CVE-2026-31431. Distributions mend older kernels too, without a number that tells."""
SQLITE_FLOORS: Final = ((3, 44, 6), (3, 50, 7), (3, 51, 3))

LEAST_FREE: Final = GIB
LEAST_FILES: Final = 20_000
LONGEST_SOCKET: Final = 107
"""Bytes of a unix socket's path: the kernel's 108 end with a zero."""
SLOT_TAIL: Final = f"/{'0' * 16}/run/seat.sock"
"""What a slot's socket adds to the folder of slots; see `slots`."""

_SLOW_CLOCKS: Final = ("acpi_pm", "hpet", "jiffies", "pit", "refined-jiffies")
_NETWORK: Final = ("nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "ceph", "fuse.sshfs", "glusterfs")


@host_check(
    "kernel",
    "D19",
    "The kernel does not have CVE-2026-31431, which changes files of other containers.",
    remedy="Update the kernel; until then `socket-alg` has to be ok, which keeps bots away.",
    needed=False,
)
def _kernel(facts: Facts) -> Finding:
    finding = at_least(facts.kernel, KERNEL_FLOORS)
    return finding if finding.holds else Finding(None, f"{finding.seen}, or mended all the same")


@host_check(
    "core-pattern",
    "A17",
    "Core dumps go into no program, which would ignore the limit of their size.",
    remedy="Set kernel.core_pattern to a plain file name with sysctl.",
    needed=False,
)
def _core_pattern(facts: Facts) -> Finding:
    if facts.core_pattern is None:
        return Finding(holds=None, seen="it cannot be read")
    return Finding(holds=not facts.core_pattern.startswith("|"), seen=facts.core_pattern)


@host_check(
    "disk-space",
    "H11",
    f"{LEAST_FREE // GIB} GiB and {LEAST_FILES} files are free where bots and the engine are.",
    remedy="Make room, or set TMPDIR to a folder of a larger disk.",
    needed=True,
)
def _disk_space(facts: Facts) -> Finding:
    if not facts.spaces:
        return Finding(holds=None, seen="no file system can be asked")
    small = [
        one
        for one in facts.spaces
        if one.free < LEAST_FREE or (one.files is not None and one.files < LEAST_FILES)
    ]
    seen = [f"{one.path} {one.free / GIB:.1f} GiB" for one in small or facts.spaces]
    return Finding(holds=not small, seen=first_few(seen, "nothing"))


@host_check(
    "local-disk",
    "H16",
    "Sockets, slots and temporary files are on no network file system.",
    remedy="Set TMPDIR to a folder of a disk of this machine.",
    needed=False,
)
def _local_disk(facts: Facts) -> Finding:
    remote = [f"{one.path} ({one.kind})" for one in facts.spaces if one.kind in _NETWORK]
    kinds = frozenset(one.kind for one in facts.spaces if one.kind)
    return Finding(holds=not remote, seen=first_few(remote, listed(kinds)))


@host_check(
    "socket-path",
    "A23",
    f"The path of a seat's socket is no longer than {LONGEST_SOCKET} bytes.",
    remedy="Set TMPDIR to a folder with a shorter path.",
    needed=True,
)
def _socket_path(facts: Facts) -> Finding:
    length = len(f"{facts.slots}{SLOT_TAIL}".encode())
    return Finding(holds=length <= LONGEST_SOCKET, seen=f"{length} bytes below {facts.slots}")


@host_check(
    "clock-source",
    "C4",
    "Reading the clock is quick and exact.",
    remedy="Choose tsc or the hypervisor's own clock with clocksource= on the kernel's line.",
    needed=False,
)
def _clock_source(facts: Facts) -> Finding:
    if facts.clock_source is None:
        return Finding(holds=None, seen="it cannot be read")
    return Finding(holds=facts.clock_source not in _SLOW_CLOCKS, seen=facts.clock_source)


@host_check(
    "sqlite",
    "H15",
    "SQLite does not have the WAL-reset bug, by which committed results can be lost.",
    remedy="Update SQLite to 3.44.6, 3.50.7, 3.51.3 or newer; one process writes until then.",
    needed=False,
)
def _sqlite(facts: Facts) -> Finding:
    return at_least(".".join(map(str, facts.sqlite)), SQLITE_FLOORS)


@host_check(
    "smt",
    "D8",
    "No processor core is shared by two threads, by whose speed one bot can watch another.",
    remedy="Turn SMT off (echo off > /sys/devices/system/cpu/smt/control).",
    needed=False,
)
def _smt(facts: Facts) -> Finding:
    if facts.smt is None:
        return Finding(holds=None, seen="the kernel does not say")
    return Finding(holds=not facts.smt, seen="it is on" if facts.smt else "it is off")
