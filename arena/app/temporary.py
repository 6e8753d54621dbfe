"""Temporary files of a process that may be killed: in a folder that a reaper finds."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator

from arena.sandbox.slots import life, owned_folder

__all__ = ["own_folder"]


@contextlib.contextmanager
def own_folder() -> Iterator[None]:
    """Have all temporary files of this process in one folder, which a reaper finds if need be.

    Raises:
        HostFault: it cannot be made.
    """
    before = tempfile.tempdir
    with life() as owner, owned_folder(owner) as folder:
        tempfile.tempdir = str(folder)
        try:
            yield
        finally:
            tempfile.tempdir = before
