"""`OperatorService`: what an operator may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import Message

from arena.tournament.verbs_operators import Operators
from arena.transport.auth import Access, Caller
from arena.transport.convert_entrants import entrant_message, upload_message, version_message
from arena.transport.convert_matches import match_message
from arena.transport.convert_owners import (
    TOKEN_KINDS,
    entry_message,
    owner_message,
    rebuild_message,
    setting_message,
    token_message,
)
from arena.transport.convert_values import millis
from arena.transport.services.methods import UNARY_LIMIT, Method, Service, Unary
from arena.transport.services.reading import number, paged
from millearena.v1 import operator_service_pb2 as pb

__all__ = ["operator_service"]

_LONG: Final = 900.0
"""Seconds: working out all ratings takes its time."""

_CREATES: Final = frozenset({"CreateOwner", "IssueToken"})
_LASTS: Final = frozenset({"AnnulMatch", "RebuildRatings"})


def operator_service(operators: Operators) -> Service:
    """The service over these deeds."""
    calls = _Calls(operators)
    answers: dict[str, Callable[[Caller, Any], Message]] = {
        "CreateOwner": calls.create_owner,
        "ListOwners": calls.list_owners,
        "SuspendOwner": calls.suspend_owner,
        "ReinstateOwner": calls.reinstate_owner,
        "IssueToken": calls.issue_token,
        "RevokeToken": calls.revoke_token,
        "ListTokens": calls.list_tokens,
        "PauseLadder": calls.pause_ladder,
        "ResumeLadder": calls.resume_ladder,
        "PauseEntrant": calls.pause_entrant,
        "ResumeEntrant": calls.resume_entrant,
        "QuarantineVersion": calls.quarantine_version,
        "ReleaseVersion": calls.release_version,
        "RerunMatch": calls.rerun_match,
        "VoidAttempt": calls.void_attempt,
        "CancelMatch": calls.cancel_match,
        "AnnulMatch": calls.annul_match,
        "RebuildRatings": calls.rebuild_ratings,
        "ListSetAsideMatches": calls.list_set_aside_matches,
        "ListSetAsideUploads": calls.list_set_aside_uploads,
        "RetryUpload": calls.retry_upload,
        "GetSettings": calls.get_settings,
        "ListAudit": calls.list_audit,
    }
    methods: dict[str, Method] = {
        name: Unary(
            access=Access.ADMIN,
            answer=answer,
            limit=_LONG if name in _LASTS else UNARY_LIMIT,
            creates=name in _CREATES,
        )
        for name, answer in answers.items()
    }
    return Service(pb.DESCRIPTOR.services_by_name["OperatorService"], methods)


class _Calls:
    def __init__(self, operators: Operators) -> None:
        self._operators = operators

    # -- owners and tokens ----------------------------------------------------------------------

    def create_owner(self, _: Caller, request: pb.CreateOwnerRequest) -> pb.CreateOwnerResponse:
        owner = self._operators.create_owner(request.name)
        return pb.CreateOwnerResponse(owner=owner_message(owner))

    def list_owners(self, _: Caller, request: pb.ListOwnersRequest) -> pb.ListOwnersResponse:
        page = self._operators.owners(*paged(request))
        return pb.ListOwnersResponse(
            owners=map(owner_message, page.items), next_page_token=page.next
        )

    def suspend_owner(self, _: Caller, request: pb.SuspendOwnerRequest) -> pb.SuspendOwnerResponse:
        owner = self._operators.suspend_owner(request.name, request.reason)
        return pb.SuspendOwnerResponse(owner=owner_message(owner))

    def reinstate_owner(
        self, _: Caller, request: pb.ReinstateOwnerRequest
    ) -> pb.ReinstateOwnerResponse:
        owner = self._operators.reinstate_owner(request.name)
        return pb.ReinstateOwnerResponse(owner=owner_message(owner))

    def issue_token(self, _: Caller, request: pb.IssueTokenRequest) -> pb.IssueTokenResponse:
        lifetime = millis(request.lifetime) if request.HasField("lifetime") else None
        text, token = self._operators.issue_token(
            TOKEN_KINDS.back(request.kind),
            request.owner,
            tuple(request.scopes),
            lifetime,
            request.note,
        )
        return pb.IssueTokenResponse(token=token_message(token), text=text)

    def revoke_token(self, _: Caller, request: pb.RevokeTokenRequest) -> pb.RevokeTokenResponse:
        token = self._operators.revoke_token(request.token_id)
        return pb.RevokeTokenResponse(token=token_message(token))

    def list_tokens(self, _: Caller, request: pb.ListTokensRequest) -> pb.ListTokensResponse:
        page = self._operators.tokens(request.owner, *paged(request))
        return pb.ListTokensResponse(
            tokens=map(token_message, page.items), next_page_token=page.next
        )

    # -- who plays ------------------------------------------------------------------------------

    def pause_ladder(self, _: Caller, request: pb.PauseLadderRequest) -> pb.PauseLadderResponse:
        self._operators.pause_ladder(request.reason)
        return pb.PauseLadderResponse()

    def resume_ladder(self, _: Caller, _request: pb.ResumeLadderRequest) -> pb.ResumeLadderResponse:
        self._operators.resume_ladder()
        return pb.ResumeLadderResponse()

    def pause_entrant(self, _: Caller, request: pb.PauseEntrantRequest) -> pb.PauseEntrantResponse:
        entrant = self._operators.pause_entrant(request.entrant_id, request.reason)
        return pb.PauseEntrantResponse(entrant=entrant_message(entrant))

    def resume_entrant(
        self, _: Caller, request: pb.ResumeEntrantRequest
    ) -> pb.ResumeEntrantResponse:
        entrant = self._operators.resume_entrant(request.entrant_id)
        return pb.ResumeEntrantResponse(entrant=entrant_message(entrant))

    def quarantine_version(
        self, _: Caller, request: pb.QuarantineVersionRequest
    ) -> pb.QuarantineVersionResponse:
        version = self._operators.quarantine_version(
            request.entrant_id, request.ordinal, request.reason
        )
        return pb.QuarantineVersionResponse(version=version_message(version))

    def release_version(
        self, _: Caller, request: pb.ReleaseVersionRequest
    ) -> pb.ReleaseVersionResponse:
        version = self._operators.release_version(request.entrant_id, request.ordinal)
        return pb.ReleaseVersionResponse(version=version_message(version))

    # -- matches and ratings --------------------------------------------------------------------

    def rerun_match(self, _: Caller, request: pb.RerunMatchRequest) -> pb.RerunMatchResponse:
        match = self._operators.rerun_match(number("match_id", request.match_id))
        return pb.RerunMatchResponse(match=match_message(match))

    def void_attempt(self, _: Caller, request: pb.VoidAttemptRequest) -> pb.VoidAttemptResponse:
        match = self._operators.void_attempt(number("match_id", request.match_id), request.reason)
        return pb.VoidAttemptResponse(match=match_message(match))

    def cancel_match(self, _: Caller, request: pb.CancelMatchRequest) -> pb.CancelMatchResponse:
        match = self._operators.cancel_match(number("match_id", request.match_id), request.reason)
        return pb.CancelMatchResponse(match=match_message(match))

    def annul_match(self, _: Caller, request: pb.AnnulMatchRequest) -> pb.AnnulMatchResponse:
        match, rebuilt = self._operators.annul_match(
            number("match_id", request.match_id), request.reason
        )
        return pb.AnnulMatchResponse(match=match_message(match), rebuild=rebuild_message(rebuilt))

    def rebuild_ratings(
        self, _: Caller, request: pb.RebuildRatingsRequest
    ) -> pb.RebuildRatingsResponse:
        rebuilt = self._operators.rebuild(check_only=request.check_only)
        return pb.RebuildRatingsResponse(rebuild=rebuild_message(rebuilt))

    def list_set_aside_matches(
        self, _: Caller, request: pb.ListSetAsideMatchesRequest
    ) -> pb.ListSetAsideMatchesResponse:
        page = self._operators.set_aside_matches(*paged(request))
        return pb.ListSetAsideMatchesResponse(
            matches=map(match_message, page.items), next_page_token=page.next
        )

    # -- uploads, settings, the log -------------------------------------------------------------

    def list_set_aside_uploads(
        self, _: Caller, request: pb.ListSetAsideUploadsRequest
    ) -> pb.ListSetAsideUploadsResponse:
        page = self._operators.set_aside_uploads(*paged(request))
        return pb.ListSetAsideUploadsResponse(
            uploads=map(upload_message, page.items), next_page_token=page.next
        )

    def retry_upload(self, _: Caller, request: pb.RetryUploadRequest) -> pb.RetryUploadResponse:
        upload = self._operators.retry_upload(number("upload_id", request.upload_id))
        return pb.RetryUploadResponse(upload=upload_message(upload))

    def get_settings(self, _: Caller, _request: pb.GetSettingsRequest) -> pb.GetSettingsResponse:
        return pb.GetSettingsResponse(settings=map(setting_message, self._operators.settings()))

    def list_audit(self, _: Caller, request: pb.ListAuditRequest) -> pb.ListAuditResponse:
        page = self._operators.audit(*paged(request))
        return pb.ListAuditResponse(
            entries=map(entry_message, page.items), next_page_token=page.next
        )
