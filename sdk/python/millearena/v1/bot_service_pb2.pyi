import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from millearena.v1 import entrants_pb2 as _entrants_pb2
from millearena.v1 import matches_pb2 as _matches_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetSelfRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSelfResponse(_message.Message):
    __slots__ = ("owner", "token_id", "scopes", "expire_time")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    EXPIRE_TIME_FIELD_NUMBER: _ClassVar[int]
    owner: str
    token_id: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    expire_time: _timestamp_pb2.Timestamp
    def __init__(self, owner: _Optional[str] = ..., token_id: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., expire_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateEntrantRequest(_message.Message):
    __slots__ = ("name", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class UploadVersionRequest(_message.Message):
    __slots__ = ("metadata", "chunk")
    METADATA_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    metadata: UploadMetadata
    chunk: UploadChunk
    def __init__(self, metadata: _Optional[_Union[UploadMetadata, _Mapping]] = ..., chunk: _Optional[_Union[UploadChunk, _Mapping]] = ...) -> None: ...

class UploadMetadata(_message.Message):
    __slots__ = ("length", "digest", "request_id")
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    length: int
    digest: str
    request_id: str
    def __init__(self, length: _Optional[int] = ..., digest: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UploadChunk(_message.Message):
    __slots__ = ("content",)
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    def __init__(self, content: _Optional[bytes] = ...) -> None: ...

class UploadVersionResponse(_message.Message):
    __slots__ = ("upload",)
    UPLOAD_FIELD_NUMBER: _ClassVar[int]
    upload: _entrants_pb2.Upload
    def __init__(self, upload: _Optional[_Union[_entrants_pb2.Upload, _Mapping]] = ...) -> None: ...

class GetUploadRequest(_message.Message):
    __slots__ = ("upload_id",)
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    upload_id: str
    def __init__(self, upload_id: _Optional[str] = ...) -> None: ...

class GetUploadResponse(_message.Message):
    __slots__ = ("upload",)
    UPLOAD_FIELD_NUMBER: _ClassVar[int]
    upload: _entrants_pb2.Upload
    def __init__(self, upload: _Optional[_Union[_entrants_pb2.Upload, _Mapping]] = ...) -> None: ...

class ListUploadsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListUploadsResponse(_message.Message):
    __slots__ = ("uploads", "next_page_token")
    UPLOADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    uploads: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Upload]
    next_page_token: str
    def __init__(self, uploads: _Optional[_Iterable[_Union[_entrants_pb2.Upload, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class FollowUploadRequest(_message.Message):
    __slots__ = ("upload_id",)
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    upload_id: str
    def __init__(self, upload_id: _Optional[str] = ...) -> None: ...

class FollowUploadResponse(_message.Message):
    __slots__ = ("upload",)
    UPLOAD_FIELD_NUMBER: _ClassVar[int]
    upload: _entrants_pb2.Upload
    def __init__(self, upload: _Optional[_Union[_entrants_pb2.Upload, _Mapping]] = ...) -> None: ...

class GetBuildLogRequest(_message.Message):
    __slots__ = ("upload_id",)
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    upload_id: str
    def __init__(self, upload_id: _Optional[str] = ...) -> None: ...

class GetBuildLogResponse(_message.Message):
    __slots__ = ("lines",)
    LINES_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, lines: _Optional[_Iterable[str]] = ...) -> None: ...

class GetOwnEntrantRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class GetOwnEntrantResponse(_message.Message):
    __slots__ = ("entrant", "versions")
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    versions: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Version]
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ..., versions: _Optional[_Iterable[_Union[_entrants_pb2.Version, _Mapping]]] = ...) -> None: ...

class ListOwnEntrantsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOwnEntrantsResponse(_message.Message):
    __slots__ = ("entrants", "next_page_token")
    ENTRANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entrants: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Entrant]
    next_page_token: str
    def __init__(self, entrants: _Optional[_Iterable[_Union[_entrants_pb2.Entrant, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DownloadMatchLogRequest(_message.Message):
    __slots__ = ("match_id", "seat")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    seat: int
    def __init__(self, match_id: _Optional[str] = ..., seat: _Optional[int] = ...) -> None: ...

class DownloadMatchLogResponse(_message.Message):
    __slots__ = ("content",)
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    def __init__(self, content: _Optional[bytes] = ...) -> None: ...

class CreateChallengeRequest(_message.Message):
    __slots__ = ("name", "opponent_ids", "table", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    OPPONENT_IDS_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    opponent_ids: _containers.RepeatedScalarFieldContainer[str]
    table: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., opponent_ids: _Optional[_Iterable[str]] = ..., table: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateChallengeResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ...) -> None: ...

class PauseOwnEntrantRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class PauseOwnEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class ResumeOwnEntrantRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ResumeOwnEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class ActivateVersionRequest(_message.Message):
    __slots__ = ("name", "ordinal")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    name: str
    ordinal: int
    def __init__(self, name: _Optional[str] = ..., ordinal: _Optional[int] = ...) -> None: ...

class ActivateVersionResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...
