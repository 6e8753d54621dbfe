"""Writing a zip file that is the same to the byte for the same files."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from arena.submissions.zipformat import CENTRAL, DEFLATED, END, LOCAL, STORED

__all__ = ["Member", "write_zip"]

_UNIX: Final = 3 << 8
_VERSION: Final = 20
_MIDNIGHT: Final = 0
_FIRST_DAY: Final = 1 << 5 | 1  # 1980-01-01, with which the format's calendar begins
_BEST: Final = 9


class Member(NamedTuple):
    """A file to be written: its name in the archive, and whether it is a program."""

    name: str
    is_program: bool
    content: bytes


def write_zip(members: Sequence[Member], *, ratio: int) -> bytes:
    """The bytes of a zip file with these members, in this order.

    A member is deflated if that makes it smaller, but not more than `ratio` times.
    """
    body, directory = bytearray(), bytearray()
    for member in members:
        name = member.name.encode("ascii")
        method, packed = _packed(member.content, ratio)
        sizes = (len(packed), len(member.content), len(name), 0)
        facts = (_MIDNIGHT, _FIRST_DAY, zlib.crc32(member.content), *sizes)
        mode = stat.S_IFREG | (0o755 if member.is_program else 0o644)
        directory += CENTRAL.pack(
            b"PK\x01\x02", _UNIX | _VERSION, _VERSION, 0, method, *facts, 0, 0, 0, mode << 16,
            len(body),
        )  # fmt: skip
        directory += name
        body += LOCAL.pack(b"PK\x03\x04", _VERSION, 0, method, *facts) + name + packed
    count = len(members)
    end = END.pack(b"PK\x05\x06", 0, 0, count, count, len(directory), len(body), 0)
    return bytes(body + directory + end)


def _packed(content: bytes, ratio: int) -> tuple[int, bytes]:
    deflater = zlib.compressobj(_BEST, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = deflater.compress(content) + deflater.flush()
    if len(packed) < len(content) <= ratio * len(packed):
        return DEFLATED, packed
    return STORED, content
