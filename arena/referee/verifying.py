"""Verifying a record: could all of it have happened, under the rules and limits of its header?

`verify` reads a record from its first line to its last: `reading` looks at chain and form,
`matchcheck` holds every line against what must come now, with the cards dealt anew from the seeds.
It takes the memory of one game, however long the record is.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from arena.errors import FieldError
from arena.referee.accounts import Disagreement
from arena.referee.entries import PlayLine, SeedsLine, VerdictLine
from arena.referee.heading import Header
from arena.referee.matchcheck import MatchCheck
from arena.referee.reading import Line, RecordError, lines_of, read_record, seeds_among

__all__ = ["See", "Verified", "ignore", "verify"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """A record that holds.

    Attributes:
        header: What was agreed.
        verdict: How the attempt ended.
        lines, games, actions: How many it has.
        head: The chain hash of its last line.
    """

    header: Header
    verdict: VerdictLine
    lines: int
    games: int
    actions: int
    head: str


See = Callable[[Line, MatchCheck], None]
"""Sees every line but the header, once it was found right, and what it has led to."""


def ignore(line: Line, match: MatchCheck) -> None:
    """See nothing."""


def verify(file: BinaryIO, see: See = ignore) -> Verified:
    """Verify the record in a file that can be read twice.

    Raises:
        UnknownRecord: it is no record, or of another format or engine.
        BrokenOff: it has no verdict. Before the seeds are revealed nothing can be played again, so
            then only chain and form hold as far as it goes.
        RecordError: it does not hold; the message names the first line that is wrong, and what
            would be right.
        OSError: it cannot be read.
    """
    read_record(lines_of(file))  # what is no record is not searched for seeds
    seeds = seeds_among(lines_of(file))
    file.seek(0, os.SEEK_SET)
    header, lines = read_record(lines_of(file))
    match = _match(header, seeds)
    actions = 0
    for line in lines:
        if match is None:
            _refuse_seeds(header, line)
            continue
        try:
            match.take(line.entry, line.number)
        except Disagreement as error:
            raise RecordError(line.number, str(error)) from None
        actions += isinstance(line.entry, PlayLine)
        see(line, match)
    assert isinstance(line.entry, VerdictLine)  # or reading or matchcheck would have refused
    assert match is not None
    return Verified(
        header=header,
        verdict=line.entry,
        lines=line.number,
        games=len(match.results),
        actions=actions,
        head=line.chain,
    )


def _match(header: Header, seeds: list[str] | None) -> MatchCheck | None:
    """None without seeds, or with others than were promised: cards cannot be dealt from them."""
    if seeds is None:
        return None
    try:
        return MatchCheck(header.plan(seeds))
    except FieldError:
        return None


def _refuse_seeds(header: Header, line: Line) -> None:
    """Without seeds that fit, the line that should have them is wrong, or comes without them."""
    if isinstance(line.entry, SeedsLine):
        try:
            header.plan(line.entry.seeds)
        except FieldError as error:
            raise RecordError(line.number, str(error)) from None
    if isinstance(line.entry, SeedsLine | VerdictLine):
        raise RecordError(line.number, "must come after one line with the seeds")
