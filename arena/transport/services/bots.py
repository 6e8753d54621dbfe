"""`BotService`: uploads, bots and challenges, each for the owner who calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from arena.tournament.verbs_authors import Authors
from arena.transport.auth import Access, Caller
from arena.transport.convert_entrants import entrant_message, upload_message, version_message
from arena.transport.convert_matches import match_message
from arena.transport.convert_values import timestamp
from arena.transport.services.methods import Service, Stream, Unary, Upload
from arena.transport.services.reading import number, paged
from arena.transport.services.receiving import Receiving
from arena.transport.services.records import PIECE, Run
from arena.transport.texts import several_lines
from millearena.v1 import bot_service_pb2 as pb

__all__ = ["Pace", "bot_service"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Seconds: how often an upload that is followed is looked at."""

    follow: float = 0.5


def bot_service(
    authors: Authors,
    receiving: Receiving,
    run: Run,
    pace: Pace = Pace(),
) -> Service:
    """The service over these answers; `run` does in a thread what blocks."""
    calls = _Calls(authors, receiving, run, pace)
    read, submit = Access.READ, Access.SUBMIT
    return Service(
        pb.DESCRIPTOR.services_by_name["BotService"],
        {
            "GetSelf": Unary(access=Access.OWNER, answer=calls.get_self),
            "CreateEntrant": Unary(access=submit, answer=calls.create_entrant, creates=True),
            "UploadVersion": Upload(access=submit, answer=calls.upload_version),
            "GetUpload": Unary(access=read, answer=calls.get_upload),
            "ListUploads": Unary(access=read, answer=calls.list_uploads),
            "FollowUpload": Stream(access=read, answer=calls.follow_upload),
            "GetBuildLog": Unary(access=read, answer=calls.get_build_log),
            "GetOwnEntrant": Unary(access=read, answer=calls.get_own_entrant),
            "ListOwnEntrants": Unary(access=read, answer=calls.list_own_entrants),
            "DownloadMatchLog": Stream(access=read, answer=calls.download_match_log),
            "CreateChallenge": Unary(access=submit, answer=calls.create_challenge, creates=True),
            "PauseOwnEntrant": Unary(access=submit, answer=calls.pause_own_entrant),
            "ResumeOwnEntrant": Unary(access=submit, answer=calls.resume_own_entrant),
            "ActivateVersion": Unary(access=submit, answer=calls.activate_version),
        },
    )


class _Calls:
    def __init__(self, authors: Authors, receiving: Receiving, run: Run, pace: Pace) -> None:
        self._authors = authors
        self._receiving = receiving
        self._run = run
        self._pace = pace

    def get_self(self, caller: Caller, _request: pb.GetSelfRequest) -> pb.GetSelfResponse:
        assert caller.principal is not None
        who = self._authors.who_am_i(caller.principal)
        return pb.GetSelfResponse(
            owner=who.owner,
            token_id=who.token,
            scopes=who.scopes,
            expire_time=timestamp(who.expires),
        )

    # -- uploads --------------------------------------------------------------------------------

    async def upload_version(
        self, caller: Caller, requests: AsyncIterator[Any]
    ) -> pb.UploadVersionResponse:
        status = await self._receiving.receive(caller.owner, requests)
        return pb.UploadVersionResponse(upload=upload_message(status))

    def get_upload(self, caller: Caller, request: pb.GetUploadRequest) -> pb.GetUploadResponse:
        upload = self._authors.upload(caller.owner, number("upload_id", request.upload_id))
        return pb.GetUploadResponse(upload=upload_message(upload))

    def list_uploads(
        self, caller: Caller, request: pb.ListUploadsRequest
    ) -> pb.ListUploadsResponse:
        page = self._authors.uploads(caller.owner, *paged(request))
        return pb.ListUploadsResponse(
            uploads=map(upload_message, page.items), next_page_token=page.next
        )

    async def follow_upload(
        self, caller: Caller, request: pb.FollowUploadRequest
    ) -> AsyncGenerator[pb.FollowUploadResponse, None]:
        wanted = number("upload_id", request.upload_id)
        told = None
        while True:
            upload = await self._run(self._authors.upload, caller.owner, wanted)
            message = upload_message(upload)
            # When it is thought to be done moves all the time: alone that is no news.
            news = pb.FollowUploadResponse(upload=message)
            news.upload.ClearField("expected_end_time")
            if news != told:
                told = news
                yield pb.FollowUploadResponse(upload=message)
            if upload.is_over:
                return
            await asyncio.sleep(self._pace.follow)

    def get_build_log(
        self, caller: Caller, request: pb.GetBuildLogRequest
    ) -> pb.GetBuildLogResponse:
        lines = self._authors.build_log(caller.owner, number("upload_id", request.upload_id))
        return pb.GetBuildLogResponse(lines=[several_lines(line, 4000) for line in lines])

    # -- bots -----------------------------------------------------------------------------------

    def create_entrant(
        self, caller: Caller, request: pb.CreateEntrantRequest
    ) -> pb.CreateEntrantResponse:
        entrant = self._authors.create_entrant(caller.owner, request.name)
        return pb.CreateEntrantResponse(entrant=entrant_message(entrant))

    def get_own_entrant(
        self, caller: Caller, request: pb.GetOwnEntrantRequest
    ) -> pb.GetOwnEntrantResponse:
        entrant, versions = self._authors.entrant(caller.owner, request.name)
        return pb.GetOwnEntrantResponse(
            entrant=entrant_message(entrant), versions=map(version_message, versions)
        )

    def list_own_entrants(
        self, caller: Caller, request: pb.ListOwnEntrantsRequest
    ) -> pb.ListOwnEntrantsResponse:
        page = self._authors.entrants(caller.owner, *paged(request))
        return pb.ListOwnEntrantsResponse(
            entrants=map(entrant_message, page.items), next_page_token=page.next
        )

    def pause_own_entrant(
        self, caller: Caller, request: pb.PauseOwnEntrantRequest
    ) -> pb.PauseOwnEntrantResponse:
        entrant = self._authors.pause(caller.owner, request.name)
        return pb.PauseOwnEntrantResponse(entrant=entrant_message(entrant))

    def resume_own_entrant(
        self, caller: Caller, request: pb.ResumeOwnEntrantRequest
    ) -> pb.ResumeOwnEntrantResponse:
        entrant = self._authors.resume(caller.owner, request.name)
        return pb.ResumeOwnEntrantResponse(entrant=entrant_message(entrant))

    def activate_version(
        self, caller: Caller, request: pb.ActivateVersionRequest
    ) -> pb.ActivateVersionResponse:
        entrant = self._authors.activate(caller.owner, request.name, request.ordinal)
        return pb.ActivateVersionResponse(entrant=entrant_message(entrant))

    # -- matches --------------------------------------------------------------------------------

    async def download_match_log(
        self, caller: Caller, request: pb.DownloadMatchLogRequest
    ) -> AsyncGenerator[pb.DownloadMatchLogResponse, None]:
        match = number("match_id", request.match_id)
        seat = request.seat if request.HasField("seat") else None
        file = await self._run(self._authors.match_log, caller.owner, match, seat)
        with closing(file):
            while piece := await self._run(file.read, PIECE):
                yield pb.DownloadMatchLogResponse(content=piece)

    def create_challenge(
        self, caller: Caller, request: pb.CreateChallengeRequest
    ) -> pb.CreateChallengeResponse:
        match = self._authors.challenge(
            caller.owner, request.name, tuple(request.opponent_ids), request.table
        )
        return pb.CreateChallengeResponse(match=match_message(match))
