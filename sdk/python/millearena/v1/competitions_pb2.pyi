import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CompetitionPhase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPETITION_PHASE_UNSPECIFIED: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_ANNOUNCED: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_OPEN: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_CLOSING: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_FROZEN: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_RUNNING: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_PAUSED: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_FINISHED: _ClassVar[CompetitionPhase]
    COMPETITION_PHASE_CANCELLED: _ClassVar[CompetitionPhase]

class ReleaseLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RELEASE_LEVEL_UNSPECIFIED: _ClassVar[ReleaseLevel]
    RELEASE_LEVEL_HIDDEN: _ClassVar[ReleaseLevel]
    RELEASE_LEVEL_PARTICIPANTS: _ClassVar[ReleaseLevel]
    RELEASE_LEVEL_PUBLIC: _ClassVar[ReleaseLevel]

class CompetitionEntryState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPETITION_ENTRY_STATE_UNSPECIFIED: _ClassVar[CompetitionEntryState]
    COMPETITION_ENTRY_STATE_ENTERED: _ClassVar[CompetitionEntryState]
    COMPETITION_ENTRY_STATE_PLAYS: _ClassVar[CompetitionEntryState]
    COMPETITION_ENTRY_STATE_WITHDRAWN: _ClassVar[CompetitionEntryState]
    COMPETITION_ENTRY_STATE_DISQUALIFIED: _ClassVar[CompetitionEntryState]
    COMPETITION_ENTRY_STATE_ABSENT: _ClassVar[CompetitionEntryState]

class CompetitionPairingState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPETITION_PAIRING_STATE_UNSPECIFIED: _ClassVar[CompetitionPairingState]
    COMPETITION_PAIRING_STATE_WAITING: _ClassVar[CompetitionPairingState]
    COMPETITION_PAIRING_STATE_PLAYING: _ClassVar[CompetitionPairingState]
    COMPETITION_PAIRING_STATE_SET_ASIDE: _ClassVar[CompetitionPairingState]
    COMPETITION_PAIRING_STATE_CANCELLED: _ClassVar[CompetitionPairingState]
    COMPETITION_PAIRING_STATE_DONE: _ClassVar[CompetitionPairingState]

class ScoreWay(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORE_WAY_UNSPECIFIED: _ClassVar[ScoreWay]
    SCORE_WAY_PLAYED: _ClassVar[ScoreWay]
    SCORE_WAY_BYE: _ClassVar[ScoreWay]
    SCORE_WAY_WALKOVER: _ClassVar[ScoreWay]
    SCORE_WAY_DECISION: _ClassVar[ScoreWay]
COMPETITION_PHASE_UNSPECIFIED: CompetitionPhase
COMPETITION_PHASE_ANNOUNCED: CompetitionPhase
COMPETITION_PHASE_OPEN: CompetitionPhase
COMPETITION_PHASE_CLOSING: CompetitionPhase
COMPETITION_PHASE_FROZEN: CompetitionPhase
COMPETITION_PHASE_RUNNING: CompetitionPhase
COMPETITION_PHASE_PAUSED: CompetitionPhase
COMPETITION_PHASE_FINISHED: CompetitionPhase
COMPETITION_PHASE_CANCELLED: CompetitionPhase
RELEASE_LEVEL_UNSPECIFIED: ReleaseLevel
RELEASE_LEVEL_HIDDEN: ReleaseLevel
RELEASE_LEVEL_PARTICIPANTS: ReleaseLevel
RELEASE_LEVEL_PUBLIC: ReleaseLevel
COMPETITION_ENTRY_STATE_UNSPECIFIED: CompetitionEntryState
COMPETITION_ENTRY_STATE_ENTERED: CompetitionEntryState
COMPETITION_ENTRY_STATE_PLAYS: CompetitionEntryState
COMPETITION_ENTRY_STATE_WITHDRAWN: CompetitionEntryState
COMPETITION_ENTRY_STATE_DISQUALIFIED: CompetitionEntryState
COMPETITION_ENTRY_STATE_ABSENT: CompetitionEntryState
COMPETITION_PAIRING_STATE_UNSPECIFIED: CompetitionPairingState
COMPETITION_PAIRING_STATE_WAITING: CompetitionPairingState
COMPETITION_PAIRING_STATE_PLAYING: CompetitionPairingState
COMPETITION_PAIRING_STATE_SET_ASIDE: CompetitionPairingState
COMPETITION_PAIRING_STATE_CANCELLED: CompetitionPairingState
COMPETITION_PAIRING_STATE_DONE: CompetitionPairingState
SCORE_WAY_UNSPECIFIED: ScoreWay
SCORE_WAY_PLAYED: ScoreWay
SCORE_WAY_BYE: ScoreWay
SCORE_WAY_WALKOVER: ScoreWay
SCORE_WAY_DECISION: ScoreWay

class Competition(_message.Message):
    __slots__ = ("competition_id", "title", "phase", "release_level", "visible", "played", "entry_count", "stage_count", "regulations", "commitment", "secret_seed", "public_value_name", "public_value", "open_time", "freeze_time", "start_time", "release_time", "reason", "journal_length", "journal_head")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    VISIBLE_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    ENTRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    STAGE_COUNT_FIELD_NUMBER: _ClassVar[int]
    REGULATIONS_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SECRET_SEED_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_VALUE_NAME_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_VALUE_FIELD_NUMBER: _ClassVar[int]
    OPEN_TIME_FIELD_NUMBER: _ClassVar[int]
    FREEZE_TIME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    RELEASE_TIME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_LENGTH_FIELD_NUMBER: _ClassVar[int]
    JOURNAL_HEAD_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    title: str
    phase: CompetitionPhase
    release_level: ReleaseLevel
    visible: bool
    played: bool
    entry_count: int
    stage_count: int
    regulations: str
    commitment: str
    secret_seed: str
    public_value_name: str
    public_value: str
    open_time: _timestamp_pb2.Timestamp
    freeze_time: _timestamp_pb2.Timestamp
    start_time: _timestamp_pb2.Timestamp
    release_time: _timestamp_pb2.Timestamp
    reason: str
    journal_length: int
    journal_head: str
    def __init__(self, competition_id: _Optional[str] = ..., title: _Optional[str] = ..., phase: _Optional[_Union[CompetitionPhase, str]] = ..., release_level: _Optional[_Union[ReleaseLevel, str]] = ..., visible: _Optional[bool] = ..., played: _Optional[bool] = ..., entry_count: _Optional[int] = ..., stage_count: _Optional[int] = ..., regulations: _Optional[str] = ..., commitment: _Optional[str] = ..., secret_seed: _Optional[str] = ..., public_value_name: _Optional[str] = ..., public_value: _Optional[str] = ..., open_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., freeze_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., release_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reason: _Optional[str] = ..., journal_length: _Optional[int] = ..., journal_head: _Optional[str] = ...) -> None: ...

class CompetitionEntry(_message.Message):
    __slots__ = ("entrant_id", "state", "group", "ordinal", "version_digest", "reason")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    VERSION_DIGEST_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    state: CompetitionEntryState
    group: str
    ordinal: int
    version_digest: str
    reason: str
    def __init__(self, entrant_id: _Optional[str] = ..., state: _Optional[_Union[CompetitionEntryState, str]] = ..., group: _Optional[str] = ..., ordinal: _Optional[int] = ..., version_digest: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CompetitionStage(_message.Message):
    __slots__ = ("number", "name", "format", "begun", "over", "entry_count", "pairing_count", "decided_count")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    ENTRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    PAIRING_COUNT_FIELD_NUMBER: _ClassVar[int]
    DECIDED_COUNT_FIELD_NUMBER: _ClassVar[int]
    number: int
    name: str
    format: str
    begun: bool
    over: bool
    entry_count: int
    pairing_count: int
    decided_count: int
    def __init__(self, number: _Optional[int] = ..., name: _Optional[str] = ..., format: _Optional[str] = ..., begun: _Optional[bool] = ..., over: _Optional[bool] = ..., entry_count: _Optional[int] = ..., pairing_count: _Optional[int] = ..., decided_count: _Optional[int] = ...) -> None: ...

class CompetitionRow(_message.Message):
    __slots__ = ("place", "entrant_id", "group", "played_count", "points", "tie_breaks", "note")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    PLAYED_COUNT_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    TIE_BREAKS_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant_id: str
    group: str
    played_count: int
    points: float
    tie_breaks: _containers.RepeatedCompositeFieldContainer[TieBreakValue]
    note: str
    def __init__(self, place: _Optional[int] = ..., entrant_id: _Optional[str] = ..., group: _Optional[str] = ..., played_count: _Optional[int] = ..., points: _Optional[float] = ..., tie_breaks: _Optional[_Iterable[_Union[TieBreakValue, _Mapping]]] = ..., note: _Optional[str] = ...) -> None: ...

class TieBreakValue(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class CompetitionPairing(_message.Message):
    __slots__ = ("pairing_key", "round_number", "title", "teams", "state", "run", "match_id", "way", "reason")
    PAIRING_KEY_FIELD_NUMBER: _ClassVar[int]
    ROUND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RUN_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    WAY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    pairing_key: str
    round_number: int
    title: str
    teams: _containers.RepeatedCompositeFieldContainer[CompetitionTeam]
    state: CompetitionPairingState
    run: int
    match_id: str
    way: ScoreWay
    reason: str
    def __init__(self, pairing_key: _Optional[str] = ..., round_number: _Optional[int] = ..., title: _Optional[str] = ..., teams: _Optional[_Iterable[_Union[CompetitionTeam, _Mapping]]] = ..., state: _Optional[_Union[CompetitionPairingState, str]] = ..., run: _Optional[int] = ..., match_id: _Optional[str] = ..., way: _Optional[_Union[ScoreWay, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class CompetitionTeam(_message.Message):
    __slots__ = ("entrant_ids", "rank", "board_points", "fault_count")
    ENTRANT_IDS_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    BOARD_POINTS_FIELD_NUMBER: _ClassVar[int]
    FAULT_COUNT_FIELD_NUMBER: _ClassVar[int]
    entrant_ids: _containers.RepeatedScalarFieldContainer[str]
    rank: int
    board_points: float
    fault_count: int
    def __init__(self, entrant_ids: _Optional[_Iterable[str]] = ..., rank: _Optional[int] = ..., board_points: _Optional[float] = ..., fault_count: _Optional[int] = ...) -> None: ...

class CompetitionNote(_message.Message):
    __slots__ = ("number", "time", "who", "text")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    WHO_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    number: int
    time: _timestamp_pb2.Timestamp
    who: str
    text: str
    def __init__(self, number: _Optional[int] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., who: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...
