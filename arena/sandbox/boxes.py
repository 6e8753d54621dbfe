"""What a program in bubblewrap sees, as a command line of `bwrap`.

    /usr /bin /lib ...      the machine's own, read-only, and the Python that runs us with the SDK
    /bot                    the bot's files, read-only; where it runs
    /run/arena              its socket
    /tmp /dev/shm           its own, of a limited size; no other place can be written to
    /proc /dev              its own processes, and none of the machine's devices

Everything that is not named here does not exist for it: no network, no other process, no home.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import site
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from arena.errors import HostFault
from arena.sandbox.policy import PLAYING, Policy

__all__ = ["ADDRESS", "MASKED", "Tools", "box_options", "find_tools", "python_path"]

ADDRESS: Final = "unix:/run/arena/seat.sock"
"""What a program in there calls its referee."""

MASKED: Final = ("/proc/stat", "/proc/loadavg", "/proc/uptime")
"""Files that tell what others on this machine do: covered."""

_APART: Final = (
    "--unshare-all",
    "--unshare-user",  # without it the next one is refused
    "--disable-userns",
    "--die-with-parent",
    "--new-session",  # else it could type into the terminal that we were started from
    "--clearenv",
    *("--cap-drop", "ALL"),
    *("--hostname", "bot"),
    *("--uid", "1000"),  # the same for everybody: nothing tells who plays here
    *("--gid", "1000"),
)
_ALSO_NEEDED: Final = ("--args", "--json-status-fd", "--perms", "--remount-ro", "--size")
_OF_THE_MACHINE: Final = ("bin", "sbin", "lib*", "etc/ld.so.cache", "etc/alternatives", "etc/java*")
_PACKAGES: Final = ("arena", "arena_sdk", "millearena")
_OF_A_PYTHON: Final = ("bin", "lib", "lib64", "pyvenv.cfg")
_FOR_ITS_OWNER: Final = (
    *("acpi", "bus", "fs", "irq", "mtrr", "pressure", "scsi", "sys", "sysrq-trigger"),
)
"""Parts of /proc by which root changes the machine, also without any capability."""
_PATIENCE: Final = 10.0  # seconds

_REMEDY: Final = (
    "this user must be allowed user namespaces (sysctl user.max_user_namespaces, "
    "kernel.unprivileged_userns_clone, kernel.apparmor_restrict_unprivileged_userns); "
    "or give --sandbox docker"
)


def box_options(
    folder: Path, environment: Mapping[str, str], policy: Policy = PLAYING
) -> list[str]:
    """The options of `bwrap` for a program whose slot is `folder`, with its `bot` and its `run`."""
    options = [*_APART, "--ro-bind", "/usr", "/usr"]
    for pattern in _OF_THE_MACHINE:
        for path in sorted(Path("/").glob(pattern)):
            options += _as_it_is(path)
    options += ["--proc", "/proc", "--dev", "/dev"]
    for name in _FOR_ITS_OWNER:
        options += ["--ro-bind-try", f"/proc/{name}", f"/proc/{name}"]
    for name in MASKED:
        options += ["--dev-bind", "/dev/null", name]
    options += _writable("/dev/shm", policy.shared) + _writable("/tmp", policy.temporary)  # noqa: S108
    for path in _python_folders():
        options += ["--ro-bind", str(path), str(path)]
    options += ["--ro-bind", str(folder / "bot"), "/bot"]
    options += ["--ro-bind", str(folder / "run"), "/run/arena"]
    options += ["--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/bot"]
    for name, value in environment.items():
        options += ["--setenv", name, value]
    return options


def _as_it_is(path: Path) -> list[str]:
    """Show a folder of the machine, or the link that it is."""
    if path.is_symlink():
        return ["--symlink", os.readlink(path), str(path)]
    return ["--ro-bind", str(path), str(path)]


def _writable(target: str, size: int) -> list[str]:
    return ["--perms", "1777", "--size", str(size), "--tmpfs", target]


def _python_folders() -> list[Path]:
    """The folders of the Python that runs us and of the SDK, but for those in /usr.

    Of an environment only what Python needs is shown: it may be in somebody's home.
    """
    shown: list[Path] = [Path("/usr")]
    for path in _candidates():
        if path.exists() and not any(path.is_relative_to(one) for one in shown):
            shown.append(path)
    return shown[1:]


def _candidates() -> Iterator[Path]:
    # A prefix may be named through links that lead to another one, as `python` in it does.
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    for prefix in dict.fromkeys([*prefixes, *(one.resolve() for one in prefixes)]):
        yield from (prefix / name for name in _OF_A_PYTHON)
    for package in _package_folders():
        whole = package.parent.name in ("site-packages", "dist-packages")
        yield package.parent if whole else package


def _package_folders() -> Iterable[Path]:
    """Where the SDK's packages are: a checkout, for whoever works on them, is shown no further."""
    for name in _PACKAGES:
        spec = importlib.util.find_spec(name)
        for place in (spec and spec.submodule_search_locations) or ():
            yield Path(place)


def python_path() -> str:
    """What PYTHONPATH has to be for the SDK to be found in there; empty if nothing."""
    own = set(site.getsitepackages())
    parents = dict.fromkeys(str(one.parent) for one in _package_folders())
    return os.pathsep.join(one for one in parents if one not in own)


@dataclass(frozen=True, slots=True)
class Tools:
    """Where the programs are that are needed."""

    bwrap: str
    prlimit: str
    choom: str


def find_tools(folder: Path) -> Tools:
    """Find `bwrap`, and see whether it is new enough and may do it; tried in a slot's `folder`.

    Raises:
        HostFault: with what is missing, and what helps.
    """
    tools = Tools(
        bwrap=_program("bwrap", "bubblewrap"),
        prlimit=_program("prlimit", "util-linux"),
        choom=_program("choom", "util-linux"),
    )
    known = _run([tools.bwrap, "--help"]).stdout.split()
    wanted = [one for one in (*_APART, *_ALSO_NEEDED) if one.startswith("--")]
    if missing := [one for one in wanted if one not in known]:
        raise HostFault(
            f"--sandbox bubblewrap: {tools.bwrap} has no {', '.join(missing)}: install bubblewrap "
            "0.8 or newer, or give --sandbox docker"
        )
    tried = _run([tools.bwrap, *box_options(folder, {}), "--", "/usr/bin/env"])
    if tried.returncode:
        why = (tried.stderr.strip() or f"it ended with {tried.returncode}").splitlines()[-1]
        raise HostFault(f"--sandbox bubblewrap: {why}: {_REMEDY}")
    return tools


def _program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise HostFault(
            f"--sandbox bubblewrap: there is no program {name!r}: install {package}, or give "
            "--sandbox docker"
        )
    return found


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(
            command,
            env={},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise HostFault(f"--sandbox bubblewrap: {command[0]} cannot be run: {error}") from None
