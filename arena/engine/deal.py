"""Chance: from a seed to the order of a deck.

Specified to the byte in README.md beside this file, with test vectors; anyone can recompute a deal
in any language. HMAC is RFC 2104 with SHA-256 (FIPS 180-4); the shuffle is Fisher-Yates in
Durstenfeld's form (CACM algorithm 235) with rejection sampling, so every order is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.engine.cards import CARDS
from arena.engine.state import stripe_length
from arena.errors import SeedError, quoted

SEED_BYTES: Final = 32
PREFIX: Final = b"mille-arena/v1/"
"""Begins every purpose, so that another version or another program never shares a sub-key."""

_BLOCK_NUMBERS: Final = struct.Struct(">Q")
_WORDS: Final = struct.Struct(">8L")
_TWO_32: Final = 1 << 32


def parse_seed(text: str) -> bytes:
    """Read a seed from its 64 hexadecimal digits.

    Raises:
        SeedError: it is not that.
    """
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        seed = b""
    if len(seed) != SEED_BYTES or len(text) != 2 * SEED_BYTES:
        raise SeedError(f"seed {quoted(text)} is not 64 hexadecimal digits (32 bytes)")
    return seed


def seed_from_text(text: str) -> bytes:
    """A seed for play that proves nothing to anybody.

    64 hexadecimal digits stand for themselves, any other text for the SHA-256 of
    "mille-arena/v1/seed/" and the text, so that `--seed 7` means the same everywhere.
    """
    try:
        return parse_seed(text)
    except SeedError:
        # A command line may hold bytes that are no UTF-8: they count as they were given.
        given = text.encode("utf-8", "surrogateescape")
        return hashlib.sha256(PREFIX + b"seed/" + given).digest()


def commitment(seed: bytes) -> bytes:
    """SHA-256 of the seed: published before play, so that the seed can be checked after it."""
    return hashlib.sha256(seed).digest()


def sub_key(seed: bytes, purpose: str) -> bytes:
    """The 32-byte key for one purpose: HMAC-SHA256(seed, "mille-arena/v1/" + purpose)."""
    return hmac.digest(seed, PREFIX + purpose.encode(), "sha256")


class Stream:
    """Numbers from a key: block i is HMAC-SHA256(key, i as 8 bytes, big-endian).

    Each block gives eight 32-bit words, big-endian, first to last.
    """

    __slots__ = ("_block", "_key", "_words")

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._block = 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 32-bit word."""
        if not self._words:
            block = hmac.digest(self._key, _BLOCK_NUMBERS.pack(self._block), "sha256")
            self._block += 1
            self._words = list(reversed(_WORDS.unpack(block)))
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A number from 0 to `bound - 1`, all equally likely.

        Words past the last whole multiple of `bound` are thrown away.
        """
        limit = _TWO_32 - _TWO_32 % bound
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % bound


def shuffled(cards: bytes, key: bytes) -> bytes:
    """`cards` in the order that `key` decides.

    For i from the last place down to 1, the card at i changes places with the one at
    `below(i + 1)`.
    """
    order = bytearray(cards)
    below = Stream(key).below
    for at in range(len(order) - 1, 0, -1):
        other = below(at + 1)
        order[at], order[other] = order[other], order[at]
    return bytes(order)


def deck_cards(counts: Sequence[int]) -> bytes:
    """The cards of a deck in deck order, from its 19 counts."""
    return b"".join(bytes((card,)) * counts[card] for card in CARDS)


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that chance decides in one game, as a pure function of a 32-byte seed.

    Raises:
        SeedError: the seed is not 32 bytes.
    """

    seed: bytes

    def __post_init__(self) -> None:
        if len(self.seed) != SEED_BYTES:
            raise SeedError(f"a seed is 32 bytes, not {len(self.seed)}")

    def deck_order(self, hand: int, counts: Sequence[int]) -> bytes:
        """The shuffled deck of hand number `hand` (from 0): purpose `deck/<hand>`."""
        return shuffled(deck_cards(counts), sub_key(self.seed, f"deck/{hand}"))

    def reshuffle_key(self, hand: int) -> bytes:
        """The key from which the reshuffles of hand number `hand` come: `reshuffle/<hand>`."""
        return sub_key(self.seed, f"reshuffle/{hand}")


def reshuffled(cards: bytes, key: bytes, number: int) -> bytes:
    """The discard pile, bottom first, as the new draw pile, next card first.

    `number` counts the reshuffles of a hand from 0.
    """
    return shuffled(cards, hmac.digest(key, _BLOCK_NUMBERS.pack(number), "sha256"))


def deal_hands(order: bytes, players: int, first: int, size: int) -> tuple[list[bytes], bytes]:
    """Deal `size` cards to each of `players` one at a time, beginning with seat `first`.

    Returns the hands by seat and the rest of the deck, which is the draw pile, next card first.
    """
    dealt = players * size
    hands = [order[(seat - first) % players : dealt : players] for seat in range(players)]
    return hands, order[dealt:]


def stripes_of(pile: bytes, players: int) -> list[bytes]:
    """The stripes of a draw pile, by seat: card k of the pile goes to seat k mod n."""
    return [pile[seat::players] for seat in range(players)]


def stripe_sizes(cards: int, players: int) -> bytearray:
    """How many cards each stripe of a pile gets."""
    return bytearray(stripe_length(cards, players, seat) for seat in range(players))
