"""Matches as messages, and back. Seeds and records stay here until a match is over."""

from __future__ import annotations

from typing import Final

from arena.storage.facts import AttemptState, MatchKind, MatchState
from arena.tournament.answers import (
    MatchSummary,
    PublicAttempt,
    PublicResult,
    PublicSeat,
    PublicSeatResult,
)
from arena.transport.convert_values import (
    Names,
    document,
    document_text,
    moment,
    moment_or_none,
    timestamp,
)
from arena.transport.texts import one_line
from millearena.v1 import matches_pb2 as pb

__all__ = ["KINDS", "STATES", "match", "match_message"]

KINDS: Final = Names(pb.MatchKind, "MATCH_KIND", MatchKind)
STATES: Final = Names(pb.MatchState, "MATCH_STATE", MatchState, {MatchState.LEASED: "RUNNING"})
_ATTEMPTS: Final = Names(
    pb.AttemptState, "ATTEMPT_STATE", AttemptState, {AttemptState.LEASED: "RUNNING"}
)


def match_message(value: MatchSummary) -> pb.Match:
    """A match as a message."""
    return pb.Match(
        match_id=str(value.number),
        kind=KINDS.to(value.kind),
        table=one_line(value.table),
        state=STATES.to(value.state),
        create_time=timestamp(value.created),
        seats=[
            pb.MatchSeat(
                entrant_id=one_line(seat.title),
                ordinal=seat.ordinal,
                label=one_line(seat.label),
                version_digest=seat.digest,
            )
            for seat in value.seats
        ],
        teams=[pb.MatchTeam(seats=team) for team in value.teams],
        terms_json=document_text(value.terms),
        requested_by=one_line(value.requested_by),
        cause=one_line(value.cause),
        reason=one_line(value.why),
        queue_position=value.position or None,
        expected_end_time=timestamp(value.expected),
        attempts=[_attempt_message(one, is_over=value.is_over) for one in value.attempts],
        result=None if value.result is None else _result_message(value.result),
        competition_id=value.competition,
    )


def match(message: pb.Match) -> MatchSummary:
    """The match of a message."""
    return MatchSummary(
        number=int(message.match_id),
        kind=KINDS.back(message.kind),
        table=message.table,
        state=STATES.back(message.state),
        created=moment(message.create_time),
        seats=tuple(
            PublicSeat(
                title=seat.entrant_id,
                ordinal=seat.ordinal,
                label=seat.label,
                digest=seat.version_digest,
            )
            for seat in message.seats
        ),
        teams=tuple(tuple(team.seats) for team in message.teams),
        terms=document(message.terms_json),
        requested_by=message.requested_by,
        cause=message.cause,
        why=message.reason,
        position=message.queue_position,
        expected=moment_or_none(message, "expected_end_time"),
        attempts=tuple(map(_attempt, message.attempts)),
        result=_result(message.result) if message.HasField("result") else None,
        competition=message.competition_id,
    )


def _attempt_message(value: PublicAttempt, *, is_over: bool) -> pb.Attempt:
    return pb.Attempt(
        number=value.number,
        state=_ATTEMPTS.to(value.state),
        worker=one_line(value.worker),
        commitment=value.commitment,
        # The values have neither before that; here it is made sure of.
        seed=value.seed if is_over else "",
        record_digest=value.record if is_over else "",
        start_time=timestamp(value.started),
        end_time=timestamp(value.ended),
        reason=one_line(value.why),
    )


def _attempt(message: pb.Attempt) -> PublicAttempt:
    return PublicAttempt(
        number=message.number,
        state=_ATTEMPTS.back(message.state),
        worker=message.worker,
        commitment=message.commitment,
        seed=message.seed,
        started=moment(message.start_time),
        ended=moment_or_none(message, "end_time"),
        why=message.reason,
        record=message.record_digest,
    )


def _result_message(value: PublicResult) -> pb.MatchResult:
    return pb.MatchResult(
        attempt=value.attempt,
        verdict=f"VERDICT_{value.verdict}",
        reason=one_line(value.why),
        ranks=value.ranks,
        seats=[
            pb.SeatResult(
                points=seat.points,
                wins=seat.wins,
                shares=seat.shares,
                forfeit=one_line(seat.forfeit),
                forfeit_detail=one_line(seat.detail),
                tally_json=document_text(seat.tally),
            )
            for seat in value.seats
        ],
        game_count=value.games,
        record_digest=value.record,
        record_head=value.head,
        start_time=timestamp(value.started),
        end_time=timestamp(value.ended),
        entry=value.entry,
        annulled=one_line(value.annulled),
    )


def _result(message: pb.MatchResult) -> PublicResult:
    return PublicResult(
        attempt=message.attempt,
        verdict=pb.Verdict.Name(message.verdict).removeprefix("VERDICT_"),
        why=message.reason,
        ranks=tuple(message.ranks),
        seats=tuple(
            PublicSeatResult(
                points=seat.points,
                wins=seat.wins,
                shares=seat.shares,
                forfeit=seat.forfeit,
                detail=seat.forfeit_detail,
                tally=document(seat.tally_json),
            )
            for seat in message.seats
        ),
        games=message.game_count,
        record=message.record_digest,
        head=message.record_head,
        started=moment(message.start_time),
        ended=moment(message.end_time),
        entry=message.entry if message.HasField("entry") else None,
        annulled=message.annulled,
    )
