"""What a program can learn about the host, about others, and about who it is."""

from __future__ import annotations

import os
import re
import socket
from pathlib import Path
from typing import Final

from .checks import Finding, check, first_few
from .mounts import mounts

__all__: list[str] = []

_FLAGS: Final = "Start seats with the arena's own launcher, which sets this."
_HOST_NAME: Final = "bot"

_VARIABLES: Final = re.compile(
    "PATH|HOME|HOSTNAME|PWD|OLDPWD|SHLVL|_|TMPDIR|TERM|LANG|LANGUAGE|LC_[A-Z]+"
    "|ARENA_(ADDRESS|BOT_SEED|STRICT)"
    "|(PYTHON|NODE|YARN|JAVA|GO|RUST|CARGO|GRPC|GPG)[A-Z0-9_]*"
)
"""Names of variables that the launcher, an image or a run-time system sets, for all alike."""

_SECRETS: Final = re.compile("owner|author|opponent|player|tournament|match|board|version|seed")
"""Words that must not be in the name of anything that a bot can read."""

_LOAD: Final = ("/proc/stat", "/proc/loadavg", "/proc/uptime")
_COUNTERS: Final = (
    *("/proc/vmstat", "/proc/interrupts", "/proc/softirqs", "/proc/pressure/cpu"),
    *("/proc/meminfo", "/proc/diskstats", "/proc/schedstat", "/proc/zoneinfo", "/proc/locks"),
    *("/proc/sys/fs/file-nr", "/proc/sys/fs/inode-nr", "/proc/sys/fs/dentry-state"),
    *("/proc/sys/kernel/pty/nr", "/sys/devices/system/node/node0/meminfo"),
    *("/sys/devices/system/cpu/cpu0/cpuidle/state0/usage", "/sys/kernel/mm/ksm/pages_shared"),
)
_OF_THE_KERNEL: Final = (
    *("/proc/kcore", "/proc/keys", "/proc/timer_list", "/proc/sched_debug"),
    *("/proc/kallsyms", "/proc/kmsg", "/proc/latency_stats"),
)


@check("network", "A23", "There is no network but the loopback.", remedy=_FLAGS)
def _network() -> Finding:
    lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    names = [line.split(":")[0].strip() for line in lines]
    odd = [name for name in names if name != "lo"]
    return Finding(holds=not odd, seen=first_few(odd or names, "no interface"))


@check("abstract-sockets", "A23", "No socket of the host or of others is in sight.", remedy=_FLAGS)
def _abstract_sockets() -> Finding:
    lines = Path("/proc/net/unix").read_text().splitlines()[1:]
    named = [fields[7] for line in lines if len(fields := line.split()) > 7]
    # A connection to the referee is listed with the path that its socket has on the host.
    odd = [one for one in named if not one.endswith("/seat.sock") or _SECRETS.search(one.lower())]
    return Finding(holds=not odd, seen=first_few(odd, "none with a name"))


@check("host-counters", "D7", "The processor's load cannot be read from /proc.", remedy=_FLAGS)
def _host_counters() -> Finding:
    found = [path for path in _LOAD if _tells(path)]
    return Finding(holds=not found, seen=first_few(found, "stat, loadavg and uptime tell nothing"))


@check(
    "other-counters",
    "D7",
    "Nothing else in /proc and /sys counts what others do.",
    remedy=_FLAGS,
)
def _other_counters() -> Finding:
    found = [path for path in _COUNTERS if _readable(path)]
    return Finding(holds=not found, seen=first_few(found, "none can be read"))


@check("kernel-files", "A21", "The kernel's own files in /proc are hidden.", remedy=_FLAGS)
def _kernel_files() -> Finding:
    found = [path for path in _OF_THE_KERNEL if _readable(path) and not _is_blank(path)]
    return Finding(holds=not found, seen=first_few(found, "none can be read"))


@check("processes", "A22", "Only the program's own processes are in sight.", remedy=_FLAGS)
def _processes() -> Finding:
    kin = {1, os.getpid(), *_ancestors(os.getpid())}
    others = [name for name in os.listdir("/proc") if name.isdecimal() and int(name) not in kin]
    seen = [f"{name} ({_command(name)})" for name in others]
    return Finding(holds=not others, seen=first_few(seen, "no other"))


@check(
    "first-process",
    "A20",
    "The process that watches the program cannot be looked into.",
    remedy="Build the image again: its first process has to be the arena's own.",
)
def _first_process() -> Finding:
    if os.getpid() == 1:
        return Finding(holds=False, seen="the program is the first process itself")
    found = [path for path in ("/proc/1/mem", "/proc/1/environ", "/proc/1/maps") if _opens(path)]
    found += [path for path in ("/proc/1/fd", "/proc/1/cwd", "/proc/1/root") if _lists(path)]
    return Finding(holds=not found, seen=first_few(found, "memory, descriptors and files: none"))


@check("environment", "D11", "The environment tells nothing about the match.", remedy=_FLAGS)
def _environment() -> Finding:
    odd = sorted(name for name in os.environ if not _VARIABLES.fullmatch(name))
    telling = sorted(name for name, value in os.environ.items() if _SECRETS.search(value.lower()))
    return Finding(holds=not odd and not telling, seen=first_few(odd + telling, "only the usual"))


@check("host-name", "D11", "The host's name is the same for everybody.", remedy=_FLAGS)
def _host_name() -> Finding:
    name = socket.gethostname()
    return Finding(holds=name == _HOST_NAME, seen=f"{name!r}; {_HOST_NAME!r} is right")


@check("opaque-names", "D10", "Paths of the host say nothing about the match.", remedy=_FLAGS)
def _opaque_names() -> Finding:
    names = [f"{one.root} {one.source}" for one in mounts()]
    names += Path("/proc/self/cgroup").read_text().splitlines()
    telling = [name for name in names if _SECRETS.search(name.lower())]
    return Finding(holds=not telling, seen=first_few(telling, f"{len(names)} names, none tells"))


@check("descriptors", "A18", "No descriptor was left open by whoever started it.", remedy=_FLAGS)
def _descriptors() -> Finding:
    numbers = [int(name) for name in os.listdir("/proc/self/fd")]
    left = [f"{number} ({_target(number)})" for number in numbers if number > 2 and _target(number)]
    return Finding(holds=not left, seen=first_few(left, "0, 1 and 2"))


@check("terminal", "A18", "It has no terminal to type into.", remedy=_FLAGS)
def _terminal() -> Finding:
    has = _opens("/dev/tty")
    return Finding(holds=not has, seen="there is one" if has else "none")


def _readable(path: str) -> bool:
    """Whether a file holds anything for us."""
    try:
        with open(path, "rb") as file:
            return bool(file.read(1))
    except OSError:
        return False


def _tells(path: str) -> bool:
    """Whether a file holds a number besides 0 after the names that begin its lines."""
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            words = [word for line in file for word in line.split()]
    except OSError:
        return False
    return any(word.strip("0.") and word[0].isdigit() for word in words)


def _is_blank(path: str) -> bool:
    """Whether a file lists addresses that are all zero, which is how some are hidden."""
    with open(path, "rb") as file:
        return file.read(17).rstrip(b" ") == b"0" * 16


def _opens(path: str) -> bool:
    try:
        os.close(os.open(path, os.O_RDONLY))
    except OSError:
        return False
    return True


def _lists(path: str) -> bool:
    try:
        os.listdir(path)
    except OSError:
        return False
    return True


def _target(number: int) -> str:
    """What a descriptor is; empty if it is closed by now, as that of the list itself."""
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return ""


def _ancestors(pid: int) -> list[int]:
    """The parents of a process, as far as they can be seen."""
    found = []
    while pid > 1:
        status = Path(f"/proc/{pid}/stat").read_text()
        pid = int(status.rpartition(")")[2].split()[1])
        found.append(pid)
    return found


def _command(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return "gone"
