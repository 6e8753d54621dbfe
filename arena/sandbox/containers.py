"""From a policy to the flags of a container, and the life of one: made, started, watched, removed.

Everything here blocks, and is called in a thread. A container is never removed by the engine
itself, so that how it ended can be asked for, and never stopped by a signal that it may ignore.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from arena.errors import HostFault
from arena.sandbox.badness import BOT
from arena.sandbox.engine import asking
from arena.sandbox.freezer import Freezer, freezer_of
from arena.sandbox.masks import masked_paths
from arena.sandbox.policy import KIB, Policy
from arena.sandbox.seccomp import profile_text
from arena.sandbox.slots import Slot, state_folder

if TYPE_CHECKING:
    from docker import APIClient

__all__ = [
    "LABEL",
    "STATE",
    "Container",
    "Ended",
    "Recipe",
    "clear_groups",
    "create",
    "ending",
    "kill",
    "reap",
    "remove",
]

LABEL: Final = "arena.life"
"""The label of every container of ours: the life that it belongs to."""

STATE: Final = "arena.state"
"""The label that says where that life is kept: only there can it be told whether it goes on."""

_PARENT: Final = "/arena"
_IDENT: Final = re.compile(r"[0-9a-f]{64}")
_INSIDE: Final = "/run/arena"
_BOT: Final = "/bot"
_SOURCE: Final = "/source"
_WRAP: Final = "/arena/wrap"


@dataclass(slots=True)
class Container:
    """A container of ours.

    Attributes:
        ident: Its id.
        connection: Its standard input and output, as the engine frames them.
        freezer: Holds it still; None where this user may not.
    """

    ident: str
    connection: socket.socket
    freezer: Freezer | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What a container is made from.

    Attributes:
        image: The id of an image, which cannot come to mean another one.
        policy: Its limits.
        runtime: The engine's runtime for it, e.g. `runsc`; empty: the engine's default.
    """

    image: str
    policy: Policy
    runtime: str = ""


def create(engine: APIClient, recipe: Recipe, slot: Slot, owner: str) -> Container:
    """Make a container in a slot and start it; its keeper waits for the command then.

    Raises:
        HostFault: the engine cannot.
    """
    with asking("make a container"):
        made = engine.create_container(
            image=recipe.image,
            command=[],
            entrypoint=[_WRAP],
            hostname="bot",
            user=f"{slot.uid}:{slot.uid}",
            working_dir=_BOT,
            environment=dict(recipe.policy.environment),
            labels={LABEL: owner, STATE: str(state_folder())},
            # When we hang up, and be it because we are killed, its input ends, and so does it.
            stdin_open=True,
            tty=False,
            stop_signal="SIGKILL",
            healthcheck={"test": ["NONE"]},
            host_config=_host_config(engine, recipe, slot),
        )
        ident = made["Id"]
    with contextlib.ExitStack() as undone:
        undone.callback(remove, engine, ident)
        with asking("start a container"):
            way = {"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1}
            connection = undone.enter_context(_own(engine.attach_socket(ident, params=way)))
            engine.start(ident)
            pid = engine.inspect_container(ident)["State"]["Pid"]
        undone.pop_all()
    return Container(ident, connection, freezer_of(pid) if pid else None)


def _own(wrapped: Any) -> socket.socket:
    """The connection below what the package hands out, as a socket of our own."""
    own = socket.socket(fileno=os.dup(wrapped.fileno()))
    # It lets go of its own only with the answer that it keeps.
    with contextlib.closing(wrapped), contextlib.closing(wrapped._response):
        return own


def _host_config(engine: APIClient, recipe: Recipe, slot: Slot) -> dict[str, Any]:
    from docker.types import LogConfig, Mount, Ulimit  # noqa: PLC0415

    policy = recipe.policy

    def read_only(source: Path, target: str) -> Mount:
        # The engine follows links in a source: there is none in ours, and nobody else makes one.
        return Mount(target, str(source), type="bind", read_only=True, propagation="rprivate")

    def limit(name: str, most: int) -> Ulimit:
        return Ulimit(name=name, soft=most, hard=most)

    mounts = [read_only(slot.bot, _SOURCE if policy.work else _BOT)]
    mounts.append(read_only(slot.stat, "/proc/stat"))
    if not policy.work:
        mounts.append(read_only(slot.run, _INSIDE))
    disk = _disk() if policy.read_rate else None
    config = engine.create_host_config(
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges:true", f"seccomp={profile_text()}"],
        pids_limit=policy.processes,
        mem_limit=policy.memory,
        memswap_limit=policy.memory,
        nano_cpus=round(policy.processors * 1e9),
        oom_score_adj=BOT,
        ulimits=[
            limit("nofile", policy.open_files),
            limit("fsize", policy.largest_file),
            limit("core", 0),
            limit("memlock", 64 * KIB),
            limit("sigpending", 512),
            limit("msgqueue", 0),
        ],
        tmpfs=_temporary(engine, recipe),
        ipc_mode="private",
        shm_size=policy.shared,
        log_config=LogConfig(type="none"),
        restart_policy={"Name": "no"},
        mounts=mounts,
        cgroup_parent=_parent(engine),
        device_read_bps=[{"Path": disk, "Rate": policy.read_rate}] if disk else None,
        runtime=recipe.runtime or None,
    )
    # The package knows no such options; an engine without the first one reads over it.
    config["CgroupnsMode"] = "private"
    config["MaskedPaths"] = list(masked_paths())
    return dict(config)


def _temporary(engine: APIClient, recipe: Recipe) -> dict[str, str]:
    """The folders that are memory: `/tmp`, `/build`, and in place of each volume of the image.

    A volume would be a folder of this machine's disk that can be written to, whatever the flags.
    """
    policy = recipe.policy
    safe = "rw,nosuid,nodev"
    most = f"size={policy.temporary},nr_inodes={policy.temporary_files},mode=1777"
    folders = {"/tmp": f"{safe},noexec,{most}"}  # noqa: S108 - the container's
    if policy.work:
        most = f"size={policy.work},nr_inodes={policy.work_files},mode=1777"
        folders["/build"] = f"{safe},exec,{most}"
    with asking("describe an image"):
        volumes = engine.inspect_image(recipe.image)["Config"].get("Volumes") or {}
    return {**dict.fromkeys(volumes, f"{safe},noexec,size=1m,nr_inodes=16"), **folders}


def _parent(engine: APIClient) -> str:
    """The control group of all sandboxes, by which an operator limits them together."""
    return "arena.slice" if _driver(engine) == "systemd" else _PARENT


@cache
def _driver(engine: APIClient) -> str:
    with asking("describe itself"):
        return str(engine.info()["CgroupDriver"])


@cache
def _disk() -> str | None:
    """The device that holds this machine's programs and images; None if it is no device."""
    number = os.stat("/").st_dev
    place = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    if not place.exists():
        return None
    whole = place.resolve()
    if (whole / "partition").exists():
        whole = whole.parent
    device = Path("/dev", whole.name)
    return str(device) if device.exists() else None


# -- the end ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ended:
    """What the engine knows of a container that has ended."""

    code: int
    memory_ran_out: bool
    error: str


def kill(engine: APIClient, container: Container) -> None:
    """End it by force, whatever it does; it may have ended already."""
    from docker.errors import APIError  # noqa: PLC0415

    if container.freezer is not None:
        container.freezer.thaw()  # who is held still cannot even be killed by some engines
    with asking("kill a container"), contextlib.suppress(APIError):
        engine.kill(container.ident, "SIGKILL")


def ending(engine: APIClient, container: Container, patience: float) -> Ended:
    """Wait until a container has ended; how it did."""
    with asking("tell how a container ended"):
        engine.wait(container.ident, timeout=round(patience))
        state = engine.inspect_container(container.ident)["State"]
    return Ended(state["ExitCode"], bool(state["OOMKilled"]), state.get("Error") or "")


def remove(engine: APIClient, ident: str) -> None:
    """Remove a container, running or not; it may have been removed already."""
    from docker.errors import NotFound  # noqa: PLC0415

    with asking("remove a container"), contextlib.suppress(NotFound):
        engine.remove_container(ident, force=True, v=True)


def reap(engine: APIClient, is_alive: Callable[[str], bool]) -> int:
    """Remove the containers of lives that have ended, also those held still; how many."""
    count = 0
    with asking("list containers"):
        label = f"{STATE}={state_folder()}"
        found = engine.containers(all=True, filters={"label": label})
    for one in found:
        owner = one["Labels"].get(LABEL, "")
        if not (owner and is_alive(owner)):
            # One that somebody else removes at the same time, or that resists, is no reason to
            # leave the others.
            with contextlib.suppress(HostFault):
                _reap_one(engine, one["Id"])
                count += 1
    return count


def clear_groups(engine: APIClient) -> None:
    """Remove control groups of containers that are no more: some engines forget one in a hurry.

    Only empty ones can be removed at all. Where systemd keeps them it removes them itself.
    """
    # First what there is, then whose: whoever begins in between is in the second list.
    left = [group for home in _homes() for group in home.iterdir() if _IDENT.fullmatch(group.name)]
    if not left:
        return
    with asking("list containers"):
        known = {one["Id"] for one in engine.containers(all=True)}
    for group in left:
        if group.name not in known:
            with contextlib.suppress(OSError):
                group.rmdir()


def _homes() -> list[Path]:
    """The folders of the control group of all sandboxes, in every hierarchy."""
    found = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        if after.split(" ", 1)[0] in ("cgroup", "cgroup2"):
            home = Path(before.split(" ")[4] + _PARENT)
            found += [home] if home.is_dir() else []
    return found


def _reap_one(engine: APIClient, ident: str) -> None:
    with asking("look at a container"):
        pid = engine.inspect_container(ident)["State"]["Pid"]
    freezer = freezer_of(pid) if pid else None
    if freezer is not None:
        freezer.is_frozen = True  # by whoever has gone
        freezer.close()
    remove(engine, ident)
