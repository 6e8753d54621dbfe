"""Entrants, versions and uploads as messages, and back."""

from __future__ import annotations

from typing import Final

from arena.storage.facts import UploadState, VersionState
from arena.tournament.answers import PublicEntrant, PublicVersion, UploadStatus
from arena.transport.convert_values import (
    Names,
    document,
    document_text,
    moment,
    moment_or_none,
    rating,
    rating_message,
    timestamp,
)
from arena.transport.texts import one_line, several_lines
from millearena.v1 import entrants_pb2 as pb

__all__ = [
    "entrant",
    "entrant_message",
    "upload",
    "upload_message",
    "version",
    "version_message",
]

_VERSION_STATES: Final = Names(pb.VersionState, "VERSION_STATE", VersionState)
_UPLOAD_STATES: Final = Names(pb.UploadState, "UPLOAD_STATE", UploadState)


def entrant_message(value: PublicEntrant) -> pb.Entrant:
    """An entrant as a message."""
    return pb.Entrant(
        entrant_id=one_line(value.title),
        owner=one_line(value.owner),
        name=one_line(value.name),
        create_time=timestamp(value.created),
        rating=rating_message(value.rating),
        match_count=value.matches,
        active_ordinal=value.active,
        paused=value.is_paused,
        pause_reason=one_line(value.why_paused),
    )


def entrant(message: pb.Entrant) -> PublicEntrant:
    """The entrant of a message."""
    return PublicEntrant(
        title=message.entrant_id,
        owner=message.owner,
        name=message.name,
        created=moment(message.create_time),
        rating=rating(message.rating),
        matches=message.match_count,
        active=message.active_ordinal if message.HasField("active_ordinal") else None,
        is_paused=message.paused,
        why_paused=message.pause_reason,
    )


def version_message(value: PublicVersion) -> pb.Version:
    """A version as a message."""
    return pb.Version(
        entrant_id=one_line(value.title),
        ordinal=value.ordinal,
        label=one_line(value.label),
        digest=value.digest,
        create_time=timestamp(value.created),
        state=_VERSION_STATES.to(value.state),
        reason=one_line(value.why),
        player_counts=value.players,
        rule_sets=[one_line(name) for name in value.rulesets],
        match_count=value.matches,
        forfeit_count=value.forfeits,
        void_count=value.voids,
    )


def version(message: pb.Version) -> PublicVersion:
    """The version of a message."""
    return PublicVersion(
        title=message.entrant_id,
        ordinal=message.ordinal,
        label=message.label,
        digest=message.digest,
        created=moment(message.create_time),
        state=_VERSION_STATES.back(message.state),
        why=message.reason,
        players=tuple(message.player_counts),
        rulesets=tuple(message.rule_sets),
        matches=message.match_count,
        forfeits=message.forfeit_count,
        voids=message.void_count,
    )


def upload_message(value: UploadStatus) -> pb.Upload:
    """An upload as a message."""
    return pb.Upload(
        upload_id=str(value.number),
        owner=one_line(value.owner),
        archive_digest=value.archive,
        length=value.length,
        state=_UPLOAD_STATES.to(value.state),
        step=one_line(value.step),
        queue_position=value.position or None,
        create_time=timestamp(value.created),
        start_time=timestamp(value.started),
        end_time=timestamp(value.ended),
        expected_end_time=timestamp(value.expected),
        waiting_for=one_line(value.waiting_for),
        entrant_name=one_line(value.bot),
        steps=[
            pb.UploadStep(name=one_line(name), text=one_line(text)) for name, text in value.told
        ],
        reasons=[several_lines(why, 4000) for why in value.why],
        version_ordinal=value.ordinal,
        report_json="" if value.report is None else document_text(value.report),
    )


def upload(message: pb.Upload) -> UploadStatus:
    """The upload of a message."""
    return UploadStatus(
        number=int(message.upload_id),
        owner=message.owner,
        archive=message.archive_digest,
        length=message.length,
        state=_UPLOAD_STATES.back(message.state),
        step=message.step,
        position=message.queue_position,
        created=moment(message.create_time),
        started=moment_or_none(message, "start_time"),
        ended=moment_or_none(message, "end_time"),
        expected=moment_or_none(message, "expected_end_time"),
        waiting_for=message.waiting_for,
        bot=message.entrant_name,
        told=tuple((step.name, step.text) for step in message.steps),
        why=tuple(message.reasons),
        ordinal=message.version_ordinal if message.HasField("version_ordinal") else None,
        report=document(message.report_json),
    )
