"""The records of a zip file, read byte for byte, and the little of the format that is accepted.

    local header, name, extra fields, content [, descriptor]    for each entry
    central header, name, extra fields                          for each entry
    end record                                                  the last 22 bytes

Zip is a format in which two programs can read two things from one file: whoever looks at the local
headers and whoever looks at the central ones, whoever finds the first end record and whoever finds
the last, whoever knows an extra field and whoever does not. So what is accepted here can be read in
one way only: the records fill the file without a gap or an overlap, the headers agree, and nothing
in them gives anything a second meaning.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from arena.errors import SubmissionError
from arena.submissions.limits import Rule

__all__ = [
    "CENTRAL",
    "DEFLATED",
    "END",
    "LOCAL",
    "STORED",
    "Central",
    "End",
    "end_of_content",
    "read_central",
    "read_end",
]

# The field after the signature of each: see the format's specification, APPNOTE 4.3.
LOCAL: Final = struct.Struct("<4s5H3L2H")
CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
END: Final = struct.Struct("<4s4H2LH")
_DESCRIPTOR: Final = struct.Struct("<3L")
_END_MARK: Final = b"PK\x05\x06"
_LONGEST_COMMENT: Final = 0xFFFF

STORED: Final = 0
DEFLATED: Final = 8

_DESCRIBED: Final = 1 << 3  # sizes and checksum come after the content
_HARMLESS: Final = _DESCRIBED | 0b110 | 1 << 11  # how well it was deflated; the name is UTF-8
_ENCRYPTED: Final = 1 | 1 << 6 | 1 << 13
_PLAIN_VERSION: Final = 20  # deflate and folders; more is needed for what is not accepted

_HARMLESS_FIELDS: Final = frozenset({0x000A, 0x5455, 0x5855, 0x7855, 0x7875})
"""Extra fields that tell times and owners only; others may change sizes, names and kinds."""


@dataclass(frozen=True, slots=True)
class End:
    """The end record: how many entries, and where the central headers begin."""

    entries: int
    start: int


@dataclass(frozen=True, slots=True)
class Central:
    """A central header: what the archive says of an entry, nothing of it believed yet."""

    name: bytes
    flags: int
    method: int
    checksum: int
    packed: int
    size: int
    attributes: int
    start: int

    @property
    def shown(self) -> str:
        """The name for a message."""
        return self.name.decode("utf-8", "backslashreplace") or "''"


def read_end(content: memoryview) -> End:
    """The end record, which must be the last thing in the file.

    Raises:
        SubmissionError: it is not there, or is about more than this one plain file.
    """
    at = len(content) - END.size
    if at < 0 or bytes(content[at : at + 4]) != _END_MARK:
        if length := _comment_length(content):
            raise SubmissionError(
                Rule.FORMAT, f"has a comment of {length:,} bytes at its end; it may have none"
            )
        raise SubmissionError(
            Rule.FORMAT, "is no zip file, or does not end with its end record: nothing may follow"
        )
    _, disk, first, here, total, length, start, comment = END.unpack_from(content, at)
    if disk or first or here != total:
        raise SubmissionError(Rule.FORMAT, "is a part of a zip file that has several")
    if total == 0xFFFF or 0xFFFFFFFF in (length, start):
        raise SubmissionError(Rule.FORMAT, "is a zip64 file; a plain one is large enough")
    if comment:
        raise SubmissionError(Rule.FORMAT, "announces a comment at its end; it may have none")
    if start + length != at:
        raise SubmissionError(
            Rule.FORMAT, "its central directory does not end where the end record begins"
        )
    return End(total, start)


def _comment_length(content: memoryview) -> int:
    """The bytes of the comment that a file ends with; 0: with none.

    Good enough for a message: what a comment holds may look like an end record as well.
    """
    tail = bytes(content[-(END.size + _LONGEST_COMMENT) :])
    at = tail.rfind(_END_MARK)
    while at >= 0:
        rest = len(tail) - at - END.size
        if rest > 0 and END.unpack_from(tail, at)[-1] == rest:
            return rest
        at = tail.rfind(_END_MARK, 0, at)
    return 0


def read_central(content: memoryview, end: End) -> Iterator[Central]:
    """The central headers, each accepted as far as it can be by itself.

    Raises:
        SubmissionError: something is not accepted, or they do not fill their place.
    """
    at, stop = end.start, len(content) - END.size
    for _ in range(end.entries):
        if at + CENTRAL.size > stop or bytes(content[at : at + 4]) != b"PK\x01\x02":
            raise SubmissionError(Rule.FORMAT, "its central directory has too few entries")
        fields = CENTRAL.unpack_from(content, at)
        _, _, version, flags, method, _, _, checksum, packed, size = fields[:10]
        name_length, extra_length, comment, disk, _, attributes, start = fields[10:]
        name_at = at + CENTRAL.size
        extra_at = name_at + name_length
        at = extra_at + extra_length + comment
        if at > stop:
            raise SubmissionError(Rule.FORMAT, "an entry of its central directory is cut off")
        name = bytes(content[name_at:extra_at])
        header = Central(name, flags, method, checksum, packed, size, attributes, start)
        if comment:
            raise SubmissionError(Rule.FORMAT, "has a comment; it may have none", header.shown)
        if disk:
            raise SubmissionError(Rule.FORMAT, "lies in another part of the file", header.shown)
        _check_method(header, version)
        _check_extra(content[extra_at:at], header)
        yield header
    if at != stop:
        raise SubmissionError(Rule.FORMAT, "has something after its central directory")


def _check_method(header: Central, version: int) -> None:
    if header.flags & _ENCRYPTED:
        raise SubmissionError(Rule.METHOD, "is encrypted", header.shown)
    if header.flags & ~_HARMLESS:
        raise SubmissionError(
            Rule.METHOD, f"has flags that are not allowed: {header.flags:#06x}", header.shown
        )
    if header.method not in (STORED, DEFLATED):
        raise SubmissionError(
            Rule.METHOD,
            f"is packed with method {header.method}; allowed are 0 (stored) and 8 (deflate)",
            header.shown,
        )
    if 0xFFFFFFFF in (header.packed, header.size, header.start):
        raise SubmissionError(Rule.FORMAT, "has zip64 sizes", header.shown)
    if version & 0xFF > _PLAIN_VERSION:
        raise SubmissionError(
            Rule.METHOD, f"needs version {version & 0xFF} of the format; 20 is enough", header.shown
        )


def _check_extra(extra: memoryview, header: Central) -> None:
    """Refuse extra fields that are malformed or could change what an entry is."""
    at = 0
    while at < len(extra):
        if at + 4 > len(extra):
            raise SubmissionError(Rule.FORMAT, "has a broken extra field", header.shown)
        kind, length = struct.unpack_from("<2H", extra, at)
        at += 4 + length
        if at > len(extra):
            raise SubmissionError(Rule.FORMAT, "has a broken extra field", header.shown)
        if kind == 1:
            raise SubmissionError(Rule.FORMAT, "has zip64 sizes", header.shown)
        if kind not in _HARMLESS_FIELDS:
            raise SubmissionError(
                Rule.FORMAT, f"has an extra field that is not allowed: {kind:#06x}", header.shown
            )


def end_of_content(content: memoryview, header: Central, next_start: int) -> tuple[int, int]:
    """Where the content of an entry begins and ends; `next_start` is where the next record does.

    Raises:
        SubmissionError: the local header or the descriptor contradicts the central header, or does
            not fill the place up to the next record.
    """
    at = header.start
    if at + LOCAL.size > next_start or bytes(content[at : at + 4]) != b"PK\x03\x04":
        raise SubmissionError(
            Rule.FORMAT, "its local header is missing, or overlaps something", header.shown
        )
    fields = LOCAL.unpack_from(content, at)
    _, version, flags, method, _, _, checksum, packed, size, name_length, extra_length = fields
    name_at = at + LOCAL.size
    extra_at = name_at + name_length
    begin = extra_at + extra_length
    end = begin + header.packed
    if end > next_start:
        raise SubmissionError(Rule.FORMAT, "overlaps what comes after it", header.shown)
    if bytes(content[name_at:extra_at]) != header.name:
        raise SubmissionError(Rule.FORMAT, "has another name in its local header", header.shown)
    announced = (checksum, packed, size)
    central = (header.checksum, header.packed, header.size)
    # Whoever writes a descriptor did not know these yet when it wrote the local header.
    unknown = bool(header.flags & _DESCRIBED) and announced == (0, 0, 0)
    if (flags, method) != (header.flags, header.method) or not (announced == central or unknown):
        raise SubmissionError(
            Rule.FORMAT, "its local header contradicts the central one", header.shown
        )
    _check_method(header, version)
    _check_extra(content[extra_at:begin], header)
    _check_descriptor(content[end:next_start], header)
    return begin, end


def _check_descriptor(rest: memoryview, header: Central) -> None:
    """Check what stands between the content of an entry and the next record."""
    if not header.flags & _DESCRIBED:
        if len(rest):
            raise SubmissionError(Rule.FORMAT, "has something after its content", header.shown)
        return
    if header.method == STORED:
        # Only the central directory would tell where it ends.
        raise SubmissionError(Rule.FORMAT, "is stored and has a descriptor", header.shown)
    described = bytes(rest)
    if len(described) == _DESCRIPTOR.size + 4 and described.startswith(b"PK\x07\x08"):
        described = described[4:]
    if described != _DESCRIPTOR.pack(header.checksum, header.packed, header.size):
        raise SubmissionError(
            Rule.FORMAT, "its descriptor contradicts the central header", header.shown
        )
