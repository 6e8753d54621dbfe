"""How a hand goes on by itself: dealing, turns, draws, responses that are over, the end.

Theory. A hand waits in exactly one `Stage`; an action (see `rules`) changes tables and hands and
then calls one function here, which carries the hand to the next stage where somebody decides:

    begin_turn -> draws -> PLAY -> ... -> end_turn -> begin_turn of the next seat
                                   RESPOND -> pass: end_turn | coup fourré: won_turn
                                   safety  -> replay the same seat's PLAY
                                   target  -> EXTEND or OVER

Why every hand ends, whatever is played. Without reshuffling, a turn draws from the pile, which
shrinks, or leaves a hand one card smaller, or draws from the discard pile. Only the last could go
on for ever (Express); the stall rule X17 then forces a draw from the pile. X17 counts any card laid
as progress, and an attack and its remedy can be laid for ever by taking them back, so its "cap on
turns" is needed too: after `CIRCLING_ROUNDS` rounds without a draw from the pile or a card laid
*for good* (distance, safety, the first Green Light) the same draw is forced, and with an empty pile
nobody draws. Cards for good are finite: km are bounded, a safety is exposed once. With
reshuffling, a pile is made anew only if a distance card or a safety was played since the last time
(`fresh`), so that is finite as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from arena.engine.cards import BIT, KINDS, SAFETY_FOR, SAFETY_SHIFT, Card
from arena.engine.codes import PLAIN, EventKind, event_pairs
from arena.engine.deal import deal_hands, reshuffled, stripe_sizes
from arena.engine.rulesets import Family
from arena.engine.state import NOBODY, Frame, HandState, Reason, Resume, Stage, TableEdit
from arena.errors import RuleSetError

CIRCLING_ROUNDS: Final = 10
"""Rounds without a draw from the pile or a card laid for good before one must draw from it.

Longer if the rules' own `express_stall_rounds` are more."""

_DRAW: Final = int(Stage.DRAW)
_PLAY: Final = int(Stage.PLAY)
_EXTEND: Final = int(Stage.EXTEND)
_OVER: Final = int(Stage.OVER)
_END_TURN: Final = int(Resume.END_TURN)
_AFTER_SAFETY: Final = int(Resume.AFTER_SAFETY)
_DRAWN: Final = event_pairs(EventKind.DRAWN, secret=True)
_TAKEN: Final = event_pairs(EventKind.TAKEN)
_TAKEN_UNSEEN: Final = event_pairs(EventKind.TAKEN, secret=True)
_RESHUFFLED: Final = event_pairs(EventKind.RESHUFFLED)
_RED_LIGHT: Final = int(Card.RED_LIGHT)
_SPEED_LIMIT: Final = int(Card.SPEED_LIMIT)
_RIGHT_OF_WAY: Final = int(Card.RIGHT_OF_WAY)
_EXTENSION_FROM: Final = 700
_EXTENSION_TO: Final = 1000


def first_seat(frame: Frame) -> int:
    """The seat that starts: left of the dealer (R02, X21, P12)."""
    return (frame.dealer + 1) % frame.seating.players


def start_hand(
    frame: Frame,
    order: bytes,
    *,
    striped: bool = False,
    ask_all: bool = False,
    chance: bytes = b"",
) -> HandState:
    """Deal a hand from a deck in `order` and begin it.

    `order` and `chance` are a board's: `deal.Board.deck_order` and `reshuffle_key`.

    Raises:
        RuleSetError: the dealer is not at the table.
    """
    players = frame.seating.players
    if not 0 <= frame.dealer < players:
        raise RuleSetError(f"dealer {frame.dealer}: the seats at this table are 0 to {players - 1}")
    state = HandState(frame, ask_all=ask_all)
    state.chance = chance
    first = first_seat(frame)
    hands, pile = deal_hands(order, players, first, frame.rules.hand_size)
    for seat, cards in enumerate(hands):
        give(state, seat, cards)
    set_pile(state, pile, striped=striped)
    begin_turn(state, first)
    return state


def give(state: HandState, seat: int, cards: Sequence[int]) -> None:
    """Put `cards` into a hand, without an event."""
    for card in cards:
        state.hands[seat][card] += 1
        state.masks[seat] |= BIT[card]
    state.sizes[seat] += len(cards)


def set_pile(state: HandState, pile: bytes, *, striped: bool) -> None:
    """Make `pile` the draw pile and count what depends on it."""
    state.pile = pile
    state.left = len(pile)
    state.stripes = stripe_sizes(len(pile), state.players) if striped else None
    state.ran_out = not pile
    if state.frame.draws_choose:
        count_distances(state)


def count_distances(state: HandState) -> None:
    """Count the distance cards in the draw pile and in hands (X15)."""
    in_hands = sum(sum(hand[: Card.RED_LIGHT]) for hand in state.hands)
    state.distances = in_hands + sum(card < _RED_LIGHT for card in state.draw_pile())


# -- turns ------------------------------------------------------------------------------------


def begin_turn(state: HandState, seat: int) -> None:
    """The turn of `seat` begins: it draws, or is asked from where, and then plays."""
    state.seat = seat
    state.dry_start = not state.left
    if state.frame.draws_choose:
        draw_by_choice(state, 1)
        return
    if state.left:
        draw_from_pile(state, seat)
    elif can_reshuffle(state):
        reshuffle(state)
        draw_from_pile(state, seat)
    state.stage = _PLAY
    if not state.masks[seat]:
        end_turn(state)


def end_turn(state: HandState) -> None:
    """The turn is over, and so is any response: the hand ends or the next seat begins."""
    following = state.seat + 1
    if following == len(state.sizes):
        following = 0
    if state.frame.draws_choose:
        state.idle += 1
        state.circling += 1
        if not state.distances:
            finish(state, Reason.EXHAUSTED, leader(state))
            return
    if state.left:
        begin_turn(state, following)
    else:
        _end_turn_without_pile(state, following)


def _end_turn_without_pile(state: HandState, following: int) -> None:
    """R24, R25: who has no card is skipped; when nobody can play the hand is over."""
    if not any(state.masks):
        finish(state, Reason.EXHAUSTED, leader(state))
    elif can_reshuffle(state) or _may_take_discard(state):
        begin_turn(state, following)
    elif not can_anybody_play(state):
        finish(state, Reason.BLOCKED, leader(state))
    else:
        while not state.masks[following]:
            following = (following + 1) % len(state.sizes)
        begin_turn(state, following)


def can_anybody_play(state: HandState) -> bool:
    """Whether any seat has a legal play other than a discard, were it its turn (R25)."""
    for seat, mask in enumerate(state.masks):
        team = state.frame.team_of[seat]
        for other, table in enumerate(state.tables):
            if mask & (table.accepts if other == team else table.suffers):
                return True
    return False


def won_turn(state: HandState) -> None:
    """After a coup fourré: the replacement and the turn's own draw, then a whole turn (R17)."""
    if state.frame.draws_choose:
        state.dry_start = not state.left
        draw_by_choice(state, 2)
        return
    for _ in range(2):
        state.dry_start = not state.left
        if not state.left and can_reshuffle(state):
            reshuffle(state)
        if state.left:
            draw_from_pile(state, state.seat)
    state.stage = _PLAY
    if not state.masks[state.seat]:
        end_turn(state)


def replay(state: HandState) -> None:
    """After a safety on one's own turn: draw one, play again (R14, R26, X04)."""
    rules = state.frame.rules
    can_draw = bool(state.left) or can_reshuffle(state)
    if not can_draw and not rules.exhausted_safety_replays:
        end_turn(state)
        return
    if rules.express_safety_draw == "choice":
        draw_by_choice(state, 1)
        return
    if can_draw:
        if not state.left:
            reshuffle(state)
        draw_from_pile(state, state.seat)
    state.stage = _PLAY
    if not state.masks[state.seat]:
        end_turn(state)


# -- draws ------------------------------------------------------------------------------------


def draw_from_pile(state: HandState, seat: int) -> None:
    """Take the next card of the draw pile; the pile must not be empty."""
    if state.stripes is None:
        card = state.pile[0]
        state.pile = state.pile[1:]
    else:
        card = _from_stripe(state, seat)
    left = state.left - 1
    state.left = left
    if not left:
        state.ran_out = True
    state.hands[seat][card] += 1
    state.masks[seat] |= BIT[card]
    state.sizes[seat] += 1
    state.idle = state.circling = -1  # Express: the end of this turn makes it 0
    state.log += _DRAWN[seat][card]


def _from_stripe(state: HandState, seat: int) -> int:
    """The next card of the seat's own stripe, or of the longest other one when it is empty.

    Of equally long ones the first on the left.
    """
    stripes = state.stripes
    assert stripes is not None
    players = len(stripes)
    stripe = seat
    if not stripes[seat]:
        stripe = max(
            ((seat + step) % players for step in range(1, players)), key=lambda one: stripes[one]
        )
    length = (len(state.pile) - stripe + players - 1) // players
    card = state.pile[stripe + players * (length - stripes[stripe])]
    stripes[stripe] -= 1
    return card


def take_discard(state: HandState, seat: int) -> None:
    """Take the top card of the discard pile (X03); everybody has seen it, if it lay face up."""
    code = state.discard[-1]
    card = code % KINDS
    seen = code < KINDS
    state.discard = state.discard[:-1]
    state.hands[seat][card] += 1
    state.masks[seat] |= BIT[card]
    state.sizes[seat] += 1
    if seen and state.known is not None:
        state.known[seat][card] += 1
    if card < _RED_LIGHT:
        state.distances += 1
    state.log += (_TAKEN if seen else _TAKEN_UNSEEN)[seat][card]


def draw_by_choice(state: HandState, due: int) -> None:
    """Express: draw `due` cards, asking from where as long as both piles have one (X03, X12)."""
    seat = state.seat
    while due:
        if not state.left and can_reshuffle(state):
            reshuffle(state)
        if state.left:
            if state.discard and not must_draw_from_pile(state):
                state.stage = _DRAW
                state.due = due
                return
            draw_from_pile(state, seat)
        elif _may_take_discard(state):
            take_discard(state, seat)
        else:
            break
        due -= 1
    state.due = 0
    state.stage = _PLAY
    if not state.masks[seat]:
        end_turn(state)


def must_draw_from_pile(state: HandState) -> bool:
    """Whether drawing from the discard pile has gone on for too long (X17)."""
    players = len(state.sizes)
    rounds = state.frame.rules.express_stall_rounds
    if rounds and state.idle >= rounds * players:
        return True
    return state.circling >= max(CIRCLING_ROUNDS, rounds) * players


def _may_take_discard(state: HandState) -> bool:
    """Whether somebody draws from the discard pile with the draw pile out (X16 "discard")."""
    return (
        state.frame.rules.express_exhausted_draw == "discard"
        and bool(state.discard)
        and not must_draw_from_pile(state)
    )


def can_reshuffle(state: HandState) -> bool:
    """Whether the discard pile would become the draw pile now (R27, X16, P11)."""
    return state.frame.rules.reshuffles and state.fresh and bool(state.discard)


def reshuffle(state: HandState) -> None:
    """Shuffle the discard pile into a new draw pile."""
    pile = reshuffled(state.discard.translate(PLAIN), state.chance, state.reshuffled)
    striped = state.stripes is not None
    state.discard = b""
    state.reshuffled += 1
    state.fresh = False
    set_pile(state, pile, striped=striped)
    state.ran_out = True
    state.log += _RESHUFFLED[state.seat][0]


# -- safeties ---------------------------------------------------------------------------------


def expose(state: HandState, team: int, safety: int, *, coup_fourre: bool) -> None:
    """Put a safety on a table and take off what it cancels (R11-R13, R20, R21, X13, X14, P13)."""
    rules = state.frame.rules
    table = TableEdit(state.tables[team])
    bit = 1 << safety - SAFETY_SHIFT
    table.safeties |= bit
    if coup_fourre:
        table.coups_fourres |= bit
    if not state.frame.on_table:
        state.discard += bytes((safety,))
    battle_top = table.battle[-1] if table.battle else NOBODY
    if safety == _RIGHT_OF_WAY:
        table.started = True
        if battle_top == _RED_LIGHT:
            table.battle = _cancel_top(state, table.battle)
        if table.speed and table.speed[-1] == _SPEED_LIMIT:
            table.speed = _cancel_top(state, table.speed)
    elif (
        (coup_fourre or rules.late_safety_restarts)
        and battle_top in SAFETY_FOR
        and SAFETY_FOR[Card(battle_top)] == safety
    ):
        table.battle = _cancel_top(state, table.battle)
    state.fresh = True
    state.idle = state.circling = -1
    state.put(team, table)


def _cancel_top(state: HandState, pile: bytes) -> bytes:
    """Take a cancelled attack off: to the discard pile, where it still is a card (not a token)."""
    if state.frame.on_table:
        state.discard += pile[-1:]
    return pile[:-1]


def credit_km(state: HandState, team: int, km: int) -> bool:
    """Add the km of a safety; whether they reach the target (X07-X10)."""
    table = TableEdit(state.tables[team])
    left = state.target - table.km
    if km > left:
        overflow = state.frame.rules.bonus_overflow
        if overflow == "forfeit":
            km = 0
        elif overflow == "clamp":
            km = left
    if km:
        table.bonus_km += km
        table.km += km
        state.put(team, table)
    return table.km >= state.target


# -- the end ----------------------------------------------------------------------------------


def reach_target(state: HandState, resume: int = _END_TURN) -> None:
    """The seat on turn has brought its team to the target: the hand ends, or may be extended."""
    team = state.frame.team_of[state.seat]
    if (
        state.frame.rules.extension
        and state.extended_by == NOBODY
        and state.tables[team].km == _EXTENSION_FROM
    ):
        state.stage = _EXTEND
        state.resume = resume
        return
    finish(state, Reason.TARGET, team)


def extend(state: HandState) -> None:
    """1000 km become the target for everybody, and play goes on (R32)."""
    state.target = _EXTENSION_TO
    state.extended_by = state.frame.team_of[state.seat]
    for team, table in enumerate(state.tables):
        state.put(team, TableEdit(table))
    if state.resume == _END_TURN:
        end_turn(state)
    elif state.resume == _AFTER_SAFETY:
        replay(state)
    else:
        won_turn(state)


def finish(state: HandState, reason: Reason, winner: int) -> None:
    """The hand is over."""
    state.stage = _OVER
    state.reason = reason
    state.winner = winner
    state.due = 0


def leader(state: HandState) -> int:
    """Who wins a hand that nobody finished: most km in Express and Plateau (X15, X18, P11).

    A tie has no winner, and neither has the classic game, where points decide.
    """
    if state.frame.rules.family is Family.CLASSIC:
        return NOBODY
    best = max(table.km for table in state.tables)
    ahead = [team for team, table in enumerate(state.tables) if table.km == best]
    return ahead[0] if len(ahead) == 1 else NOBODY
