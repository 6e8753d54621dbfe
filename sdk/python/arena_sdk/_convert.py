"""From protobuf to the engine's values and back: what the SDK makes of a prompt.

Numbers on the wire are one higher than the engine's, because 0 means unset there. What comes again
and again is remembered by its bytes: an action, an event, a table, the rules. Fields that are newer
than this SDK are passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from google.protobuf.duration_pb2 import Duration

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import SAFETY_SHIFT, counts_of
from arena.engine.codes import PUBLIC, EventKind, head, hidden, private
from arena.engine.rulesets import Family, RuleSet
from arena.engine.seating import make_seating
from arena.engine.state import NOBODY, Frame, Stage, TableView, make_frame
from arena.engine.view import View
from arena_sdk._bot import Prompt
from millearena.v1 import actions_pb2, cards_pb2, match_service_pb2, rule_sets_pb2, views_pb2

_HIDDEN: Final = int(cards_pb2.CARD_HIDDEN)
_DOWN: Final = bytes(max(number - 1, 0) for number in range(256))
"""Translates cards on the wire to the engine's kinds."""


def prompt_from(message: match_service_pb2.Prompt) -> Prompt:
    """Read a prompt."""
    legal = tuple([_action(one.SerializeToString()) for one in message.legal_actions])
    return Prompt(
        view=view_from(message.view, legal),
        legal=legal,
        default=legal[message.default_index],
        time_limit=_seconds(message.time_limit),
        bank_left=_seconds(message.bank_left),
        game=message.game_number,
        hand=message.hand_number,
    )


def view_from(message: views_pb2.View, legal: tuple[Action, ...]) -> View:
    """Read a view; its legal actions come with the prompt."""
    frame = _frame(
        message.rule_set.SerializeToString(),
        tuple([tuple(team.seats) for team in message.teams]),
        message.dealer_seat,
        tuple(message.scores),
    )
    return View(
        seat=message.seat if message.HasField("seat") else PUBLIC,
        stage=Stage(message.stage - 1),
        asked=tuple(message.asked_seats),
        legal=legal,
        hand=_counts(message.hand),
        sizes=bytes(message.hand_sizes),
        tables=tuple([_table(table.SerializeToString()) for table in message.tables]),
        draw_count=message.draw_count,
        discard=_discard(message),
        target=message.target_km,
        turn=message.turn_seat,
        attack=message.attack - 1 if message.HasField("attack") else NOBODY,
        attacked=message.attacked_team if message.HasField("attacked_team") else NOBODY,
        known=tuple([_counts(known.cards) for known in message.known_cards]),
        events=_events(message, frame),
        first_event=message.first_event,
        event_count=message.event_count,
        frame=frame,
        stripes=bytes(message.stripe_sizes),
        due=message.draws_due,
        resume=message.resume - 1,
        extended_by=message.extended_by_team if message.HasField("extended_by_team") else NOBODY,
        ran_out=message.ran_out,
        dry_start=message.dry_start,
        idle=message.idle_turns,
        circling=message.circling_turns,
        fresh=message.fresh,
        reshuffled=message.reshuffle_count,
        reason=message.end - 1 if message.HasField("end") else NOBODY,
        winner=message.winner_team if message.HasField("winner_team") else NOBODY,
    )


def _seconds(duration: Duration) -> float:
    return duration.seconds + duration.nanos / 1e9


def _kinds(cards: Sequence[int]) -> bytes:
    return bytes(cards).translate(_DOWN)


def _counts(cards: Sequence[int]) -> bytes:
    return bytes(counts_of(_kinds(cards)))


def _discard(message: views_pb2.View) -> bytes:
    """The discard pile in the engine's codes, which say of every card who knows it."""
    pile = message.discard_pile
    knowers = message.discard_known_to_seats
    if not knowers:
        return _kinds(pile)
    return bytes(
        [
            card - 1 if seat < 0 else hidden(seat) if card == _HIDDEN else private(card - 1, seat)
            for card, seat in zip(pile, knowers, strict=True)
        ]
    )


@lru_cache(maxsize=4096)
def _table(raw: bytes) -> TableView:
    message = views_pb2.Table.FromString(raw)
    return TableView(
        battle=_kinds(message.battle_pile),
        speed=_kinds(message.speed_pile),
        distance=_kinds(message.distance_cards),
        safeties=_mask(message.safeties) >> SAFETY_SHIFT,
        coups_fourres=_mask(message.coups_fourres) >> SAFETY_SHIFT,
        km=message.km,
        bonus_km=message.bonus_km,
        started=message.started,
        moving=message.moving,
        limited=message.limited,
        accepts=_mask(message.accepted_cards),
        suffers=_mask(message.suffered_hazards),
    )


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << kind for kind in _kinds(cards))


# -- events -----------------------------------------------------------------------------------

_EVENT_KINDS: Final = {
    "card_drawn": EventKind.DRAWN,
    "card_taken": EventKind.TAKEN,
    "card_played": EventKind.PLAYED,
    "card_discarded": EventKind.DISCARDED,
    "coup_fourre_declared": EventKind.COUP_FOURRE,
    "hand_extended": EventKind.EXTENDED,
    "hand_stopped": EventKind.STOPPED,
    "top_chosen": EventKind.TOPPED,
    "pile_reshuffled": EventKind.RESHUFFLED,
}


def _events(message: views_pb2.View, frame: Frame) -> bytes:
    return b"".join(
        [_event(event.SerializeToString(), frame.face_down) for event in message.events]
    )


@lru_cache(maxsize=4096)
def _event(raw: bytes, face_down: bool) -> bytes:
    """An event as the engine's two bytes: kind with seat, and card."""
    message = views_pb2.Event.FromString(raw)
    arm = message.WhichOneof("kind")
    if arm is None:
        return b""
    body = getattr(message, arm)
    seat = message.seat
    if arm == "hazard_laid":
        return bytes((head(EventKind.LAID_ON_0 + body.target_team, seat), body.card - 1))
    kind = _EVENT_KINDS[arm]
    number = getattr(body, "card", 1)  # what has no card has the first one in the engine's log
    is_secret = kind is EventKind.DRAWN or (kind is EventKind.DISCARDED and face_down)
    if number == _HIDDEN:
        card = hidden(seat)
    else:
        card = private(number - 1, seat) if is_secret else number - 1
    return bytes((head(kind, seat), card))


# -- the agreement ----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _frame(
    raw: bytes, teams: tuple[tuple[int, ...], ...], dealer: int, scores: tuple[int, ...]
) -> Frame:
    rules = rules_from(rule_sets_pb2.RuleSet.FromString(raw))
    return make_frame(rules, make_seating(rules, teams), dealer=dealer, scores=scores)


def rules_from(message: rule_sets_pb2.RuleSet) -> RuleSet:
    """Read a rule set: every option is the field of its name."""
    values: dict[str, object] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if field.has_presence and not message.HasField(field.name):
            value = None
        elif field.enum_type is not None:
            prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
            value = field.enum_type.values_by_number[value].name.removeprefix(prefix).lower()
        values[field.name] = value
    values["family"] = Family(str(values["family"]))
    return RuleSet(**values)  # type: ignore[arg-type]


# -- actions ----------------------------------------------------------------------------------


def action_message(action: Action) -> actions_pb2.Action:
    """Write an action."""
    message = actions_pb2.Action()
    body = getattr(message, action.verb.value)
    body.SetInParent()  # an arm without fields is set all the same
    if action.verb is Verb.DRAW:
        body.source = actions_pb2.DrawSource.Value(f"DRAW_SOURCE_{action.text.split()[1].upper()}")
    if action.card is not None:
        body.card = cards_pb2.Card.Value(f"CARD_{action.card.name}")
    if action.team is not None:
        body.target_team = action.team
    return message


_ACTIONS: Final = {action_message(action).SerializeToString(): action for action in ACTIONS}


def _action(raw: bytes) -> Action:
    action = _ACTIONS.get(raw)
    if action is None:  # perhaps with a field that is newer than this SDK
        message = actions_pb2.Action.FromString(raw)
        message.DiscardUnknownFields()
        action = _ACTIONS[message.SerializeToString()]
    return action
