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

from google.protobuf.message import Message

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import KINDS, SAFETY_SHIFT, Card
from arena.engine.codes import HIDDEN, Event, EventKind, decode_events
from arena.engine.rulesets import RuleSet
from arena.engine.seating import Seating
from arena.engine.state import NOBODY, Frame, Reason, Resume, Stage, TableView
from arena.engine.view import PUBLIC, View
from millearena.v1 import actions_pb2, cards_pb2, rule_sets_pb2, views_pb2

__all__ = [
    "ACTION_BY_KEY",
    "ACTION_MESSAGES",
    "HAND_ENDS",
    "STAGES",
    "action_key",
    "event_message",
    "field_prefix",
    "fill_view",
    "framed",
    "numbers",
    "rule_set_message",
    "team_messages",
    "view_bytes",
]

WireEnum = TypeVar("WireEnum", bound=int)


def numbers(wire: type[WireEnum], prefix: str, members: Iterable[Enum]) -> dict[Enum, WireEnum]:
    """The wire's number for each member of an enumeration of ours; the names agree."""
    return {member: getattr(wire, f"{prefix}_{member.name}") for member in members}


# -- a view, put together from pieces ------------------------------------------------------------
#
# Fields of a message may follow each other in any order and in pieces, so what comes again and
# again (tables, events, rules, actions) is encoded once and joined, and lists of small numbers are
# one `bytes.translate`. Filling nested messages one by one takes several times as long as all the
# rest of a referee's work.


def field_prefix(message: type[Message], name: str) -> bytes:
    """What stands before the length of a field of bytes, of messages, or of packed numbers."""
    return _varint(message.DESCRIPTOR.fields_by_name[name].number << 3 | 2)


def framed(prefix: bytes, content: bytes) -> bytes:
    """A field of bytes, a message or packed numbers."""
    size = len(content)
    return prefix + (_LENGTHS[size] if size < len(_LENGTHS) else _varint(size)) + content


def _varint(number: int) -> bytes:
    """Base-128 as the wire has it, lowest seven bits first."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


_LENGTHS: Final = tuple(_varint(number) for number in range(2048))


def view_bytes(view: View) -> bytes:
    """Everything in a view but the legal actions, which the prompt carries."""
    parts = [
        _plain_fields(view),
        _agreement(view.frame),
        framed(_HAND, _hand(view.hand)),
        framed(_SIZES, view.sizes),
        *[_table(table) for table in view.tables],
    ]
    events = view.events
    parts += [_event(events[at : at + 2]) for at in range(0, len(events), 2)]
    discard = view.discard
    if discard:
        parts.append(framed(_DISCARD, discard.translate(_CARD_IN_CODE)))
        if max(discard) >= KINDS:
            parts.append(framed(_KNOWN_TO_SEATS, discard.translate(_KNOWN_TO)))
    if view.stripes:
        parts.append(framed(_STRIPES, view.stripes))
    if view.known:
        parts += [framed(_KNOWN, framed(_KNOWN_CARDS, _hand(counts))) for counts in view.known]
    return b"".join(parts)


def fill_view(target: views_pb2.View, view: View) -> None:
    """Make an empty message that of a view."""
    target.MergeFromString(view_bytes(view))


def _plain_fields(view: View) -> bytes:
    """Whose turn it is, how it came to that, and how the hand ended."""
    plain = views_pb2.View(
        stage=STAGES[view.stage],
        asked_seats=view.asked,
        draw_count=view.draw_count,
        target_km=view.target,
        first_event=view.first_event,
        event_count=view.event_count,
        turn_seat=view.turn,
        draws_due=view.due,
        resume=_RESUMES[view.resume],
        ran_out=view.ran_out,
        dry_start=view.dry_start,
        idle_turns=view.idle,
        circling_turns=view.circling,
        fresh=view.fresh,
        reshuffle_count=view.reshuffled,
    )
    if view.seat != PUBLIC:
        plain.seat = view.seat
    if view.attack != NOBODY:
        plain.attack = _CARDS[view.attack]
    if view.attacked != NOBODY:
        plain.attacked_team = view.attacked
    if view.extended_by != NOBODY:
        plain.extended_by_team = view.extended_by
    if view.reason != NOBODY:
        plain.end = HAND_ENDS[Reason(view.reason)]
    if view.winner != NOBODY:
        plain.winner_team = view.winner
    return plain.SerializeToString()


def _agreement(frame: Frame) -> bytes:
    """What was agreed before the hand.

    Remembered by identity: every prompt of a hand has the same frame, and comparing two means
    comparing all rules.
    """
    known = _agreed.get(id(frame))
    if known is None or known[0] is not frame:
        if len(_agreed) >= _MOST_FRAMES:
            _agreed.clear()
        known = _agreed[id(frame)] = frame, _agreement_bytes(frame)
    return known[1]


_MOST_FRAMES: Final = 64
_agreed: dict[int, tuple[Frame, bytes]] = {}


def _agreement_bytes(frame: Frame) -> bytes:
    return views_pb2.View(
        rule_set=rule_set_message(frame.rules),
        teams=team_messages(frame.seating),
        dealer_seat=frame.dealer,
        scores=frame.scores,
    ).SerializeToString()


@lru_cache(maxsize=512)
def _hand(counts: bytes) -> bytes:
    """Cards as packed numbers, from their 19 counts."""
    return b"".join([_RUNS[card] * count for card, count in enumerate(counts) if count])


@lru_cache(maxsize=512)  # what comes again does so within the hand
def _table(table: TableView) -> bytes:
    """One table; its fields in the order of their numbers."""
    parts = [
        *_cards(_BATTLE, table.battle),
        *_cards(_SPEED, table.speed),
        *_cards(_DISTANCE, table.distance),
        *_cards(_SAFETIES, _kinds(table.safeties << SAFETY_SHIFT)),
        *_cards(_COUPS, _kinds(table.coups_fourres << SAFETY_SHIFT)),
        _progress(table.km, table.bonus_km, table.started, table.moving, table.limited),
        *_cards(_ACCEPTED, _kinds(table.accepts)),
        *_cards(_SUFFERED, _kinds(table.suffers)),
    ]
    return framed(_TABLES, b"".join(parts))


@lru_cache(maxsize=1024)
def _progress(km: int, bonus_km: int, started: bool, moving: bool, limited: bool) -> bytes:
    return views_pb2.Table(
        km=km, bonus_km=bonus_km, started=started, moving=moving, limited=limited
    ).SerializeToString()


def _cards(prefix: bytes, kinds: bytes) -> tuple[bytes, ...]:
    """A field of cards, left out where there are none."""
    return (framed(prefix, kinds.translate(_CARD_IN_CODE)),) if kinds else ()


@lru_cache(maxsize=512)
def _kinds(mask: int) -> bytes:
    """The kinds in a mask."""
    return bytes(card for card in Card if mask >> card & 1)


@lru_cache(maxsize=4096)
def _event(coded: bytes) -> bytes:
    (event,) = decode_events(coded)
    return framed(_EVENTS, event_message(event).SerializeToString())


@lru_cache(maxsize=4096)
def event_message(event: Event) -> views_pb2.Event:
    """One event, as the reader may know it."""
    message = views_pb2.Event(seat=event.seat)
    body = getattr(message, _EVENT_ARMS.get(event.kind, "hazard_laid"))
    body.SetInParent()  # an arm without fields is set all the same
    if event.card is not None:
        body.card = _CARDS[event.card]
    elif event.kind in (EventKind.DRAWN, EventKind.TAKEN, EventKind.DISCARDED):
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
_CARD_IN_CODE: Final = bytes(
    code % KINDS + 1 if code < HIDDEN else KINDS + 1 for code in range(256)
)
"""The number on the wire of the card that a byte of a coded pile stands for."""
_KNOWN_TO: Final = bytes(
    # Zigzag, as the wire has signed numbers: everybody is -1, a seat its number.
    1 if code < KINDS else 2 * (code // KINDS - 1 if code < HIDDEN else (code - HIDDEN) & 0x3F)
    for code in range(256)
)
"""Who knows it."""
_RUNS: Final = tuple(bytes((card + 1,)) for card in range(KINDS))
_HAND: Final = field_prefix(views_pb2.View, "hand")
_SIZES: Final = field_prefix(views_pb2.View, "hand_sizes")
_TABLES: Final = field_prefix(views_pb2.View, "tables")
_BATTLE: Final = field_prefix(views_pb2.Table, "battle_pile")
_SPEED: Final = field_prefix(views_pb2.Table, "speed_pile")
_DISTANCE: Final = field_prefix(views_pb2.Table, "distance_cards")
_SAFETIES: Final = field_prefix(views_pb2.Table, "safeties")
_COUPS: Final = field_prefix(views_pb2.Table, "coups_fourres")
_ACCEPTED: Final = field_prefix(views_pb2.Table, "accepted_cards")
_SUFFERED: Final = field_prefix(views_pb2.Table, "suffered_hazards")
_EVENTS: Final = field_prefix(views_pb2.View, "events")
_DISCARD: Final = field_prefix(views_pb2.View, "discard_pile")
_KNOWN_TO_SEATS: Final = field_prefix(views_pb2.View, "discard_known_to_seats")
_STRIPES: Final = field_prefix(views_pb2.View, "stripe_sizes")
_KNOWN: Final = field_prefix(views_pb2.View, "known_cards")
_KNOWN_CARDS: Final = field_prefix(views_pb2.KnownCards, "cards")
STAGES: Final = numbers(views_pb2.Stage, "STAGE", Stage)
_RESUMES: Final = dict(
    zip(map(int, Resume), numbers(views_pb2.Resume, "RESUME", Resume).values(), strict=True)
)
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
