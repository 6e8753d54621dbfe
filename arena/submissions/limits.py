"""How much an upload may be, and the names of the rules that it can break."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from arena.errors import InputError

__all__ = ["MIB", "ArchiveLimits", "CheckBounds", "Rule", "shown_size"]

MIB: Final = 2**20


class Rule(StrEnum):
    """The rules for an upload; every refusal names one of them."""

    UPLOAD = "upload"  # the size of the archive, its announced length and digest
    FORMAT = "format"  # one plain zip, of entries and nothing else
    COUNT = "count"
    METHOD = "method"  # stored or deflate, not encrypted
    NAME = "name"
    PATH = "path"  # length and depth
    TWICE = "twice"  # two entries with one name, or of which one is in the other's way
    KIND = "kind"  # files and folders only
    CONTENT = "content"  # as long as announced, with the checksum that was announced
    UNPACKED = "unpacked"
    RATIO = "ratio"
    MANIFEST = "bot.toml"
    EFFORT = "effort"  # what the check itself may cost
    DIGEST = "digest"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """What an archive may hold.

    `upload` is in bytes as uploaded, `unpacked` in bytes of all files together, `ratio` that by
    the size of the archive, `path` the bytes of a name, `depth` its parts.

    Raises:
        InputError: a limit is not positive.
    """

    upload: int = 32 * MIB
    entries: int = 2000
    unpacked: int = 128 * MIB
    ratio: int = 100
    path: int = 200
    depth: int = 12

    def __post_init__(self) -> None:
        _check_positive(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBounds:
    """What the check of one archive may cost.

    `memory` is address space in bytes, `cpu` and `wall` are seconds, `open_files` descriptors.

    Raises:
        InputError: a bound is not positive.
    """

    memory: int = 256 * MIB
    cpu: int = 30
    wall: int = 120
    open_files: int = 64

    def __post_init__(self) -> None:
        _check_positive(self)


def _check_positive(values: ArchiveLimits | CheckBounds) -> None:
    for field in fields(values):
        value = getattr(values, field.name)
        if value < 1:
            raise InputError(f"limit {field.name}: {value}: must be at least 1")


def shown_size(count: int) -> str:
    """A number of bytes for a message: in MiB if it is a whole number of them."""
    return f"{count // MIB} MiB" if count and count % MIB == 0 else f"{count} bytes"
