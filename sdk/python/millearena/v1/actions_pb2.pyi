from millearena.v1 import cards_pb2 as _cards_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DrawSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAW_SOURCE_UNSPECIFIED: _ClassVar[DrawSource]
    DRAW_SOURCE_PILE: _ClassVar[DrawSource]
    DRAW_SOURCE_DISCARD: _ClassVar[DrawSource]
DRAW_SOURCE_UNSPECIFIED: DrawSource
DRAW_SOURCE_PILE: DrawSource
DRAW_SOURCE_DISCARD: DrawSource

class Action(_message.Message):
    __slots__ = ("draw", "play", "discard", "coup_fourre", "extend", "stop", "top")
    DRAW_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    DISCARD_FIELD_NUMBER: _ClassVar[int]
    COUP_FOURRE_FIELD_NUMBER: _ClassVar[int]
    PASS_FIELD_NUMBER: _ClassVar[int]
    EXTEND_FIELD_NUMBER: _ClassVar[int]
    STOP_FIELD_NUMBER: _ClassVar[int]
    TOP_FIELD_NUMBER: _ClassVar[int]
    draw: Draw
    play: Play
    discard: Discard
    coup_fourre: CoupFourre
    extend: Extend
    stop: Stop
    top: Top
    def __init__(self, draw: _Optional[_Union[Draw, _Mapping]] = ..., play: _Optional[_Union[Play, _Mapping]] = ..., discard: _Optional[_Union[Discard, _Mapping]] = ..., coup_fourre: _Optional[_Union[CoupFourre, _Mapping]] = ..., extend: _Optional[_Union[Extend, _Mapping]] = ..., stop: _Optional[_Union[Stop, _Mapping]] = ..., top: _Optional[_Union[Top, _Mapping]] = ..., **kwargs) -> None: ...

class Draw(_message.Message):
    __slots__ = ("source",)
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    source: DrawSource
    def __init__(self, source: _Optional[_Union[DrawSource, str]] = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("card", "target_team")
    CARD_FIELD_NUMBER: _ClassVar[int]
    TARGET_TEAM_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    target_team: int
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ..., target_team: _Optional[int] = ...) -> None: ...

class Discard(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class CoupFourre(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...

class Pass(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Extend(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Stop(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Top(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: _cards_pb2.Card
    def __init__(self, card: _Optional[_Union[_cards_pb2.Card, str]] = ...) -> None: ...
