import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from millearena.v1 import actions_pb2 as _actions_pb2
from millearena.v1 import cards_pb2 as _cards_pb2
from millearena.v1 import rule_sets_pb2 as _rule_sets_pb2
from millearena.v1 import views_pb2 as _views_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WindowMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WINDOW_MODE_UNSPECIFIED: _ClassVar[WindowMode]
    WINDOW_MODE_PROMPT: _ClassVar[WindowMode]
    WINDOW_MODE_SEALED: _ClassVar[WindowMode]
    WINDOW_MODE_STANDING: _ClassVar[WindowMode]

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_COMPLETED: _ClassVar[Outcome]
    OUTCOME_FORFEIT: _ClassVar[Outcome]
    OUTCOME_VOID: _ClassVar[Outcome]

class ScoreKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SCORE_KIND_UNSPECIFIED: _ClassVar[ScoreKind]
    SCORE_KIND_DISTANCE: _ClassVar[ScoreKind]
    SCORE_KIND_SAFETIES: _ClassVar[ScoreKind]
    SCORE_KIND_ALL_SAFETIES: _ClassVar[ScoreKind]
    SCORE_KIND_COUPS_FOURRES: _ClassVar[ScoreKind]
    SCORE_KIND_COMPLETED: _ClassVar[ScoreKind]
    SCORE_KIND_EXTENSION: _ClassVar[ScoreKind]
    SCORE_KIND_SAFE_TRIP: _ClassVar[ScoreKind]
    SCORE_KIND_DELAYED_ACTION: _ClassVar[ScoreKind]
    SCORE_KIND_SHUTOUT: _ClassVar[ScoreKind]

class RejectionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REJECTION_REASON_UNSPECIFIED: _ClassVar[RejectionReason]
    REJECTION_REASON_TIMED_OUT: _ClassVar[RejectionReason]
    REJECTION_REASON_ILLEGAL: _ClassVar[RejectionReason]
    REJECTION_REASON_MALFORMED: _ClassVar[RejectionReason]
WINDOW_MODE_UNSPECIFIED: WindowMode
WINDOW_MODE_PROMPT: WindowMode
WINDOW_MODE_SEALED: WindowMode
WINDOW_MODE_STANDING: WindowMode
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_COMPLETED: Outcome
OUTCOME_FORFEIT: Outcome
OUTCOME_VOID: Outcome
SCORE_KIND_UNSPECIFIED: ScoreKind
SCORE_KIND_DISTANCE: ScoreKind
SCORE_KIND_SAFETIES: ScoreKind
SCORE_KIND_ALL_SAFETIES: ScoreKind
SCORE_KIND_COUPS_FOURRES: ScoreKind
SCORE_KIND_COMPLETED: ScoreKind
SCORE_KIND_EXTENSION: ScoreKind
SCORE_KIND_SAFE_TRIP: ScoreKind
SCORE_KIND_DELAYED_ACTION: ScoreKind
SCORE_KIND_SHUTOUT: ScoreKind
REJECTION_REASON_UNSPECIFIED: RejectionReason
REJECTION_REASON_TIMED_OUT: RejectionReason
REJECTION_REASON_ILLEGAL: RejectionReason
REJECTION_REASON_MALFORMED: RejectionReason

class PlayRequest(_message.Message):
    __slots__ = ("join", "answer", "note")
    JOIN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    join: Join
    answer: Answer
    note: Note
    def __init__(self, join: _Optional[_Union[Join, _Mapping]] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., note: _Optional[_Union[Note, _Mapping]] = ...) -> None: ...

class PlayResponse(_message.Message):
    __slots__ = ("welcome", "prompt", "rejection", "hand_over", "match_over")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    PROMPT_FIELD_NUMBER: _ClassVar[int]
    REJECTION_FIELD_NUMBER: _ClassVar[int]
    HAND_OVER_FIELD_NUMBER: _ClassVar[int]
    MATCH_OVER_FIELD_NUMBER: _ClassVar[int]
    welcome: Welcome
    prompt: Prompt
    rejection: Rejection
    hand_over: HandOver
    match_over: MatchOver
    def __init__(self, welcome: _Optional[_Union[Welcome, _Mapping]] = ..., prompt: _Optional[_Union[Prompt, _Mapping]] = ..., rejection: _Optional[_Union[Rejection, _Mapping]] = ..., hand_over: _Optional[_Union[HandOver, _Mapping]] = ..., match_over: _Optional[_Union[MatchOver, _Mapping]] = ...) -> None: ...

class Join(_message.Message):
    __slots__ = ("protocol_version", "bot_name", "bot_version", "sdk")
    PROTOCOL_VERSION_FIELD_NUMBER: _ClassVar[int]
    BOT_NAME_FIELD_NUMBER: _ClassVar[int]
    BOT_VERSION_FIELD_NUMBER: _ClassVar[int]
    SDK_FIELD_NUMBER: _ClassVar[int]
    protocol_version: int
    bot_name: str
    bot_version: str
    sdk: str
    def __init__(self, protocol_version: _Optional[int] = ..., bot_name: _Optional[str] = ..., bot_version: _Optional[str] = ..., sdk: _Optional[str] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("prompt_id", "legal_index", "action", "coup_fourre_on")
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    LEGAL_INDEX_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    COUP_FOURRE_ON_FIELD_NUMBER: _ClassVar[int]
    prompt_id: str
    legal_index: int
    action: _actions_pb2.Action
    coup_fourre_on: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, prompt_id: _Optional[str] = ..., legal_index: _Optional[int] = ..., action: _Optional[_Union[_actions_pb2.Action, _Mapping]] = ..., coup_fourre_on: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Note(_message.Message):
    __slots__ = ("text",)
    TEXT_FIELD_NUMBER: _ClassVar[int]
    text: str
    def __init__(self, text: _Optional[str] = ...) -> None: ...

class Welcome(_message.Message):
    __slots__ = ("seat", "teams", "rule_set", "time_control", "window_mode", "game_number", "game_count", "fault_budget", "knowledge")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TIME_CONTROL_FIELD_NUMBER: _ClassVar[int]
    WINDOW_MODE_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    FAULT_BUDGET_FIELD_NUMBER: _ClassVar[int]
    KNOWLEDGE_FIELD_NUMBER: _ClassVar[int]
    seat: int
    teams: _containers.RepeatedCompositeFieldContainer[_views_pb2.Team]
    rule_set: _rule_sets_pb2.RuleSet
    time_control: TimeControl
    window_mode: WindowMode
    game_number: int
    game_count: int
    fault_budget: FaultBudget
    knowledge: Knowledge
    def __init__(self, seat: _Optional[int] = ..., teams: _Optional[_Iterable[_Union[_views_pb2.Team, _Mapping]]] = ..., rule_set: _Optional[_Union[_rule_sets_pb2.RuleSet, _Mapping]] = ..., time_control: _Optional[_Union[TimeControl, _Mapping]] = ..., window_mode: _Optional[_Union[WindowMode, str]] = ..., game_number: _Optional[int] = ..., game_count: _Optional[int] = ..., fault_budget: _Optional[_Union[FaultBudget, _Mapping]] = ..., knowledge: _Optional[_Union[Knowledge, _Mapping]] = ...) -> None: ...

class FaultBudget(_message.Message):
    __slots__ = ("max_strikes", "messages_per_prompt", "surplus_messages", "note_bytes")
    MAX_STRIKES_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_PER_PROMPT_FIELD_NUMBER: _ClassVar[int]
    SURPLUS_MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NOTE_BYTES_FIELD_NUMBER: _ClassVar[int]
    max_strikes: int
    messages_per_prompt: int
    surplus_messages: int
    note_bytes: int
    def __init__(self, max_strikes: _Optional[int] = ..., messages_per_prompt: _Optional[int] = ..., surplus_messages: _Optional[int] = ..., note_bytes: _Optional[int] = ...) -> None: ...

class Knowledge(_message.Message):
    __slots__ = ("discards_face_down", "striped_draw", "frozen_between_prompts")
    DISCARDS_FACE_DOWN_FIELD_NUMBER: _ClassVar[int]
    STRIPED_DRAW_FIELD_NUMBER: _ClassVar[int]
    FROZEN_BETWEEN_PROMPTS_FIELD_NUMBER: _ClassVar[int]
    discards_face_down: bool
    striped_draw: bool
    frozen_between_prompts: bool
    def __init__(self, discards_face_down: _Optional[bool] = ..., striped_draw: _Optional[bool] = ..., frozen_between_prompts: _Optional[bool] = ...) -> None: ...

class TimeControl(_message.Message):
    __slots__ = ("start_up", "turn", "bank", "response_window")
    START_UP_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    BANK_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_WINDOW_FIELD_NUMBER: _ClassVar[int]
    start_up: _duration_pb2.Duration
    turn: _duration_pb2.Duration
    bank: _duration_pb2.Duration
    response_window: _duration_pb2.Duration
    def __init__(self, start_up: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., turn: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., response_window: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Prompt(_message.Message):
    __slots__ = ("prompt_id", "kind", "view", "legal_actions", "default_index", "time_limit", "bank_left", "game_number", "hand_number")
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    LEGAL_ACTIONS_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_INDEX_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BANK_LEFT_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    prompt_id: str
    kind: _views_pb2.Stage
    view: _views_pb2.View
    legal_actions: _containers.RepeatedCompositeFieldContainer[_actions_pb2.Action]
    default_index: int
    time_limit: _duration_pb2.Duration
    bank_left: _duration_pb2.Duration
    game_number: int
    hand_number: int
    def __init__(self, prompt_id: _Optional[str] = ..., kind: _Optional[_Union[_views_pb2.Stage, str]] = ..., view: _Optional[_Union[_views_pb2.View, _Mapping]] = ..., legal_actions: _Optional[_Iterable[_Union[_actions_pb2.Action, _Mapping]]] = ..., default_index: _Optional[int] = ..., time_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., bank_left: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., game_number: _Optional[int] = ..., hand_number: _Optional[int] = ...) -> None: ...

class Rejection(_message.Message):
    __slots__ = ("prompt_id", "reason", "detail", "played", "strikes")
    PROMPT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    PLAYED_FIELD_NUMBER: _ClassVar[int]
    STRIKES_FIELD_NUMBER: _ClassVar[int]
    prompt_id: str
    reason: RejectionReason
    detail: str
    played: _actions_pb2.Action
    strikes: int
    def __init__(self, prompt_id: _Optional[str] = ..., reason: _Optional[_Union[RejectionReason, str]] = ..., detail: _Optional[str] = ..., played: _Optional[_Union[_actions_pb2.Action, _Mapping]] = ..., strikes: _Optional[int] = ...) -> None: ...

class HandOver(_message.Message):
    __slots__ = ("game_number", "hand_number", "end", "winner_team", "results", "scores", "game_over", "game_winner_team", "events")
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    HAND_NUMBER_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    WINNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    GAME_OVER_FIELD_NUMBER: _ClassVar[int]
    GAME_WINNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    game_number: int
    hand_number: int
    end: _views_pb2.HandEnd
    winner_team: int
    results: _containers.RepeatedCompositeFieldContainer[TeamResult]
    scores: _containers.RepeatedScalarFieldContainer[int]
    game_over: bool
    game_winner_team: int
    events: _containers.RepeatedCompositeFieldContainer[_views_pb2.Event]
    def __init__(self, game_number: _Optional[int] = ..., hand_number: _Optional[int] = ..., end: _Optional[_Union[_views_pb2.HandEnd, str]] = ..., winner_team: _Optional[int] = ..., results: _Optional[_Iterable[_Union[TeamResult, _Mapping]]] = ..., scores: _Optional[_Iterable[int]] = ..., game_over: _Optional[bool] = ..., game_winner_team: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_views_pb2.Event, _Mapping]]] = ...) -> None: ...

class TeamResult(_message.Message):
    __slots__ = ("km", "points", "items")
    KM_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    ITEMS_FIELD_NUMBER: _ClassVar[int]
    km: int
    points: int
    items: _containers.RepeatedCompositeFieldContainer[ScoreItem]
    def __init__(self, km: _Optional[int] = ..., points: _Optional[int] = ..., items: _Optional[_Iterable[_Union[ScoreItem, _Mapping]]] = ...) -> None: ...

class ScoreItem(_message.Message):
    __slots__ = ("kind", "points")
    KIND_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    kind: ScoreKind
    points: int
    def __init__(self, kind: _Optional[_Union[ScoreKind, str]] = ..., points: _Optional[int] = ...) -> None: ...

class MatchOver(_message.Message):
    __slots__ = ("game_count", "games_won", "games_drawn", "outcome", "detail")
    GAME_COUNT_FIELD_NUMBER: _ClassVar[int]
    GAMES_WON_FIELD_NUMBER: _ClassVar[int]
    GAMES_DRAWN_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    DETAIL_FIELD_NUMBER: _ClassVar[int]
    game_count: int
    games_won: int
    games_drawn: int
    outcome: Outcome
    detail: str
    def __init__(self, game_count: _Optional[int] = ..., games_won: _Optional[int] = ..., games_drawn: _Optional[int] = ..., outcome: _Optional[_Union[Outcome, str]] = ..., detail: _Optional[str] = ...) -> None: ...
