import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from millearena.v1 import matches_pb2 as _matches_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MatchFrameKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_FRAME_KIND_UNSPECIFIED: _ClassVar[MatchFrameKind]
    MATCH_FRAME_KIND_DEALT: _ClassVar[MatchFrameKind]
    MATCH_FRAME_KIND_PLAYED: _ClassVar[MatchFrameKind]
    MATCH_FRAME_KIND_HAND_OVER: _ClassVar[MatchFrameKind]
    MATCH_FRAME_KIND_GAME_OVER: _ClassVar[MatchFrameKind]
    MATCH_FRAME_KIND_FORFEIT: _ClassVar[MatchFrameKind]
MATCH_FRAME_KIND_UNSPECIFIED: MatchFrameKind
MATCH_FRAME_KIND_DEALT: MatchFrameKind
MATCH_FRAME_KIND_PLAYED: MatchFrameKind
MATCH_FRAME_KIND_HAND_OVER: MatchFrameKind
MATCH_FRAME_KIND_GAME_OVER: MatchFrameKind
MATCH_FRAME_KIND_FORFEIT: MatchFrameKind

class GetMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class GetMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ...) -> None: ...

class ListMatchesRequest(_message.Message):
    __slots__ = ("entrant_id", "owner", "state", "kind", "page_size", "page_token")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    owner: str
    state: _matches_pb2.MatchState
    kind: _matches_pb2.MatchKind
    page_size: int
    page_token: str
    def __init__(self, entrant_id: _Optional[str] = ..., owner: _Optional[str] = ..., state: _Optional[_Union[_matches_pb2.MatchState, str]] = ..., kind: _Optional[_Union[_matches_pb2.MatchKind, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[_matches_pb2.Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[_matches_pb2.Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DownloadRecordRequest(_message.Message):
    __slots__ = ("match_id", "attempt")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    attempt: int
    def __init__(self, match_id: _Optional[str] = ..., attempt: _Optional[int] = ...) -> None: ...

class DownloadRecordResponse(_message.Message):
    __slots__ = ("content", "length", "digest")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    length: int
    digest: str
    def __init__(self, content: _Optional[bytes] = ..., length: _Optional[int] = ..., digest: _Optional[str] = ...) -> None: ...

class WatchMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class WatchMatchResponse(_message.Message):
    __slots__ = ("frame", "over", "waiting")
    FRAME_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    WAITING_FIELD_NUMBER: _ClassVar[int]
    frame: MatchFrame
    over: _matches_pb2.Match
    waiting: MatchWaiting
    def __init__(self, frame: _Optional[_Union[MatchFrame, _Mapping]] = ..., over: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ..., waiting: _Optional[_Union[MatchWaiting, _Mapping]] = ...) -> None: ...

class MatchFrame(_message.Message):
    __slots__ = ("number", "since_start", "kind", "game_number", "game_count", "hand_number", "bots", "events", "turn_seat", "tables", "hand_sizes", "draw_count", "discard", "totals", "winner_team", "forfeiting_bot", "fault")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    SINCE_START_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    TURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    DRAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    TOTALS_FIELD_NUMBER: _ClassVar[int]
    WINNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    FORFEITING_BOT_FIELD_NUMBER: _ClassVar[int]
    FAULT_FIELD_NUMBER: _ClassVar[int]
    number: int
    since_start: _duration_pb2.Duration
    kind: MatchFrameKind
    game_number: int
    game_count: int
    hand_number: int
    bots: _containers.RepeatedScalarFieldContainer[int]
    events: _containers.RepeatedScalarFieldContainer[str]
    turn_seat: int
    tables: _containers.RepeatedCompositeFieldContainer[PublicTable]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    draw_count: int
    discard: str
    totals: _containers.RepeatedScalarFieldContainer[int]
    winner_team: int
    forfeiting_bot: int
    fault: str
    def __init__(self, number: _Optional[int] = ..., since_start: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., kind: _Optional[_Union[MatchFrameKind, str]] = ..., game_number: _Optional[int] = ..., game_count: _Optional[int] = ..., hand_number: _Optional[int] = ..., bots: _Optional[_Iterable[int]] = ..., events: _Optional[_Iterable[str]] = ..., turn_seat: _Optional[int] = ..., tables: _Optional[_Iterable[_Union[PublicTable, _Mapping]]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., draw_count: _Optional[int] = ..., discard: _Optional[str] = ..., totals: _Optional[_Iterable[int]] = ..., winner_team: _Optional[int] = ..., forfeiting_bot: _Optional[int] = ..., fault: _Optional[str] = ...) -> None: ...

class PublicTable(_message.Message):
    __slots__ = ("km", "battle_pile", "speed_pile", "safeties", "coups_fourres")
    KM_FIELD_NUMBER: _ClassVar[int]
    BATTLE_PILE_FIELD_NUMBER: _ClassVar[int]
    SPEED_PILE_FIELD_NUMBER: _ClassVar[int]
    SAFETIES_FIELD_NUMBER: _ClassVar[int]
    COUPS_FOURRES_FIELD_NUMBER: _ClassVar[int]
    km: int
    battle_pile: _containers.RepeatedScalarFieldContainer[str]
    speed_pile: _containers.RepeatedScalarFieldContainer[str]
    safeties: _containers.RepeatedScalarFieldContainer[str]
    coups_fourres: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, km: _Optional[int] = ..., battle_pile: _Optional[_Iterable[str]] = ..., speed_pile: _Optional[_Iterable[str]] = ..., safeties: _Optional[_Iterable[str]] = ..., coups_fourres: _Optional[_Iterable[str]] = ...) -> None: ...

class MatchWaiting(_message.Message):
    __slots__ = ("reason", "queue_position")
    REASON_FIELD_NUMBER: _ClassVar[int]
    QUEUE_POSITION_FIELD_NUMBER: _ClassVar[int]
    reason: str
    queue_position: int
    def __init__(self, reason: _Optional[str] = ..., queue_position: _Optional[int] = ...) -> None: ...
