from millearena.v1 import competitions_pb2 as _competitions_pb2
from millearena.v1 import matches_pb2 as _matches_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnnounceCompetitionRequest(_message.Message):
    __slots__ = ("regulations", "request_id")
    REGULATIONS_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    regulations: str
    request_id: str
    def __init__(self, regulations: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class AnnounceCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class OpenCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class OpenCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class FreezeCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class FreezeCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class MixCompetitionSeedRequest(_message.Message):
    __slots__ = ("competition_id", "public_value")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_VALUE_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    public_value: str
    def __init__(self, competition_id: _Optional[str] = ..., public_value: _Optional[str] = ...) -> None: ...

class MixCompetitionSeedResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class StartCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class StartCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class PauseCompetitionRequest(_message.Message):
    __slots__ = ("competition_id", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class PauseCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class ResumeCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class ResumeCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class FinishCompetitionRequest(_message.Message):
    __slots__ = ("competition_id",)
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    def __init__(self, competition_id: _Optional[str] = ...) -> None: ...

class FinishCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class CancelCompetitionRequest(_message.Message):
    __slots__ = ("competition_id", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class ReleaseCompetitionRequest(_message.Message):
    __slots__ = ("competition_id", "release_level")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    RELEASE_LEVEL_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    release_level: _competitions_pb2.ReleaseLevel
    def __init__(self, competition_id: _Optional[str] = ..., release_level: _Optional[_Union[_competitions_pb2.ReleaseLevel, str]] = ...) -> None: ...

class ReleaseCompetitionResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class AddCompetitionEntryRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_id")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_id: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_id: _Optional[str] = ...) -> None: ...

class AddCompetitionEntryResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class WithdrawCompetitionEntryRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_id", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_id: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawCompetitionEntryResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class DisqualifyCompetitionEntryRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_id", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_id: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DisqualifyCompetitionEntryResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class ReinstateCompetitionEntryRequest(_message.Message):
    __slots__ = ("competition_id", "entrant_id", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    ENTRANT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    entrant_id: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., entrant_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class ReinstateCompetitionEntryResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class RerunCompetitionPairingRequest(_message.Message):
    __slots__ = ("competition_id", "stage_number", "pairing_key", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PAIRING_KEY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    stage_number: int
    pairing_key: str
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., stage_number: _Optional[int] = ..., pairing_key: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class RerunCompetitionPairingResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class DecideCompetitionPairingRequest(_message.Message):
    __slots__ = ("competition_id", "stage_number", "pairing_key", "ranks", "reason")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    STAGE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    PAIRING_KEY_FIELD_NUMBER: _ClassVar[int]
    RANKS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    stage_number: int
    pairing_key: str
    ranks: _containers.RepeatedScalarFieldContainer[int]
    reason: str
    def __init__(self, competition_id: _Optional[str] = ..., stage_number: _Optional[int] = ..., pairing_key: _Optional[str] = ..., ranks: _Optional[_Iterable[int]] = ..., reason: _Optional[str] = ...) -> None: ...

class DecideCompetitionPairingResponse(_message.Message):
    __slots__ = ("competition",)
    COMPETITION_FIELD_NUMBER: _ClassVar[int]
    competition: _competitions_pb2.Competition
    def __init__(self, competition: _Optional[_Union[_competitions_pb2.Competition, _Mapping]] = ...) -> None: ...

class ListCompetitionJournalRequest(_message.Message):
    __slots__ = ("competition_id", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionJournalResponse(_message.Message):
    __slots__ = ("lines", "next_page_token")
    LINES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    lines: _containers.RepeatedScalarFieldContainer[bytes]
    next_page_token: str
    def __init__(self, lines: _Optional[_Iterable[bytes]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionMatchesRequest(_message.Message):
    __slots__ = ("competition_id", "page_size", "page_token")
    COMPETITION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    competition_id: str
    page_size: int
    page_token: str
    def __init__(self, competition_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListCompetitionMatchesResponse(_message.Message):
    __slots__ = ("matches", "next_page_token")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[CompetitionMatch]
    next_page_token: str
    def __init__(self, matches: _Optional[_Iterable[_Union[CompetitionMatch, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CompetitionMatch(_message.Message):
    __slots__ = ("match", "pairing")
    MATCH_FIELD_NUMBER: _ClassVar[int]
    PAIRING_FIELD_NUMBER: _ClassVar[int]
    match: _matches_pb2.Match
    pairing: str
    def __init__(self, match: _Optional[_Union[_matches_pb2.Match, _Mapping]] = ..., pairing: _Optional[str] = ...) -> None: ...
