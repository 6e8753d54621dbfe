from millearena.v1 import entrants_pb2 as _entrants_pb2
from millearena.v1 import ratings_pb2 as _ratings_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetLadderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetLadderResponse(_message.Message):
    __slots__ = ("tables", "pause_reason", "server_version")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    PAUSE_REASON_FIELD_NUMBER: _ClassVar[int]
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[LadderTable]
    pause_reason: str
    server_version: str
    def __init__(self, tables: _Optional[_Iterable[_Union[LadderTable, _Mapping]]] = ..., pause_reason: _Optional[str] = ..., server_version: _Optional[str] = ...) -> None: ...

class LadderTable(_message.Message):
    __slots__ = ("name", "rule_set", "player_count")
    NAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    PLAYER_COUNT_FIELD_NUMBER: _ClassVar[int]
    name: str
    rule_set: str
    player_count: int
    def __init__(self, name: _Optional[str] = ..., rule_set: _Optional[str] = ..., player_count: _Optional[int] = ...) -> None: ...

class ListStandingsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListStandingsResponse(_message.Message):
    __slots__ = ("standings", "next_page_token")
    STANDINGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    standings: _containers.RepeatedCompositeFieldContainer[_ratings_pb2.Standing]
    next_page_token: str
    def __init__(self, standings: _Optional[_Iterable[_Union[_ratings_pb2.Standing, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListEntrantsRequest(_message.Message):
    __slots__ = ("owner", "page_size", "page_token")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    owner: str
    page_size: int
    page_token: str
    def __init__(self, owner: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEntrantsResponse(_message.Message):
    __slots__ = ("entrants", "next_page_token")
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entrants: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Entrant]
    next_page_token: str
    def __init__(self, entrants: _Optional[_Iterable[_Union[_entrants_pb2.Entrant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetEntrantRequest(_message.Message):
    __slots__ = ("entrant_id",)
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    def __init__(self, entrant_id: _Optional[str] = ...) -> None: ...

class GetEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class ListVersionsRequest(_message.Message):
    __slots__ = ("entrant_id", "page_size", "page_token")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    page_size: int
    page_token: str
    def __init__(self, entrant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Version]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[_entrants_pb2.Version, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListRatingChangesRequest(_message.Message):
    __slots__ = ("entrant_id", "page_size", "page_token")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    page_size: int
    page_token: str
    def __init__(self, entrant_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRatingChangesResponse(_message.Message):
    __slots__ = ("changes", "next_page_token")
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_ratings_pb2.RatingChange]
    next_page_token: str
    def __init__(self, changes: _Optional[_Iterable[_Union[_ratings_pb2.RatingChange, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ExplainMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class ExplainMatchResponse(_message.Message):
    __slots__ = ("changes",)
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    changes: _containers.RepeatedCompositeFieldContainer[_ratings_pb2.RatingChange]
    def __init__(self, changes: _Optional[_Iterable[_Union[_ratings_pb2.RatingChange, _Mapping]]] = ...) -> None: ...
