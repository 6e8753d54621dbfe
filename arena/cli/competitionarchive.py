"""`arena competition archive`: a folder that proves how a competition went, without a server."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.competitionpages import archive_pages
from arena.cli.competitionshow import NameArgument
from arena.cli.datafolder import counting
from arena.cli.operating import DataOption, operating, say
from arena.cli.output import JsonOption, print_json
from arena.cli.talking import as_facts
from arena.errors import HostFault
from arena.storage.facts import Attempt, Match, Result, Seat, SeatReport
from arena.tournament.carrying import carried

if TYPE_CHECKING:
    from arena.tournament.answers import MatchSummary, PublicResult, PublicSeat
    from arena.tournament.competition.state import Competition
    from arena.transport.client import OperatorClient

__all__ = ["archive"]

_DATA: Final = Path("arena-data")


def archive(
    name: NameArgument,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="FOLDER", help="A folder that does not exist; without it ./NAME-archive."
        ),
    ] = None,
    data: DataOption = _DATA,
    as_json: JsonOption = False,
) -> None:
    """Write a folder that proves a competition without a server: everything, and pages to look at.

    Regulations, entrants' digests, commitment and seeds, the journal, all matches with all their
    attempts, all records, tables as CSV and JSON, and pages for a browser (index.html). Anybody
    can check it with `arena competition verify FOLDER`.

    It can be written at any time. What is not finished yet keeps its seed secret, so it can be
    looked at, but not verified whole; and nobody is kept from passing on what is in it.
    """
    from arena.tournament.competition.archive import write_archive

    target = folder or Path(f"{name}-archive")
    with operating(data) as client, counting("fetching records") as tell:
        source = _Server(client, name)
        summary = write_archive(
            source, target, pages=lambda here, where: _pages(here, source, where), tell=tell
        )
    if as_json:
        print_json({"folder": str(target), **as_facts(summary)})
        return
    say(
        f"{target}: {summary.matches} matches, {summary.records} records, {summary.files} files, "
        f"{summary.size:,} bytes"
    )
    if not summary.is_finished:
        say("it is not finished: the seed is still a secret, so not all of it can be verified")
    say(f"look at {target / 'index.html'}; check it: arena competition verify {target}")


class _Server:
    """An `ArchiveSource` that asks a server.

    Attributes:
        lines: The journal, once it was asked for.
        known: The matches, once they were asked for.
    """

    def __init__(self, client: OperatorClient, name: str) -> None:
        self._client = client
        self._name = name
        self.lines: list[bytes] = []
        self.known: list[Match] = []

    def journal(self) -> list[bytes]:
        """See `ArchiveSource`."""
        self.lines = list(self._client.organising.journal(self._name))
        return self.lines

    def matches(self) -> list[Match]:
        """See `ArchiveSource`."""
        seats = self._seats()
        found = self._client.organising.matches(self._name)
        self.known = [_match(summary, pairing, seats) for summary, pairing in found]
        return self.known

    def record(self, match: int, attempt: int) -> Iterator[bytes]:
        """See `ArchiveSource`."""
        return self._client.competitions.download_record(self._name, match, attempt)

    def _seats(self) -> dict[tuple[str, str], Seat]:
        """The numbers of the entries, by title and digest."""
        from arena.tournament.competition.journal import Journal
        from arena.tournament.competition.state import folded

        here = folded(Journal().read_all(self.lines))
        return {(one.title, one.digest): Seat(one.entrant, one.version) for one in here.entries}


def _pages(here: Competition, source: _Server, folder: Path) -> None:
    from arena.tournament.competition.archivefit import fit_of
    from arena.tournament.competition.journal import Journal
    from arena.web.competition import write_pages

    lines = tuple(Journal().read_all(source.lines))
    matches = {one.pairing: one for one in source.known}
    write_pages(archive_pages(here, lines, matches, fit_of(here)), folder)


# -- from what a server says to what its store has ----------------------------------------------


def _match(summary: MatchSummary, pairing: str, seats: Mapping[tuple[str, str], Seat]) -> Match:
    return carried(
        Match,
        summary,
        seats=tuple(_seat(summary.number, seat, seats) for seat in summary.seats),
        attempts=tuple(
            carried(Attempt, one, match=summary.number, leased=one.started, lease_ends=one.started)
            for one in summary.attempts
        ),
        result=None if summary.result is None else _result(summary.number, summary.result),
        pairing=pairing,
        competition=None,  # its number is the server's business
    )


def _seat(match: int, seat: PublicSeat, seats: Mapping[tuple[str, str], Seat]) -> Seat:
    found = seats.get((seat.title, seat.digest))
    if found is None:
        raise HostFault(
            f"match {match}: {seat.title} sits there with version {seat.ordinal}, which is not "
            "among the entries of the competition"
        )
    return found


def _result(match: int, result: PublicResult) -> Result:
    seats = tuple(carried(SeatReport, seat) for seat in result.seats)
    return carried(Result, result, match=match, seats=seats)
