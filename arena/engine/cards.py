"""The 19 kinds of card, their numbers, and the decks (X01, P01, R34).

A card has no identity beyond its kind. Inside the engine a kind is a small integer 0..18 in *deck
order* (distances, hazards, remedies, safeties), a hand is 19 counts, and a pile is `bytes` of kinds
with the top last. `Card` is the same number with a name, so `pile[-1] == Card.RED_LIGHT` holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import Final

from arena.errors import NotationError, quoted


class Card(IntEnum):
    """One kind of card; the value is its place in deck order."""

    D25 = 0
    D50 = 1
    D75 = 2
    D100 = 3
    D200 = 4
    RED_LIGHT = 5
    SPEED_LIMIT = 6
    OUT_OF_GAS = 7
    FLAT_TIRE = 8
    ACCIDENT = 9
    GREEN_LIGHT = 10
    END_OF_LIMIT = 11
    GASOLINE = 12
    SPARE_TIRE = 13
    REPAIRS = 14
    RIGHT_OF_WAY = 15
    EXTRA_TANK = 16
    PUNCTURE_PROOF = 17
    DRIVING_ACE = 18

    def __str__(self) -> str:
        return self.name

    @property
    def is_distance(self) -> bool:
        return self < Card.RED_LIGHT

    @property
    def is_hazard(self) -> bool:
        return Card.RED_LIGHT <= self <= Card.ACCIDENT

    @property
    def is_remedy(self) -> bool:
        return Card.GREEN_LIGHT <= self <= Card.REPAIRS

    @property
    def is_safety(self) -> bool:
        return self >= Card.RIGHT_OF_WAY


KINDS: Final = 19
CARDS: Final[tuple[Card, ...]] = tuple(Card)
DISTANCES: Final[tuple[Card, ...]] = CARDS[0:5]
HAZARDS: Final[tuple[Card, ...]] = CARDS[5:10]
REMEDIES: Final[tuple[Card, ...]] = CARDS[10:15]
SAFETIES: Final[tuple[Card, ...]] = CARDS[15:19]

KM: Final[tuple[int, ...]] = (25, 50, 75, 100, 200)
"""Kilometres of each distance card, by kind."""

REMEDY_FOR: Final[dict[Card, Card]] = {
    Card.RED_LIGHT: Card.GREEN_LIGHT,
    Card.SPEED_LIMIT: Card.END_OF_LIMIT,
    Card.OUT_OF_GAS: Card.GASOLINE,
    Card.FLAT_TIRE: Card.SPARE_TIRE,
    Card.ACCIDENT: Card.REPAIRS,
}
"""The remedy of each hazard (K28-K30)."""

SAFETY_FOR: Final[dict[Card, Card]] = {
    Card.RED_LIGHT: Card.RIGHT_OF_WAY,
    Card.SPEED_LIMIT: Card.RIGHT_OF_WAY,
    Card.OUT_OF_GAS: Card.EXTRA_TANK,
    Card.FLAT_TIRE: Card.PUNCTURE_PROOF,
    Card.ACCIDENT: Card.DRIVING_ACE,
}
"""The safety that answers each hazard (R15)."""

BIT: Final[tuple[int, ...]] = tuple(1 << kind for kind in range(KINDS))
"""Bit of each kind in a mask of kinds."""

BYTE: Final[tuple[bytes, ...]] = tuple(bytes((kind,)) for kind in range(256))
"""One-byte strings, so that a pile grows without building one."""

SAFETY_SHIFT: Final = int(Card.RIGHT_OF_WAY)
"""A mask of safeties is a mask of kinds shifted right by this: four bits, Right of Way lowest."""

DISTANCE_MASK: Final = 0b11111
HAZARD_MASK: Final = 0b11111 << 5

CLASSIC_DECK: Final[tuple[int, ...]] = (
    *(10, 10, 10, 12, 4),
    *(5, 4, 3, 3, 3),
    *(14, 6, 6, 6, 6),
    *(1, 1, 1, 1),
)
"""106 cards: 46 distance, 18 hazards, 38 remedies, 4 safeties (002 "Le matériel"; P01)."""

SHORT_DECK: Final[tuple[int, ...]] = (
    *CLASSIC_DECK[:5],
    *(count - 1 for count in CLASSIC_DECK[5:10]),
    *CLASSIC_DECK[10:],
)
"""101 cards: one card of each hazard taken out (R34, the printed leaflets for 2 or 3 players)."""

EXPRESS_DECK: Final[tuple[int, ...]] = (
    *(6, 6, 6, 10, 3),
    *(2, 2, 2, 2, 2),
    *(5, 4, 4, 4, 4),
    *(1, 1, 1, 1),
)
"""66 cards (X01)."""


def card_named(text: str) -> Card:
    """Return the card called `text`, as the notation spells it.

    Raises:
        NotationError: there is no such card.
    """
    try:
        return Card[text]
    except KeyError:
        names = " ".join(Card.__members__)
        raise NotationError(f"unknown card {quoted(text)}; the cards are {names}") from None


def counts_of(cards: Iterable[int]) -> bytearray:
    """Count `cards` by kind: 19 counts in deck order."""
    counts = bytearray(KINDS)
    for card, count in Counter(cards).items():
        counts[card] = count
    return counts


def cards_of(counts: Sequence[int]) -> tuple[Card, ...]:
    """List the cards of 19 counts, in deck order."""
    return tuple(card for card in CARDS for _ in range(counts[card]))
