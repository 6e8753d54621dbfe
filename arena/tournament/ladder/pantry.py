"""What versions consist of, unpacked: one folder for each artefact, for as long as it is of use.

    artefacts --verified by digest--> limited process --checks, unpacks--> FOLDER/DIGEST

Nothing here has to survive: whatever is missing is unpacked again, and a start begins with nothing.
"""

from __future__ import annotations

import contextlib
import threading
from collections import Counter, OrderedDict
from pathlib import Path
from typing import Final

from arena.errors import HostFault, SubmissionError
from arena.sandbox.guard import remove_tree
from arena.submissions.artefact import ARTEFACT_BOUNDS, ARTEFACT_LIMITS
from arena.submissions.bottoml import FILE_NAME
from arena.submissions.intake import Intake as ArchiveCheck
from arena.submissions.store import ArchiveStore

__all__ = ["Pantry"]

_KEPT: Final = 64


class Pantry:
    """Unpacked artefacts below a folder; `kept` of those that nobody uses stay. Thread-safe.

    Raises:
        HostFault: the folder cannot be made.
    """

    def __init__(self, artefacts: ArchiveStore, folder: Path, *, kept: int = _KEPT) -> None:
        self._artefacts = artefacts
        self._folder = folder
        self._kept = kept
        self._check = ArchiveCheck(limits=ARTEFACT_LIMITS, bounds=ARTEFACT_BOUNDS)
        self._unpacking = threading.Lock()
        self._lock = threading.Lock()  # for what is below; held for no time to speak of
        self._uses: Counter[str] = Counter()
        self._idle: OrderedDict[str, None] = OrderedDict()  # the one not used for longest is first
        with contextlib.suppress(FileNotFoundError):
            remove_tree(str(folder))
        try:
            folder.mkdir(mode=0o700, parents=True)
        except OSError as error:
            raise HostFault(f"{folder}: cannot be made: {error.strerror}") from None

    def take(self, digest: str) -> Path:
        """The folder of an artefact, until it is given back; unpacks it if need be. Blocks.

        Raises:
            HostFault: it is missing, has changed, or cannot be unpacked.
        """
        path = self._folder / digest
        with self._lock:
            self._uses[digest] += 1
            self._idle.pop(digest, None)
        try:
            with self._unpacking:
                if not (path / FILE_NAME).is_file():
                    self._unpack(digest, path)
                self._clear()
        except BaseException:
            self.give_back(digest)
            raise
        return path

    def give_back(self, digest: str) -> None:
        """Say that one of those who took an artefact needs it no more."""
        with self._lock:
            self._uses[digest] -= 1
            if not self._uses[digest]:
                del self._uses[digest]
                self._idle[digest] = None

    def _unpack(self, digest: str, path: Path) -> None:
        remove_tree(str(path))  # what is left of one that somebody has begun to remove
        try:
            with self._artefacts.open(digest) as file:
                self._check.unpack(file.fileno(), path, digest=digest)
        except SubmissionError as error:  # it was accepted once: now something here is wrong
            raise HostFault(f"artefact {digest}: cannot be unpacked: {error}") from None

    def _clear(self) -> None:
        """Remove what nobody has used for longest."""
        while True:
            with self._lock:
                if len(self._idle) <= self._kept:
                    return
                digest, _ = self._idle.popitem(last=False)
            remove_tree(str(self._folder / digest))
