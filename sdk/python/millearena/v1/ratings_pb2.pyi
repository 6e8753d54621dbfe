import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RatingChangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RATING_CHANGE_KIND_UNSPECIFIED: _ClassVar[RatingChangeKind]
    RATING_CHANGE_KIND_RESULT: _ClassVar[RatingChangeKind]
    RATING_CHANGE_KIND_VERSION: _ClassVar[RatingChangeKind]
    RATING_CHANGE_KIND_ANNULMENT: _ClassVar[RatingChangeKind]

class AbsenceReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ABSENCE_REASON_UNSPECIFIED: _ClassVar[AbsenceReason]
    ABSENCE_REASON_PAUSED: _ClassVar[AbsenceReason]
    ABSENCE_REASON_PROBATION: _ClassVar[AbsenceReason]
    ABSENCE_REASON_QUARANTINED: _ClassVar[AbsenceReason]
    ABSENCE_REASON_NO_VERSION: _ClassVar[AbsenceReason]
RATING_CHANGE_KIND_UNSPECIFIED: RatingChangeKind
RATING_CHANGE_KIND_RESULT: RatingChangeKind
RATING_CHANGE_KIND_VERSION: RatingChangeKind
RATING_CHANGE_KIND_ANNULMENT: RatingChangeKind
ABSENCE_REASON_UNSPECIFIED: AbsenceReason
ABSENCE_REASON_PAUSED: AbsenceReason
ABSENCE_REASON_PROBATION: AbsenceReason
ABSENCE_REASON_QUARANTINED: AbsenceReason
ABSENCE_REASON_NO_VERSION: AbsenceReason

class Rating(_message.Message):
    __slots__ = ("mu", "sigma")
    MU_FIELD_NUMBER: _ClassVar[int]
    SIGMA_FIELD_NUMBER: _ClassVar[int]
    mu: float
    sigma: float
    def __init__(self, mu: _Optional[float] = ..., sigma: _Optional[float] = ...) -> None: ...

class Standing(_message.Message):
    __slots__ = ("place", "entrant_id", "label", "rating", "match_count", "absence")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    RATING_FIELD_NUMBER: _ClassVar[int]
    MATCH_COUNT_FIELD_NUMBER: _ClassVar[int]
    ABSENCE_FIELD_NUMBER: _ClassVar[int]
    place: int
    entrant_id: str
    label: str
    rating: Rating
    match_count: int
    absence: AbsenceReason
    def __init__(self, place: _Optional[int] = ..., entrant_id: _Optional[str] = ..., label: _Optional[str] = ..., rating: _Optional[_Union[Rating, _Mapping]] = ..., match_count: _Optional[int] = ..., absence: _Optional[_Union[AbsenceReason, str]] = ...) -> None: ...

class RatingChange(_message.Message):
    __slots__ = ("entry", "kind", "time", "entrant_id", "ordinal", "match_id", "before", "after", "expected", "actual", "rank")
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    ACTUAL_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    entry: int
    kind: RatingChangeKind
    time: _timestamp_pb2.Timestamp
    entrant_id: str
    ordinal: int
    match_id: str
    before: Rating
    after: Rating
    expected: float
    actual: float
    rank: int
    def __init__(self, entry: _Optional[int] = ..., kind: _Optional[_Union[RatingChangeKind, str]] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., entrant_id: _Optional[str] = ..., ordinal: _Optional[int] = ..., match_id: _Optional[str] = ..., before: _Optional[_Union[Rating, _Mapping]] = ..., after: _Optional[_Union[Rating, _Mapping]] = ..., expected: _Optional[float] = ..., actual: _Optional[float] = ..., rank: _Optional[int] = ...) -> None: ...
