"""How cards that not everybody has seen, and events, are written down.

A pile or a log that some seats may read and others may not is kept as bytes in which every byte
says by itself who may know it. What a seat may know is then one `bytes.translate`, so secrecy is a
table and not a habit:

    byte           meaning
    0..18          a card that everybody has seen
    19..132        a card that one seat alone knows: 19 * (seat + 1) + card
    133..138       a card hidden from the reader, known to seat byte - 133
    139..252       first byte of an event: 139 + 6 * kind + seat

An event is two bytes: its kind with the seat that caused it, then its card.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import IntEnum
from typing import Final, NamedTuple

from arena.engine.cards import CARDS, KINDS, Card
from arena.engine.rulesets import MAX_SEATS

PUBLIC: Final = -1
"""The reader who may know only what everybody knows."""

HIDDEN: Final = KINDS * (MAX_SEATS + 1)
"""First of the codes for a hidden card; the seat that knows it is added."""

_EVENTS: Final = HIDDEN + MAX_SEATS


class EventKind(IntEnum):
    """What can happen at the table.

    A response that passes leaves no event: whether a seat could have answered is its own secret
    (R16), and that nobody did is plain from what comes next.
    """

    DRAWN = 0
    """A card from the draw pile; only the drawer knows which."""
    TAKEN = 1
    """The top card of the discard pile (X03); if it lay face down, only the taker knows which."""
    PLAYED = 2
    """A distance, remedy or safety on the seat's own table."""
    DISCARDED = 3
    """Face down in the classic game, where only the seat itself knows the card (R05)."""
    COUP_FOURRE = 4
    EXTENDED = 5
    STOPPED = 6
    TOPPED = 7
    """The card put on top of the discard pile after a parade (X20)."""
    RESHUFFLED = 8
    """The discard pile became the draw pile, because this seat had to draw."""
    LAID_ON_0 = 9
    LAID_ON_1 = 10
    LAID_ON_2 = 11
    LAID_ON_3 = 12
    """A hazard, on the table of the team in the name."""


class Event(NamedTuple):
    """One thing that happened, as one reader may know it.

    Attributes:
        kind: What happened.
        seat: Who did it.
        card: Which card, or None when the reader may not know it or there is none.
        team: The team that a hazard was laid on, else None.
    """

    kind: EventKind
    seat: int
    card: Card | None
    team: int | None

    def __str__(self) -> str:
        if self.team is not None:
            return f"seat {self.seat}: laid {self.card} on {self.team}"
        words = self.kind.name.lower().replace("_", " ")
        return f"seat {self.seat}: {words}" + (f" {self.card}" if self.card is not None else "")


_CARDLESS: Final = frozenset({EventKind.EXTENDED, EventKind.STOPPED, EventKind.RESHUFFLED})


def private(card: int, seat: int) -> int:
    """The byte of a card that only `seat` knows."""
    return KINDS * (seat + 1) + card


def hidden(seat: int) -> int:
    """The byte of a card that only `seat` knows, as everybody else reads it."""
    return HIDDEN + seat


def plain(code: int) -> int:
    """The kind that a readable code stands for."""
    return code % KINDS


def head(kind: int, seat: int) -> int:
    """First byte of an event."""
    return _EVENTS + MAX_SEATS * kind + seat


def event_pairs(kind: EventKind, *, secret: bool = False) -> tuple[tuple[bytes, ...], ...]:
    """The two bytes of an event of `kind`, by seat and card.

    `secret`: only the seat itself knows the card.
    """
    return tuple(
        tuple(
            bytes((head(kind, seat), private(card, seat) if secret else card))
            for card in range(KINDS)
        )
        for seat in range(MAX_SEATS)
    )


def _mask(reader: int) -> bytes:
    table = bytearray(range(256))
    for seat in range(MAX_SEATS):
        if seat != reader:
            for card in range(KINDS):
                table[private(card, seat)] = hidden(seat)
    return bytes(table)


MASKS: Final[dict[int, bytes]] = {reader: _mask(reader) for reader in (PUBLIC, *range(MAX_SEATS))}
"""Translation tables: what each reader sees of coded bytes."""

PLAIN: Final[bytes] = bytes(code % KINDS if code < HIDDEN else code for code in range(256))
"""Translation to plain kinds, for a reader to whom every card may be told."""


def decode_pile(coded: bytes) -> tuple[Card | None, ...]:
    """The cards of a coded pile, None where the reader may not know one."""
    return tuple(CARDS[code % KINDS] if code < HIDDEN else None for code in coded)


def decode_events(coded: bytes) -> Iterator[Event]:
    """The events of a coded log."""
    for at in range(0, len(coded), 2):
        number, code = divmod(coded[at] - _EVENTS, MAX_SEATS), coded[at + 1]
        kind = EventKind(number[0])
        nameless = kind in _CARDLESS or code >= HIDDEN
        yield Event(
            kind,
            number[1],
            None if nameless else CARDS[code % KINDS],
            kind - EventKind.LAID_ON_0 if kind >= EventKind.LAID_ON_0 else None,
        )
