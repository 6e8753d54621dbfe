"""Where the files of `deploy/` lie: beside the package in a checkout, inside it when installed."""

from __future__ import annotations

from pathlib import Path

import arena
from arena.errors import HostFault

__all__ = ["deployed"]


def deployed(name: str) -> Path:
    """The file or folder `name` of `deploy/`, for example ``images/python``.

    Raises:
        HostFault: this installation lacks it.
    """
    package = Path(arena.__file__).parent
    for home in (package.parent, package):
        path = home / "deploy" / name
        if path.exists():
            return path
    raise HostFault(f"deploy/{name} is missing from this installation: install mille-arena again")
