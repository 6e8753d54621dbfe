"""What there is to know about this machine and its engine: read here, judged in `hostchecks`."""

from __future__ import annotations

import contextlib
import os
import platform
import shutil
import sqlite3
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault
from arena.sandbox.engine import asking
from arena.sandbox.images import Image, Language, list_images, wrap_digest
from arena.sandbox.probes.mounts import mounts
from arena.sandbox.slots import state_folder

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["EngineFacts", "Facts", "Space", "engine_facts", "read_facts"]


_USUAL_ADDRESS: Final = "unix:///var/run/docker.sock"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineFacts:
    """The engine, in its own words.

    Attributes:
        limits: What it can limit: of `memory`, `swap`, `pids` and `cpu`.
        security: Its security options, e.g. `seccomp`, `userns`, `rootless`.
        root: Where it keeps images and containers, on its machine.
        address: Where it listens.
        images: The images for languages that it has.
    """

    version: str
    runc: str | None
    system: str
    kernel: str
    cgroup: str
    limits: frozenset[str]
    security: frozenset[str]
    storage: str
    runtimes: frozenset[str]
    root: str
    address: str
    images: Mapping[Language, Image]


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """What is left of a file system; `files` is None where they are not counted."""

    path: str
    free: int
    files: int | None
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """This machine. None: it cannot be told here.

    Attributes:
        problem: Why there is no engine.
        spaces: Where containers, slots and temporary files are.
        slots: The folder below which seats have theirs.
        keeper: What the keeper of an image has to be made from.
    """

    engine: EngineFacts | None
    problem: str
    kernel: str
    core_pattern: str | None
    swap: int | None
    clock_source: str | None
    smt: bool | None
    sqlite: tuple[int, ...]
    spaces: tuple[Space, ...]
    slots: str
    keeper: str | None


def read_facts(engine: APIClient | None, problem: str = "") -> Facts:
    """The facts, with an engine or with the reason why there is none.

    Raises:
        HostFault: the engine does not answer, or there is no folder for slots.
    """
    found = None if engine is None else engine_facts(engine)
    slots = str(state_folder() / "slots")
    places = [slots, tempfile.gettempdir(), *([found.root] if found else [])]
    return Facts(
        engine=found,
        problem=problem,
        kernel=platform.release(),
        core_pattern=_line("/proc/sys/kernel/core_pattern"),
        swap=_swap(),
        clock_source=_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"),
        smt=_flag(_line("/sys/devices/system/cpu/smt/active")),
        sqlite=sqlite3.sqlite_version_info,
        spaces=tuple(space for place in places if (space := _space(place)) is not None),
        slots=slots,
        keeper=_keeper(),
    )


def engine_facts(engine: APIClient) -> EngineFacts:
    """What an engine says of itself.

    Raises:
        HostFault: it does not answer.
    """
    with asking("describe itself"):
        version: Mapping[str, Any] = engine.version()
        info: Mapping[str, Any] = engine.info()
    parts = {part["Name"]: part["Version"] for part in version.get("Components") or ()}
    can = {"memory": "MemoryLimit", "swap": "SwapLimit", "pids": "PidsLimit", "cpu": "CpuCfsQuota"}
    return EngineFacts(
        version=str(version.get("Version", "")),
        runc=parts.get("runc"),
        system=str(info.get("OperatingSystem", "")),
        kernel=str(info.get("KernelVersion", "")),
        cgroup=str(info.get("CgroupVersion") or "1"),
        limits=frozenset(name for name, key in can.items() if info.get(key)),
        security=frozenset(_security(option) for option in info.get("SecurityOptions") or ()),
        storage=str(info.get("Driver", "")),
        runtimes=frozenset(info.get("Runtimes") or ()),
        root=str(info.get("DockerRootDir", "")),
        address=os.environ.get("DOCKER_HOST") or _USUAL_ADDRESS,
        images=list_images(engine),
    )


def _security(option: str) -> str:
    """The name in e.g. `name=seccomp,profile=default`."""
    return option.split(",", maxsplit=1)[0].removeprefix("name=")


def _line(path: str) -> str | None:
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return None


def _flag(text: str | None) -> bool | None:
    return None if text is None else text == "1"


def _swap() -> int | None:
    """Bytes of swap that this machine has."""
    for line in (_line("/proc/meminfo") or "").splitlines():
        if line.startswith("SwapTotal:"):
            return int(line.split()[1]) * 1024
    return None


def _space(place: str) -> Space | None:
    try:
        free, counts = shutil.disk_usage(place).free, os.statvfs(place)
    except OSError:  # another machine's path, or one that is hidden from this user
        return None
    return Space(
        path=place,
        free=free,
        files=counts.f_favail if counts.f_files else None,
        kind=_kind(place),
    )


def _kind(place: str) -> str:
    """The type of the file system that a path is on; empty where that cannot be told."""
    whole = Path(place).resolve()
    with contextlib.suppress(OSError, ValueError):
        here = [one for one in mounts() if whole.is_relative_to(one.path)]
        return max(here, key=lambda one: len(one.path)).kind
    return ""


def _keeper() -> str | None:
    with contextlib.suppress(HostFault):
        return wrap_digest()
    return None
