"""Reading a record: line by line, each with its chain hash, its form and its place checked.

    bytes -> read_record -> lines that can be trusted to say what was written
                            (whether that can have happened: `verifying`)

A record that ends without a verdict is of an attempt that was broken off: this machine was switched
off, or the process was killed, perhaps in the middle of a line. That is told apart from a record
that was changed, as far as it can be: cutting off whole lines is what a broken attempt looks like.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final, NamedTuple, NoReturn

from arena.errors import FieldError, InputError, quoted
from arena.referee.entries import Entry, SeedsLine, VerdictLine, read_entry
from arena.referee.heading import Header, UnknownRecord, read_header
from arena.referee.record import CHAIN_BYTES, Chain

__all__ = [
    "MOST_BYTES",
    "BrokenOff",
    "Line",
    "RecordError",
    "lines_of",
    "read_record",
    "seeds_among",
]

MOST_BYTES: Final = 1 << 20
"""Bytes in a line without its end; a longer one is refused before it is in memory."""


class RecordError(InputError):
    """A record is wrong in line `line`, counted from 1."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class BrokenOff(RecordError):  # noqa: N818 - nobody's error: what a verdict would have said
    """A record ends after line `line` without a verdict: the attempt was broken off."""

    def __init__(self, line: int, within: bool) -> None:
        RecordError.__init__(self, line, "")
        where = f"within line {line + 1}" if within else f"after line {line}"
        ends = f"ends {where} without a verdict" if line or within else "is empty"
        self.args = (f"{ends}: the attempt was broken off",)


class Line(NamedTuple):
    """One line: its number, the header's being 1, what it says, its chain hash."""

    number: int
    entry: Entry
    chain: str


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file with their ends; one that is too long is cut, and the last."""
    while line := file.readline(MOST_BYTES + 1):
        yield line
        if _is_too_long(line):
            return


def _is_too_long(line: bytes) -> bool:
    return len(line) > MOST_BYTES and not line.endswith(b"\n")


def read_record(lines: Iterable[bytes]) -> tuple[Header, Iterator[Line]]:
    """Read a record: its header at once, the other lines as they are asked for, to the verdict.

    Raises:
        UnknownRecord: the first line is no header, or of another format or engine.
        BrokenOff: there is no verdict; told when the lines are at their end.
        RecordError: a line was changed or breaks the format; the message names the first.
    """
    rest = iter(lines)
    raw = next(rest, None)
    if raw is None:
        raise BrokenOff(0, within=False)
    chain = Chain()
    return _header(raw, chain), _others(rest, chain)


def _others(lines: Iterator[bytes], chain: Chain) -> Iterator[Line]:
    number = 1
    over = False
    for raw in lines:
        number += 1
        if over:
            raise RecordError(number, f"nothing follows the verdict, which is line {number - 1}")
        body, given = _parts(raw, number)
        right = chain.add(body)
        if given != right:
            raise RecordError(number, _broken_chain(given, right, number))
        try:
            entry = _entry(body)
        except FieldError as error:
            raise RecordError(number, str(error)) from None
        yield Line(number, entry, right)
        over = isinstance(entry, VerdictLine)
    if not over:
        raise BrokenOff(number, within=False)


def _broken_chain(given: str, right: str, number: int) -> str:
    return (
        f"its chain hash is {given[:12]}..., must be {right[:12]}...: it was changed, or it does "
        f"not belong after line {number - 1}"
    )


# -- a line -----------------------------------------------------------------------------------

_END: Final = re.compile(rb',"chain":"([0-9a-f]{64})"\}\n')


def _parts(raw: bytes, number: int) -> tuple[bytes, str]:
    """Body and chain hash of a line."""
    if _is_too_long(raw):
        raise RecordError(number, f"longer than {MOST_BYTES} bytes")
    if not raw.endswith(b"\n"):
        raise BrokenOff(number - 1, within=True)
    cut = len(raw) - CHAIN_BYTES - 1
    found = _END.match(raw, max(0, cut))
    if found is None:
        raise RecordError(number, 'must end with ,"chain":"<64 hexadecimal digits>"}')
    return raw[:cut] + b"}", found[1].decode()


def _header(raw: bytes, chain: Chain) -> Header:
    if not raw.startswith(b'{"t":"header"'):
        raise UnknownRecord('not a record: the first line must begin with {"t":"header"')
    body, given = _parts(raw, 1)
    right = chain.add(body)
    try:
        header = read_header(_members(body))
    except FieldError as error:
        raise RecordError(1, str(error)) from None
    if given != right:
        raise RecordError(1, f"its chain hash is {given[:12]}..., must be {right[:12]}...")
    return header


def seeds_among(lines: Iterable[bytes]) -> list[str] | None:
    """The seeds that a record reveals, from lines that nobody has checked; None if it has none."""
    found = None
    for raw in lines:
        if raw.startswith(_SEEDS):
            found = raw
    if found is None:
        return None
    try:
        entry = _entry(_parts(found, 0)[0])
    except (FieldError, RecordError):
        return None
    return entry.seeds if isinstance(entry, SeedsLine) else None


_SEEDS: Final = b'{"t":"seeds"'


def _entry(body: bytes) -> Entry:
    members = _members(body)
    kind = members.get("t")
    begin = f'{{"t":"{kind}"'.encode(errors="replace")
    if not isinstance(kind, str) or not body.startswith(begin):
        # So a kind of line can be found without reading JSON, as `seeds_among` does.
        raise FieldError("", 'must begin with {"t":"<what it is>"')
    return read_entry(kind, members)


def _members(body: bytes) -> dict[str, object]:
    try:
        members: object = _DECODER.decode(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise FieldError("", f"not UTF-8 text (byte {error.start})") from None
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FieldError("", f"not JSON: {what}") from None
    assert isinstance(members, dict)  # it begins and ends with braces
    if "chain" in members:
        raise FieldError("chain", "is there twice")
    return members


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object of JSON. One that names a member twice would be read so here and so there."""
    members = dict(pairs)
    if len(members) != len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise FieldError(quoted(twice), "is there twice")
    return members


def _no_number(word: str) -> NoReturn:
    raise FieldError("", f"{word} is no JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)
