from millearena.v1 import cards_pb2 as _cards_pb2
from millearena.v1 import rule_sets_pb2 as _rule_sets_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Stage(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STAGE_UNSPECIFIED: _ClassVar[Stage]
    STAGE_DRAW: _ClassVar[Stage]
    STAGE_PLAY: _ClassVar[Stage]
    STAGE_RESPOND: _ClassVar[Stage]
    STAGE_EXTEND: _ClassVar[Stage]
    STAGE_TOP: _ClassVar[Stage]
    STAGE_OVER: _ClassVar[Stage]

class Resume(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESUME_UNSPECIFIED: _ClassVar[Resume]
    RESUME_END_TURN: _ClassVar[Resume]
    RESUME_AFTER_SAFETY: _ClassVar[Resume]
    RESUME_AFTER_COUP_FOURRE: _ClassVar[Resume]

class HandEnd(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HAND_END_UNSPECIFIED: _ClassVar[HandEnd]
    HAND_END_TARGET: _ClassVar[HandEnd]
    HAND_END_EXHAUSTED: _ClassVar[HandEnd]
    HAND_END_BLOCKED: _ClassVar[HandEnd]
STAGE_UNSPECIFIED: Stage
STAGE_DRAW: Stage
STAGE_PLAY: Stage
STAGE_RESPOND: Stage
STAGE_EXTEND: Stage
STAGE_TOP: Stage
STAGE_OVER: Stage
RESUME_UNSPECIFIED: Resume
RESUME_END_TURN: Resume
RESUME_AFTER_SAFETY: Resume
RESUME_AFTER_COUP_FOURRE: Resume
HAND_END_UNSPECIFIED: HandEnd
HAND_END_TARGET: HandEnd
HAND_END_EXHAUSTED: HandEnd
HAND_END_BLOCKED: HandEnd

class View(_message.Message):
    __slots__ = ("seat", "stage", "asked_seats", "hand", "hand_sizes", "tables", "draw_count", "discard_pile", "discard_known_to_seats", "target_km", "turn_seat", "attack", "attacked_team", "known_cards", "events", "first_event", "event_count", "rule_set", "teams", "dealer_seat", "scores", "stripe_sizes", "draws_due", "resume", "extended_by_team", "ran_out", "dry_start", "idle_turns", "circling_turns", "fresh", "reshuffle_count", "end", "winner_team")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STAGE_FIELD_NUMBER: _ClassVar[int]
    ASKED_SEATS_FIELD_NUMBER: _ClassVar[int]
    HAND_FIELD_NUMBER: _ClassVar[int]
    HAND_SIZES_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    DRAW_COUNT_FIELD_NUMBER: _ClassVar[int]
    DISCARD_PILE_FIELD_NUMBER: _ClassVar[int]
    DISCARD_KNOWN_TO_SEATS_FIELD_NUMBER: _ClassVar[int]
    TARGET_KM_FIELD_NUMBER: _ClassVar[int]
    TURN_SEAT_FIELD_NUMBER: _ClassVar[int]
    ATTACK_FIELD_NUMBER: _ClassVar[int]
    ATTACKED_TEAM_FIELD_NUMBER: _ClassVar[int]
    KNOWN_CARDS_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    FIRST_EVENT_FIELD_NUMBER: _ClassVar[int]
    EVENT_COUNT_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    TEAMS_FIELD_NUMBER: _ClassVar[int]
    DEALER_SEAT_FIELD_NUMBER: _ClassVar[int]
    SCORES_FIELD_NUMBER: _ClassVar[int]
    STRIPE_SIZES_FIELD_NUMBER: _ClassVar[int]
    DRAWS_DUE_FIELD_NUMBER: _ClassVar[int]
    RESUME_FIELD_NUMBER: _ClassVar[int]
    EXTENDED_BY_TEAM_FIELD_NUMBER: _ClassVar[int]
    RAN_OUT_FIELD_NUMBER: _ClassVar[int]
    DRY_START_FIELD_NUMBER: _ClassVar[int]
    IDLE_TURNS_FIELD_NUMBER: _ClassVar[int]
    CIRCLING_TURNS_FIELD_NUMBER: _ClassVar[int]
    FRESH_FIELD_NUMBER: _ClassVar[int]
    RESHUFFLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    END_FIELD_NUMBER: _ClassVar[int]
    WINNER_TEAM_FIELD_NUMBER: _ClassVar[int]
    seat: int
    stage: Stage
    asked_seats: _containers.RepeatedScalarFieldContainer[int]
    hand: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    hand_sizes: _containers.RepeatedScalarFieldContainer[int]
    tables: _containers.RepeatedCompositeFieldContainer[Table]
    draw_count: int
    discard_pile: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    discard_known_to_seats: _containers.RepeatedScalarFieldContainer[int]
    target_km: int
    turn_seat: int
    attack: _cards_pb2.Card
    attacked_team: int
    known_cards: _containers.RepeatedCompositeFieldContainer[KnownCards]
    events: _containers.RepeatedCompositeFieldContainer[Event]
    first_event: int
    event_count: int
    rule_set: _rule_sets_pb2.RuleSet
    teams: _containers.RepeatedCompositeFieldContainer[Team]
    dealer_seat: int
    scores: _containers.RepeatedScalarFieldContainer[int]
    stripe_sizes: _containers.RepeatedScalarFieldContainer[int]
    draws_due: int
    resume: Resume
    extended_by_team: int
    ran_out: bool
    dry_start: bool
    idle_turns: int
    circling_turns: int
    fresh: bool
    reshuffle_count: int
    end: HandEnd
    winner_team: int
    def __init__(self, seat: _Optional[int] = ..., stage: _Optional[_Union[Stage, str]] = ..., asked_seats: _Optional[_Iterable[int]] = ..., hand: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., hand_sizes: _Optional[_Iterable[int]] = ..., tables: _Optional[_Iterable[_Union[Table, _Mapping]]] = ..., draw_count: _Optional[int] = ..., discard_pile: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., discard_known_to_seats: _Optional[_Iterable[int]] = ..., target_km: _Optional[int] = ..., turn_seat: _Optional[int] = ..., attack: _Optional[_Union[_cards_pb2.Card, str]] = ..., attacked_team: _Optional[int] = ..., known_cards: _Optional[_Iterable[_Union[KnownCards, _Mapping]]] = ..., events: _Optional[_Iterable[_Union[Event, _Mapping]]] = ..., first_event: _Optional[int] = ..., event_count: _Optional[int] = ..., rule_set: _Optional[_Union[_rule_sets_pb2.RuleSet, _Mapping]] = ..., teams: _Optional[_Iterable[_Union[Team, _Mapping]]] = ..., dealer_seat: _Optional[int] = ..., scores: _Optional[_Iterable[int]] = ..., stripe_sizes: _Optional[_Iterable[int]] = ..., draws_due: _Optional[int] = ..., resume: _Optional[_Union[Resume, str]] = ..., extended_by_team: _Optional[int] = ..., ran_out: _Optional[bool] = ..., dry_start: _Optional[bool] = ..., idle_turns: _Optional[int] = ..., circling_turns: _Optional[int] = ..., fresh: _Optional[bool] = ..., reshuffle_count: _Optional[int] = ..., end: _Optional[_Union[HandEnd, str]] = ..., winner_team: _Optional[int] = ...) -> None: ...

class Table(_message.Message):
    __slots__ = ("battle_pile", "speed_pile", "distance_cards", "safeties", "coups_fourres", "km", "bonus_km", "started", "moving", "limited", "accepted_cards", "suffered_hazards")
    BATTLE_PILE_FIELD_NUMBER: _ClassVar[int]
    SPEED_PILE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_CARDS_FIELD_NUMBER: _ClassVar[int]
    SAFETIES_FIELD_NUMBER: _ClassVar[int]
    COUPS_FOURRES_FIELD_NUMBER: _ClassVar[int]
    KM_FIELD_NUMBER: _ClassVar[int]
    BONUS_KM_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    MOVING_FIELD_NUMBER: _ClassVar[int]
    LIMITED_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_CARDS_FIELD_NUMBER: _ClassVar[int]
    SUFFERED_HAZARDS_FIELD_NUMBER: _ClassVar[int]
    battle_pile: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    speed_pile: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    distance_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    safeties: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    coups_fourres: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    km: int
    bonus_km: int
    started: bool
    moving: bool
    limited: bool
    accepted_cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    suffered_hazards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, battle_pile: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., speed_pile: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., distance_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., safeties: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., coups_fourres: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., km: _Optional[int] = ..., bonus_km: _Optional[int] = ..., started: _Optional[bool] = ..., moving: _Optional[bool] = ..., limited: _Optional[bool] = ..., accepted_cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ..., suffered_hazards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Team(_message.Message):
    __slots__ = ("seats",)
    SEATS_FIELD_NUMBER: _ClassVar[int]
    seats: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, seats: _Optional[_Iterable[int]] = ...) -> None: ...

class KnownCards(_message.Message):
    __slots__ = ("cards",)
    CARDS_FIELD_NUMBER: _ClassVar[int]
    cards: _containers.RepeatedScalarFieldContainer[_cards_pb2.Card]
    def __init__(self, cards: _Optional[_Iterable[_Union[_cards_pb2.Card, str]]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("seat", "card_drawn", "card_taken", "card_played", "hazard_laid", "card_discarded", "coup_fourre_declared", "hand_extended", "hand_stopped", "top_chosen", "pile_reshuffled")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    CARD_DRAWN_FIELD_NUMBER: _ClassVar[int]
    CARD_TAKEN_FIELD_NUMBER: _ClassVar[int]
    CARD_PLAYED_FIELD_NUMBER: _ClassVar[int]
    HAZARD_LAID_FIELD_NUMBER: _ClassVar[int]
    CARD_DISCARDED_FIELD_NUMBER: _ClassVar[int]
    COUP_FOURRE_DECLARED_FIELD_NUMBER: _ClassVar[int]
    HAND_EXTENDED_FIELD_NUMBER: _ClassVar[int]
    HAND_STOPPED_FIELD_NUMBER: _ClassVar[int]
    TOP_CHOSEN_FIELD_NUMBER: _ClassVar[int]
    PILE_RESHUFFLED_FIELD_NUMBER: _ClassVar[int]
    seat: int
    card_drawn: CardDrawn
    card_taken: CardTaken
    card_played: CardPlayed
    hazard_laid: HazardLaid
    card_discarded: CardDiscarded
    coup_fourre_declared: CoupFourreDeclared
    hand_extended: HandExtended
    hand_stopped: HandStopped
    top_chosen: TopChosen
    pile_reshuffled: PileReshuffled
    def __init__(self, seat: _Optional[int] = ..., card_drawn: _Optional[_Union[CardDrawn, _Mapping]] = ..., card_taken: _Optional[_Union[CardTaken, _Mapping]] = ..., card_played: _Optional[_Union[CardPlayed, _Mapping]] = ..., hazard_laid: _Optional[_Union[HazardLaid, _Mapping]] = ..., card_discarded: _Optional[_Union[CardDiscarded, _Mapping]] = ..., coup_fourre_declared: _Optional[_Union[CoupFourreDeclared, _Mapping]] = ..., hand_extended: _Optional[_Union[HandExtended, _Mapping]] = ..., hand_stopped: _Optional[_Union[HandStopped, _Mapping]] = ..., top_chosen: _Optional[_Union[TopChosen, _Mapping]] = ..., pile_reshuffled: _Optional[_Union[PileReshuffled, _Mapping]] = ...) -> None: ...

class CardDrawn(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class CardTaken(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class CardPlayed(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class HazardLaid(_message.Message):
    __slots__ = ("card", "target_team")
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_TEAM_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    target_team: int
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., target_team: _Optional[int] = ...) -> None: ...

class CardDiscarded(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class CoupFourreDeclared(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class HandExtended(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class HandStopped(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TopChosen(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class PileReshuffled(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
