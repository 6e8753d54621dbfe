"""What one seat may know, and what everybody may know.

`view` is the only way from a `HandState` to anything a bot is told. It copies what is public, and
passes what is not through `codes.MASKS`, where a card that the reader may not know loses its
identity.
Law: two states that differ only in cards hidden from a seat give that seat equal views.

`determinize` goes back: from a view to a full state that could be the true one, for search.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, Protocol

from arena.engine.actions import Action
from arena.engine.cards import KINDS, SAFETIES, Card, cards_of
from arena.engine.codes import (
    HIDDEN,
    MASKS,
    PUBLIC,
    Event,
    decode_events,
    decode_pile,
    plain,
    private,
)
from arena.engine.flow import count_distances, give
from arena.engine.rules import legal
from arena.engine.rulesets import RuleSet
from arena.engine.seating import Seating
from arena.engine.state import (
    NOBODY,
    Frame,
    HandState,
    Stage,
    TableView,
)

_RESPOND: Final = int(Stage.RESPOND)
_OVER: Final = int(Stage.OVER)


class Rng(Protocol):
    """The part of `random.Random` that is needed to draw at random."""

    def shuffle(self, x: list[int]) -> None: ...
    def randbytes(self, n: int) -> bytes: ...


class View(NamedTuple):
    """Everything that one reader may know about a hand, as compact immutable values.

    Masks and counts are for programs that search; properties with friendlier values stand below.
    The first fields are what a bot plays from, the later ones complete the state of the game.

    Attributes:
        seat: The reader's seat, or PUBLIC (-1).
        stage: What is asked now.
        asked: Seats that are asked, as far as the reader may know: in a response window the others
            of the attacked team are always taken for asked, whoever holds the safety.
        legal: The reader's legal actions now; empty when it is not asked.
        hand: 19 counts of the reader's hand; all zero for the public.
        sizes: Cards in hand, per seat.
        tables: Per team.
        draw_count: Cards in the draw pile.
        discard: The discard pile in the codes of `codes`, top last.
        target: km that end the hand.
        turn: Whose turn it is; in a response window still the attacker.
        attack: The hazard under response, or to be topped, else -1.
        attacked: The team under attack, else -1.
        known: Express: per seat 19 counts of cards that everybody knows to be in that hand.
        events: Events from number `first_event` on, in the codes of `codes`.
        first_event, event_count: Numbers of the first event shown and of the next one to come.
        frame: What was agreed before the hand: rules, seating, dealer, scores.
        stripes: Striped draw: cards left in each seat's stripe; else empty.
        due, resume: See `HandState`.
        extended_by: The team that extended the hand, else -1.
        ran_out, dry_start, idle, circling, fresh, reshuffled: See `HandState`.
        reason, winner: Once over: why, and who finished or won, else -1.
    """

    seat: int
    stage: Stage
    asked: tuple[int, ...]
    legal: tuple[Action, ...]
    hand: bytes
    sizes: bytes
    tables: tuple[TableView, ...]
    draw_count: int
    discard: bytes
    target: int
    turn: int
    attack: int
    attacked: int
    known: tuple[bytes, ...]
    events: bytes
    first_event: int
    event_count: int
    frame: Frame
    stripes: bytes
    due: int
    resume: int
    extended_by: int
    ran_out: bool
    dry_start: bool
    idle: int
    circling: int
    fresh: bool
    reshuffled: int
    reason: int
    winner: int

    @property
    def rules(self) -> RuleSet:
        return self.frame.rules

    @property
    def seating(self) -> Seating:
        return self.frame.seating

    @property
    def scores(self) -> tuple[int, ...]:
        """Match points of each team before this hand."""
        return self.frame.scores

    @property
    def cards(self) -> tuple[Card, ...]:
        """The reader's hand, in deck order."""
        return cards_of(self.hand)

    @property
    def team(self) -> int:
        """The reader's team; -1 for the public."""
        return NOBODY if self.seat == PUBLIC else self.seating.team_of[self.seat]

    @property
    def table(self) -> TableView:
        """The reader's own table (no use to the public)."""
        return self.tables[self.team]

    @property
    def discard_pile(self) -> tuple[Card | None, ...]:
        """The discard pile, top last; None for a card that the reader has not seen."""
        return decode_pile(self.discard)

    @property
    def history(self) -> tuple[Event, ...]:
        """The events shown, decoded."""
        return tuple(decode_events(self.events))

    @property
    def unseen(self) -> bytes:
        """19 counts of the cards that the reader cannot place.

        They are in other hands, in the draw pile and face down on the discard pile.
        """
        return bytes(_unseen(self))


_NOTHING: Final = bytes(KINDS)
_SEATS: Final = tuple((seat,) for seat in range(6))
_BITS: Final = tuple(tuple(seat for seat in range(6) if mask >> seat & 1) for mask in range(1 << 6))


def view(state: HandState, seat: int, since: int = 0) -> View:
    """Everything that `seat` may know, and nothing else, with the events from number `since` on.

    Cards and codes are as in `View`. Events that the state no longer has (a determinized one begins
    in the middle) are left out; `first_event` says where they begin.
    """
    frame = state.frame
    mask = MASKS[seat]
    first = max(since, state.log_start)
    log = state.log
    # One tuple made at once: a view is made for every decision, and the constructor of a named
    # tuple with so many fields costs more than everything else here.
    return _new_tuple(
        View,
        (
            seat,
            _STAGES[state.stage],
            _SEATS[state.seat] if state.stage < _RESPOND else _asked(state, seat),
            () if seat == PUBLIC else legal(state, seat),
            _NOTHING if seat == PUBLIC else bytes(state.hands[seat]),
            bytes(state.sizes),
            tuple(state.tables),
            state.left,
            state.discard.translate(mask) if frame.face_down else state.discard,
            state.target,
            state.seat,
            state.attack,
            state.attacked,
            () if state.known is None else tuple([bytes(counts) for counts in state.known]),
            log[2 * (first - state.log_start) :].translate(mask),
            first,
            state.log_start + (len(log) >> 1),
            frame,
            bytes(state.stripes) if state.stripes is not None else b"",
            state.due,
            state.resume,
            state.extended_by,
            state.ran_out,
            state.dry_start,
            state.idle,
            state.circling,
            state.fresh,
            state.reshuffled,
            state.reason,
            state.winner,
        ),
    )


def public_view(state: HandState, since: int = 0) -> View:
    """What everybody may know: a spectator's view."""
    return view(state, PUBLIC, since)


def _asked(state: HandState, seat: int) -> tuple[int, ...]:
    if state.stage != _RESPOND:
        return () if state.stage == _OVER else (state.seat,)
    if seat == PUBLIC:
        return _BITS[state.in_public]
    # Whether I am asked I know; of the others I know only what the public does.
    return _BITS[state.in_public & ~(1 << seat) | state.pending & 1 << seat]


_STAGES: Final = tuple(Stage)
_new_tuple: Final = tuple.__new__


# -- back to a full state ---------------------------------------------------------------------


def determinize(seen: View, rng: Rng) -> HandState:
    """A full state drawn uniformly from those that are consistent with a seat's view.

    Consistent is a state whose view for that seat is `seen`: the reader's cards, open cards and
    cards known to be in a hand are where they are, and the cards that the reader cannot place lie
    in any order in the other hands, the face-down discards and the draw pile, each with its right
    number.
    `view(determinize(v, rng), v.seat, v.first_event) == v`.

    The state continues without public windows (`HandState.ask_all` is False), as a search wants.

    Raises:
        ValueError: `seen` is a public view, which has no hand to play from.
    """
    if seen.seat == PUBLIC:
        raise ValueError("a public view cannot be determinized: it has no seat")
    frame = seen.frame
    state = HandState(frame)
    if seen.rules.reshuffles:
        state.chance = rng.randbytes(32)
    state.target = seen.target
    state.tables = list(seen.tables)
    unseen = [card for card, count in enumerate(_unseen(seen)) for _ in range(count)]
    rng.shuffle(unseen)
    cards = iter(unseen)
    _set_hands(state, seen, cards)
    state.discard = bytes(
        private(next(cards), code - HIDDEN) if code >= HIDDEN else code for code in seen.discard
    )
    _set_draw_pile(state, seen, bytes(cards))
    _set_turn(state, seen)
    if frame.draws_choose:
        count_distances(state)
    return state


def _unseen(seen: View) -> list[int]:
    """19 counts: the deck less everything that the reader can place."""
    counts = list(seen.rules.deck(seen.seating.players))
    for card, count in enumerate(seen.hand):
        counts[card] -= count
    for card in _open_cards(seen):
        counts[card] -= 1
    for seat in range(seen.seating.players):
        if seat != seen.seat and seen.known:
            for card, count in enumerate(seen.known[seat]):
                counts[card] -= count
    return counts


def _open_cards(seen: View) -> Iterator[int]:
    """Cards that lie where the reader can read them: tables and readable discards."""
    for code in seen.discard:
        if code < HIDDEN:
            yield plain(code)
    if not seen.rules.family.keeps_cards_on_table:
        return
    for table in seen.tables:
        yield from table.battle
        yield from table.speed
        yield from table.distance
        yield from (card for at, card in enumerate(SAFETIES) if table.safeties >> at & 1)


def _set_hands(state: HandState, seen: View, cards: Iterator[int]) -> None:
    for seat, size in enumerate(seen.sizes):
        if seat == seen.seat:
            give(state, seat, seen.cards)
            continue
        known = cards_of(seen.known[seat]) if seen.known else ()
        give(state, seat, known)
        give(state, seat, [next(cards) for _ in range(size - len(known))])
    if state.known is not None:
        state.known = [bytearray(counts) for counts in seen.known]


def _set_draw_pile(state: HandState, seen: View, pile: bytes) -> None:
    state.left = len(pile)
    if not seen.stripes:
        state.pile = pile
        return
    # Equally long stripes of which some are partly drawn: the same positions as if it had
    # been dealt so, with cards that nobody will look at in the places already drawn.
    players = len(seen.stripes)
    longest = max(seen.stripes)
    places = bytearray(players * longest)
    at = 0
    for stripe, left in enumerate(seen.stripes):
        for row in range(longest - left, longest):
            places[stripe + players * row] = pile[at]
            at += 1
    state.pile = bytes(places)
    state.stripes = bytearray(seen.stripes)


def _set_turn(state: HandState, seen: View) -> None:
    state.stage = int(seen.stage)
    state.seat = seen.turn
    state.attack = seen.attack
    state.attacked = seen.attacked
    if state.stage == _RESPOND:
        state.pending = state.in_public = sum(1 << seat for seat in seen.asked)
    state.log = seen.events
    state.log_start = seen.first_event
    for name in _COPIED:
        setattr(state, name, getattr(seen, name))


_COPIED: Final = (
    "due",
    "resume",
    "extended_by",
    "ran_out",
    "dry_start",
    "idle",
    "circling",
    "fresh",
    "reshuffled",
    "reason",
    "winner",
)

__all__ = [
    "PUBLIC",
    "Event",
    "Frame",
    "Rng",
    "View",
    "determinize",
    "public_view",
    "view",
]
