"""An uploaded archive: checked whole, and read by the one who has checked it.

    read_archive    every header, before a byte is unpacked: what there is, under which names
    Archive.pieces  the content of one file, in pieces, counted and compared as it comes

Nothing that the archive says of a size is believed: memory is bounded by the size of the upload and
of one piece, whatever comes out.
"""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.errors import SubmissionError
from arena.submissions.bottoml import FILE_NAME, MOST_BYTES
from arena.submissions.limits import ArchiveLimits, Rule, shown_size
from arena.submissions.names import NameBook, check_name
from arena.submissions.zipformat import (
    DEFLATED,
    Central,
    end_of_content,
    read_central,
    read_end,
)

__all__ = ["Archive", "Entry", "check_size", "read_archive"]

_PIECE: Final = 64 * 1024
_LINK_OR_VOLUME: Final = 0x400 | 0x08  # attributes of other systems
_FOLDER: Final = 0x10
_MORE_THAN_MODE: Final = stat.S_ISUID | stat.S_ISGID | stat.S_ISVTX


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or a folder of an archive; `begin` and `end` are where its packed bytes lie.

    `size` is what the archive announces, and true once `Archive.pieces` has been through.
    """

    parts: tuple[str, ...]
    is_folder: bool
    is_program: bool
    method: int
    checksum: int
    size: int
    begin: int
    end: int

    @property
    def name(self) -> str:
        return "/".join(self.parts)

    @property
    def mode(self) -> int:
        """The permissions that it is unpacked with."""
        return 0o755 if self.is_folder or self.is_program else 0o644


class Archive:
    """The entries of an archive whose headers have been checked, and the bytes they are read from.

    The limits on what is unpacked hold for all that is read through one of these, so each file is
    to be read once.
    """

    def __init__(
        self, content: memoryview, entries: tuple[Entry, ...], limits: ArchiveLimits
    ) -> None:
        self.entries = entries
        self._content = content
        self._limits = limits
        self._unpacked = 0

    def pieces(self, entry: Entry) -> Iterator[bytes]:
        """The content of a file, in pieces of at most 64 KiB.

        Raises:
            SubmissionError: it is not what was announced, or too much; what came before this is
                then worth nothing.
        """
        count, checksum = 0, 0
        for piece in self._raw_pieces(entry):
            count += len(piece)
            checksum = zlib.crc32(piece, checksum)
            self._unpacked += len(piece)
            self._check_amount(entry, count)
            yield piece
        if count != entry.size:
            raise SubmissionError(
                Rule.CONTENT, f"has {count} bytes; {entry.size} are announced", entry.name
            )
        if checksum != entry.checksum:
            raise SubmissionError(Rule.CONTENT, "its checksum is wrong", entry.name)

    def _check_amount(self, entry: Entry, count: int) -> None:
        if count > entry.size:
            raise SubmissionError(
                Rule.CONTENT, f"has more than the {entry.size} bytes that are announced", entry.name
            )
        if self._unpacked > self._limits.unpacked:
            most = shown_size(self._limits.unpacked)
            raise SubmissionError(
                Rule.UNPACKED, f"with it more than {most} are unpacked", entry.name
            )
        if self._unpacked > self._limits.ratio * len(self._content):
            raise SubmissionError(
                Rule.RATIO,
                f"with it more than {self._limits.ratio} times the size of the archive is "
                "unpacked; store what shrinks so much without packing it",
                entry.name,
            )

    def _raw_pieces(self, entry: Entry) -> Iterator[bytes]:
        packed = self._content[entry.begin : entry.end]
        if entry.method == DEFLATED:
            yield from _inflated(packed, entry.name)
            return
        for at in range(0, len(packed), _PIECE):
            yield bytes(packed[at : at + _PIECE])


def _inflated(packed: memoryview, name: str) -> Iterator[bytes]:
    """The pieces that a deflated stream becomes; it must end where `packed` does."""
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    at, rest = 0, b""
    try:
        while not stream.eof:
            if not rest:
                rest = bytes(packed[at : at + _PIECE])
                at += len(rest)
            was_out = not rest
            piece = stream.decompress(rest, _PIECE)
            rest = stream.unconsumed_tail
            if piece:
                yield piece
            elif was_out and not stream.eof:
                raise SubmissionError(Rule.CONTENT, "its packed content is cut off", name)
    except zlib.error:
        raise SubmissionError(Rule.CONTENT, "its packed content is broken", name) from None
    if stream.unused_data or at < len(packed):
        raise SubmissionError(Rule.CONTENT, "has something after its packed content", name)


def check_size(count: int, limits: ArchiveLimits) -> None:
    """Refuse an archive of so many bytes if that is too much.

    Raises:
        SubmissionError: it is.
    """
    if count > limits.upload:
        raise SubmissionError(
            Rule.UPLOAD, f"has {count:,} bytes; at most {limits.upload:,} are allowed"
        )


def read_archive(content: bytes, limits: ArchiveLimits) -> Archive:
    """Check every header of an archive; nothing is unpacked yet.

    Raises:
        SubmissionError: a rule is broken; the message names the entry and the rule.
    """
    check_size(len(content), limits)
    view = memoryview(content)
    end = read_end(view)
    if end.entries > limits.entries:
        raise SubmissionError(
            Rule.COUNT, f"has {end.entries} entries; at most {limits.entries} are allowed"
        )
    headers = list(read_central(view, end))
    names = [check_name(header.name, limits) for header in headers]
    book = NameBook()
    for header, parts in zip(headers, names, strict=True):
        _check_kind(header)
        book.add(parts, is_folder=header.name.endswith(b"/"))
    places = _places(view, headers, end.start)
    entries = [
        _entry(header, parts, place)
        for header, parts, place in zip(headers, names, places, strict=True)
    ]
    _check_manifest(entries)
    return Archive(view, tuple(sorted(entries, key=lambda one: one.parts)), limits)


def _check_kind(header: Central) -> None:
    """Refuse what is neither a file nor a folder, whichever system wrote it."""
    mode = header.attributes >> 16
    kind = stat.S_IFMT(mode)
    named_folder = header.name.endswith(b"/")
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR) or header.attributes & _LINK_OR_VOLUME:
        what = _KINDS.get(kind, "something special")
        raise SubmissionError(
            Rule.KIND, f"is {what}; only files and folders are allowed", header.shown
        )
    if mode & _MORE_THAN_MODE:
        raise SubmissionError(
            Rule.KIND, "has a setuid, setgid or sticky bit, which is not allowed", header.shown
        )
    is_file = kind == stat.S_IFREG
    is_folder = kind == stat.S_IFDIR or bool(header.attributes & _FOLDER)
    if (named_folder and is_file) or (is_folder and not named_folder):
        raise SubmissionError(
            Rule.KIND, "is a folder by its name or by its attributes, but not by both", header.shown
        )
    if named_folder and (header.size or header.checksum):
        raise SubmissionError(Rule.KIND, "is a folder with content", header.shown)


_KINDS: Final = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def _places(view: memoryview, headers: list[Central], stop: int) -> list[tuple[int, int]]:
    """Where the packed bytes of each entry lie, if the entries fill the file up to `stop`."""
    order = sorted(range(len(headers)), key=lambda index: headers[index].start)
    starts = [headers[index].start for index in order] + [stop]
    if starts[0] != 0:
        raise SubmissionError(Rule.FORMAT, "has something before its first entry")
    found: dict[int, tuple[int, int]] = {}
    for index, following in zip(order, starts[1:], strict=True):
        found[index] = end_of_content(view, headers[index], following)
    return [found[index] for index in range(len(headers))]


def _entry(header: Central, parts: tuple[str, ...], place: tuple[int, int]) -> Entry:
    return Entry(
        parts=parts,
        is_folder=header.name.endswith(b"/"),
        is_program=bool(header.attributes >> 16 & stat.S_IXUSR),
        method=header.method,
        checksum=header.checksum,
        size=header.size,
        begin=place[0],
        end=place[1],
    )


def _check_manifest(entries: list[Entry]) -> None:
    found = next((one for one in entries if one.parts == (FILE_NAME,)), None)
    if found is not None and not found.is_folder:
        if found.size > MOST_BYTES:
            raise SubmissionError(
                Rule.MANIFEST, f"is larger than {MOST_BYTES // 1024} KiB", FILE_NAME
            )
        return
    deeper = next((one.name for one in entries if one.parts[-1] == FILE_NAME), None)
    hint = f"; there is {deeper}: pack what is in that folder, not the folder" if deeper else ""
    raise SubmissionError(Rule.MANIFEST, f"has no {FILE_NAME} at its root{hint}")
