from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Family(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FAMILY_UNSPECIFIED: _ClassVar[Family]
    FAMILY_CLASSIC: _ClassVar[Family]
    FAMILY_EXPRESS: _ClassVar[Family]
    FAMILY_PLATEAU: _ClassVar[Family]

class DelayedActionTrigger(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DELAYED_ACTION_TRIGGER_UNSPECIFIED: _ClassVar[DelayedActionTrigger]
    DELAYED_ACTION_TRIGGER_PILE_EMPTY: _ClassVar[DelayedActionTrigger]
    DELAYED_ACTION_TRIGGER_EMPTY_AT_TURN_START: _ClassVar[DelayedActionTrigger]

class ShutoutRule(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SHUTOUT_RULE_UNSPECIFIED: _ClassVar[ShutoutRule]
    SHUTOUT_RULE_ALL: _ClassVar[ShutoutRule]
    SHUTOUT_RULE_ANY: _ClassVar[ShutoutRule]
    SHUTOUT_RULE_DUJARDIN: _ClassVar[ShutoutRule]

class MatchTie(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_TIE_UNSPECIFIED: _ClassVar[MatchTie]
    MATCH_TIE_EXTRA_HAND: _ClassVar[MatchTie]
    MATCH_TIE_DRAW: _ClassVar[MatchTie]

class BonusOverflow(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    BONUS_OVERFLOW_UNSPECIFIED: _ClassVar[BonusOverflow]
    BONUS_OVERFLOW_FORFEIT: _ClassVar[BonusOverflow]
    BONUS_OVERFLOW_CLAMP: _ClassVar[BonusOverflow]
    BONUS_OVERFLOW_ALLOW: _ClassVar[BonusOverflow]

class ExpressSafetyDraw(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPRESS_SAFETY_DRAW_UNSPECIFIED: _ClassVar[ExpressSafetyDraw]
    EXPRESS_SAFETY_DRAW_PILE: _ClassVar[ExpressSafetyDraw]
    EXPRESS_SAFETY_DRAW_CHOICE: _ClassVar[ExpressSafetyDraw]

class ExpressExhaustedDraw(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPRESS_EXHAUSTED_DRAW_UNSPECIFIED: _ClassVar[ExpressExhaustedDraw]
    EXPRESS_EXHAUSTED_DRAW_NONE: _ClassVar[ExpressExhaustedDraw]
    EXPRESS_EXHAUSTED_DRAW_DISCARD: _ClassVar[ExpressExhaustedDraw]
    EXPRESS_EXHAUSTED_DRAW_RESHUFFLE: _ClassVar[ExpressExhaustedDraw]

class PlateauExhaustion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLATEAU_EXHAUSTION_UNSPECIFIED: _ClassVar[PlateauExhaustion]
    PLATEAU_EXHAUSTION_PLAY_OUT: _ClassVar[PlateauExhaustion]
    PLATEAU_EXHAUSTION_RESHUFFLE: _ClassVar[PlateauExhaustion]
FAMILY_UNSPECIFIED: Family
FAMILY_CLASSIC: Family
FAMILY_EXPRESS: Family
FAMILY_PLATEAU: Family
DELAYED_ACTION_TRIGGER_UNSPECIFIED: DelayedActionTrigger
DELAYED_ACTION_TRIGGER_PILE_EMPTY: DelayedActionTrigger
DELAYED_ACTION_TRIGGER_EMPTY_AT_TURN_START: DelayedActionTrigger
SHUTOUT_RULE_UNSPECIFIED: ShutoutRule
SHUTOUT_RULE_ALL: ShutoutRule
SHUTOUT_RULE_ANY: ShutoutRule
SHUTOUT_RULE_DUJARDIN: ShutoutRule
MATCH_TIE_UNSPECIFIED: MatchTie
MATCH_TIE_EXTRA_HAND: MatchTie
MATCH_TIE_DRAW: MatchTie
BONUS_OVERFLOW_UNSPECIFIED: BonusOverflow
BONUS_OVERFLOW_FORFEIT: BonusOverflow
BONUS_OVERFLOW_CLAMP: BonusOverflow
BONUS_OVERFLOW_ALLOW: BonusOverflow
EXPRESS_SAFETY_DRAW_UNSPECIFIED: ExpressSafetyDraw
EXPRESS_SAFETY_DRAW_PILE: ExpressSafetyDraw
EXPRESS_SAFETY_DRAW_CHOICE: ExpressSafetyDraw
EXPRESS_EXHAUSTED_DRAW_UNSPECIFIED: ExpressExhaustedDraw
EXPRESS_EXHAUSTED_DRAW_NONE: ExpressExhaustedDraw
EXPRESS_EXHAUSTED_DRAW_DISCARD: ExpressExhaustedDraw
EXPRESS_EXHAUSTED_DRAW_RESHUFFLE: ExpressExhaustedDraw
PLATEAU_EXHAUSTION_UNSPECIFIED: PlateauExhaustion
PLATEAU_EXHAUSTION_PLAY_OUT: PlateauExhaustion
PLATEAU_EXHAUSTION_RESHUFFLE: PlateauExhaustion

class RuleSet(_message.Message):
    __slots__ = ("preset", "family", "target", "extension", "failed_extension_bonus", "max_200", "late_safety_restarts", "exhausted_safety_replays", "discard_visible", "forced_play", "reshuffle", "delayed_action_trigger", "four_safeties_bonus", "shutout_rule", "match_points", "match_tie", "max_hands", "deck_2p_reduction", "allow_individual_4", "first_dealer", "first_player", "safety_km", "coup_fourre_km", "bonus_overflow", "express_safety_draw", "express_exhausted_draw", "express_stall_rounds", "top_choice", "plateau_green_light_to_start", "plateau_exhaustion")
    PRESET_FIELD_NUMBER: _ClassVar[int]
    FAMILY_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    EXTENSION_FIELD_NUMBER: _ClassVar[int]
    FAILED_EXTENSION_BONUS_FIELD_NUMBER: _ClassVar[int]
    MAX_200_FIELD_NUMBER: _ClassVar[int]
    LATE_SAFETY_RESTARTS_FIELD_NUMBER: _ClassVar[int]
    EXHAUSTED_SAFETY_REPLAYS_FIELD_NUMBER: _ClassVar[int]
    DISCARD_VISIBLE_FIELD_NUMBER: _ClassVar[int]
    FORCED_PLAY_FIELD_NUMBER: _ClassVar[int]
    RESHUFFLE_FIELD_NUMBER: _ClassVar[int]
    DELAYED_ACTION_TRIGGER_FIELD_NUMBER: _ClassVar[int]
    FOUR_SAFETIES_BONUS_FIELD_NUMBER: _ClassVar[int]
    SHUTOUT_RULE_FIELD_NUMBER: _ClassVar[int]
    MATCH_POINTS_FIELD_NUMBER: _ClassVar[int]
    MATCH_TIE_FIELD_NUMBER: _ClassVar[int]
    MAX_HANDS_FIELD_NUMBER: _ClassVar[int]
    DECK_2P_REDUCTION_FIELD_NUMBER: _ClassVar[int]
    ALLOW_INDIVIDUAL_4_FIELD_NUMBER: _ClassVar[int]
    FIRST_DEALER_FIELD_NUMBER: _ClassVar[int]
    FIRST_PLAYER_FIELD_NUMBER: _ClassVar[int]
    SAFETY_KM_FIELD_NUMBER: _ClassVar[int]
    COUP_FOURRE_KM_FIELD_NUMBER: _ClassVar[int]
    BONUS_OVERFLOW_FIELD_NUMBER: _ClassVar[int]
    EXPRESS_SAFETY_DRAW_FIELD_NUMBER: _ClassVar[int]
    EXPRESS_EXHAUSTED_DRAW_FIELD_NUMBER: _ClassVar[int]
    EXPRESS_STALL_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TOP_CHOICE_FIELD_NUMBER: _ClassVar[int]
    PLATEAU_GREEN_LIGHT_TO_START_FIELD_NUMBER: _ClassVar[int]
    PLATEAU_EXHAUSTION_FIELD_NUMBER: _ClassVar[int]
    preset: str
    family: Family
    target: int
    extension: bool
    failed_extension_bonus: bool
    max_200: int
    late_safety_restarts: bool
    exhausted_safety_replays: bool
    discard_visible: bool
    forced_play: bool
    reshuffle: bool
    delayed_action_trigger: DelayedActionTrigger
    four_safeties_bonus: int
    shutout_rule: ShutoutRule
    match_points: int
    match_tie: MatchTie
    max_hands: int
    deck_2p_reduction: bool
    allow_individual_4: bool
    first_dealer: int
    first_player: int
    safety_km: int
    coup_fourre_km: int
    bonus_overflow: BonusOverflow
    express_safety_draw: ExpressSafetyDraw
    express_exhausted_draw: ExpressExhaustedDraw
    express_stall_rounds: int
    top_choice: bool
    plateau_green_light_to_start: bool
    plateau_exhaustion: PlateauExhaustion
    def __init__(self, preset: _Optional[str] = ..., family: _Optional[_Union[Family, str]] = ..., target: _Optional[int] = ..., extension: _Optional[bool] = ..., failed_extension_bonus: _Optional[bool] = ..., max_200: _Optional[int] = ..., late_safety_restarts: _Optional[bool] = ..., exhausted_safety_replays: _Optional[bool] = ..., discard_visible: _Optional[bool] = ..., forced_play: _Optional[bool] = ..., reshuffle: _Optional[bool] = ..., delayed_action_trigger: _Optional[_Union[DelayedActionTrigger, str]] = ..., four_safeties_bonus: _Optional[int] = ..., shutout_rule: _Optional[_Union[ShutoutRule, str]] = ..., match_points: _Optional[int] = ..., match_tie: _Optional[_Union[MatchTie, str]] = ..., max_hands: _Optional[int] = ..., deck_2p_reduction: _Optional[bool] = ..., allow_individual_4: _Optional[bool] = ..., first_dealer: _Optional[int] = ..., first_player: _Optional[int] = ..., safety_km: _Optional[int] = ..., coup_fourre_km: _Optional[int] = ..., bonus_overflow: _Optional[_Union[BonusOverflow, str]] = ..., express_safety_draw: _Optional[_Union[ExpressSafetyDraw, str]] = ..., express_exhausted_draw: _Optional[_Union[ExpressExhaustedDraw, str]] = ..., express_stall_rounds: _Optional[int] = ..., top_choice: _Optional[bool] = ..., plateau_green_light_to_start: _Optional[bool] = ..., plateau_exhaustion: _Optional[_Union[PlateauExhaustion, str]] = ...) -> None: ...
