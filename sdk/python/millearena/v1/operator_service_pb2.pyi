import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from millearena.v1 import entrants_pb2 as _entrants_pb2
from millearena.v1 import matches_pb2 as _matches_pb2
from millearena.v1 import owners_pb2 as _owners_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class CreateOwnerRequest(_message.Message):
    __slots__ = ("name", "request_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    request_id: str
    def __init__(self, name: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class CreateOwnerResponse(_message.Message):
    __slots__ = ("owner",)
    OWNER_FIELD_NUMBER: _ClassVar[int]
    owner: _owners_pb2.Owner
    def __init__(self, owner: _Optional[_Union[_owners_pb2.Owner, _Mapping]] = ...) -> None: ...

class ListOwnersRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListOwnersResponse(_message.Message):
    __slots__ = ("owners", "next_page_token")
    OWNERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    owners: _containers.RepeatedCompositeFieldContainer[_owners_pb2.Owner]
    next_page_token: str
    def __init__(self, owners: _Optional[_Iterable[_Union[_owners_pb2.Owner, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SuspendOwnerRequest(_message.Message):
    __slots__ = ("name", "reason")
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    name: str
    reason: str
    def __init__(self, name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class SuspendOwnerResponse(_message.Message):
    __slots__ = ("owner",)
    OWNER_FIELD_NUMBER: _ClassVar[int]
    owner: _owners_pb2.Owner
    def __init__(self, owner: _Optional[_Union[_owners_pb2.Owner, _Mapping]] = ...) -> None: ...

class ReinstateOwnerRequest(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class ReinstateOwnerResponse(_message.Message):
    __slots__ = ("owner",)
    OWNER_FIELD_NUMBER: _ClassVar[int]
    owner: _owners_pb2.Owner
    def __init__(self, owner: _Optional[_Union[_owners_pb2.Owner, _Mapping]] = ...) -> None: ...

class IssueTokenRequest(_message.Message):
    __slots__ = ("kind", "owner", "scopes", "lifetime", "note", "request_id")
    KIND_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    SCOPES_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    kind: _owners_pb2.TokenKind
    owner: str
    scopes: _containers.RepeatedScalarFieldContainer[str]
    lifetime: _duration_pb2.Duration
    note: str
    request_id: str
    def __init__(self, kind: _Optional[_Union[_owners_pb2.TokenKind, str]] = ..., owner: _Optional[str] = ..., scopes: _Optional[_Iterable[str]] = ..., lifetime: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., note: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class IssueTokenResponse(_message.Message):
    __slots__ = ("token", "text")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    token: _owners_pb2.Token
    text: str
    def __init__(self, token: _Optional[_Union[_owners_pb2.Token, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class RevokeTokenRequest(_message.Message):
    __slots__ = ("token_id",)
    TOKEN_ID_FIELD_NUMBER: _ClassVar[int]
    token_id: str
    def __init__(self, token_id: _Optional[str] = ...) -> None: ...

class RevokeTokenResponse(_message.Message):
    __slots__ = ("token",)
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    token: _owners_pb2.Token
    def __init__(self, token: _Optional[_Union[_owners_pb2.Token, _Mapping]] = ...) -> None: ...

class ListTokensRequest(_message.Message):
    __slots__ = ("owner", "page_size", "page_token")
    OWNER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    owner: str
    page_size: int
    page_token: str
    def __init__(self, owner: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListTokensResponse(_message.Message):
    __slots__ = ("tokens", "next_page_token")
    TOKENS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tokens: _containers.RepeatedCompositeFieldContainer[_owners_pb2.Token]
    next_page_token: str
    def __init__(self, tokens: _Optional[_Iterable[_Union[_owners_pb2.Token, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class PauseLadderRequest(_message.Message):
    __slots__ = ("reason",)
    REASON_FIELD_NUMBER: _ClassVar[int]
    reason: str
    def __init__(self, reason: _Optional[str] = ...) -> None: ...

class PauseLadderResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResumeLadderRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResumeLadderResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class PauseEntrantRequest(_message.Message):
    __slots__ = ("entrant_id", "reason")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    reason: str
    def __init__(self, entrant_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class ResumeEntrantRequest(_message.Message):
    __slots__ = ("entrant_id",)
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    def __init__(self, entrant_id: _Optional[str] = ...) -> None: ...

class ResumeEntrantResponse(_message.Message):
    __slots__ = ("entrant",)
    ENTRANT_FIELD_NUMBER: _ClassVar[int]
    entrant: _entrants_pb2.Entrant
    def __init__(self, entrant: _Optional[_Union[_entrants_pb2.Entrant, _Mapping]] = ...) -> None: ...

class QuarantineVersionRequest(_message.Message):
    __slots__ = ("entrant_id", "ordinal", "reason")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    ordinal: int
    reason: str
    def __init__(self, entrant_id: _Optional[str] = ..., ordinal: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class QuarantineVersionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _entrants_pb2.Version
    def __init__(self, version: _Optional[_Union[_entrants_pb2.Version, _Mapping]] = ...) -> None: ...

class ReleaseVersionRequest(_message.Message):
    __slots__ = ("entrant_id", "ordinal")
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    ORDINAL_FIELD_NUMBER: _ClassVar[int]
    entrant_id: str
    ordinal: int
    def __init__(self, entrant_id: _Optional[str] = ..., ordinal: _Optional[int] = ...) -> None: ...

class ReleaseVersionResponse(_message.Message):
    __slots__ = ("version",)
    VERSION_FIELD_NUMBER: _ClassVar[int]
    version: _entrants_pb2.Version
    def __init__(self, version: _Optional[_Union[_entrants_pb2.Version, _Mapping]] = ...) -> None: ...

class RerunMatchRequest(_message.Message):
    __slots__ = ("match_id",)
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    def __init__(self, match_id: _Optional[str] = ...) -> None: ...

class RerunMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ...) -> None: ...

class VoidAttemptRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class VoidAttemptResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ...) -> None: ...

class CancelMatchRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelMatchResponse(_message.Message):
    __slots__ = ("match",)
    MATCH_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ...) -> None: ...

class AnnulMatchRequest(_message.Message):
    __slots__ = ("match_id", "reason")
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    match_id: str
    reason: str
    def __init__(self, match_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class AnnulMatchResponse(_message.Message):
    __slots__ = ("match", "rebuild")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    REBUILD_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    rebuild: Rebuild
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ..., rebuild: _Optional[_Union[Rebuild, _Mapping]] = ...) -> None: ...

class RebuildRatingsRequest(_message.Message):
    __slots__ = ("check_only",)
    CHECK_ONLY_FIELD_NUMBER: _ClassVar[int]
    check_only: bool
    def __init__(self, check_only: _Optional[bool] = ...) -> None: ...

class RebuildRatingsResponse(_message.Message):
    __slots__ = ("rebuild",)
    REBUILD_FIELD_NUMBER: _ClassVar[int]
    rebuild: Rebuild
    def __init__(self, rebuild: _Optional[_Union[Rebuild, _Mapping]] = ...) -> None: ...

class ListSetAsideMatchesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSetAsideMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[_matches_pb2.Match]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[_matches_pb2.Match, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListSetAsideUploadsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSetAsideUploadsResponse(_message.Message):
    __slots__ = ("uploads", "next_page_token")
    UPLOADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    uploads: _containers.RepeatedCompositeFieldContainer[_entrants_pb2.Upload]
    next_page_token: str
    def __init__(self, uploads: _Optional[_Iterable[_Union[_entrants_pb2.Upload, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RetryUploadRequest(_message.Message):
    __slots__ = ("upload_id",)
    UPLOAD_ID_FIELD_NUMBER: _ClassVar[int]
    upload_id: str
    def __init__(self, upload_id: _Optional[str] = ...) -> None: ...

class RetryUploadResponse(_message.Message):
    __slots__ = ("upload",)
    UPLOAD_FIELD_NUMBER: _ClassVar[int]
    upload: _entrants_pb2.Upload
    def __init__(self, upload: _Optional[_Union[_entrants_pb2.Upload, _Mapping]] = ...) -> None: ...

class GetSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSettingsResponse(_message.Message):
    __slots__ = ("settings",)
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    settings: _containers.RepeatedCompositeFieldContainer[Setting]
    def __init__(self, settings: _Optional[_Iterable[_Union[Setting, _Mapping]]] = ...) -> None: ...

class ListAuditRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAuditResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_owners_pb2.AuditEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_owners_pb2.AuditEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class Rebuild(_message.Message):
    __slots__ = ("entry_count", "event_count", "difference_count", "examples")
    ENTRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    EVENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    DIFFERENCE_COUNT_FIELD_NUMBER: _ClassVar[int]
    EXAMPLES_FIELD_NUMBER: _ClassVar[int]
    entry_count: int
    event_count: int
    difference_count: int
    examples: _containers.RepeatedCompositeFieldContainer[Difference]
    def __init__(self, entry_count: _Optional[int] = ..., event_count: _Optional[int] = ..., difference_count: _Optional[int] = ..., examples: _Optional[_Iterable[_Union[Difference, _Mapping]]] = ...) -> None: ...

class Difference(_message.Message):
    __slots__ = ("what", "stored", "right")
    WHAT_FIELD_NUMBER: _ClassVar[int]
    STORED_FIELD_NUMBER: _ClassVar[int]
    RIGHT_FIELD_NUMBER: _ClassVar[int]
    what: str
    stored: str
    right: str
    def __init__(self, what: _Optional[str] = ..., stored: _Optional[str] = ..., right: _Optional[str] = ...) -> None: ...

class Setting(_message.Message):
    __slots__ = ("name", "value", "source")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    source: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ..., source: _Optional[str] = ...) -> None: ...
