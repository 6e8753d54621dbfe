"""From protobuf to the engine's values and back: a prompt and all that is in it, and an answer.

Numbers on the wire are one higher than the engine's, because 0 means unset there. What comes again
and again is remembered by its bytes: an action, an event, a table, the rules. Fields that are newer
than this SDK are passed over; where a card, a stage or the like is, the message is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, wraps
from typing import Final, ParamSpec, TypeVar

from google.protobuf.duration_pb2 import Duration

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import CARDS, SAFETY_SHIFT, Card, counts_of
from arena.engine.codes import PUBLIC, Event, EventKind, decode_events, head, hidden, private
from arena.engine.rulesets import Family, RuleSet
from arena.engine.seating import Seating, make_seating
from arena.engine.state import NOBODY, Frame, Stage, TableView, make_frame
from arena.engine.view import View
from arena.errors import ArenaError
from arena_sdk._prompt import Prompt
from millearena.v1 import actions_pb2, cards_pb2, match_service_pb2, rule_sets_pb2, views_pb2

P = ParamSpec("P")
T = TypeVar("T")


class NewerMessage(ArenaError):  # noqa: N818 - nobody's error
    """A message says something that this SDK has no word for."""


def refuses_newer(read: Callable[P, T]) -> Callable[P, T]:
    """Let a reader raise `NewerMessage` for numbers that mean nothing here.

    A table that lacks a number, or a value that cannot be, is how a reader finds out.
    """

    @wraps(read)
    def reader(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return read(*args, **kwargs)
        except (ArenaError, LookupError, OverflowError, TypeError, ValueError) as error:
            raise NewerMessage(f"{type(error).__name__}: {error}") from error

    return reader


_HIDDEN: Final = int(cards_pb2.CARD_HIDDEN)
_NONE: Final = 255
_DOWN: Final = bytes(number - 1 if 0 < number <= len(CARDS) else _NONE for number in range(256))
"""Translates cards on the wire to the engine's kinds; what is no card there becomes `_NONE`."""


@refuses_newer
def prompt_from(message: match_service_pb2.Prompt, arrived: float | None = None) -> Prompt:
    """Read a prompt that came at `arrived`, seconds of `time.monotonic`; without it, now.

    Raises:
        NewerMessage: something in it is unknown here.
    """
    if message.kind != message.view.stage:
        raise ValueError(f"{message.kind} is asked")
    legal = tuple([_action(one.SerializeToString()) for one in message.legal_actions])
    return Prompt(
        view_from(message.view, legal),
        legal,
        legal[message.default_index],
        seconds(message.time_limit),
        seconds(message.bank_left),
        message.game_number,
        message.hand_number,
        arrived,
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
        attack=_kind(message.attack) if message.HasField("attack") else NOBODY,
        attacked=message.attacked_team if message.HasField("attacked_team") else NOBODY,
        known=tuple([_counts(known.cards) for known in message.known_cards]),
        events=_coded(message.events, face_down=frame.face_down),
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


def seconds(duration: Duration) -> float:
    """A duration as a number of seconds."""
    return duration.seconds + duration.nanos / 1e9


# -- cards ------------------------------------------------------------------------------------


def _kinds(cards: Sequence[int]) -> bytes:
    kinds = bytes(cards).translate(_DOWN)
    if _NONE in kinds:
        raise ValueError(f"no card has one of the numbers {list(cards)}")
    return kinds


def _kind(card: int) -> int:
    return _kinds((card,))[0]


def _counts(cards: Sequence[int]) -> bytes:
    return bytes(counts_of(_kinds(cards)))


def _mask(cards: Sequence[int]) -> int:
    return sum(1 << kind for kind in _kinds(cards))


def _discard(message: views_pb2.View) -> bytes:
    """The discard pile in the engine's codes, which say of every card who knows it."""
    pile = message.discard_pile
    knowers = message.discard_known_to_seats
    if not knowers:
        return _kinds(pile)
    return bytes(
        [
            _kind(card) if seat < 0 else _card_of(card, seat)
            for card, seat in zip(pile, knowers, strict=True)
        ]
    )


def _card_of(card: int, seat: int) -> int:
    """A card that `seat` knows, in the engine's codes."""
    return hidden(seat) if card == _HIDDEN else private(_kind(card), seat)


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


def events_from(messages: Iterable[views_pb2.Event]) -> tuple[Event, ...]:
    """Read events that come without a view; one of a newer kind is left out."""
    return tuple(decode_events(_coded(messages, face_down=False)))


def _coded(messages: Iterable[views_pb2.Event], *, face_down: bool) -> bytes:
    return b"".join([_event(event.SerializeToString(), face_down) for event in messages])


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
        return bytes((head(EventKind.LAID_ON_0 + body.target_team, seat), _kind(body.card)))
    kind = _EVENT_KINDS[arm]
    number = getattr(body, "card", 1)  # what has no card has the first one in the engine's log
    if not number and kind is EventKind.TAKEN:
        number = _HIDDEN  # it lay face down
    is_secret = kind is EventKind.DRAWN or (kind is EventKind.DISCARDED and face_down)
    if number == _HIDDEN or is_secret:
        return bytes((head(kind, seat), _card_of(number, seat)))
    return bytes((head(kind, seat), _kind(number)))


# -- the agreement ----------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _frame(
    raw: bytes, teams: tuple[tuple[int, ...], ...], dealer: int, scores: tuple[int, ...]
) -> Frame:
    rules = rules_from(rule_sets_pb2.RuleSet.FromString(raw))
    return make_frame(rules, make_seating(rules, teams), dealer=dealer, scores=scores)


def seating_from(teams: Iterable[views_pb2.Team], rules: RuleSet) -> Seating:
    """Read who plays with whom."""
    return make_seating(rules, [list(team.seats) for team in teams])


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


def answer_message(
    prompt_id: str, prompt: Prompt, action: Action, orders: Collection[Card] = ()
) -> match_service_pb2.Answer:
    """Write the answer to a prompt, with standing orders where there are some."""
    answer = match_service_pb2.Answer(prompt_id=prompt_id)
    if action in prompt.legal:
        answer.legal_index = prompt.legal.index(action)
    else:  # for the referee to refuse: it says so, and counts
        answer.action.CopyFrom(action_message(action))
    if orders:
        answer.coup_fourre_on.extend([_WIRE_CARDS[card] for card in orders])
    return answer


def action_message(action: Action) -> actions_pb2.Action:
    """Write an action."""
    message = actions_pb2.Action()
    body = getattr(message, action.verb.value)
    body.SetInParent()  # an arm without fields is set all the same
    if action.verb is Verb.DRAW:
        body.source = actions_pb2.DrawSource.Value(f"DRAW_SOURCE_{action.text.split()[1].upper()}")
    if action.card is not None:
        body.card = _WIRE_CARDS[action.card]
    if action.team is not None:
        body.target_team = action.team
    return message


_WIRE_CARDS: Final = tuple(getattr(cards_pb2, f"CARD_{card.name}") for card in CARDS)
_ACTIONS: Final = {action_message(action).SerializeToString(): action for action in ACTIONS}


def action_from(message: actions_pb2.Action) -> Action:
    """Read an action."""
    return _action(message.SerializeToString())


def _action(raw: bytes) -> Action:
    action = _ACTIONS.get(raw)
    if action is None:  # perhaps with a field that is newer than this SDK
        message = actions_pb2.Action.FromString(raw)
        message.DiscardUnknownFields()
        action = _ACTIONS[message.SerializeToString()]
    return action
