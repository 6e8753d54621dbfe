"""A hand as protobuf: cards, actions, tables, events, rules and views (see `convert`).

Cards, stages and the like are numbered one higher on the wire, because 0 means unset there. Piles
go over as they are, translated byte by byte. Messages that come up again and again (an action, a
table, a rule set) are made once and copied.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import lru_cache
from typing import Final, TypeVar

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import KINDS, SAFETY_SHIFT, Card, cards_of
from arena.engine.codes import HIDDEN, Event, EventKind, decode_events
from arena.engine.rulesets import RuleSet
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, Reason, Resume, Stage, TableView
from arena.engine.view import PUBLIC, View
from millearena.v1 import actions_pb2, cards_pb2, rule_sets_pb2, views_pb2

__all__ = [
    "ACTION_BY_KEY",
    "ACTION_MESSAGES",
    "HAND_ENDS",
    "STAGES",
    "action_key",
    "event_message",
    "fill_view",
    "numbers",
    "rule_set_message",
    "team_messages",
]

WireEnum = TypeVar("WireEnum", bound=int)


def numbers(wire: type[WireEnum], prefix: str, members: Iterable[Enum]) -> dict[Enum, WireEnum]:
    """The wire's number for each member of an enumeration of ours; the names agree."""
    return {member: getattr(wire, f"{prefix}_{member.name}") for member in members}


def fill_view(target: views_pb2.View, view: View) -> None:
    """Everything in a view but the legal actions, which the prompt carries."""
    if view.seat != PUBLIC:
        target.seat = view.seat
    target.stage = STAGES[view.stage]
    target.asked_seats.extend(view.asked)
    target.hand.extend(_cards(view.cards))
    target.hand_sizes.extend(view.sizes)
    target.tables.extend([_table(table) for table in view.tables])
    target.draw_count = view.draw_count
    _fill_discard(target, view.discard)
    target.target_km = view.target
    target.known_cards.extend(
        [views_pb2.KnownCards(cards=_cards(cards_of(counts))) for counts in view.known]
    )
    target.events.extend([event_message(event) for event in decode_events(view.events)])
    target.first_event = view.first_event
    target.event_count = view.event_count
    _fill_turn(target, view)
    frame = view.frame
    target.rule_set.CopyFrom(rule_set_message(frame.rules))
    target.teams.extend(team_messages(frame.seating))
    target.dealer_seat = frame.dealer
    target.scores.extend(frame.scores)


def _fill_turn(target: views_pb2.View, view: View) -> None:
    """Whose turn it is, how it came to that, and how the hand ended."""
    target.turn_seat = view.turn
    if view.attack != NOBODY:
        target.attack = _CARDS[view.attack]
    if view.attacked != NOBODY:
        target.attacked_team = view.attacked
    target.stripe_sizes.extend(view.stripes)
    target.draws_due = view.due
    target.resume = _RESUMES[Resume(view.resume)]
    if view.extended_by != NOBODY:
        target.extended_by_team = view.extended_by
    target.ran_out = view.ran_out
    target.dry_start = view.dry_start
    target.idle_turns = view.idle
    target.circling_turns = view.circling
    target.fresh = view.fresh
    target.reshuffle_count = view.reshuffled
    if view.reason != NOBODY:
        target.end = HAND_ENDS[Reason(view.reason)]
    if view.winner != NOBODY:
        target.winner_team = view.winner


def _fill_discard(target: views_pb2.View, coded: bytes) -> None:
    target.discard_pile.extend([_CARDS[number] for number in coded.translate(_CARD_IN_CODE)])
    if coded and max(coded) >= KINDS:
        target.discard_known_to_seats.extend([_KNOWN_TO[code] for code in coded])


def _cards(cards: Iterable[int]) -> list[cards_pb2.Card]:
    return [_CARDS[card] for card in cards]


@lru_cache(maxsize=4096)
def _table(table: TableView) -> views_pb2.Table:
    return views_pb2.Table(
        battle_pile=_cards(table.battle),
        speed_pile=_cards(table.speed),
        distance_cards=_cards(table.distance),
        safeties=_cards(_kinds(table.safeties << SAFETY_SHIFT)),
        coups_fourres=_cards(_kinds(table.coups_fourres << SAFETY_SHIFT)),
        km=table.km,
        bonus_km=table.bonus_km,
        started=table.started,
        moving=table.moving,
        limited=table.limited,
        accepted_cards=_cards(_kinds(table.accepts)),
        suffered_hazards=_cards(_kinds(table.suffers)),
    )


def _kinds(mask: int) -> list[Card]:
    return [card for card in Card if mask >> card & 1]


@lru_cache(maxsize=4096)
def event_message(event: Event) -> views_pb2.Event:
    """One event, as the reader may know it."""
    message = views_pb2.Event(seat=event.seat)
    body = getattr(message, _EVENT_ARMS.get(event.kind, "hazard_laid"))
    body.SetInParent()  # an arm without fields is set all the same
    if event.card is not None:
        body.card = _CARDS[event.card]
    elif event.kind in (EventKind.DRAWN, EventKind.DISCARDED):
        body.card = cards_pb2.CARD_HIDDEN
    if event.team is not None:
        body.target_team = event.team
    return message


@lru_cache(maxsize=64)
def rule_set_message(rules: RuleSet) -> rule_sets_pb2.RuleSet:
    """Every option has the field of its name."""
    message = rule_sets_pb2.RuleSet()
    for field in message.DESCRIPTOR.fields:
        value = getattr(rules, field.name)
        if value is None:
            continue
        if field.enum_type is not None:
            prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
            value = field.enum_type.values_by_name[f"{prefix}{value.upper()}"].number
        setattr(message, field.name, value)
    return message


@lru_cache(maxsize=64)
def team_messages(seating: Seating) -> tuple[views_pb2.Team, ...]:
    """Who plays with whom."""
    return tuple(views_pb2.Team(seats=seats) for seats in seating.teams)


def _action(action: Action) -> actions_pb2.Action:
    message = actions_pb2.Action()
    body = getattr(message, action.verb.value)
    body.SetInParent()
    if action.verb is Verb.DRAW:
        body.source = actions_pb2.DrawSource.Value(f"DRAW_SOURCE_{action.text.split()[1].upper()}")
    if action.card is not None:
        body.card = _CARDS[action.card]
    if action.team is not None:
        body.target_team = action.team
    return message


def action_key(message: actions_pb2.Action) -> tuple[str, int, int | None]:
    """What tells one action from another; a newer field makes no difference."""
    match message.WhichOneof("kind"):
        case "play":
            play = message.play
            return "play", play.card, play.target_team if play.HasField("target_team") else None
        case "draw":
            return "draw", message.draw.source, None
        case "discard" | "coup_fourre" | "top" as arm:
            return arm, getattr(message, arm).card, None
        case arm:
            return str(arm), 0, None


_CARDS: Final = (
    *numbers(cards_pb2.Card, "CARD", Card).values(),
    cards_pb2.CARD_HIDDEN,
)
_CARD_IN_CODE: Final = bytes(code % KINDS if code < HIDDEN else KINDS for code in range(256))
"""The place in `_CARDS` of the card that a byte of a coded pile stands for."""
_KNOWN_TO: Final = tuple(
    code // KINDS - 1 if code < HIDDEN else code - HIDDEN for code in range(256)
)
"""Who knows it: -1 everybody, else the one seat."""
STAGES: Final = numbers(views_pb2.Stage, "STAGE", Stage)
_RESUMES: Final = numbers(views_pb2.Resume, "RESUME", Resume)
HAND_ENDS: Final = numbers(views_pb2.HandEnd, "HAND_END", Reason)
_EVENT_ARMS: Final = {
    EventKind.DRAWN: "card_drawn",
    EventKind.TAKEN: "card_taken",
    EventKind.PLAYED: "card_played",
    EventKind.DISCARDED: "card_discarded",
    EventKind.COUP_FOURRE: "coup_fourre_declared",
    EventKind.EXTENDED: "hand_extended",
    EventKind.STOPPED: "hand_stopped",
    EventKind.TOPPED: "top_chosen",
    EventKind.RESHUFFLED: "pile_reshuffled",
}
ACTION_MESSAGES: Final = tuple(_action(action) for action in ACTIONS)
ACTION_BY_KEY: Final = {action_key(ACTION_MESSAGES[action.code]): action for action in ACTIONS}
