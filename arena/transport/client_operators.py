"""A ladder's server as its operator's command line sees it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.storage.facts import AuditEntry, Owner, Rebuilt, Token, TokenKind
from arena.tournament.answers import (
    MatchSummary,
    PublicEntrant,
    PublicVersion,
    SettingLine,
    UploadStatus,
)
from arena.transport.client_competitions import Competitions, Organising
from arena.transport.client_wire import Connected
from arena.transport.convert_entrants import entrant, upload, version
from arena.transport.convert_matches import match
from arena.transport.convert_owners import TOKEN_KINDS, entry, owner, rebuild, setting, token
from arena.transport.convert_values import duration_message
from millearena.v1 import operator_service_pb2 as pb
from millearena.v1.operator_service_pb2_grpc import OperatorServiceStub

__all__ = ["OperatorClient"]

_LONG: Final = 900.0
"""Seconds: working out all ratings takes its time."""


class OperatorClient(Connected):
    """For operators, at their own address, with an admin token; all else as `Client`."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        ca: Path | None = None,
        tls: bool | None = None,
        timeout: float = 30.0,
    ) -> None:
        super().__init__(address, token, ca=ca, tls=tls, timeout=timeout)
        self._stub = OperatorServiceStub(self._wire.channel)
        self.competitions = Competitions(self._wire)
        self.organising = Organising(self._wire)

    # -- owners and tokens ----------------------------------------------------------------------

    def create_owner(self, name: str, *, request: str = "") -> Owner:
        """Take in an owner; again: the same one."""
        wanted = pb.CreateOwnerRequest(name=name, request_id=request or _request())
        return owner(self._wire.call(self._stub.CreateOwner, wanted).owner)

    def owners(self) -> Iterator[Owner]:
        """All owners."""
        return self._wire.pages(self._stub.ListOwners, pb.ListOwnersRequest(), "owners", owner)

    def suspend_owner(self, name: str, why: str) -> Owner:
        """Let an owner do nothing."""
        request = pb.SuspendOwnerRequest(name=name, reason=why)
        return owner(self._wire.call(self._stub.SuspendOwner, request).owner)

    def reinstate_owner(self, name: str) -> Owner:
        """Take a suspension back."""
        request = pb.ReinstateOwnerRequest(name=name)
        return owner(self._wire.call(self._stub.ReinstateOwner, request).owner)

    def issue_token(
        self,
        kind: TokenKind,
        *,
        owner: str = "",
        scopes: tuple[str, ...] = (),
        lifetime_ms: int | None = None,
        note: str = "",
    ) -> tuple[str, Token]:
        """A token's text, which nobody can find out again, and what is kept of it."""
        request = pb.IssueTokenRequest(
            kind=TOKEN_KINDS.to(kind),
            owner=owner,
            scopes=scopes,
            lifetime=None if lifetime_ms is None else duration_message(lifetime_ms),
            note=note,
            request_id=_request(),
        )
        answer = self._wire.call(self._stub.IssueToken, request)
        return answer.text, token(answer.token)

    def revoke_token(self, public: str) -> Token:
        """Make a token worthless, for open streams within a minute."""
        request = pb.RevokeTokenRequest(token_id=public)
        return token(self._wire.call(self._stub.RevokeToken, request).token)

    def tokens(self, owner: str = "") -> Iterator[Token]:
        """The tokens of an owner, or all."""
        request = pb.ListTokensRequest(owner=owner)
        return self._wire.pages(self._stub.ListTokens, request, "tokens", token)

    # -- who plays ------------------------------------------------------------------------------

    def pause_ladder(self, why: str) -> None:
        """Begin no more matches."""
        self._wire.call(self._stub.PauseLadder, pb.PauseLadderRequest(reason=why))

    def resume_ladder(self) -> None:
        """Begin matches again."""
        self._wire.call(self._stub.ResumeLadder, pb.ResumeLadderRequest())

    def pause_entrant(self, title: str, why: str) -> PublicEntrant:
        """Begin no new matches with a bot."""
        request = pb.PauseEntrantRequest(entrant_id=title, reason=why)
        return entrant(self._wire.call(self._stub.PauseEntrant, request).entrant)

    def resume_entrant(self, title: str) -> PublicEntrant:
        """Begin matches with it again."""
        request = pb.ResumeEntrantRequest(entrant_id=title)
        return entrant(self._wire.call(self._stub.ResumeEntrant, request).entrant)

    def quarantine_version(self, title: str, ordinal: int, why: str) -> PublicVersion:
        """Take a version out."""
        request = pb.QuarantineVersionRequest(entrant_id=title, ordinal=ordinal, reason=why)
        return version(self._wire.call(self._stub.QuarantineVersion, request).version)

    def release_version(self, title: str, ordinal: int) -> PublicVersion:
        """Take a version out of quarantine or probation."""
        request = pb.ReleaseVersionRequest(entrant_id=title, ordinal=ordinal)
        return version(self._wire.call(self._stub.ReleaseVersion, request).version)

    # -- matches and ratings --------------------------------------------------------------------

    def rerun_match(self, number: int) -> MatchSummary:
        """Put a match that was set aside into the queue again."""
        request = pb.RerunMatchRequest(match_id=str(number))
        return match(self._wire.call(self._stub.RerunMatch, request).match)

    def void_attempt(self, number: int, why: str) -> MatchSummary:
        """Declare the attempt void that is being played."""
        request = pb.VoidAttemptRequest(match_id=str(number), reason=why)
        return match(self._wire.call(self._stub.VoidAttempt, request).match)

    def cancel_match(self, number: int, why: str) -> MatchSummary:
        """Let a match never be played."""
        request = pb.CancelMatchRequest(match_id=str(number), reason=why)
        return match(self._wire.call(self._stub.CancelMatch, request).match)

    def annul_match(self, number: int, why: str) -> tuple[MatchSummary, Rebuilt]:
        """Have a result not count; what a check of all ratings has found afterwards."""
        request = pb.AnnulMatchRequest(match_id=str(number), reason=why)
        answer = self._wire.call(self._stub.AnnulMatch, request, timeout=_LONG)
        return match(answer.match), rebuild(answer.rebuild)

    def rebuild_ratings(self, *, check_only: bool = False) -> Rebuilt:
        """Work out all ratings from the ledger."""
        request = pb.RebuildRatingsRequest(check_only=check_only)
        answer = self._wire.call(self._stub.RebuildRatings, request, timeout=_LONG)
        return rebuild(answer.rebuild)

    def set_aside_matches(self) -> Iterator[MatchSummary]:
        """Matches that a person has to look at, the newest first."""
        request = pb.ListSetAsideMatchesRequest()
        return self._wire.pages(self._stub.ListSetAsideMatches, request, "matches", match)

    # -- uploads, settings, the log -------------------------------------------------------------

    def set_aside_uploads(self) -> Iterator[UploadStatus]:
        """Uploads that a person has to look at, the newest first."""
        request = pb.ListSetAsideUploadsRequest()
        return self._wire.pages(self._stub.ListSetAsideUploads, request, "uploads", upload)

    def retry_upload(self, number: int) -> UploadStatus:
        """Put an upload that was set aside into the queue again."""
        request = pb.RetryUploadRequest(upload_id=str(number))
        return upload(self._wire.call(self._stub.RetryUpload, request).upload)

    def settings(self) -> tuple[SettingLine, ...]:
        """The settings in force."""
        answer = self._wire.call(self._stub.GetSettings, pb.GetSettingsRequest())
        return tuple(map(setting, answer.settings))

    def audit(self) -> Iterator[AuditEntry]:
        """What operators have done and what was not allowed, the latest first."""
        return self._wire.pages(self._stub.ListAudit, pb.ListAuditRequest(), "entries", entry)


def _request() -> str:
    return secrets.token_hex(16)
