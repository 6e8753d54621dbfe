"""`CompetitionService`: competitions for everyone, and who enters them."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import closing
from typing import Any, TypeVar

from arena.storage.facts import TokenKind
from arena.tournament.refusals import Invalid
from arena.tournament.verbs_competitions import Asker, CompetitionVerbs
from arena.transport.auth import Access, Caller
from arena.transport.convert_competitions import (
    competition_message,
    entry_message,
    note_message,
    pairing_message,
    row_message,
    stage_message,
)
from arena.transport.services.methods import Method, Service, Stream, Unary
from arena.transport.services.reading import number, paged
from arena.transport.services.records import PIECE, Run
from millearena.v1 import competition_service_pb2 as pb

__all__ = ["competition_service", "page_of", "page_start"]

T = TypeVar("T")


def competition_service(verbs: CompetitionVerbs, run: Run) -> Service:
    """The service over these answers; `run` does in a thread what blocks."""
    calls = _Calls(verbs, run)
    asked: dict[str, Callable[[Caller, Any], Any]] = {
        "ListCompetitions": calls.list_competitions,
        "GetCompetition": calls.get_competition,
        "ListCompetitionEntries": calls.list_entries,
        "ListCompetitionStages": calls.list_stages,
        "ListCompetitionRows": calls.list_rows,
        "ListCompetitionPairings": calls.list_pairings,
        "ListCompetitionNotes": calls.list_notes,
    }
    methods: dict[str, Method] = {
        name: Unary(access=Access.OPTIONAL, answer=answer) for name, answer in asked.items()
    }
    methods["EnterCompetition"] = Unary(access=Access.SUBMIT, answer=calls.enter)
    methods["LeaveCompetition"] = Unary(access=Access.SUBMIT, answer=calls.leave)
    methods["DownloadCompetitionRecord"] = Stream(access=Access.OPTIONAL, answer=calls.download)
    return Service(pb.DESCRIPTOR.services_by_name["CompetitionService"], methods)


def page_start(request: Any) -> tuple[int, int]:
    """The size of a page, and where it begins in a list that only grows at its end.

    Raises:
        Invalid: a token that is none of ours.
    """
    size, token = paged(request)
    if token and not (token.isascii() and token.isdigit() and len(token) < 10):
        raise Invalid("page_token", "is none of this list")
    return size, int(token or 0)


def page_of(items: Sequence[T], request: Any) -> tuple[Sequence[T], str]:
    """A page of such a list, and the token of the next one; raises as `page_start` does."""
    size, start = page_start(request)
    end = start + size
    return items[start:end], str(end) if end < len(items) else ""


def _asker(caller: Caller) -> Asker:
    principal = caller.principal
    if principal is None:
        return Asker()
    if principal.kind is TokenKind.ADMIN:
        return Asker(is_operator="admin" in principal.scopes)
    may_read = principal.kind is TokenKind.OWNER and "read" in principal.scopes
    return Asker((principal.owner or "") if may_read else "")


class _Calls:
    def __init__(self, verbs: CompetitionVerbs, run: Run) -> None:
        self._verbs = verbs
        self._run = run

    def list_competitions(
        self, caller: Caller, request: pb.ListCompetitionsRequest
    ) -> pb.ListCompetitionsResponse:
        page = self._verbs.list(_asker(caller), *paged(request))
        return pb.ListCompetitionsResponse(
            competitions=map(competition_message, page.items), next_page_token=page.next
        )

    def get_competition(
        self, caller: Caller, request: pb.GetCompetitionRequest
    ) -> pb.GetCompetitionResponse:
        found = self._verbs.info(request.competition_id, _asker(caller))
        return pb.GetCompetitionResponse(competition=competition_message(found))

    def list_entries(
        self, caller: Caller, request: pb.ListCompetitionEntriesRequest
    ) -> pb.ListCompetitionEntriesResponse:
        found = self._verbs.entries(request.competition_id, _asker(caller))
        items, after = page_of(found, request)
        return pb.ListCompetitionEntriesResponse(
            entries=map(entry_message, items), next_page_token=after
        )

    def list_stages(
        self, caller: Caller, request: pb.ListCompetitionStagesRequest
    ) -> pb.ListCompetitionStagesResponse:
        found = self._verbs.stages(request.competition_id, _asker(caller))
        items, after = page_of(found, request)
        return pb.ListCompetitionStagesResponse(
            stages=map(stage_message, items), next_page_token=after
        )

    def list_rows(
        self, caller: Caller, request: pb.ListCompetitionRowsRequest
    ) -> pb.ListCompetitionRowsResponse:
        found = self._verbs.table(request.competition_id, request.stage_number, _asker(caller))
        items, after = page_of(found, request)
        return pb.ListCompetitionRowsResponse(rows=map(row_message, items), next_page_token=after)

    def list_pairings(
        self, caller: Caller, request: pb.ListCompetitionPairingsRequest
    ) -> pb.ListCompetitionPairingsResponse:
        size, start = page_start(request)
        found = self._verbs.pairings(
            request.competition_id,
            request.stage_number,
            _asker(caller),
            slice(start, start + size + 1),
        )
        return pb.ListCompetitionPairingsResponse(
            pairings=map(pairing_message, found[:size]),
            next_page_token=str(start + size) if len(found) > size else "",
        )

    def list_notes(
        self, caller: Caller, request: pb.ListCompetitionNotesRequest
    ) -> pb.ListCompetitionNotesResponse:
        found = self._verbs.notes(request.competition_id, _asker(caller))
        items, after = page_of(found, request)
        return pb.ListCompetitionNotesResponse(
            notes=map(note_message, items), next_page_token=after
        )

    def enter(
        self, caller: Caller, request: pb.EnterCompetitionRequest
    ) -> pb.EnterCompetitionResponse:
        entry = self._verbs.enter(request.competition_id, caller.owner, request.entrant_name)
        return pb.EnterCompetitionResponse(entry=entry_message(entry))

    def leave(
        self, caller: Caller, request: pb.LeaveCompetitionRequest
    ) -> pb.LeaveCompetitionResponse:
        found = self._verbs.leave(
            request.competition_id, caller.owner, request.entrant_name, request.reason
        )
        return pb.LeaveCompetitionResponse(competition=competition_message(found))

    async def download(
        self, caller: Caller, request: pb.DownloadCompetitionRecordRequest
    ) -> AsyncGenerator[pb.DownloadCompetitionRecordResponse, None]:
        match = number("match_id", request.match_id)
        record = await self._run(
            self._verbs.record, request.competition_id, match, request.attempt, _asker(caller)
        )
        with closing(record.file):
            piece = await self._run(record.file.read, PIECE)
            yield pb.DownloadCompetitionRecordResponse(
                content=piece, length=record.length, digest=record.digest
            )
            while piece := await self._run(record.file.read, PIECE):
                yield pb.DownloadCompetitionRecordResponse(content=piece)
