"""Zip files built byte for byte, in which everything can be wrong; not with the arena's code."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field

__all__ = ["GOOD_TOML", "Raw", "bomb_of_zeros", "build", "deflate", "good", "quoted_overlap"]

GOOD_TOML = b'name = "mine"\nversion = "1"\nlanguage = "python"\nrun = ["python", "mine.py"]\n'


def deflate(content: bytes) -> bytes:
    deflater = zlib.compressobj(6, zlib.DEFLATED, -15)
    return deflater.compress(content) + deflater.flush()


@dataclass(frozen=True)
class Raw:
    """One entry. `local` and `central` overwrite fields of one header each."""

    name: bytes
    content: bytes = b""
    method: int = 8
    mode: int = 0o100644
    attributes: int = 0  # the low 16 bits: those of DOS
    packed: bytes | None = None
    before: bytes = b""
    descriptor: bytes = b""
    local_extra: bytes = b""
    central_extra: bytes = b""
    comment: bytes = b""
    both: dict[str, int] = field(default_factory=dict)
    local: dict[str, int] = field(default_factory=dict)
    central: dict[str, int] = field(default_factory=dict)
    local_name: bytes | None = None

    @property
    def body(self) -> bytes:
        if self.packed is not None:
            return self.packed
        return deflate(self.content) if self.method == 8 else self.content

    def fields(self, own: dict[str, int]) -> dict[str, int]:
        usual = {
            "version": 20,
            "flags": 0,
            "method": self.method,
            "time": 0,
            "date": 33,
            "crc": zlib.crc32(self.content),
            "packed": len(self.body),
            "size": len(self.content),
        }
        return usual | self.both | own

    def head(self) -> bytes:
        name = self.name if self.local_name is None else self.local_name
        values = self.fields(self.local).values()
        head = struct.pack("<4s5H3L2H", b"PK\3\4", *values, len(name), len(self.local_extra))
        return head + name + self.local_extra

    def directory(self, start: int) -> bytes:
        own = dict(self.central)
        start = own.pop("start", start)
        disk = own.pop("disk", 0)
        host = own.pop("host", 3)
        head = struct.pack(
            "<4s6H3L5H2L",
            b"PK\1\2",
            host << 8 | 20,
            *self.fields(own).values(),
            len(self.name),
            len(self.central_extra),
            len(self.comment),
            disk,
            0,
            self.mode << 16 | self.attributes,
            start,
        )
        return head + self.name + self.central_extra + self.comment


def build(
    entries: Sequence[Raw],
    *,
    before_directory: bytes = b"",
    before_end: bytes = b"",
    after: bytes = b"",
    **end: int,
) -> bytes:
    """The bytes of an archive; `end` overwrites fields of the end record."""
    body, starts = b"", []
    for one in entries:
        body += one.before
        starts.append(len(body))
        body += one.head() + one.body + one.descriptor
    body += before_directory
    directory = b"".join(one.directory(at) for one, at in zip(entries, starts, strict=True))
    values = {
        "disk": 0,
        "first": 0,
        "here": len(entries),
        "total": len(entries),
        "length": len(directory),
        "start": len(body),
        "comment": 0,
    } | end
    tail = struct.pack("<4s4H2LH", b"PK\5\6", *values.values())
    return body + directory + before_end + tail + after


def good(*more: Raw) -> list[Raw]:
    """The entries of a small bot, and some more."""
    return [Raw(b"bot.toml", GOOD_TOML), Raw(b"mine.py", b"pass\n" * 9), *more]


def bomb_of_zeros(mebibytes: int) -> bytes:
    """A deflated stream that becomes so many MiB of zeros, without taking long to make."""
    deflater = zlib.compressobj(9, zlib.DEFLATED, -15)
    one = deflater.compress(bytes(2**20)) + deflater.flush(zlib.Z_FULL_FLUSH)
    return one * mebibytes + b"\x03\x00"  # an empty last block


def quoted_overlap(count: int, kernel: bytes) -> bytes:
    """Files that overlap: each has the header of the next one in a stored block, then its content.

    Every one of them can be read: the headers agree, the checksums are right.
    """
    last = Raw(f"f{count}".encode(), kernel)
    chain = [last]
    for number in range(count - 1, 0, -1):
        head = chain[0].head()
        quote = b"\0" + struct.pack("<2H", len(head), len(head) ^ 0xFFFF) + head
        chain.insert(
            0,
            Raw(
                f"f{number}".encode(),
                head + chain[0].content,
                packed=quote + chain[0].body,
            ),
        )
    body = Raw(b"bot.toml", GOOD_TOML)
    whole = body.head() + body.body
    directory = body.directory(0)
    at = len(whole)
    for one in chain:
        directory += one.directory(at)
        at += len(one.head()) + 5  # what quotes the next header
    whole += chain[0].head() + chain[0].body
    total = len(chain) + 1
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, total, total, len(directory), len(whole), 0)
    return whole + directory + end
