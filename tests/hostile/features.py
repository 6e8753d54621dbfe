"""What this machine has of what the corpus for containers is about; what is missing is named."""

from __future__ import annotations

import contextlib
import gc
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.errors import HostFault
from arena.sandbox.engine import connect
from arena.sandbox.images import resolve

__all__ = ["missing", "why_not"]


def why_not() -> str:
    """Why no case can be played in a container; empty if they can."""
    with warnings.catch_warnings():
        # The package docker leaves a socket open that found nobody.
        warnings.simplefilter("ignore", ResourceWarning)
        try:
            with contextlib.closing(connect()) as engine:
                resolve(engine, "python")
        except HostFault as error:
            return f"no Docker engine with our images: {error}"
        finally:
            gc.collect()
    return ""


def missing() -> list[str]:
    """A line for each feature that this machine lacks, with what is therefore not shown.

    Raises:
        HostFault: the engine does not answer.
    """
    with contextlib.closing(connect()) as engine:
        return missing_of(engine.info())


def missing_of(info: Mapping[str, Any]) -> list[str]:
    """The same, from what an engine says of itself."""
    options = info.get("SecurityOptions") or []
    has = {
        "control groups version 2: only those of version 1 are shown to hold": (
            str(info.get("CgroupVersion")) == "2"
        ),
        "user namespaces: a user number inside is the same one outside": (
            any("userns" in one or "rootless" in one for one in options)
        ),
        "swap accounting: nothing shows that swap is no way round the limit": info.get("SwapLimit"),
        "swap: a limit on it holds, but there is none to be had": _swap() > 0,
        "a limit of the engine on processes": info.get("PidsLimit"),
        "the runtime runsc: nothing is played in gVisor": "runsc" in info.get("Runtimes", {}),
        "a core pattern that is a file: dumps go to a program, past every limit": (
            not Path("/proc/sys/kernel/core_pattern").read_text().startswith("|")
        ),
    }
    return [f"this machine lacks {what}" for what, is_there in has.items() if not is_there]


def _swap() -> int:
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("SwapTotal:"):
            return int(line.split()[1])
    return 0
