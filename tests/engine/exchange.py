"""Exchanging two cards that a reader cannot see: the other world that it could be in as well.

A place is where a card lies. `exchange` edits a copy of a state so that it is what would have come
about with the two cards in each other's place: hands and their masks, the draw pile, the codes of
face-down discards, the private bytes of the log, and the count of distance cards.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from arena.engine.codes import HIDDEN, PUBLIC, EventKind, head, plain, private
from arena.engine.flow import count_distances
from arena.engine.state import HandState

KINDS: Final = 19


class Place(NamedTuple):
    """Where a hidden card lies; `at` is its kind in a hand, its index in the pile or discard."""

    where: str
    seat: int
    at: int


def hidden_places(state: HandState, reader: int) -> list[Place]:
    """Every place of a card that `reader` cannot know; a hand's place stands for each kind once."""
    return [*_hands(state, reader), *_pile(state), *_discards(state, reader)]


def _hands(state: HandState, reader: int) -> list[Place]:
    known = state.known
    return [
        Place("hand", seat, kind)
        for seat, hand in enumerate(state.hands)
        if seat != reader
        for kind in range(KINDS)
        if hand[kind] > (0 if known is None else known[seat][kind])
    ]


def _pile(state: HandState) -> list[Place]:
    if state.stripes is None:
        first = len(state.pile) - state.left
        return [Place("pile", PUBLIC, at) for at in range(first, len(state.pile))]
    players = state.players
    stripes = [range(stripe, len(state.pile), players) for stripe in range(players)]
    return [
        Place("pile", PUBLIC, at)
        for stripe, left in zip(stripes, state.stripes, strict=True)
        for at in list(stripe)[len(stripe) - left :]
    ]


def _discards(state: HandState, reader: int) -> list[Place]:
    places = []
    for at, code in enumerate(state.discard):
        seat = code // KINDS - 1
        if seat not in (PUBLIC, reader):
            assert code < HIDDEN
            places.append(Place("discard", seat, at))
    return places


def card_at(state: HandState, place: Place) -> int:
    """The kind of the card that lies there."""
    if place.where == "hand":
        return place.at
    return state.pile[place.at] if place.where == "pile" else plain(state.discard[place.at])


def exchange(state: HandState, one: Place, other: Place) -> HandState:
    """A copy of the state with two cards in each other's place."""
    new = state.copy()
    first, second = card_at(state, one), card_at(state, other)
    _put(new, one, first, second)
    _put(new, other, second, first)
    if new.frame.draws_choose:
        count_distances(new)
    return new


def _put(state: HandState, place: Place, old: int, new: int) -> None:
    """Put a card of kind `new` where one of kind `old` lies."""
    where, seat, at = place
    if where == "pile":
        state.pile = _with_byte(state.pile, at, new)
        return
    if where == "hand":
        hand = state.hands[seat]
        hand[old] -= 1
        hand[new] += 1
        state.masks[seat] = sum(1 << kind for kind in range(KINDS) if hand[kind])
    else:
        state.discard = _with_byte(state.discard, at, private(new, seat))
        _rewrite(state, EventKind.DISCARDED, seat, old, new)
    for kind in (EventKind.TAKEN, EventKind.DRAWN):
        if _rewrite(state, kind, seat, old, new):
            return


def _rewrite(state: HandState, kind: EventKind, seat: int, old: int, new: int) -> bool:
    """Change the card of the last such event that only `seat` can read; whether there was one."""
    wanted = bytes((head(kind, seat), private(old, seat)))
    for at in range(len(state.log) - 2, -1, -2):
        if state.log[at : at + 2] == wanted:
            state.log = _with_byte(state.log, at + 1, private(new, seat))
            return True
    return False


def _with_byte(text: bytes, at: int, byte: int) -> bytes:
    return text[:at] + bytes((byte,)) + text[at + 1 :]
