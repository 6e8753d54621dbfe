from millearena.v1 import competitions_pb2 as _competitions_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListCompetitionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionsResponse(_message.Message):
    __slots__ = ("competitions", "next_page_token")
    COMPETITIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competitions: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.Competition]
    next_page_token: str
    def __init__(self, competitions: _Optional[_Iterable[_Union[_competitions_pb2.Competition, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class GetCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class ListCompetitionEntriesRequest(_message.Message):
    __slots__ = ("competition_id", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionEntriesResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.CompetitionEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_competitions_pb2.CompetitionEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionStagesRequest(_message.Message):
    __slots__ = ("competition_id", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionStagesResponse(_message.Message):
    __slots__ = ("stages", "next_page_token")
    STAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    stages: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.CompetitionStage]
    next_page_token: str
    def __init__(self, stages: _Optional[_Iterable[_Union[_competitions_pb2.CompetitionStage, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionRowsRequest(_message.Message):
    __slots__ = ("competition_id", "stage_number", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    stage_number: int
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., stage_number: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionRowsResponse(_message.Message):
    __slots__ = ("rows", "next_page_token")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.CompetitionRow]
    next_page_token: str
    def __init__(self, rows: _Optional[_Iterable[_Union[_competitions_pb2.CompetitionRow, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionPairingsRequest(_message.Message):
    __slots__ = ("competition_id", "stage_number", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    stage_number: int
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., stage_number: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionPairingsResponse(_message.Message):
    __slots__ = ("pairings", "next_page_token")
    PAIRINGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    pairings: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.CompetitionPairing]
    next_page_token: str
    def __init__(self, pairings: _Optional[_Iterable[_Union[_competitions_pb2.CompetitionPairing, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionNotesRequest(_message.Message):
    __slots__ = ("competition_id", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionNotesResponse(_message.Message):
    __slots__ = ("notes", "next_page_token")
    NOTES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    notes: _containers.RepeatedCompositeFieldContainer[_competitions_pb2.CompetitionNote]
    next_page_token: str
    def __init__(self, notes: _Optional[_Iterable[_Union[_competitions_pb2.CompetitionNote, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EnterCompetitionRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_name")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_NAME_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_name: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_name: _Optional[str] = ...) -> None: ...

class EnterCompetitionResponse(_message.Message):
    __slots__ = ("entry",)
    ENTRY_FIELD_NUMBER: _ClassVar[int]
    entry: _competitions_pb2.CompetitionEntry
    def __init__(self, entry: _Optional[_Union[_competitions_pb2.CompetitionEntry, _Mapping]] = ...) -> None: ...

class LeaveCompetitionRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_name", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_name: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class LeaveCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class DownloadCompetitionRecordRequest(_message.Message):
    __slots__ = ("competition_id", "match_id", "attempt")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    MATCH_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    match_id: str
    attempt: int
    def __init__(self, competition_id: _Optional[str] = ..., match_id: _Optional[str] = ..., attempt: _Optional[int] = ...) -> None: ...

class DownloadCompetitionRecordResponse(_message.Message):
    __slots__ = ("content", "length", "digest")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    content: bytes
    length: int
    digest: str
    def __init__(self, content: _Optional[bytes] = ..., length: _Optional[int] = ..., digest: _Optional[str] = ...) -> None: ...
