"""`LadderService`: the ladder, for everyone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import Message

from arena.tournament.verbs_public import Public
from arena.transport.auth import Access, Caller
from arena.transport.convert_entrants import entrant_message, version_message
from arena.transport.convert_ladder import change_message, ladder_message, standing_message
from arena.transport.services.methods import Method, Service, Unary
from arena.transport.services.reading import number, paged
from millearena.v1 import ladder_service_pb2 as pb

__all__ = ["ladder_service"]


def ladder_service(public: Public) -> Service:
    """The service over these answers."""
    calls = _Calls(public)
    answers: dict[str, Callable[[Caller, Any], Message]] = {
        "GetLadder": calls.get_ladder,
        "ListStandings": calls.list_standings,
        "ListEntrants": calls.list_entrants,
        "GetEntrant": calls.get_entrant,
        "ListVersions": calls.list_versions,
        "ListRatingChanges": calls.list_rating_changes,
        "ExplainMatch": calls.explain_match,
    }
    methods: dict[str, Method] = {
        name: Unary(access=Access.EVERYONE, answer=answer) for name, answer in answers.items()
    }
    return Service(pb.DESCRIPTOR.services_by_name["LadderService"], methods)


class _Calls:
    def __init__(self, public: Public) -> None:
        self._public = public

    def get_ladder(self, _caller: Caller, _request: pb.GetLadderRequest) -> pb.GetLadderResponse:
        return ladder_message(self._public.ladder())

    def list_standings(
        self, _caller: Caller, request: pb.ListStandingsRequest
    ) -> pb.ListStandingsResponse:
        page = self._public.standings(*paged(request))
        return pb.ListStandingsResponse(
            standings=map(standing_message, page.items), next_page_token=page.next
        )

    def list_entrants(
        self, _caller: Caller, request: pb.ListEntrantsRequest
    ) -> pb.ListEntrantsResponse:
        page = self._public.entrants(request.owner, *paged(request))
        return pb.ListEntrantsResponse(
            entrants=map(entrant_message, page.items), next_page_token=page.next
        )

    def get_entrant(self, _caller: Caller, request: pb.GetEntrantRequest) -> pb.GetEntrantResponse:
        return pb.GetEntrantResponse(
            entrant=entrant_message(self._public.entrant(request.entrant_id))
        )

    def list_versions(
        self, _caller: Caller, request: pb.ListVersionsRequest
    ) -> pb.ListVersionsResponse:
        page = self._public.versions(request.entrant_id, *paged(request))
        return pb.ListVersionsResponse(
            versions=map(version_message, page.items), next_page_token=page.next
        )

    def list_rating_changes(
        self, _caller: Caller, request: pb.ListRatingChangesRequest
    ) -> pb.ListRatingChangesResponse:
        page = self._public.rating_changes(request.entrant_id, *paged(request))
        return pb.ListRatingChangesResponse(
            changes=map(change_message, page.items), next_page_token=page.next
        )

    def explain_match(
        self, _caller: Caller, request: pb.ExplainMatchRequest
    ) -> pb.ExplainMatchResponse:
        changes = self._public.explain(number("match_id", request.match_id))
        return pb.ExplainMatchResponse(changes=map(change_message, changes))
