"""What a build leaves: a bot as it is played, received file by file and packed like an upload.

    begin, add, add, begin, add ...  ->  ArtefactReceiver  ->  packed: the bytes of an archive

A build is a stranger's program, so what comes of it is treated as what comes from a stranger: the
same names, the same limits, each looked at before anything is kept. Nothing of it is a file of this
machine until it has become an archive, which is stored under its digest and unpacked as an upload
is, by the process that does nothing else. A bot that needs no building is its own archive.
"""

from __future__ import annotations

import re
from typing import Final

from arena.errors import HostFault, SubmissionError
from arena.submissions.bottoml import FILE_NAME
from arena.submissions.limits import MIB, ArchiveLimits, CheckBounds, Rule, shown_size
from arena.submissions.names import NameBook, check_name
from arena.submissions.zipwriter import Member, write_zip

__all__ = ["ARTEFACT_BOUNDS", "ARTEFACT_LIMITS", "ArtefactReceiver"]

_UPLOAD: Final = ArchiveLimits()

ARTEFACT_LIMITS: Final = ArchiveLimits(
    # Of what is built nothing may be compressible: all that may be unpacked, and its headers.
    upload=_UPLOAD.unpacked + _UPLOAD.entries * (2 * _UPLOAD.path + 100),
    entries=_UPLOAD.entries,
    unpacked=_UPLOAD.unpacked,
    ratio=_UPLOAD.ratio,
    path=_UPLOAD.path,
    depth=_UPLOAD.depth,
)
"""Those of an upload, but for the size of the archive: nobody sends it anywhere."""

ARTEFACT_BOUNDS: Final = CheckBounds(memory=256 * MIB + ARTEFACT_LIMITS.upload)
"""What it may cost to look at one: it is read into memory whole."""

_HEAD: Final = re.compile(rb"(644|755) (.*)", re.DOTALL)
_PROGRAM: Final = b"755"


class ArtefactReceiver:
    """Takes the files of an artefact one after the other.

    `manifest` is the `bot.toml` as it was uploaded, which a build has to leave as it is: what has
    been checked is what the arena goes by. At most `limits.unpacked` bytes are held in memory, and
    twice that while they are packed.
    """

    def __init__(self, manifest: bytes, limits: ArchiveLimits = ARTEFACT_LIMITS) -> None:
        self._manifest = manifest
        self._limits = limits
        self._book = NameBook()
        self._size = 0
        self._files: dict[tuple[str, ...], tuple[bool, list[bytes]]] = {}
        self._name = ""
        self._pieces: list[bytes] | None = None

    def begin(self, head: bytes) -> None:
        """A file follows: its mode in octal digits, a blank, and its path.

        Raises:
            SubmissionError: its name is refused, or is taken, or there are too many.
            HostFault: that is no head.
        """
        found = _HEAD.fullmatch(head)
        if found is None:
            raise HostFault("the keeper of a build sends a file without mode or name")
        mode, raw = found.groups()
        parts = check_name(raw, self._limits)
        if raw.endswith(b"/"):
            raise HostFault("the keeper of a build sends a folder as a file")
        self._book.add(parts, is_folder=False)
        self._name = "/".join(parts)
        if len(self._files) == self._limits.entries:
            raise SubmissionError(
                Rule.COUNT, f"with it there are more than {self._limits.entries} files", self._name
            )
        self._pieces = []
        self._files[parts] = (mode == _PROGRAM, self._pieces)

    def add(self, piece: bytes) -> None:
        """More of the content of the file that was begun last.

        Raises:
            SubmissionError: it is too much.
            HostFault: no file was begun.
        """
        if self._pieces is None:
            raise HostFault("the keeper of a build sends content without a file")
        self._size += len(piece)
        if self._size > self._limits.unpacked:
            most = shown_size(self._limits.unpacked)
            raise SubmissionError(
                Rule.UNPACKED,
                f"with it the files have more than {most} together; let the build remove what "
                "only the build needs",
                self._name,
            )
        self._pieces.append(piece)

    def packed(self) -> bytes:
        """The bytes of the archive: equal for equal files, in whatever order they came.

        Raises:
            SubmissionError: `bot.toml` is missing, or is another one.
        """
        _, pieces = self._files.get((FILE_NAME,), (False, None))
        if pieces is None:
            raise SubmissionError(Rule.MANIFEST, "the build has removed it", FILE_NAME)
        if b"".join(pieces) != self._manifest:
            raise SubmissionError(Rule.MANIFEST, "the build has changed it", FILE_NAME)
        members = [
            Member("/".join(parts), is_program, b"".join(content))
            for parts, (is_program, content) in sorted(self._files.items())
        ]
        return write_zip(members, ratio=self._limits.ratio)
