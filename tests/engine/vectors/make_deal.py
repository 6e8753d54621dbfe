"""Makes `deal.json`, the test vectors of "Chance, to the byte" (arena/engine/README.md).

    python tests/engine/vectors/make_deal.py > tests/engine/vectors/deal.json

The file says what each value is made from, so that a checker needs nothing else: cards are names
in order, with a space between, and so are numbers; bytes are hexadecimal.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from itertools import cycle, islice
from typing import Final

from arena.engine.cards import CARDS, CLASSIC_DECK, EXPRESS_DECK, SHORT_DECK
from arena.engine.deal import (
    Board,
    Stream,
    commitment,
    deal_hands,
    reshuffled,
    seed_from_text,
    stripes_of,
    sub_key,
)
from arena.engine.flow import draw_from_pile, first_seat, set_pile
from arena.engine.rulesets import Family, make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import Frame, HandState, make_frame

Json = object

TEXT: Final = "trois petits dés à coudre"
SEEDS: Final = {
    "zeros": bytes(32),
    "ones": bytes([0xFF] * 32),
    "count": bytes(range(32)),
    "text": seed_from_text(TEXT),
}
PURPOSES: Final = ("board/0", "board/1", "board/10", "deck/0", "deck/1", "reshuffle/0")
BOUNDS: Final = (1, 2, 3, 66, 101, 106, 3 << 30, (1 << 31) + 1, (1 << 32) - 1, 1 << 32)
"""Of these 3 * 2^30 throws away one word in four, and 2^31 + 1 nearly every second one."""

DECKS: Final = {"classic": CLASSIC_DECK, "short": SHORT_DECK, "express": EXPRESS_DECK}
DEALS: Final = (
    ("zeros", 0, "classic", 2, 1),
    ("zeros", 1, "short", 2, 0),
    ("ones", 0, "short", 3, 2),
    ("ones", 2, "express", 3, 1),
    ("count", 0, "classic", 4, 3),
    ("count", 7, "express", 4, 0),
    ("text", 0, "classic", 6, 5),
    ("text", 12, "classic", 6, 2),
    ("text", 3, "express", 2, 0),
)
"""Seed, hand, deck, players, dealer."""

DISCARD_FROM: Final = 30
"""The discard pile of a vector is the deck as shuffled, from this place on."""


def names(cards: Iterable[int]) -> str:
    return " ".join(CARDS[card].name for card in cards)


def seed_vector(name: str) -> Json:
    seed = SEEDS[name]
    keys = {purpose: sub_key(seed, purpose).hex() for purpose in PURPOSES}
    key = sub_key(seed, "deck/0")
    stream = Stream(key)
    words = [stream.word() for _ in range(16)]
    return {
        "seed": seed.hex(),
        **({"text": TEXT} if name == "text" else {}),
        "commitment": commitment(seed).hex(),
        "sub_keys": keys,
        "stream": {"purpose": "deck/0", "first_64": b"".join(map(_four, words)).hex()},
        "below": {"purpose": "deck/0", "first_8": {str(n): first_below(key, n) for n in BOUNDS}},
        "decks": [
            {"hand": hand, "deck": deck, "cards": names(Board(seed).deck_order(hand, counts))}
            for hand in (0, 1)
            for deck, counts in DECKS.items()
        ],
    }


def _four(word: int) -> bytes:
    return word.to_bytes(4, "big")


def first_below(key: bytes, bound: int) -> str:
    """The first eight numbers below `bound`, from a fresh stream."""
    stream = Stream(key)
    return " ".join(str(stream.below(bound)) for _ in range(8))


def deal_vector(name: str, hand: int, deck: str, players: int, dealer: int) -> Json:
    frame = make_table(deck, players, dealer)
    board = Board(SEEDS[name])
    order = board.deck_order(hand, DECKS[deck])
    hands, pile = deal_hands(order, players, first_seat(frame), frame.rules.hand_size)
    discard = order[DISCARD_FROM:]
    seats = uneven_seats(players, len(pile))
    return {
        "seed": SEEDS[name].hex(),
        "hand": hand,
        "deck": deck,
        "players": players,
        "dealer": dealer,
        "hand_size": frame.rules.hand_size,
        "hands": [names(cards) for cards in hands],
        "draw_pile": names(pile),
        "stripes": [names(stripe) for stripe in stripes_of(pile, players)],
        "striped_draws": {
            "seats": " ".join(map(str, seats)),
            "cards": names(striped_draws(frame, pile, seats)),
        },
        "reshuffles": [
            reshuffle_vector(board.reshuffle_key(hand), number, discard[number:], players)
            for number in (0, 1)
        ],
    }


def make_table(deck: str, players: int, dealer: int) -> Frame:
    """A table whose rules deal from `deck`."""
    preset = Family.EXPRESS if deck == "express" else Family.CLASSIC
    rules = make_ruleset(preset, {"deck_2p_reduction": True} if deck == "short" else {})
    if rules.deck(players) != DECKS[deck]:
        raise ValueError(f"{players} players do not play with the {deck} deck")
    return make_frame(rules, make_seating(rules, players), dealer=dealer)


def uneven_seats(players: int, draws: int) -> list[int]:
    """Who draws: all in turn, but seat 1 twice as often, so that stripes run out at other times."""
    return list(islice(cycle([*range(players), 1]), draws))


def striped_draws(frame: Frame, pile: bytes, seats: Sequence[int]) -> list[int]:
    """The cards that `seats` draw, one after the other, from the engine's own striped pile."""
    state = HandState(frame)
    set_pile(state, pile, striped=True)
    drawn: list[int] = []
    for seat in seats:
        before = bytes(state.hands[seat])
        draw_from_pile(state, seat)
        after = state.hands[seat]
        drawn.append(next(card for card in CARDS if after[card] != before[card]))
    return drawn


def reshuffle_vector(key: bytes, number: int, discard: bytes, players: int) -> Json:
    pile = reshuffled(discard, key, number)
    return {
        "number": number,
        "discard_pile": names(discard),
        "draw_pile": names(pile),
        "stripes": [names(stripe) for stripe in stripes_of(pile, players)],
    }


def make() -> str:
    """The text of `deal.json`."""
    document = {
        "format": "mille-arena-deal/1",
        "made_by": "tests/engine/vectors/make_deal.py",
        "seeds": [seed_vector(name) for name in SEEDS],
        "deals": [deal_vector(*deal) for deal in DEALS],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.write(make())
