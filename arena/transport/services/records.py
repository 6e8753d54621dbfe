"""`RecordService`: matches, their records, and matches while they are played, for everyone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import closing
from typing import Any, Final

from arena.tournament.answers import MatchSummary, Waiting
from arena.tournament.ladder.commentary import Frame
from arena.tournament.verbs_public import MatchFilter, Public, Watching
from arena.transport.auth import Access, Caller
from arena.transport.convert_ladder import frame_message
from arena.transport.convert_matches import KINDS, STATES, match_message
from arena.transport.services.methods import Service, Stream, Unary
from arena.transport.services.reading import number, paged
from arena.transport.texts import one_line
from millearena.v1 import record_service_pb2 as pb

__all__ = ["PIECE", "record_service"]

PIECE: Final = 64 * 1024
"""Bytes of a file in one message."""

Run = Callable[..., Coroutine[Any, Any, Any]]


def record_service(public: Public, run: Run, *, every: float = 1.0) -> Service:
    """The service over these answers; `run` does in a thread what blocks.

    A match that is watched is looked at every so many seconds.
    """
    calls = _Calls(public, run, every)
    return Service(
        pb.DESCRIPTOR.services_by_name["RecordService"],
        {
            "GetMatch": Unary(access=Access.EVERYONE, answer=calls.get_match),
            "ListMatches": Unary(access=Access.EVERYONE, answer=calls.list_matches),
            "DownloadRecord": Stream(access=Access.EVERYONE, answer=calls.download_record),
            "WatchMatch": Stream(access=Access.EVERYONE, answer=calls.watch_match),
        },
    )


class _Calls:
    def __init__(self, public: Public, run: Run, every: float) -> None:
        self._public = public
        self._run = run
        self._every = every

    def get_match(self, _caller: Caller, request: pb.GetMatchRequest) -> pb.GetMatchResponse:
        match = self._public.match(number("match_id", request.match_id))
        return pb.GetMatchResponse(match=match_message(match))

    def list_matches(
        self, _caller: Caller, request: pb.ListMatchesRequest
    ) -> pb.ListMatchesResponse:
        wanted = MatchFilter(
            title=request.entrant_id,
            owner=request.owner,
            state=STATES.wanted(request.state),
            kind=KINDS.wanted(request.kind),
        )
        page = self._public.matches(wanted, *paged(request))
        return pb.ListMatchesResponse(
            matches=map(match_message, page.items), next_page_token=page.next
        )

    async def download_record(
        self, _caller: Caller, request: pb.DownloadRecordRequest
    ) -> AsyncGenerator[pb.DownloadRecordResponse, None]:
        match = number("match_id", request.match_id)
        record = await self._run(self._public.record, match, request.attempt)
        with closing(record.file):
            piece = await self._run(record.file.read, PIECE)
            yield pb.DownloadRecordResponse(
                content=piece, length=record.length, digest=record.digest
            )
            while piece := await self._run(record.file.read, PIECE):
                yield pb.DownloadRecordResponse(content=piece)

    async def watch_match(
        self, _caller: Caller, request: pb.WatchMatchRequest
    ) -> AsyncGenerator[pb.WatchMatchResponse, None]:
        match = number("match_id", request.match_id)
        known = Watching()
        while True:
            news, known = await self._run(self._public.watch, match, known)
            for one in news:
                yield _watched(one)
                if isinstance(one, MatchSummary):
                    return
            await asyncio.sleep(self._every)


def _watched(news: Frame | Waiting | MatchSummary) -> pb.WatchMatchResponse:
    match news:
        case Frame():
            return pb.WatchMatchResponse(frame=frame_message(news))
        case Waiting():
            waiting = pb.MatchWaiting(
                reason=one_line(news.why), queue_position=news.position or None
            )
            return pb.WatchMatchResponse(waiting=waiting)
        case MatchSummary():
            return pb.WatchMatchResponse(over=match_message(news))
