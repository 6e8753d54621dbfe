import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_KIND_UNSPECIFIED: _ClassVar[MatchKind]
    MATCH_KIND_RATED: _ClassVar[MatchKind]
    MATCH_KIND_CHALLENGE: _ClassVar[MatchKind]
    MATCH_KIND_CHECK: _ClassVar[MatchKind]
    MATCH_KIND_COMPETITION: _ClassVar[MatchKind]

class MatchState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_STATE_UNSPECIFIED: _ClassVar[MatchState]
    MATCH_STATE_QUEUED: _ClassVar[MatchState]
    MATCH_STATE_RUNNING: _ClassVar[MatchState]
    MATCH_STATE_DONE: _ClassVar[MatchState]
    MATCH_STATE_SET_ASIDE: _ClassVar[MatchState]
    MATCH_STATE_CANCELLED: _ClassVar[MatchState]

class AttemptState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ATTEMPT_STATE_UNSPECIFIED: _ClassVar[AttemptState]
    ATTEMPT_STATE_RUNNING: _ClassVar[AttemptState]
    ATTEMPT_STATE_DONE: _ClassVar[AttemptState]
    ATTEMPT_STATE_VOID: _ClassVar[AttemptState]
    ATTEMPT_STATE_LOST: _ClassVar[AttemptState]

class Verdict(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERDICT_UNSPECIFIED: _ClassVar[Verdict]
    VERDICT_COMPLETED: _ClassVar[Verdict]
    VERDICT_FORFEIT: _ClassVar[Verdict]
MATCH_KIND_UNSPECIFIED: MatchKind
MATCH_KIND_RATED: MatchKind
MATCH_KIND_CHALLENGE: MatchKind
MATCH_KIND_CHECK: MatchKind
MATCH_KIND_COMPETITION: MatchKind
MATCH_STATE_UNSPECIFIED: MatchState
MATCH_STATE_QUEUED: MatchState
MATCH_STATE_RUNNING: MatchState
MATCH_STATE_DONE: MatchState
MATCH_STATE_SET_ASIDE: MatchState
MATCH_STATE_CANCELLED: MatchState
ATTEMPT_STATE_UNSPECIFIED: AttemptState
ATTEMPT_STATE_RUNNING: AttemptState
ATTEMPT_STATE_DONE: AttemptState
ATTEMPT_STATE_VOID: AttemptState
ATTEMPT_STATE_LOST: AttemptState
VERDICT_UNSPECIFIED: Verdict
VERDICT_COMPLETED: Verdict
VERDICT_FORFEIT: Verdict

class Match(_message.Message):
    __slots__ = ("match_id", "kind", "table", "state", "create_time", "seats", "teams", "terms_json", "requested_by", "cause", "reason", "queue_position", "attempts", "result", "expected_end_time", "competition_id")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    TERMS_JSON_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_BY_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_END_TIME_FIELD_NUMBER: _ClassVar[int]
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    kind: MatchKind
    table: str
    state: MatchState
    create_time: _timestamp_pb2.Timestamp
    seats: _containers.RepeatedCompositeFieldContainer[MatchSeat]
    teams: _containers.RepeatedCompositeFieldContainer[MatchTeam]
    terms_json: str
    requested_by: str
    cause: str
    reason: str
    queue_position: int
    attempts: _containers.RepeatedCompositeFieldContainer[Attempt]
    result: MatchResult
    expected_end_time: _timestamp_pb2.Timestamp
    competition_id: str
    def __init__(self, match_id: _Optional[str] = ..., kind: _Optional[_Union[MatchKind, str]] = ..., table: _Optional[str] = ..., state: _Optional[_Union[MatchState, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., seats: _Optional[_Iterable[_Union[MatchSeat, _Mapping]]] = ..., teams: _Optional[_Iterable[_Union[MatchTeam, _Mapping]]] = ..., terms_json: _Optional[str] = ..., requested_by: _Optional[str] = ..., cause: _Optional[str] = ..., reason: _Optional[str] = ..., queue_position: _Optional[int] = ..., attempts: _Optional[_Iterable[_Union[Attempt, _Mapping]]] = ..., result: _Optional[_Union[MatchResult, _Mapping]] = ..., expected_end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., competition_id: _Optional[str] = ...) -> None: ...

class MatchSeat(_message.Message):
    __slots__ = ("entrant_id", "ordinal", "label", "version_digest")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    VERSION_DIGEST_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    ordinal: int
    label: str
    version_digest: str
    def __init__(self, entrant_id: _Optional[str] = ..., ordinal: _Optional[int] = ..., label: _Optional[str] = ..., version_digest: _Optional[str] = ...) -> None: ...

class MatchTeam(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ...) -> None: ...

class Attempt(_message.Message):
    __slots__ = ("number", "state", "worker", "commitment", "seed", "start_time", "end_time", "reason", "record_digest")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    WORKER_FIELD_NUMBER: _ClassVar[int]
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    number: int
    state: AttemptState
    worker: str
    commitment: str
    seed: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    reason: str
    record_digest: str
    def __init__(self, number: _Optional[int] = ..., state: _Optional[_Union[AttemptState, str]] = ..., worker: _Optional[str] = ..., commitment: _Optional[str] = ..., seed: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reason: _Optional[str] = ..., record_digest: _Optional[str] = ...) -> None: ...

class MatchResult(_message.Message):
    __slots__ = ("attempt", "verdict", "reason", "ranks", "seats", "game_count", "record_digest", "record_head", "start_time", "end_time", "entry", "annulled")
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    SEATS_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    RECORD_DIGEST_FIELD_NUMBER: _ClassVar[int]
    RECORD_HEAD_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    ANNULLED_FIELD_NUMBER: _ClassVar[int]
    attempt: int
    verdict: Verdict
    reason: str
    ranks: _containers.RepeatedScalarFieldContainer[int]
    seats: _containers.RepeatedCompositeFieldContainer[SeatResult]
    game_count: int
    record_digest: str
    record_head: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    entry: int
    annulled: str
    def __init__(self, attempt: _Optional[int] = ..., verdict: _Optional[_Union[Verdict, str]] = ..., reason: _Optional[str] = ..., ranks: _Optional[_Iterable[int]] = ..., seats: _Optional[_Iterable[_Union[SeatResult, _Mapping]]] = ..., game_count: _Optional[int] = ..., record_digest: _Optional[str] = ..., record_head: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., entry: _Optional[int] = ..., annulled: _Optional[str] = ...) -> None: ...

class SeatResult(_message.Message):
    __slots__ = ("points", "wins", "forfeit", "forfeit_detail", "tally_json", "shares")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_DETAIL_FIELD_NUMBER: _ClassVar[int]
    TALLY_JSON_FIELD_NUMBER: _ClassVar[int]
    SHARES_FIELD_NUMBER: _ClassVar[int]
    points: int
    wins: float
    forfeit: str
    forfeit_detail: str
    tally_json: str
    shares: float
    def __init__(self, points: _Optional[int] = ..., wins: _Optional[float] = ..., forfeit: _Optional[str] = ..., forfeit_detail: _Optional[str] = ..., tally_json: _Optional[str] = ..., shares: _Optional[float] = ...) -> None: ...
