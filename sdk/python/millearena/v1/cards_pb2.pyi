from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Card(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CARD_UNSPECIFIED: _ClassVar[Card]
    CARD_D25: _ClassVar[Card]
    CARD_D50: _ClassVar[Card]
    CARD_D75: _ClassVar[Card]
    CARD_D100: _ClassVar[Card]
    CARD_D200: _ClassVar[Card]
    CARD_RED_LIGHT: _ClassVar[Card]
    CARD_SPEED_LIMIT: _ClassVar[Card]
    CARD_OUT_OF_GAS: _ClassVar[Card]
    CARD_FLAT_TIRE: _ClassVar[Card]
    CARD_ACCIDENT: _ClassVar[Card]
    CARD_GREEN_LIGHT: _ClassVar[Card]
    CARD_END_OF_LIMIT: _ClassVar[Card]
    CARD_GASOLINE: _ClassVar[Card]
    CARD_SPARE_TIRE: _ClassVar[Card]
    CARD_REPAIRS: _ClassVar[Card]
    CARD_RIGHT_OF_WAY: _ClassVar[Card]
    CARD_EXTRA_TANK: _ClassVar[Card]
    CARD_PUNCTURE_PROOF: _ClassVar[Card]
    CARD_DRIVING_ACE: _ClassVar[Card]
    CARD_HIDDEN: _ClassVar[Card]
CARD_UNSPECIFIED: Card
CARD_D25: Card
CARD_D50: Card
CARD_D75: Card
CARD_D100: Card
CARD_D200: Card
CARD_RED_LIGHT: Card
CARD_SPEED_LIMIT: Card
CARD_OUT_OF_GAS: Card
CARD_FLAT_TIRE: Card
CARD_ACCIDENT: Card
CARD_GREEN_LIGHT: Card
CARD_END_OF_LIMIT: Card
CARD_GASOLINE: Card
CARD_SPARE_TIRE: Card
CARD_REPAIRS: Card
CARD_RIGHT_OF_WAY: Card
CARD_EXTRA_TANK: Card
CARD_PUNCTURE_PROOF: Card
CARD_DRIVING_ACE: Card
CARD_HIDDEN: Card
