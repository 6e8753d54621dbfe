"""What versions consist of, unpacked: one folder for each artefact, for as long as it is of use.

    artefacts --verified by digest--> limited process --checks, unpacks--> FOLDER/DIGEST, sealed

Nothing here has to survive: whatever is missing or is not as it was sealed is unpacked again, and a
start begins with nothing. An artefact itself that is missing or has changed is made again from the
archive that was uploaded, if it is the same bytes because nothing was built.
"""

from __future__ import annotations

import contextlib
import io
import os
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
from arena.tournament.ladder.ports import Tell
from arena.tournament.ladder.seal import Seal, seal

__all__ = ["ArtefactGone", "Pantry"]

_KEPT: Final = 64
_PIECE: Final = 1 << 20


class ArtefactGone(HostFault):
    """What was built of a version is not there any more, or damaged, and cannot be made here."""


def _tell_nobody(event: str, /, **facts: object) -> None:
    """A `ports.Tell`."""


class Pantry:
    """Unpacked artefacts below a folder; `kept` of those that nobody uses stay. Thread-safe.

    `archives` has what was uploaded; None: nothing can be made again.

    Raises:
        HostFault: the folder cannot be made.
    """

    def __init__(
        self,
        artefacts: ArchiveStore,
        folder: Path,
        *,
        archives: ArchiveStore | None = None,
        tell: Tell = _tell_nobody,
        kept: int = _KEPT,
    ) -> None:
        self._artefacts = artefacts
        self._archives = archives
        self._tell = tell
        self._seals: dict[str, Seal] = {}  # guarded by `_unpacking`
        self._replaced = 0
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
            ArtefactGone: it is missing or has changed, and so is the archive of this digest.
            HostFault: it cannot be unpacked.
        """
        path = self._folder / digest
        with self._lock:
            self._uses[digest] += 1
            self._idle.pop(digest, None)
        try:
            with self._unpacking:
                self._see_to(digest, path)
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

    def _see_to(self, digest: str, path: Path) -> None:
        """Have the folder be there, as it was sealed."""
        known = self._seals.get(digest)
        if known is None or not (path / FILE_NAME).is_file():
            remove_tree(str(path))  # what is left of one that somebody has begun to remove
            self._seals[digest] = self._unpack(digest, path)
        elif why := known.broken(path):
            # Python as root writes its caches into a folder that is read-only.
            is_alert = not known.is_cache_only(path)
            self._tell("unpacked bot changed", alert=is_alert, folder=str(path), what=why)
            self._replace(digest, path)

    def _replace(self, digest: str, path: Path) -> None:
        """Put a new folder in place of one that has changed, with hardly a moment between."""
        self._replaced += 1
        new, old = (path.with_name(f".{word}-{self._replaced}") for word in ("new", "old"))
        fresh = self._unpack(digest, new)
        try:
            os.rename(path, old)
            os.rename(new, path)
        except OSError as error:
            raise HostFault(f"{path}: cannot be replaced: {error.strerror}") from None
        self._seals[digest] = fresh
        with self._lock:
            is_in_use = self._uses[digest] > 1
        if not is_in_use:  # else somebody plays from it; the next start removes it
            remove_tree(str(old))

    def _unpack(self, digest: str, path: Path) -> Seal:
        with self._opened(digest) as file:
            try:
                self._check.unpack(file.fileno(), path, digest=digest)
            except SubmissionError as error:  # it was accepted once: now something here is wrong
                raise HostFault(f"artefact {digest}: cannot be unpacked: {error}") from None
        return seal(path)

    def _opened(self, digest: str) -> io.BufferedReader:
        try:
            return self._artefacts.open(digest)
        except (SubmissionError, HostFault) as error:
            self._make_again(digest, str(error))
            return self._artefacts.open(digest)

    def _make_again(self, digest: str, why: str) -> None:
        """Store an artefact again that is the archive as it was uploaded."""
        if self._archives is None or digest not in self._archives:
            raise ArtefactGone(f"artefact {digest}: {why}; no upload has these bytes")
        try:
            with self._archives.open(digest) as file:
                self._artefacts.add(iter(lambda: file.read(_PIECE), b""), digest=digest)
        except (SubmissionError, HostFault) as error:
            raise ArtefactGone(f"artefact {digest}: {why}; nor is its upload: {error}") from None
        self._tell("artefact made again", alert=True, artefact=digest, why=why)

    def _clear(self) -> None:
        """Remove what nobody has used for longest."""
        while True:
            with self._lock:
                if len(self._idle) <= self._kept:
                    return
                digest, _ = self._idle.popitem(last=False)
            remove_tree(str(self._folder / digest))
