"""Protobuf on one side, the referee's values on the other: what bots say, and what they are told.

Nothing else in `arena` knows both, but for `convert_hand`, which this module uses for everything
that is about cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final, assert_never

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

from arena.engine.cards import HAZARDS, Card
from arena.engine.codes import decode_events
from arena.engine.scoring import HandResult
from arena.engine.state import NOBODY
from arena.errors import BotFault
from arena.referee.events import (
    MALFORMED,
    Choice,
    HandOver,
    MatchOver,
    Message,
    OutcomeKind,
    Prompt,
    Rejection,
    RejectionReason,
    Welcome,
)
from arena.referee.limits import FaultBudget, Nanos, TimeControl, WindowMode
from arena.transport.convert_hand import (
    ACTION_BY_KEY,
    ACTION_MESSAGES,
    HAND_ENDS,
    STAGES,
    action_key,
    event_message,
    field_prefix,
    framed,
    numbers,
    rule_set_message,
    team_messages,
    view_bytes,
)
from millearena.v1 import match_service_pb2

__all__ = [
    "PROTOCOL_VERSION",
    "SERVICE",
    "Answer",
    "Join",
    "MalformedMessage",
    "Note",
    "read_request",
    "response_bytes",
]

SERVICE: Final[str] = match_service_pb2.DESCRIPTOR.services_by_name["MatchService"].full_name
PROTOCOL_VERSION: Final = 1
"""The major version of the protocol that is spoken here."""


# -- what bots say ----------------------------------------------------------------------------


NO_ORDERS: Final[frozenset[Card]] = frozenset()


class MalformedMessage(BotFault):
    """Bytes that are no request, or a request without an arm."""


@dataclass(frozen=True, slots=True)
class Join:
    """A bot introduces itself; all but the version is for logs."""

    protocol_version: int
    bot_name: str
    bot_version: str
    sdk: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a bot answers to a prompt."""

    prompt_id: str
    choice: Choice
    orders: frozenset[Card] = NO_ORDERS


@dataclass(frozen=True, slots=True)
class Note:
    """A line for the author's log."""

    text: str


def read_request(raw: bytes) -> Join | Answer | Note:
    """Read a request.

    An answer whose action cannot be read is an answer all the same, with MALFORMED as its choice:
    it names the prompt that it fails to answer.

    Raises:
        MalformedMessage: it is not a request.
    """
    try:
        request = match_service_pb2.PlayRequest.FromString(raw)
    except (DecodeError, ValueError):  # protobuf in plain Python raises the second
        size = f"{len(raw):,} {'byte' if len(raw) == 1 else 'bytes'}"
        raise MalformedMessage(f"not a PlayRequest: {size} that are no such message") from None
    match request.WhichOneof("message"):
        case "answer":
            answer = request.answer
            orders = _orders(answer.coup_fourre_on) if answer.coup_fourre_on else NO_ORDERS
            return Answer(answer.prompt_id, _choice(answer), orders)
        case "join":
            join = request.join
            return Join(join.protocol_version, join.bot_name, join.bot_version, join.sdk)
        case "note":
            return Note(request.note.text)
        case _:
            raise MalformedMessage("PlayRequest.message is not set, or newer than version 1")


def _orders(cards: Iterable[int]) -> frozenset[Card]:
    """The hazards among these numbers; others order nothing."""
    return frozenset(_HAZARDS[number] for number in cards if number in _HAZARDS)


def _choice(answer: match_service_pb2.Answer) -> Choice:
    match answer.WhichOneof("choice"):
        case "legal_index":
            return answer.legal_index
        case "action":
            return ACTION_BY_KEY.get(action_key(answer.action), MALFORMED)
        case _:
            return MALFORMED


# -- what bots are told -----------------------------------------------------------------------


def response_bytes(message: Message) -> bytes:
    """A message to a bot as it goes over the wire."""
    if isinstance(message, Prompt):
        return _prompt_bytes(message)
    response = match_service_pb2.PlayResponse()
    match message:
        case Welcome():
            _fill_welcome(response.welcome, message)
        case Rejection():
            rejection = response.rejection
            rejection.prompt_id = message.prompt_id
            rejection.reason = _REASONS[message.reason]
            rejection.detail = message.detail
            rejection.played.CopyFrom(ACTION_MESSAGES[message.played.code])
            rejection.strikes = message.strikes
        case HandOver():
            _fill_hand_over(response.hand_over, message)
        case MatchOver():
            response.match_over.game_count = message.games
            response.match_over.games_won = message.won
            response.match_over.games_drawn = message.drawn
            response.match_over.outcome = _OUTCOMES[message.outcome]
            response.match_over.detail = message.detail
        case _:
            assert_never(message)
    return response.SerializeToString()


def _prompt_bytes(prompt: Prompt) -> bytes:
    view = prompt.view
    legal = view.legal
    plain = match_service_pb2.Prompt(
        prompt_id=prompt.prompt_id,
        kind=STAGES[view.stage],
        default_index=legal.index(prompt.default),
        game_number=prompt.game,
        hand_number=prompt.hand,
    )
    parts = [plain.SerializeToString(), _time_bytes(prompt.free_time, prompt.bank_left)]
    parts.append(framed(_VIEW, view_bytes(view)))
    parts += [_LEGAL[action.code] for action in legal]
    return framed(_PROMPT, b"".join(parts))


@lru_cache(maxsize=1024)
def _time_bytes(free_time: Nanos, bank_left: Nanos) -> bytes:
    """Both times of a prompt, which rarely change."""
    times = match_service_pb2.Prompt()
    _fill_duration(times.time_limit, free_time)
    _fill_duration(times.bank_left, bank_left)
    return times.SerializeToString()


def _fill_welcome(target: match_service_pb2.Welcome, welcome: Welcome) -> None:
    target.seat = welcome.seat
    target.teams.extend(team_messages(welcome.seating))
    target.rule_set.CopyFrom(rule_set_message(welcome.rules))
    limits = welcome.limits
    for field in fields(TimeControl):
        _fill_duration(getattr(target.time_control, field.name), getattr(limits.time, field.name))
    for field in fields(FaultBudget):
        setattr(target.fault_budget, field.name, getattr(limits.faults, field.name))
    target.window_mode = _MODES[limits.window]
    target.knowledge.discards_face_down = not welcome.rules.discard_visible
    target.knowledge.striped_draw = welcome.striped
    target.game_number = welcome.game
    target.game_count = welcome.games


def _fill_hand_over(target: match_service_pb2.HandOver, over: HandOver) -> None:
    target.game_number = over.game
    target.hand_number = over.hand
    target.end = HAND_ENDS[over.result.reason]
    if over.result.winner != NOBODY:
        target.winner_team = over.result.winner
    target.results.extend(_team_results(over.result))
    target.scores.extend(over.totals)
    target.game_over = over.game_over
    if over.game_winner != NOBODY:
        target.game_winner_team = over.game_winner
    target.events.extend(map(event_message, decode_events(over.seen.events)))


def _fill_duration(target: Duration, nanoseconds: int) -> None:
    target.seconds, target.nanos = divmod(nanoseconds, 1_000_000_000)


def _team_results(result: HandResult) -> list[match_service_pb2.TeamResult]:
    results = [match_service_pb2.TeamResult(km=km) for km in result.km]
    for message, points, sheet in zip(results, result.points, result.sheets, strict=False):
        message.points = points
        for item, worth in sheet.items():
            kind = match_service_pb2.ScoreKind.Value(f"SCORE_KIND_{item.name}")
            message.items.add(kind=kind, points=worth)
    return results


_PROMPT: Final = field_prefix(match_service_pb2.PlayResponse, "prompt")
_VIEW: Final = field_prefix(match_service_pb2.Prompt, "view")
_LEGAL: Final = tuple(
    framed(field_prefix(match_service_pb2.Prompt, "legal_actions"), message.SerializeToString())
    for message in ACTION_MESSAGES
)
_HAZARDS: Final = {card + 1: card for card in HAZARDS}
_MODES: Final = numbers(match_service_pb2.WindowMode, "WINDOW_MODE", WindowMode)
_OUTCOMES: Final = numbers(match_service_pb2.Outcome, "OUTCOME", OutcomeKind)
_REASONS: Final = numbers(match_service_pb2.RejectionReason, "REJECTION_REASON", RejectionReason)
