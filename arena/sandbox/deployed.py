"""Files that come with the package: beside it in a checkout, inside it when installed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import arena
from arena.errors import HostFault

__all__ = ["deployed", "deployed_sdk", "sources_of"]

_MADE: Final = frozenset(
    {"__pycache__", "bin", "build", "coverage", "dist", "lib", "node_modules", "obj", "target"}
)
"""Folders in which the tools of some language put what they have made or fetched."""


def deployed(name: str) -> Path:
    """The file or folder `name` of `deploy/`, for example ``images/python``.

    Raises:
        HostFault: this installation lacks it.
    """
    return _find("deploy", name)


def deployed_sdk(language: str) -> Path:
    """The folder of the SDK for a language, for example ``go``.

    Raises:
        HostFault: this installation lacks it.
    """
    return _find("sdk", language)


def sources_of(folder: Path, *, hidden: bool = False) -> tuple[str, ...]:
    """The files of a library, as paths in its folder with `/`, in order.

    Left out are folders in which tools put what they have made or fetched and, without `hidden`,
    all whose names begin with a dot.
    """
    found: list[str] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if one not in _MADE and (hidden or one[0] != ".")]
        below = Path(place).relative_to(folder)
        found += [(below / name).as_posix() for name in names if hidden or name[0] != "."]
    return tuple(sorted(found))


def _find(home: str, name: str) -> Path:
    package = Path(arena.__file__).parent
    for parent in (package.parent, package):
        path = parent / home / name
        if path.exists():
            return path
    raise HostFault(f"{home}/{name} is missing from this installation: install mille-arena again")
