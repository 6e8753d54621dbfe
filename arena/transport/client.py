"""A ladder's server as the command line sees it: calls that answer with values.

    with Client("127.0.0.1:7400", token) as client:
        upload = client.upload_version(path, request=new_request())
        for status in client.follow_upload(upload.number):
            ...

Everything raises `ServerError` (an InputError) for what is refused and `ServerFault` (a HostFault)
for a server that is not there or has a fault, each with one line for people. Lists come page by
page, as they are gone through.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from arena.errors import InputError
from arena.storage.facts import MatchKind, MatchState
from arena.tournament.answers import (
    LadderInfo,
    MatchSummary,
    PublicEntrant,
    PublicVersion,
    RatingChange,
    StandingLine,
    UploadStatus,
    Waiting,
    WhoAmI,
)
from arena.tournament.ladder.commentary import Frame
from arena.transport.client_competitions import Competitions
from arena.transport.client_operators import OperatorClient
from arena.transport.client_wire import Connected, ServerError, ServerFault
from arena.transport.convert_entrants import entrant, upload, version
from arena.transport.convert_ladder import change, frame, ladder, standing
from arena.transport.convert_matches import KINDS, STATES, match
from arena.transport.convert_values import moment
from millearena.v1 import bot_service_pb2 as bots
from millearena.v1 import ladder_service_pb2 as ladders
from millearena.v1 import record_service_pb2 as records
from millearena.v1.bot_service_pb2_grpc import BotServiceStub
from millearena.v1.ladder_service_pb2_grpc import LadderServiceStub
from millearena.v1.record_service_pb2_grpc import RecordServiceStub

__all__ = ["Client", "OperatorClient", "ServerError", "ServerFault"]

_CHUNK: Final = 64 * 1024
_UPLOAD: Final = 900.0
"""Seconds for an upload; the server's own limit is shorter."""


class Client(Connected):
    """For authors and everyone, at the public address; `token` may be empty for what is public."""

    def __init__(
        self,
        address: str,
        token: str = "",
        *,
        ca: Path | None = None,
        tls: bool | None = None,
        timeout: float = 30.0,
    ) -> None:
        super().__init__(address, token, ca=ca, tls=tls, timeout=timeout)
        self._ladder = LadderServiceStub(self._wire.channel)
        self._records = RecordServiceStub(self._wire.channel)
        self._bots = BotServiceStub(self._wire.channel)
        self.competitions = Competitions(self._wire)

    # -- everyone -------------------------------------------------------------------------------

    def ladder(self) -> LadderInfo:
        """What is played, and whether it is."""
        return ladder(self._wire.call(self._ladder.GetLadder, ladders.GetLadderRequest()))

    def standings(self) -> Iterator[StandingLine]:
        """The ladder, the best first."""
        request = ladders.ListStandingsRequest()
        return self._wire.pages(self._ladder.ListStandings, request, "standings", standing)

    def entrants(self, owner: str = "") -> Iterator[PublicEntrant]:
        """Entrants of an owner, or of all."""
        request = ladders.ListEntrantsRequest(owner=owner)
        return self._wire.pages(self._ladder.ListEntrants, request, "entrants", entrant)

    def entrant(self, title: str) -> PublicEntrant:
        """The entrant `OWNER/NAME`."""
        request = ladders.GetEntrantRequest(entrant_id=title)
        return entrant(self._wire.call(self._ladder.GetEntrant, request).entrant)

    def versions(self, title: str) -> Iterator[PublicVersion]:
        """An entrant's versions, the newest first."""
        request = ladders.ListVersionsRequest(entrant_id=title)
        return self._wire.pages(self._ladder.ListVersions, request, "versions", version)

    def rating_changes(self, title: str) -> Iterator[RatingChange]:
        """How an entrant's rating has moved, the latest first."""
        request = ladders.ListRatingChangesRequest(entrant_id=title)
        return self._wire.pages(self._ladder.ListRatingChanges, request, "changes", change)

    def explain_match(self, number: int) -> tuple[RatingChange, ...]:
        """How a match has moved the ratings of all who played."""
        request = ladders.ExplainMatchRequest(match_id=str(number))
        return tuple(map(change, self._wire.call(self._ladder.ExplainMatch, request).changes))

    def match(self, number: int) -> MatchSummary:
        """A match with its attempts."""
        request = records.GetMatchRequest(match_id=str(number))
        return match(self._wire.call(self._records.GetMatch, request).match)

    def matches(
        self,
        *,
        title: str = "",
        owner: str = "",
        state: MatchState | None = None,
        kind: MatchKind | None = None,
    ) -> Iterator[MatchSummary]:
        """Matches, the newest first, without their attempts."""
        request = records.ListMatchesRequest(
            entrant_id=title,
            owner=owner,
            state=None if state is None else STATES.to(state),
            kind=None if kind is None else KINDS.to(kind),
        )
        return self._wire.pages(self._records.ListMatches, request, "matches", match)

    def download_record(self, number: int, attempt: int = 0) -> Iterator[bytes]:
        """The record of an attempt, 0 for the one that counts; checked against its digest.

        Raises:
            ServerFault: what came is not what was announced.
        """
        request = records.DownloadRecordRequest(match_id=str(number), attempt=attempt)
        digest, found = "", hashlib.sha256()
        for piece in self._wire.stream(self._records.DownloadRecord, request):
            digest = digest or piece.digest
            found.update(piece.content)
            yield piece.content
        if found.hexdigest() != digest:
            raise ServerFault(
                f"record of match {number}: has the SHA-256 {found.hexdigest()}, and {digest} was "
                "announced; download it again"
            )

    def watch_match(self, number: int) -> Iterator[Frame | Waiting | MatchSummary]:
        """A match while it is played, with a delay; a MatchSummary is the last."""
        request = records.WatchMatchRequest(match_id=str(number))
        for news in self._wire.stream(self._records.WatchMatch, request):
            match news.WhichOneof("message"):
                case "frame":
                    yield frame(news.frame)
                case "waiting":
                    waiting = news.waiting
                    yield Waiting(why=waiting.reason, position=waiting.queue_position)
                case "over":
                    yield match(news.over)
                case _:
                    pass  # of a newer server

    # -- authors --------------------------------------------------------------------------------

    def who_am_i(self) -> WhoAmI:
        """Whose token this is, and what it may."""
        found = self._wire.call(self._bots.GetSelf, bots.GetSelfRequest())
        return WhoAmI(
            owner=found.owner,
            token=found.token_id,
            scopes=tuple(found.scopes),
            expires=moment(found.expire_time),
        )

    def create_entrant(self, name: str, *, request: str = "") -> PublicEntrant:
        """Take a name for a bot."""
        wanted = bots.CreateEntrantRequest(name=name, request_id=request or _request())
        return entrant(self._wire.call(self._bots.CreateEntrant, wanted).entrant)

    def upload_version(
        self,
        archive: Path,
        *,
        request: str = "",
        progress: Callable[[int, int], None] | None = None,
    ) -> UploadStatus:
        """Upload an archive; `progress` hears of bytes that are on their way, and of all.

        With the same `request` again it is the same upload.

        Raises:
            InputError: the file cannot be read.
        """
        requests = _upload_requests(archive, request or _request(), progress)
        answer = self._wire.send(self._bots.UploadVersion, requests, timeout=_UPLOAD)
        return upload(answer.upload)

    def upload(self, number: int) -> UploadStatus:
        """Where an upload is."""
        request = bots.GetUploadRequest(upload_id=str(number))
        return upload(self._wire.call(self._bots.GetUpload, request).upload)

    def uploads(self) -> Iterator[UploadStatus]:
        """The owner's uploads, the newest first."""
        request = bots.ListUploadsRequest()
        return self._wire.pages(self._bots.ListUploads, request, "uploads", upload)

    def follow_upload(self, number: int) -> Iterator[UploadStatus]:
        """An upload now, and whenever something changes, until it is over."""
        request = bots.FollowUploadRequest(upload_id=str(number))
        for answer in self._wire.stream(self._bots.FollowUpload, request):
            yield upload(answer.upload)

    def build_log(self, number: int) -> tuple[str, ...]:
        """What the build of an upload has written."""
        request = bots.GetBuildLogRequest(upload_id=str(number))
        return tuple(self._wire.call(self._bots.GetBuildLog, request).lines)

    def own_entrant(self, name: str) -> tuple[PublicEntrant, tuple[PublicVersion, ...]]:
        """One of the owner's bots, and its latest versions with the reasons for their states."""
        request = bots.GetOwnEntrantRequest(name=name)
        answer = self._wire.call(self._bots.GetOwnEntrant, request)
        return entrant(answer.entrant), tuple(map(version, answer.versions))

    def own_entrants(self) -> Iterator[PublicEntrant]:
        """The owner's bots."""
        request = bots.ListOwnEntrantsRequest()
        return self._wire.pages(self._bots.ListOwnEntrants, request, "entrants", entrant)

    def match_log(self, number: int, seat: int | None = None) -> Iterator[bytes]:
        """What the owner's bot in a seat has written in a match; None: in its first."""
        request = bots.DownloadMatchLogRequest(match_id=str(number), seat=seat)
        for piece in self._wire.stream(self._bots.DownloadMatchLog, request):
            yield piece.content

    def create_challenge(
        self, name: str, opponents: tuple[str, ...], *, table: str = "", request: str = ""
    ) -> MatchSummary:
        """Ask for a match against these `OWNER/NAME` that is not rated."""
        wanted = bots.CreateChallengeRequest(
            name=name, opponent_ids=opponents, table=table, request_id=request or _request()
        )
        return match(self._wire.call(self._bots.CreateChallenge, wanted).match)

    def pause(self, name: str) -> PublicEntrant:
        """Have one of the owner's bots begin no new matches."""
        request = bots.PauseOwnEntrantRequest(name=name)
        return entrant(self._wire.call(self._bots.PauseOwnEntrant, request).entrant)

    def resume(self, name: str) -> PublicEntrant:
        """Have it begin matches again."""
        request = bots.ResumeOwnEntrantRequest(name=name)
        return entrant(self._wire.call(self._bots.ResumeOwnEntrant, request).entrant)

    def activate(self, name: str, ordinal: int) -> PublicEntrant:
        """Have another version of it play."""
        request = bots.ActivateVersionRequest(name=name, ordinal=ordinal)
        return entrant(self._wire.call(self._bots.ActivateVersion, request).entrant)


def _request() -> str:
    return secrets.token_hex(16)


def _upload_requests(
    archive: Path, request: str, progress: Callable[[int, int], None] | None
) -> Iterator[bots.UploadVersionRequest]:
    """The messages of an upload; raises InputError before the first one."""
    try:
        with archive.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            length = file.tell()
    except OSError as error:
        raise InputError(f"{archive}: {error.strerror}") from None
    metadata = bots.UploadMetadata(length=length, digest=digest, request_id=request)
    return _pieces(archive, metadata, progress or _unheard)


def _pieces(
    archive: Path, metadata: bots.UploadMetadata, progress: Callable[[int, int], None]
) -> Iterator[bots.UploadVersionRequest]:
    yield bots.UploadVersionRequest(metadata=metadata)
    sent = 0
    with archive.open("rb") as file:
        while content := file.read(_CHUNK):
            sent += len(content)
            yield bots.UploadVersionRequest(chunk=bots.UploadChunk(content=content))
            progress(sent, metadata.length)


def _unheard(_sent: int, _all: int) -> None:
    """Who is told where nobody wants to know."""
