"""The rules of a hand: who is asked what, what is legal, and what an action does.

    kind(state)                    what is asked: draw, play, respond, extend or top
    asked(state)                   which seats
    legal(state, seat)             the exact legal actions of an asked seat
    apply(state, seat, action)     play one, in place; or refuse it and change nothing
    default_action(state, seat)    what is played for a seat that does not answer

Rulings by number (R, X, P) are listed in README.md. What a table accepts and suffers is looked up
from `status`; how a hand goes on after an action is in `flow`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from arena.engine import actions as act
from arena.engine import flow
from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import (
    BYTE,
    HAZARD_MASK,
    HAZARDS,
    KM,
    REMEDY_FOR,
    SAFETIES,
    SAFETY_FOR,
    Card,
)
from arena.engine.codes import EventKind, event_pairs
from arena.engine.rulesets import MAX_SEATS
from arena.engine.state import NOBODY, HandState, Reason, Resume, Stage, TableEdit
from arena.errors import IllegalAction

_DRAW: Final = int(Stage.DRAW)
_PLAY: Final = int(Stage.PLAY)
_RESPOND: Final = int(Stage.RESPOND)
_EXTEND: Final = int(Stage.EXTEND)
_TOP: Final = int(Stage.TOP)
_OVER: Final = int(Stage.OVER)

KIND_NAMES: Final = ("draw", "play", "respond", "extend", "top", "over")


def kind(state: HandState) -> Stage:
    """What is asked now; `Stage.OVER` when nothing is."""
    return Stage(state.stage)


def asked(state: HandState) -> tuple[int, ...]:
    """The seats that are asked now, ascending; none when the hand is over."""
    if state.stage == _RESPOND:
        return _WAITING[state.pending]
    return () if state.stage == _OVER else (state.seat,)


# -- legal ------------------------------------------------------------------------------------


_WAITING: Final = tuple(
    tuple(seat for seat in range(MAX_SEATS) if mask >> seat & 1) for mask in range(1 << MAX_SEATS)
)
"""The seats in a mask of seats."""


def _subsets(table: dict[int, Action], first: int, width: int) -> tuple[tuple[Action, ...], ...]:
    """For each set of `width` kinds from `first` on, the actions on them in deck order."""
    return tuple(
        tuple(table[first + at] for at in range(width) if subset >> at & 1 and first + at in table)
        for subset in range(1 << width)
    )


_PLAY_DISTANCE: Final = _subsets(act.PLAY, 0, 5)
_PLAY_OTHER: Final = _subsets(act.PLAY, 10, 9)
_DISCARD_LOW: Final = _subsets(act.DISCARD, 0, 10)
_DISCARD_HIGH: Final = _subsets(act.DISCARD, 10, 9)
_LAY_ON: Final = tuple(
    _subsets({card: act.LAY[card, team] for card in HAZARDS}, 5, 5) for team in range(act.MAX_TEAMS)
)
_BOTH_PILES: Final = (act.DRAW_PILE, act.DRAW_DISCARD)
_EXTEND_OR_STOP: Final = (act.EXTEND, act.STOP)
_ONLY_PASS: Final = (act.PASS,)
_PASS_OR_ANSWER: Final = {card: (act.PASS, act.COUP_FOURRE[card]) for card in SAFETIES}


def legal(state: HandState, seat: int) -> tuple[Action, ...]:
    """The exact legal actions of `seat`; empty for a seat that is not asked.

    In the order of: plays in deck order, hazards team by team, discards in deck order.
    """
    stage = state.stage
    if stage == _RESPOND:
        return _legal_responses(state, seat)
    if seat != state.seat or stage == _OVER:
        return ()
    if stage != _PLAY:
        return _legal_choices(state)
    mask = state.masks[seat]
    tables = state.tables
    frame = state.frame
    team = frame.team_of[seat]
    own = mask & tables[team].accepts
    plays = _PLAY_DISTANCE[own & 31] + _PLAY_OTHER[own >> 10]
    if mask & HAZARD_MASK:
        for other, table in enumerate(tables):
            laid = mask & table.suffers
            if laid and other != team:
                plays += _LAY_ON[other][laid >> 5]
    if plays and frame.forced_play:
        return plays
    return plays + _DISCARD_LOW[mask & 1023] + _DISCARD_HIGH[mask >> 10]


def _legal_responses(state: HandState, seat: int) -> tuple[Action, ...]:
    if seat not in _WAITING[state.pending]:
        return ()
    safety = _SAFETY[state.attack]
    return _PASS_OR_ANSWER[safety] if state.masks[seat] >> safety & 1 else _ONLY_PASS


def _legal_choices(state: HandState) -> tuple[Action, ...]:
    if state.stage == _DRAW:
        return _BOTH_PILES
    if state.stage == _EXTEND:
        return _EXTEND_OR_STOP
    return act.TOP[_REMEDY[state.attack]], act.TOP[state.attack]


_SAFETY: Final = {int(hazard): SAFETY_FOR[hazard] for hazard in HAZARDS}
_REMEDY: Final = {int(hazard): REMEDY_FOR[hazard] for hazard in HAZARDS}
# Names of an enumeration are slow to look up where every decision comes by.
_RED_LIGHT: Final = int(Card.RED_LIGHT)
_SPEED_LIMIT: Final = int(Card.SPEED_LIMIT)
_GREEN_LIGHT: Final = int(Card.GREEN_LIGHT)
_END_OF_LIMIT: Final = int(Card.END_OF_LIMIT)
_RIGHT_OF_WAY: Final = int(Card.RIGHT_OF_WAY)
_DISCARD: Final = Verb.DISCARD


def default_action(state: HandState, seat: int) -> Action:
    """What is played for a seat that does not answer; always legal.

    `draw pile`; discard the first card in deck order that is not a safety, a safety if there is
    nothing else; `pass`; `stop`; the remedy on top. Where the rules force a play (R04
    `forced_play`), the first legal play.

    Raises:
        IllegalAction: the seat is not asked.
    """
    options = legal(state, seat)
    if not options:
        raise IllegalAction(f"seat {seat} is not asked now")
    return default_of(state.stage, options)


def default_of(stage: int, options: Sequence[Action]) -> Action:
    """The default among the legal actions of a stage, which are at least one."""
    if stage == _EXTEND:
        return act.STOP
    if stage != _PLAY:
        return options[0]
    first = None
    for option in options:
        if option.verb is _DISCARD:
            if option.kind < _RIGHT_OF_WAY:
                return option
            first = first or option
    return first or options[0]


# -- apply ------------------------------------------------------------------------------------


def apply(state: HandState, seat: int, action: Action) -> None:
    """Play `action` for `seat`, in place, and carry the hand to the next decision.

    Raises:
        IllegalAction: the rules refuse it now; the state is unchanged.
    """
    _HANDLERS[action.code](state, seat, action)


def _refusal(state: HandState, seat: int, action: Action) -> IllegalAction:
    options = legal(state, seat)
    if not options:
        return IllegalAction(f"seat {seat} is not asked now, so it cannot {action}")
    return IllegalAction(f"seat {seat} may not {action} now; legal: {', '.join(map(str, options))}")


def _draw(state: HandState, seat: int, action: Action) -> None:
    if state.stage != _DRAW or seat != state.seat:
        raise _refusal(state, seat, action)
    if action is act.DRAW_PILE:
        flow.draw_from_pile(state, seat)
    else:
        flow.take_discard(state, seat)
    flow.draw_by_choice(state, state.due - 1)


_PLAYED: Final = event_pairs(EventKind.PLAYED)
_DISCARDED: Final = event_pairs(EventKind.DISCARDED)
_DISCARDED_FACE_DOWN: Final = event_pairs(EventKind.DISCARDED, secret=True)
_COUP_FOURRE: Final = event_pairs(EventKind.COUP_FOURRE)
_EXTENDED: Final = event_pairs(EventKind.EXTENDED)
_STOPPED: Final = event_pairs(EventKind.STOPPED)
_TOPPED: Final = event_pairs(EventKind.TOPPED)
_LAID: Final = tuple(
    event_pairs(EventKind(EventKind.LAID_ON_0 + team)) for team in range(act.MAX_TEAMS)
)


def _leave_hand(state: HandState, seat: int, card: int) -> None:
    """Take a card out of a hand."""
    hand = state.hands[seat]
    count = hand[card] - 1
    hand[card] = count
    if not count:
        state.masks[seat] ^= 1 << card
    state.sizes[seat] -= 1
    known = state.known
    if known is not None:
        if known[seat][card]:
            known[seat][card] -= 1
        if card < _RED_LIGHT:
            state.distances -= 1


def _own_team(state: HandState, seat: int, action: Action) -> int:
    """The team on whose table `seat` plays `action`'s card, or a refusal."""
    if state.stage != _PLAY or seat != state.seat:
        raise _refusal(state, seat, action)
    team = state.frame.team_of[seat]
    if not state.masks[seat] & state.tables[team].accepts & action.bit:
        raise _refusal(state, seat, action)
    return team


def _play_distance(state: HandState, seat: int, action: Action) -> None:
    team = _own_team(state, seat, action)
    card = action.kind
    _leave_hand(state, seat, card)
    state.log += _PLAYED[seat][card]
    table = TableEdit(state.tables[team])
    table.distance += BYTE[card]
    km = table.km + KM[card]
    table.km = km
    if not state.frame.on_table:
        state.discard += BYTE[card]
    state.fresh = True
    state.idle = state.circling = -1
    state.put(team, table)
    if km == state.target:
        flow.reach_target(state)
    else:
        flow.end_turn(state)


def _play_remedy(state: HandState, seat: int, action: Action) -> None:
    team = _own_team(state, seat, action)
    card = action.kind
    _leave_hand(state, seat, card)
    state.log += _PLAYED[seat][card]
    state.idle = -1
    table = TableEdit(state.tables[team])
    if state.frame.draws_choose:
        _cover_in_express(state, table, card)
    elif state.frame.on_table:
        if card == _END_OF_LIMIT:
            table.speed += BYTE[card]
        else:
            table.battle += BYTE[card]
            table.started = True
    else:
        _take_token_off(state, table, card)
    state.put(team, table)
    if state.stage == _PLAY:
        flow.end_turn(state)


def _cover_in_express(state: HandState, table: TableEdit, card: int) -> None:
    """X06: the pile goes to the discard pile, the parade on top; X20 may ask which one."""
    if card == _END_OF_LIMIT:
        table.speed += BYTE[card]
        pile = table.speed
    else:
        table.battle += BYTE[card]
        pile = table.battle
    if len(pile) > 1 and Card(pile[-2]).is_hazard:
        state.attack = pile[-2]
        if state.frame.rules.top_choice:
            state.stage = _TOP
        else:
            _clear_pile(state, table, pile)
        return
    # A Green Light that starts the car stays; nothing else can be laid on nothing.
    table.started = True
    state.circling = -1


def _clear_pile(state: HandState, table: TableEdit, pile: bytes) -> None:
    """Move the covered pile to the discard pile, in this order (X06)."""
    state.discard += pile
    if state.attack == _SPEED_LIMIT:
        table.speed = b""
    else:
        table.battle = b""
    state.attack = NOBODY


def _take_token_off(state: HandState, table: TableEdit, card: int) -> None:
    """Plateau: the parade is shown and discarded, the token goes (P05, P09)."""
    state.discard += BYTE[card]
    if card == _END_OF_LIMIT:
        table.speed = b""
    else:
        table.battle = b""
        if card == _GREEN_LIGHT:
            table.started = True


def _play_safety(state: HandState, seat: int, action: Action) -> None:
    team = _own_team(state, seat, action)
    card = action.kind
    _leave_hand(state, seat, card)
    state.log += _PLAYED[seat][card]
    flow.expose(state, team, card, coup_fourre=False)
    km = state.frame.rules.safety_km
    if km and flow.credit_km(state, team, km):
        flow.reach_target(state, Resume.AFTER_SAFETY)
    else:
        flow.replay(state)


def _lay_hazard(state: HandState, seat: int, action: Action) -> None:
    team = action.team
    if (
        state.stage != _PLAY
        or seat != state.seat
        or team is None
        or team >= len(state.tables)
        or team == state.frame.team_of[seat]
        or not state.masks[seat] & state.tables[team].suffers & action.bit
    ):
        raise _refusal(state, seat, action)
    card = action.kind
    _leave_hand(state, seat, card)
    state.log += _LAID[team][seat][card]
    state.idle = -1
    if not state.frame.on_table:
        state.discard += BYTE[card]
    table = TableEdit(state.tables[team])
    if card == _SPEED_LIMIT:
        table.speed += BYTE[card]
    else:
        table.battle += BYTE[card]
    state.put(team, table)
    _open_window(state, team, card)
    if state.stage == _PLAY:
        flow.end_turn(state)


def _open_window(state: HandState, team: int, hazard: int) -> None:
    """Ask for a coup fourré, if anybody is to be asked (R16, R19; see `HandState.ask_all`)."""
    safety = _SAFETY[hazard]
    everybody = holders = 0
    for seat in state.frame.seating.teams[team]:
        everybody |= 1 << seat
        if state.masks[seat] >> safety & 1:
            holders |= 1 << seat
    if holders or (state.ask_all and may_hold(state, team, safety)):
        state.stage = _RESPOND
        state.attack = hazard
        state.attacked = team
        state.pending = everybody if state.ask_all else holders
        state.in_public = everybody


def may_hold(state: HandState, team: int, safety: Card) -> bool:
    """Whether public knowledge allows that somebody in `team` holds `safety`.

    It does not if the safety lies open, on a table or on a face-up discard pile that is not
    shuffled again, if everybody saw it go into another team's hand, or if all cards in the team's
    hands are known to be others.
    """
    bit = 1 << safety - SAFETIES[0]
    on_tables = any(table.safeties & bit for table in state.tables)
    if on_tables and not (state.frame.rules.reshuffles and not state.frame.on_table):
        return False
    if safety in state.discard:
        return False
    seats = state.frame.seating.teams[team]
    known = state.known
    if known is None:
        return any(state.sizes[seat] for seat in seats)
    if any(known[seat][safety] for seat in seats):
        return True
    elsewhere = any(counts[safety] for counts in known)
    return not elsewhere and any(state.sizes[seat] > sum(known[seat]) for seat in seats)


def _discard(state: HandState, seat: int, action: Action) -> None:
    card = action.kind
    frame = state.frame
    if state.stage != _PLAY or seat != state.seat or not state.masks[seat] & action.bit:
        raise _refusal(state, seat, action)
    if frame.forced_play and action not in legal(state, seat):
        raise _refusal(state, seat, action)
    _leave_hand(state, seat, card)
    event = (_DISCARDED_FACE_DOWN if frame.face_down else _DISCARDED)[seat][card]
    state.log += event
    state.discard += event[1:]
    flow.end_turn(state)


def _coup_fourre(state: HandState, seat: int, action: Action) -> None:
    if (
        state.stage != _RESPOND
        or seat not in _WAITING[state.pending]
        or action.card is not _SAFETY[state.attack]
        or not state.masks[seat] & action.bit
    ):
        raise _refusal(state, seat, action)
    card = action.kind
    team = state.attacked
    _close_window(state)
    _leave_hand(state, seat, card)
    state.log += _COUP_FOURRE[seat][card]
    state.seat = seat
    flow.expose(state, team, card, coup_fourre=True)
    km = state.frame.rules.coup_fourre_km
    if km and flow.credit_km(state, team, km):
        flow.reach_target(state, Resume.AFTER_COUP_FOURRE)
    else:
        flow.won_turn(state)


def _pass(state: HandState, seat: int, action: Action) -> None:
    if state.stage != _RESPOND or seat not in _WAITING[state.pending]:
        raise _refusal(state, seat, action)
    state.pending &= ~(1 << seat)
    if state.ask_all:
        state.in_public = state.pending
    if not state.pending:
        _close_window(state)
        flow.end_turn(state)


def _close_window(state: HandState) -> None:
    state.stage = _PLAY
    state.attack = state.attacked = NOBODY
    state.pending = state.in_public = 0


def _extend_or_stop(state: HandState, seat: int, action: Action) -> None:
    if state.stage != _EXTEND or seat != state.seat:
        raise _refusal(state, seat, action)
    extends = action is act.EXTEND
    state.log += (_EXTENDED if extends else _STOPPED)[seat][0]
    if extends:
        flow.extend(state)
    else:
        flow.finish(state, Reason.TARGET, state.frame.team_of[seat])


def _top(state: HandState, seat: int, action: Action) -> None:
    if state.stage != _TOP or action not in legal(state, seat):
        raise _refusal(state, seat, action)
    team = state.frame.team_of[seat]
    table = TableEdit(state.tables[team])
    pile = table.speed if state.attack == _SPEED_LIMIT else table.battle
    if action.kind == state.attack:
        pile = pile[:-2] + pile[:-3:-1]
    state.log += _TOPPED[seat][action.kind]
    state.stage = _PLAY
    _clear_pile(state, table, pile)
    state.put(team, table)
    flow.end_turn(state)


Handler = Callable[[HandState, int, Action], None]


def _handler(action: Action) -> Handler:
    card = action.card
    if action.verb is Verb.PLAY and card is not None:
        if card.is_hazard:
            return _lay_hazard
        if card.is_safety:
            return _play_safety
        return _play_distance if card.is_distance else _play_remedy
    return {
        Verb.DRAW: _draw,
        Verb.DISCARD: _discard,
        Verb.COUP_FOURRE: _coup_fourre,
        Verb.PASS: _pass,
        Verb.EXTEND: _extend_or_stop,
        Verb.STOP: _extend_or_stop,
        Verb.TOP: _top,
    }[action.verb]


_HANDLERS: Final[tuple[Handler, ...]] = tuple(_handler(action) for action in ACTIONS)
