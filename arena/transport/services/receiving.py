"""An upload as it comes: what is announced first, then bytes that are written aside at once.

It is kept when all of it has come and is what was announced. However it ends before that, nothing
of it is left.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from arena.errors import HostFault, SubmissionError
from arena.storage.failpoints import DURING_UPLOAD, reached
from arena.submissions.store import ArchiveStore
from arena.submissions.store import Upload as Incoming
from arena.tournament.answers import UploadStatus
from arena.tournament.refusals import Invalid, OverQuota, TooSlow
from arena.tournament.verbs_authors import Authors, NewUpload
from arena.transport.services.records import Run
from arena.transport.services.remembered import checked_request_id
from millearena.v1 import bot_service_pb2 as pb

__all__ = ["Receiving", "UploadLimits"]

T = TypeVar("T")

_MOST_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadLimits:
    """What a slow upload may cost.

    Attributes:
        idle: Seconds without a message.
        total: Seconds from the first message to the last.
        at_once: Uploads of one owner that come at the same time.
    """

    idle: float = 30.0
    total: float = 600.0
    at_once: int = 2


class Receiving:
    """The uploads that come in; belongs to an event loop. `run` does in a thread what blocks."""

    def __init__(
        self,
        authors: Authors,
        archives: ArchiveStore,
        run: Run,
        limits: UploadLimits = UploadLimits(),
    ) -> None:
        self._authors = authors
        self._archives = archives
        self._run = run
        self._limits = limits
        self._coming: dict[str, int] = {}

    async def receive(self, owner: str, requests: AsyncIterator[Any]) -> UploadStatus:
        """Take in an upload.

        Raises:
            Invalid, SubmissionError: it is not what was announced, or too much.
            OverQuota: too many come at once, or have come.
            TooSlow: it takes too long.
        """
        if self._coming.get(owner, 0) >= self._limits.at_once:
            raise OverQuota(
                "QUOTA_QUEUE",
                f"{self._limits.at_once} uploads of yours are coming in; wait for one",
                most=self._limits.at_once,
            )
        self._coming[owner] = self._coming.get(owner, 0) + 1
        try:
            async with asyncio.timeout(self._limits.total):
                return await self._received(owner, requests)
        except TimeoutError:
            raise TooSlow(
                "UPLOAD_TOO_SLOW",
                f"the upload has taken more than {self._limits.total:g} s, or sent nothing for "
                f"{self._limits.idle:g} s; nothing of it was kept",
            ) from None
        finally:
            self._coming[owner] -= 1
            if not self._coming[owner]:
                del self._coming[owner]

    async def _received(self, owner: str, requests: AsyncIterator[Any]) -> UploadStatus:
        metadata = await self._metadata(requests)
        request = checked_request_id(metadata.request_id)
        known = await self._run(
            self._authors.admit_upload, owner, request, metadata.digest, metadata.length
        )
        if known is not None:
            status: UploadStatus = await self._run(self._authors.shown_upload, known)
            return status
        return await self._store(owner, requests, metadata)

    async def _metadata(self, requests: AsyncIterator[Any]) -> pb.UploadMetadata:
        first = await self._next(requests)
        if first is None or first.WhichOneof("message") != "metadata":
            raise Invalid("message", "the first message of an upload must be metadata")
        metadata: pb.UploadMetadata = first.metadata
        return metadata

    async def _store(
        self, owner: str, requests: AsyncIterator[Any], metadata: pb.UploadMetadata
    ) -> UploadStatus:
        length, digest = metadata.length, metadata.digest
        with self._archives.receive() as upload:
            await self._bytes(owner, requests, upload, length)

            def keep() -> None:
                try:
                    upload.keep(length=length, digest=digest)
                except SubmissionError:
                    self._authors.note_spoilt(owner)
                    raise

            new = NewUpload(request=metadata.request_id, archive=digest, length=length)
            # Stored and in the queue, or neither, even if the caller goes away now.
            return await self._whole(self._run(self._authors.add_upload, owner, new, keep))

    async def _bytes(
        self, owner: str, requests: AsyncIterator[Any], upload: Incoming, length: int
    ) -> None:
        """Write aside what comes; what ends before the end has cost its owner an upload."""
        come = 0
        try:
            while (message := await self._next(requests)) is not None:
                if message.WhichOneof("message") != "chunk":
                    raise Invalid("message", "after metadata an upload consists of chunks")
                content = message.chunk.content
                come += len(content)
                _check_chunk(len(content), come, length)
                await self._whole(self._run(upload.write, content))
                reached(DURING_UPLOAD)
        except BaseException as error:
            if come and not isinstance(error, HostFault | OverQuota):
                self._authors.note_spoilt(owner)
            raise

    async def _whole(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a thread to the end, also if nobody wants it any more: it uses the file."""
        task = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])
            task.cancelled() or task.exception()  # nobody is left who would want to know
            raise

    async def _next(self, requests: AsyncIterator[Any]) -> pb.UploadVersionRequest | None:
        async with asyncio.timeout(self._limits.idle):
            message: pb.UploadVersionRequest | None = await anext(requests, None)
            return message


def _check_chunk(size: int, come: int, announced: int) -> None:
    if not 0 < size <= _MOST_CHUNK:
        raise Invalid("chunk", f"{size} bytes: must be 1 to {_MOST_CHUNK}")
    if come > announced:
        raise Invalid("chunk", f"more than the {announced} bytes that were announced", "BAD_UPLOAD")
