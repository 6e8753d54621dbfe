"""`OrganiserService`: competitions as operators run them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from google.protobuf.message import Message

from arena.tournament.competition.lines import CompetitionInfo
from arena.tournament.verbs_competitions import OrganiserVerbs
from arena.transport.auth import Access, Caller
from arena.transport.convert_competitions import LEVELS, competition_message
from arena.transport.convert_matches import match_message
from arena.transport.services.competitions import page_of
from arena.transport.services.methods import UNARY_LIMIT, Method, Service, Unary
from arena.transport.services.reading import paged
from millearena.v1 import organiser_service_pb2 as pb

__all__ = ["organiser_service"]

Do = Callable[[OrganiserVerbs, str, Any], CompetitionInfo]

_LONG: Final = 120.0
"""Seconds: a large stage may begin with it."""

_DEEDS: Final[dict[str, Do]] = {
    "OpenCompetition": lambda do, who, it: do.open(it.competition_id, who),
    "FreezeCompetition": lambda do, who, it: do.freeze(it.competition_id, who),
    "MixCompetitionSeed": lambda do, who, it: do.mix(it.competition_id, who, it.public_value),
    "StartCompetition": lambda do, who, it: do.start(it.competition_id, who),
    "PauseCompetition": lambda do, who, it: do.pause(it.competition_id, who, it.reason),
    "ResumeCompetition": lambda do, who, it: do.resume(it.competition_id, who),
    "FinishCompetition": lambda do, who, it: do.finish(it.competition_id, who),
    "CancelCompetition": lambda do, who, it: do.cancel(it.competition_id, who, it.reason),
    "ReleaseCompetition": lambda do, who, it: do.release(
        it.competition_id, who, LEVELS.back(it.release_level)
    ),
    "AddCompetitionEntry": lambda do, who, it: do.add(it.competition_id, who, it.entrant_id),
    "WithdrawCompetitionEntry": lambda do, who, it: do.withdraw(
        it.competition_id, who, it.entrant_id, it.reason
    ),
    "DisqualifyCompetitionEntry": lambda do, who, it: do.disqualify(
        it.competition_id, who, it.entrant_id, it.reason
    ),
    "ReinstateCompetitionEntry": lambda do, who, it: do.reinstate(
        it.competition_id, who, it.entrant_id, it.reason
    ),
    "RerunCompetitionPairing": lambda do, who, it: do.rerun(
        it.competition_id, who, it.stage_number, it.pairing_key, it.reason
    ),
    "DecideCompetitionPairing": lambda do, who, it: do.decide(
        it.competition_id, who, it.stage_number, it.pairing_key, tuple(it.ranks), it.reason
    ),
}


def organiser_service(verbs: OrganiserVerbs) -> Service:
    """The service over these deeds."""
    calls = _Calls(verbs)
    methods: dict[str, Method] = {
        name: Unary(access=Access.ADMIN, answer=calls.doing(name), limit=_LONG) for name in _DEEDS
    }
    methods["AnnounceCompetition"] = Unary(access=Access.ADMIN, answer=calls.announce, creates=True)
    for name, answer in (
        ("ListCompetitionJournal", calls.list_journal),
        ("ListCompetitionMatches", calls.list_matches),
    ):
        methods[name] = Unary(access=Access.ADMIN, answer=answer, limit=UNARY_LIMIT)
    return Service(pb.DESCRIPTOR.services_by_name["OrganiserService"], methods)


class _Calls:
    def __init__(self, verbs: OrganiserVerbs) -> None:
        self._verbs = verbs

    def doing(self, name: str) -> Callable[[Caller, Any], Message]:
        """What answers the method of a deed."""
        do, response = _DEEDS[name], getattr(pb, f"{name}Response")

        def answer(caller: Caller, request: Any) -> Message:
            found = do(self._verbs, caller.shown, request)
            made: Message = response(competition=competition_message(found))
            return made

        return answer

    def announce(
        self, caller: Caller, request: pb.AnnounceCompetitionRequest
    ) -> pb.AnnounceCompetitionResponse:
        found = self._verbs.announce(request.regulations, caller.shown)
        return pb.AnnounceCompetitionResponse(competition=competition_message(found))

    def list_journal(
        self, _: Caller, request: pb.ListCompetitionJournalRequest
    ) -> pb.ListCompetitionJournalResponse:
        lines, after = page_of(self._verbs.journal(request.competition_id), request)
        return pb.ListCompetitionJournalResponse(lines=lines, next_page_token=after)

    def list_matches(
        self, _: Caller, request: pb.ListCompetitionMatchesRequest
    ) -> pb.ListCompetitionMatchesResponse:
        page = self._verbs.matches(request.competition_id, *paged(request))
        found = [
            pb.CompetitionMatch(match=match_message(match), pairing=pairing)
            for match, pairing in page.items
        ]
        return pb.ListCompetitionMatchesResponse(matches=found, next_page_token=page.next)
