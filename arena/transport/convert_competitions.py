"""Competitions as messages, and back."""

from __future__ import annotations

from typing import Any, Final

from arena.formats.story import Way
from arena.storage.facts import Level
from arena.tournament.competition.lines import (
    CompetitionInfo,
    EntryLine,
    EntryState,
    NoteLine,
    PairingLine,
    PairingState,
    StageInfo,
    TableLine,
)
from arena.tournament.competition.phase import Phase
from arena.transport.convert_values import Names, moment, moment_or_none, timestamp
from arena.transport.texts import one_line
from millearena.v1 import competitions_pb2 as pb

__all__ = [
    "LEVELS",
    "competition",
    "competition_message",
    "competition_note",
    "entry",
    "entry_message",
    "note_message",
    "pairing",
    "pairing_message",
    "row",
    "row_message",
    "stage",
    "stage_message",
]

LEVELS: Final = Names(pb.ReleaseLevel, "RELEASE_LEVEL", Level)
_PHASES: Final = Names(pb.CompetitionPhase, "COMPETITION_PHASE", Phase)
_ENTRIES: Final = Names(pb.CompetitionEntryState, "COMPETITION_ENTRY_STATE", EntryState)
_PAIRINGS: Final = Names(pb.CompetitionPairingState, "COMPETITION_PAIRING_STATE", PairingState)
_WAYS: Final = Names(pb.ScoreWay, "SCORE_WAY", Way)


def competition_message(value: CompetitionInfo) -> pb.Competition:
    """A competition as a message."""
    return pb.Competition(
        competition_id=value.name,
        title=one_line(value.title),
        phase=_PHASES.to(value.phase),
        release_level=LEVELS.to(value.level),
        visible=value.is_visible,
        played=value.is_played,
        entry_count=value.entries,
        stage_count=value.stages,
        regulations=value.text,
        commitment=value.commitment,
        secret_seed=value.secret,
        public_value_name=one_line(value.public_value),
        public_value=one_line(value.mixed),
        open_time=timestamp(value.opens),
        freeze_time=timestamp(value.freeze),
        start_time=timestamp(value.start),
        release_time=timestamp(value.release),
        reason=one_line(value.why),
        journal_length=value.length,
        journal_head=value.head,
    )


def competition(message: pb.Competition) -> CompetitionInfo:
    """The competition of a message."""
    return CompetitionInfo(
        name=message.competition_id,
        title=message.title,
        phase=_PHASES.back(message.phase),
        level=LEVELS.back(message.release_level),
        is_visible=message.visible,
        is_played=message.played,
        entries=message.entry_count,
        stages=message.stage_count,
        text=message.regulations,
        commitment=message.commitment,
        secret=message.secret_seed,
        public_value=message.public_value_name,
        mixed=message.public_value,
        opens=moment_or_none(message, "open_time"),
        freeze=moment_or_none(message, "freeze_time"),
        start=moment_or_none(message, "start_time"),
        release=moment_or_none(message, "release_time"),
        why=message.reason,
        length=message.journal_length,
        head=message.journal_head,
    )


def entry_message(value: EntryLine) -> pb.CompetitionEntry:
    """An entry as a message."""
    return pb.CompetitionEntry(
        entrant_id=one_line(value.title),
        state=_ENTRIES.to(value.state),
        group=one_line(value.group),
        ordinal=value.ordinal,
        version_digest=value.digest,
        reason=one_line(value.why),
    )


def entry(message: pb.CompetitionEntry) -> EntryLine:
    """The entry of a message."""
    return EntryLine(
        title=message.entrant_id,
        state=_ENTRIES.back(message.state),
        group=message.group,
        ordinal=message.ordinal,
        digest=message.version_digest,
        why=message.reason,
    )


def stage_message(value: StageInfo) -> pb.CompetitionStage:
    """A stage as a message."""
    return pb.CompetitionStage(
        number=value.number,
        name=one_line(value.name),
        format=value.format,
        begun=value.is_begun,
        over=value.is_over,
        entry_count=value.entries,
        pairing_count=value.pairings,
        decided_count=value.decided,
    )


def stage(message: pb.CompetitionStage) -> StageInfo:
    """The stage of a message."""
    return StageInfo(
        number=message.number,
        name=message.name,
        format=message.format,
        is_begun=message.begun,
        is_over=message.over,
        entries=message.entry_count,
        pairings=message.pairing_count,
        decided=message.decided_count,
    )


def row_message(value: TableLine) -> pb.CompetitionRow:
    """A line of a table as a message."""
    return pb.CompetitionRow(
        place=value.place,
        entrant_id=one_line(value.title),
        group=one_line(value.group),
        played_count=value.played,
        points=value.points,
        tie_breaks=[pb.TieBreakValue(name=name, value=shown) for name, shown in value.breaks],
        note=one_line(value.note),
    )


def row(message: pb.CompetitionRow) -> TableLine:
    """The line of a message."""
    return TableLine(
        place=message.place,
        title=message.entrant_id,
        group=message.group,
        played=message.played_count,
        points=message.points,
        breaks=tuple((one.name, one.value) for one in message.tie_breaks),
        note=message.note,
    )


def pairing_message(value: PairingLine) -> pb.CompetitionPairing:
    """A pairing as a message."""
    teams = []
    for number, titles in enumerate(value.teams):
        team = pb.CompetitionTeam(entrant_ids=map(one_line, titles))
        if value.ranks:
            team.rank = value.ranks[number]
            team.board_points = value.boards[number]
            team.fault_count = value.faults[number]
        teams.append(team)
    return pb.CompetitionPairing(
        pairing_key=value.key,
        round_number=value.round,
        title=one_line(value.title),
        teams=teams,
        state=_PAIRINGS.to(value.state),
        run=value.run,
        match_id="" if value.match is None else str(value.match),
        way=None if value.way is None else _WAYS.to(value.way),
        reason=one_line(value.why),
    )


def pairing(message: pb.CompetitionPairing) -> PairingLine:
    """The pairing of a message."""
    return PairingLine(
        key=message.pairing_key,
        round=message.round_number,
        title=message.title,
        teams=tuple(tuple(team.entrant_ids) for team in message.teams),
        state=_PAIRINGS.back(message.state),
        run=message.run,
        match=int(message.match_id) if message.match_id else None,
        ranks=_scored(message, "rank"),
        boards=_scored(message, "board_points"),
        faults=_scored(message, "fault_count"),
        way=_WAYS.wanted(message.way),
        why=message.reason,
    )


def _scored(message: pb.CompetitionPairing, field: str) -> tuple[Any, ...]:
    return tuple(getattr(team, field) for team in message.teams if team.HasField("rank"))


def note_message(value: NoteLine) -> pb.CompetitionNote:
    """A line of the journal as a message."""
    return pb.CompetitionNote(
        number=value.number,
        time=timestamp(value.at),
        who=one_line(value.who),
        text=one_line(value.text, 2000),
    )


def competition_note(message: pb.CompetitionNote) -> NoteLine:
    """The line of a message."""
    return NoteLine(
        number=message.number, at=moment(message.time), who=message.who, text=message.text
    )
