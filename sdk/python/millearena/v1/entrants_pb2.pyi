import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from millearena.v1 import ratings_pb2 as _ratings_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VersionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VERSION_STATE_UNSPECIFIED: _ClassVar[VersionState]
    VERSION_STATE_ACTIVE: _ClassVar[VersionState]
    VERSION_STATE_SUPERSEDED: _ClassVar[VersionState]
    VERSION_STATE_PROBATION: _ClassVar[VersionState]
    VERSION_STATE_QUARANTINED: _ClassVar[VersionState]

class UploadState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    UPLOAD_STATE_UNSPECIFIED: _ClassVar[UploadState]
    UPLOAD_STATE_QUEUED: _ClassVar[UploadState]
    UPLOAD_STATE_AT_WORK: _ClassVar[UploadState]
    UPLOAD_STATE_ACCEPTED: _ClassVar[UploadState]
    UPLOAD_STATE_REFUSED: _ClassVar[UploadState]
    UPLOAD_STATE_SET_ASIDE: _ClassVar[UploadState]
VERSION_STATE_UNSPECIFIED: VersionState
VERSION_STATE_ACTIVE: VersionState
VERSION_STATE_SUPERSEDED: VersionState
VERSION_STATE_PROBATION: VersionState
VERSION_STATE_QUARANTINED: VersionState
UPLOAD_STATE_UNSPECIFIED: UploadState
UPLOAD_STATE_QUEUED: UploadState
UPLOAD_STATE_AT_WORK: UploadState
UPLOAD_STATE_ACCEPTED: UploadState
UPLOAD_STATE_REFUSED: UploadState
UPLOAD_STATE_SET_ASIDE: UploadState

class Entrant(_message.Message):
    __slots__ = ("entrant_id", "owner", "name", "create_time", "rating", "match_count", "active_ordinal", "paused", "pause_reason")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    ACTIVE_ORDINAL_FIELD_NUMBER: _ClassVar[int]
    PAUSED_FIELD_NUMBER: _ClassVar[int]
    PAUSE_REASON_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    owner: str
    name: str
    create_time: _timestamp_pb2.Timestamp
    rating: _ratings_pb2.Rating
    match_count: int
    active_ordinal: int
    paused: bool
    pause_reason: str
    def __init__(self, entrant_id: _Optional[str] = ..., owner: _Optional[str] = ..., name: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., rating: _Optional[_Union[_ratings_pb2.Rating, _Mapping]] = ..., match_count: _Optional[int] = ..., active_ordinal: _Optional[int] = ..., paused: _Optional[bool] = ..., pause_reason: _Optional[str] = ...) -> None: ...

class Version(_message.Message):
    __slots__ = ("entrant_id", "ordinal", "label", "digest", "create_time", "state", "reason", "player_counts", "rule_sets", "match_count", "forfeit_count", "void_count")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNTS_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    FORFEIT_COUNT_FIELD_NUMBER: _ClassVar[int]
    VOID_COUNT_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    ordinal: int
    label: str
    digest: str
    create_time: _timestamp_pb2.Timestamp
    state: VersionState
    reason: str
    player_counts: _containers.RepeatedScalarFieldContainer[int]
    rule_sets: _containers.RepeatedScalarFieldContainer[str]
    match_count: int
    forfeit_count: int
    void_count: int
    def __init__(self, entrant_id: _Optional[str] = ..., ordinal: _Optional[int] = ..., label: _Optional[str] = ..., digest: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[VersionState, str]] = ..., reason: _Optional[str] = ..., player_counts: _Optional[_Iterable[int]] = ..., rule_sets: _Optional[_Iterable[str]] = ..., match_count: _Optional[int] = ..., forfeit_count: _Optional[int] = ..., void_count: _Optional[int] = ...) -> None: ...

class Upload(_message.Message):
    __slots__ = ("upload_id", "owner", "archive_digest", "length", "state", "step", "queue_position", "create_time", "start_time", "end_time", "expected_end_time", "waiting_for", "entrant_name", "steps", "reasons", "version_ordinal", "report_json")
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    ARCHIVE_DIGEST_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_END_TIME_FIELD_NUMBER: _ClassVar[int]
    WAITING_FOR_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_NAME_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    REASONS_FIELD_NUMBER: _ClassVar[int]
    VERSION_ORDINAL_FIELD_NUMBER: _ClassVar[int]
    REPORT_JSON_FIELD_NUMBER: _ClassVar[int]
    upload_id: str
    owner: str
    archive_digest: str
    length: int
    state: UploadState
    step: str
    queue_position: int
    create_time: _timestamp_pb2.Timestamp
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    expected_end_time: _timestamp_pb2.Timestamp
    waiting_for: str
    entrant_name: str
    steps: _containers.RepeatedCompositeFieldContainer[UploadStep]
    reasons: _containers.RepeatedScalarFieldContainer[str]
    version_ordinal: int
    report_json: str
    def __init__(self, upload_id: _Optional[str] = ..., owner: _Optional[str] = ..., archive_digest: _Optional[str] = ..., length: _Optional[int] = ..., state: _Optional[_Union[UploadState, str]] = ..., step: _Optional[str] = ..., queue_position: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expected_end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., waiting_for: _Optional[str] = ..., entrant_name: _Optional[str] = ..., steps: _Optional[_Iterable[_Union[UploadStep, _Mapping]]] = ..., reasons: _Optional[_Iterable[str]] = ..., version_ordinal: _Optional[int] = ..., report_json: _Optional[str] = ...) -> None: ...

class UploadStep(_message.Message):
    __slots__ = ("name", "text")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    name: str
    text: str
    def __init__(self, name: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...
