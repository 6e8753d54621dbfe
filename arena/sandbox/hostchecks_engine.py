"""What has to be true of the engine that runs strangers' programs."""

from __future__ import annotations

from typing import Final

from arena.sandbox.hostfacts import EngineFacts, Facts
from arena.sandbox.hostjudging import asks_engine, at_least, host_check, listed
from arena.sandbox.images import Language
from arena.sandbox.probes.checks import Finding, first_few

__all__ = ["ENGINE_FLOOR", "RUNC_FLOORS"]

ENGINE_FLOOR: Final = (29, 3, 1)
RUNC_FLOORS: Final = ((1, 2, 8), (1, 3, 3))
"""The first safe release of each series that has one; newer series are safe."""

_OLD_STORAGE: Final = ("aufs", "devicemapper", "vfs")


@host_check(
    "engine",
    "A18",
    "A container engine answers.",
    remedy="Start Docker, let this user talk to it, or name another one in DOCKER_HOST.",
    needed=True,
)
def _engine(facts: Facts) -> Finding:
    if facts.engine is None:
        return Finding(holds=False, seen=facts.problem)
    return Finding(holds=True, seen=f"{facts.engine.version} at {facts.engine.address}")


@host_check(
    "engine-here",
    "A23",
    "The engine runs on this machine, so that a seat's socket can be put into its container.",
    remedy="Run the server where the engine is: a socket does not reach over the network.",
    needed=True,
)
def _engine_here(facts: Facts) -> Finding:
    if facts.engine is None:
        return Finding(holds=None, seen="there is no engine")
    theirs = facts.engine
    here = theirs.address.startswith("unix:") and theirs.kernel == facts.kernel
    return Finding(holds=here, seen=f"{theirs.address}, kernel {theirs.kernel}")


@host_check(
    "docker-desktop",
    "A23",
    "The engine is no Docker Desktop, most of which cannot share unix sockets.",
    remedy="Use an engine on Linux; `seat-socket` says whether this one can share them.",
    needed=False,
)
@asks_engine
def _desktop(engine: EngineFacts) -> Finding:
    return Finding(holds="Docker Desktop" not in engine.system, seen=engine.system)


@host_check(
    "engine-version",
    "A18",
    f"The engine is {'.'.join(map(str, ENGINE_FLOOR))} or newer: known ways out are closed in it.",
    remedy="Update the engine; until then somebody may know a way out of its containers.",
    needed=False,
)
@asks_engine
def _engine_version(engine: EngineFacts) -> Finding:
    return at_least(engine.version, (ENGINE_FLOOR,))


@host_check(
    "runc-version",
    "A18",
    "runc is 1.2.8, 1.3.3 or newer: known ways out are closed in it.",
    remedy="Update runc (package containerd.io); until then somebody may know a way out.",
    needed=False,
)
@asks_engine
def _runc_version(engine: EngineFacts) -> Finding:
    return at_least(engine.runc, RUNC_FLOORS)


@host_check(
    "engine-seccomp",
    "A18",
    "The engine can filter system calls.",
    remedy="Use an engine and a kernel that were built with seccomp.",
    needed=True,
)
@asks_engine
def _engine_seccomp(engine: EngineFacts) -> Finding:
    return Finding(holds="seccomp" in engine.security, seen=listed(engine.security))


@host_check(
    "engine-users",
    "A18",
    "Root inside a container is not root outside.",
    remedy="Set userns-remap in the engine's daemon.json, or run the engine rootless.",
    needed=False,
)
@asks_engine
def _engine_users(engine: EngineFacts) -> Finding:
    apart = engine.security & {"userns", "rootless"}
    return Finding(holds=bool(apart), seen=listed(apart) or "neither userns nor rootless")


@host_check(
    "controllers",
    "A1",
    "The engine can limit memory, processes and processor time.",
    remedy="Turn the controller on in the kernel, and start the engine again.",
    needed=True,
)
@asks_engine
def _controllers(engine: EngineFacts) -> Finding:
    missing = {"memory", "pids", "cpu"} - engine.limits
    seen = f"control groups of version {engine.cgroup}"
    return Finding(
        holds=not missing, seen=f"{seen}; without {listed(missing)}" if missing else seen
    )


@host_check(
    "swap-accounting",
    "A16",
    "Swap counts against a bot's memory.",
    remedy="Add swapaccount=1 to the kernel's command line, or turn swap off.",
    needed=True,
)
def _swap_accounting(facts: Facts) -> Finding:
    if facts.swap == 0:
        return Finding(holds=True, seen="there is no swap")
    if facts.engine is None:
        return Finding(holds=None, seen="there is no engine")
    counted = "swap" in facts.engine.limits
    return Finding(holds=counted, seen="it is counted" if counted else "it is not counted")


@host_check(
    "storage-driver",
    "A15",
    "Containers share the files of their image without copying them.",
    remedy="Set the storage driver overlay2 in the engine's daemon.json.",
    needed=False,
)
@asks_engine
def _storage_driver(engine: EngineFacts) -> Finding:
    return Finding(holds=engine.storage not in _OLD_STORAGE, seen=engine.storage)


@host_check(
    "gvisor",
    "A18",
    "gVisor is at hand, a second wall between bots and the kernel.",
    remedy="Install runsc and name it in the engine's daemon.json, for untrusted tournaments.",
    needed=False,
)
@asks_engine
def _gvisor(engine: EngineFacts) -> Finding:
    return Finding(holds="runsc" in engine.runtimes, seen=listed(engine.runtimes))


@host_check(
    "images-built",
    "E17",
    "Every language has its image.",
    remedy="arena images build",
    needed=False,
)
@asks_engine
def _images_built(engine: EngineFacts) -> Finding:
    missing = [language for language in Language if language not in engine.images]
    seen = f"there is none for {', '.join(missing)}" if missing else listed(engine.images)
    return Finding(holds=not missing, seen=seen)


@host_check(
    "images-current",
    "A20",
    "The first process of every image is that of this version.",
    remedy="arena images build",
    needed=True,
)
def _images_current(facts: Facts) -> Finding:
    if facts.engine is None:
        return Finding(holds=None, seen="there is no engine")
    if facts.keeper is None:
        return Finding(holds=None, seen="this installation does not have its source")
    built = facts.engine.images
    old = sorted(name for name, image in built.items() if image.wrap != facts.keeper)
    return Finding(holds=not old, seen=first_few(old, f"{len(built)} images, none is older"))
