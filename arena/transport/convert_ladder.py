"""The ladder, its changes, and frames of a match that is watched, as messages, and back."""

from __future__ import annotations

from typing import Final

from arena.storage.facts import EntryKind
from arena.tournament.answers import (
    Absence,
    LadderInfo,
    PublicTableInfo,
    RatingChange,
    StandingLine,
)
from arena.tournament.ladder.commentary import Frame, FrameKind, PublicTable
from arena.transport.convert_values import (
    Names,
    duration_message,
    moment,
    rating,
    rating_message,
    timestamp,
)
from arena.transport.texts import one_line
from millearena.v1 import ladder_service_pb2, ratings_pb2, record_service_pb2

__all__ = [
    "change",
    "change_message",
    "frame",
    "frame_message",
    "ladder",
    "ladder_message",
    "standing",
    "standing_message",
]

_ABSENCES: Final = Names(
    ratings_pb2.AbsenceReason, "ABSENCE_REASON", Absence, {Absence.NONE: "UNSPECIFIED"}
)
_CHANGES: Final = Names(ratings_pb2.RatingChangeKind, "RATING_CHANGE_KIND", EntryKind)
_FRAMES: Final = Names(record_service_pb2.MatchFrameKind, "MATCH_FRAME_KIND", FrameKind)


def ladder_message(value: LadderInfo) -> ladder_service_pb2.GetLadderResponse:
    """What is played, as a message."""
    tables = [
        ladder_service_pb2.LadderTable(
            name=one_line(one.name), rule_set=one_line(one.ruleset), player_count=one.players
        )
        for one in value.tables
    ]
    return ladder_service_pb2.GetLadderResponse(
        tables=tables,
        pause_reason=one_line(value.paused),
        server_version=value.server_version,
    )


def ladder(message: ladder_service_pb2.GetLadderResponse) -> LadderInfo:
    """What is played, from a message."""
    tables = tuple(
        PublicTableInfo(name=one.name, ruleset=one.rule_set, players=one.player_count)
        for one in message.tables
    )
    return LadderInfo(
        tables=tables, paused=message.pause_reason, server_version=message.server_version
    )


def standing_message(value: StandingLine) -> ratings_pb2.Standing:
    """A line of the ladder as a message."""
    return ratings_pb2.Standing(
        place=value.place,
        entrant_id=one_line(value.title),
        label=one_line(value.label),
        rating=rating_message(value.rating),
        match_count=value.matches,
        absence=_ABSENCES.to(value.absence),
    )


def standing(message: ratings_pb2.Standing) -> StandingLine:
    """The line of a message."""
    return StandingLine(
        place=message.place,
        title=message.entrant_id,
        label=message.label,
        rating=rating(message.rating),
        matches=message.match_count,
        absence=_ABSENCES.back(message.absence),
    )


def change_message(value: RatingChange) -> ratings_pb2.RatingChange:
    """A change of a rating as a message."""
    return ratings_pb2.RatingChange(
        entry=value.entry,
        kind=_CHANGES.to(value.kind),
        time=timestamp(value.at),
        entrant_id=one_line(value.title),
        ordinal=value.ordinal,
        match_id="" if value.match is None else str(value.match),
        before=rating_message(value.before),
        after=rating_message(value.after),
        expected=value.expected,
        actual=value.actual,
        rank=value.rank,
    )


def change(message: ratings_pb2.RatingChange) -> RatingChange:
    """The change of a message."""
    return RatingChange(
        entry=message.entry,
        kind=_CHANGES.back(message.kind),
        at=moment(message.time),
        title=message.entrant_id,
        ordinal=message.ordinal,
        match=int(message.match_id) if message.match_id else None,
        before=rating(message.before),
        after=rating(message.after),
        expected=message.expected if message.HasField("expected") else None,
        actual=message.actual if message.HasField("actual") else None,
        rank=message.rank if message.HasField("rank") else None,
    )


def frame_message(value: Frame) -> record_service_pb2.MatchFrame:
    """What everybody sees of a table, as a message."""
    return record_service_pb2.MatchFrame(
        number=value.number,
        since_start=duration_message(value.second * 1000),
        kind=_FRAMES.to(value.kind),
        game_number=value.game,
        game_count=value.games,
        hand_number=value.hand,
        bots=value.bots,
        events=value.events,
        turn_seat=None if value.turn < 0 else value.turn,
        tables=[
            record_service_pb2.PublicTable(
                km=table.km,
                battle_pile=table.battle,
                speed_pile=table.speed,
                safeties=table.safeties,
                coups_fourres=table.coups_fourres,
            )
            for table in value.tables
        ],
        hand_sizes=value.sizes,
        draw_count=value.draw_count,
        discard=value.discard,
        totals=value.totals,
        winner_team=None if value.winner < 0 else value.winner,
        forfeiting_bot=None if value.bot < 0 else value.bot,
        fault=one_line(value.note),
    )


def frame(message: record_service_pb2.MatchFrame) -> Frame:
    """The frame of a message."""
    return Frame(
        number=message.number,
        second=message.since_start.seconds,
        kind=_FRAMES.back(message.kind),
        game=message.game_number,
        games=message.game_count,
        hand=message.hand_number,
        bots=tuple(message.bots),
        events=tuple(message.events),
        turn=message.turn_seat if message.HasField("turn_seat") else -1,
        tables=tuple(
            PublicTable(
                km=table.km,
                battle=tuple(table.battle_pile),
                speed=tuple(table.speed_pile),
                safeties=tuple(table.safeties),
                coups_fourres=tuple(table.coups_fourres),
            )
            for table in message.tables
        ),
        sizes=tuple(message.hand_sizes),
        draw_count=message.draw_count,
        discard=message.discard,
        totals=tuple(message.totals),
        winner=message.winner_team if message.HasField("winner_team") else -1,
        note=message.fault,
        bot=message.forfeiting_bot if message.HasField("forfeiting_bot") else -1,
    )
