"""Competitions as the command line sees them, at either address of a server."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from typing import Any

from arena.storage.facts import Level
from arena.tournament.answers import MatchSummary
from arena.tournament.competition.lines import (
    CompetitionInfo,
    EntryLine,
    NoteLine,
    PairingLine,
    StageInfo,
    TableLine,
)
from arena.transport.client_wire import ServerFault, Wire
from arena.transport.convert_competitions import (
    LEVELS,
    competition,
    competition_note,
    entry,
    pairing,
    row,
    stage,
)
from arena.transport.convert_matches import match
from millearena.v1 import competition_service_pb2 as pb
from millearena.v1 import organiser_service_pb2 as organiser
from millearena.v1.competition_service_pb2_grpc import CompetitionServiceStub
from millearena.v1.organiser_service_pb2_grpc import OrganiserServiceStub

__all__ = ["Competitions", "Organising"]


class Competitions:
    """What everybody may ask and owners may do."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._stub = CompetitionServiceStub(wire.channel)

    def list(self) -> Iterator[CompetitionInfo]:
        """All competitions, the newest first."""
        request = pb.ListCompetitionsRequest()
        return self._wire.pages(self._stub.ListCompetitions, request, "competitions", competition)

    def info(self, name: str) -> CompetitionInfo:
        """One of them."""
        request = pb.GetCompetitionRequest(competition_id=name)
        return competition(self._wire.call(self._stub.GetCompetition, request).competition)

    def entries(self, name: str) -> Iterator[EntryLine]:
        """Who takes part."""
        request = pb.ListCompetitionEntriesRequest(competition_id=name)
        return self._wire.pages(self._stub.ListCompetitionEntries, request, "entries", entry)

    def stages(self, name: str) -> tuple[StageInfo, ...]:
        """Its stages."""
        request = pb.ListCompetitionStagesRequest(competition_id=name)
        return tuple(self._wire.pages(self._stub.ListCompetitionStages, request, "stages", stage))

    def table(self, name: str, number: int) -> Iterator[TableLine]:
        """The table of a stage, from the first place to the last."""
        request = pb.ListCompetitionRowsRequest(competition_id=name, stage_number=number)
        return self._wire.pages(self._stub.ListCompetitionRows, request, "rows", row)

    def pairings(self, name: str, number: int) -> Iterator[PairingLine]:
        """The pairings of a stage, in the order in which they were announced."""
        request = pb.ListCompetitionPairingsRequest(competition_id=name, stage_number=number)
        return self._wire.pages(self._stub.ListCompetitionPairings, request, "pairings", pairing)

    def notes(self, name: str) -> Iterator[NoteLine]:
        """What has happened, as far as one may know."""
        request = pb.ListCompetitionNotesRequest(competition_id=name)
        return self._wire.pages(self._stub.ListCompetitionNotes, request, "notes", competition_note)

    def enter(self, name: str, bot: str) -> EntryLine:
        """Have one of the owner's bots take part."""
        request = pb.EnterCompetitionRequest(competition_id=name, entrant_name=bot)
        return entry(self._wire.call(self._stub.EnterCompetition, request).entry)

    def leave(self, name: str, bot: str, why: str) -> CompetitionInfo:
        """Take one of the owner's bots back."""
        request = pb.LeaveCompetitionRequest(competition_id=name, entrant_name=bot, reason=why)
        return competition(self._wire.call(self._stub.LeaveCompetition, request).competition)

    def download_record(self, name: str, number: int, attempt: int = 0) -> Iterator[bytes]:
        """The record of an attempt, 0 for the one that counts; checked against its digest.

        Raises:
            ServerFault: what came is not what was announced.
        """
        request = pb.DownloadCompetitionRecordRequest(
            competition_id=name, match_id=str(number), attempt=attempt
        )
        digest, found = "", hashlib.sha256()
        for piece in self._wire.stream(self._stub.DownloadCompetitionRecord, request):
            digest = digest or piece.digest
            found.update(piece.content)
            yield piece.content
        if found.hexdigest() != digest:
            raise ServerFault(
                f"record of match {number}: has the SHA-256 {found.hexdigest()}, and {digest} was "
                "announced; download it again"
            )


class Organising:
    """What operators may do."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._stub = OrganiserServiceStub(wire.channel)

    def announce(self, text: str) -> CompetitionInfo:
        """Have a new competition by its file."""
        request = organiser.AnnounceCompetitionRequest(
            regulations=text, request_id=secrets.token_hex(16)
        )
        return competition(self._wire.call(self._stub.AnnounceCompetition, request).competition)

    def open(self, name: str) -> CompetitionInfo:
        """Let owners enter now."""
        return self._do("OpenCompetition", name)

    def freeze(self, name: str) -> CompetitionInfo:
        """Take no more entries."""
        return self._do("FreezeCompetition", name)

    def mix(self, name: str, value: str) -> CompetitionInfo:
        """Say what the public value is that was named in advance."""
        return self._do("MixCompetitionSeed", name, public_value=value)

    def start(self, name: str) -> CompetitionInfo:
        """Begin to play now."""
        return self._do("StartCompetition", name)

    def pause(self, name: str, why: str) -> CompetitionInfo:
        """Begin no more matches."""
        return self._do("PauseCompetition", name, reason=why)

    def resume(self, name: str) -> CompetitionInfo:
        """Begin matches again."""
        return self._do("ResumeCompetition", name)

    def finish(self, name: str) -> CompetitionInfo:
        """Let the result stand, and tell the secret seed."""
        return self._do("FinishCompetition", name)

    def cancel(self, name: str, why: str) -> CompetitionInfo:
        """End it without a result."""
        return self._do("CancelCompetition", name, reason=why)

    def release(self, name: str, level: Level) -> CompetitionInfo:
        """Say who may see results."""
        return self._do("ReleaseCompetition", name, release_level=LEVELS.to(level))

    def add(self, name: str, title: str) -> CompetitionInfo:
        """Have a bot take part."""
        return self._do("AddCompetitionEntry", name, entrant_id=title)

    def withdraw(self, name: str, title: str, why: str) -> CompetitionInfo:
        """Have an entry play no more, by its owner's wish."""
        return self._do("WithdrawCompetitionEntry", name, entrant_id=title, reason=why)

    def disqualify(self, name: str, title: str, why: str) -> CompetitionInfo:
        """Have an entry play no more, by the organiser's decision."""
        return self._do("DisqualifyCompetitionEntry", name, entrant_id=title, reason=why)

    def reinstate(self, name: str, title: str, why: str) -> CompetitionInfo:
        """Take back that an entry plays no more."""
        return self._do("ReinstateCompetitionEntry", name, entrant_id=title, reason=why)

    def rerun(self, name: str, stage_number: int, key: str, why: str) -> CompetitionInfo:
        """Have a pairing played once more."""
        return self._do(
            "RerunCompetitionPairing",
            name,
            stage_number=stage_number,
            pairing_key=key,
            reason=why,
        )

    def decide(
        self, name: str, stage_number: int, key: str, ranks: tuple[int, ...], why: str
    ) -> CompetitionInfo:
        """Say how a pairing ended."""
        return self._do(
            "DecideCompetitionPairing",
            name,
            stage_number=stage_number,
            pairing_key=key,
            ranks=ranks,
            reason=why,
        )

    def journal(self, name: str) -> Iterator[bytes]:
        """The journal, line by line as it is stored."""
        request = organiser.ListCompetitionJournalRequest(competition_id=name)
        return self._wire.pages(self._stub.ListCompetitionJournal, request, "lines", bytes)

    def matches(self, name: str) -> Iterator[tuple[MatchSummary, str]]:
        """Every match with all attempts, and what it was played for: stage/key/run."""
        request = organiser.ListCompetitionMatchesRequest(competition_id=name)
        return self._wire.pages(
            self._stub.ListCompetitionMatches,
            request,
            "matches",
            lambda one: (match(one.match), one.pairing),
        )

    def _do(self, method: str, name: str, **fields: Any) -> CompetitionInfo:
        request = getattr(organiser, f"{method}Request")(competition_id=name, **fields)
        return competition(self._wire.call(getattr(self._stub, method), request).competition)
