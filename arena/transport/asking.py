"""Asks a ladder's server for single pages, as fast as it answers: the visitor in a bench."""

from __future__ import annotations

from arena.transport.client_wire import Connected
from millearena.v1 import ladder_service_pb2 as ladders
from millearena.v1 import record_service_pb2 as records
from millearena.v1.ladder_service_pb2_grpc import LadderServiceStub
from millearena.v1.record_service_pb2_grpc import RecordServiceStub

__all__ = ["Asker"]


class Asker(Connected):
    """A connection to a server's public address, without a token.

    Every method returns when the answer is here, and raises as `Client` does.
    """

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._ladder = LadderServiceStub(self._wire.channel)
        self._records = RecordServiceStub(self._wire.channel)

    def standings(self, size: int, token: str) -> str:
        """A page of the ladder; the token of the next one."""
        request = ladders.ListStandingsRequest(page_size=size, page_token=token)
        return str(self._wire.call(self._ladder.ListStandings, request).next_page_token)

    def matches(self, title: str, size: int) -> int:
        """The newest matches of the entrant `OWNER/NAME`; how many came."""
        request = records.ListMatchesRequest(entrant_id=title, page_size=size)
        return len(self._wire.call(self._records.ListMatches, request).matches)

    def explained(self, number: int) -> int:
        """A match and how it has moved ratings; how many it has moved."""
        self._wire.call(self._records.GetMatch, records.GetMatchRequest(match_id=str(number)))
        request = ladders.ExplainMatchRequest(match_id=str(number))
        return len(self._wire.call(self._ladder.ExplainMatch, request).changes)
