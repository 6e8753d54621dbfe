"""Protobuf on one side, the referee's values on the other: what bots say, and what they are told.

Nothing else in `arena` knows both, but for `convert_hand`, which this module uses for everything
that is about cards.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, assert_never

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError

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
    Prompt,
    Rejection,
    RejectionReason,
    Welcome,
)
from arena.referee.limits import TimeControl
from arena.transport.convert_hand import (
    ACTION_BY_KEY,
    ACTION_MESSAGES,
    HAND_ENDS,
    STAGES,
    action_key,
    event_message,
    fill_view,
    numbers,
    rule_set_message,
    team_messages,
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
    except (DecodeError, ValueError) as error:  # protobuf in plain Python raises the second
        raise MalformedMessage(f"not a PlayRequest: {error}") from None
    match request.WhichOneof("message"):
        case "answer":
            return Answer(request.answer.prompt_id, _choice(request.answer))
        case "join":
            join = request.join
            return Join(join.protocol_version, join.bot_name, join.bot_version, join.sdk)
        case "note":
            return Note(request.note.text)
        case _:
            raise MalformedMessage("PlayRequest.message is not set, or newer than version 1")


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
    response = match_service_pb2.PlayResponse()
    match message:
        case Prompt():
            _fill_prompt(response.prompt, message)
        case Welcome():
            _fill_welcome(response.welcome, message)
        case Rejection():
            rejection = response.rejection
            rejection.prompt_id = message.prompt_id
            rejection.reason = _REASONS[message.reason]
            rejection.detail = message.detail
            rejection.played.CopyFrom(ACTION_MESSAGES[message.played.code])
        case HandOver():
            _fill_hand_over(response.hand_over, message)
        case MatchOver():
            response.match_over.game_count = message.games
            response.match_over.games_won = message.won
            response.match_over.games_drawn = message.drawn
        case _:
            assert_never(message)
    return response.SerializeToString()


def _fill_prompt(target: match_service_pb2.Prompt, prompt: Prompt) -> None:
    view = prompt.view
    target.prompt_id = prompt.prompt_id
    target.kind = STAGES[view.stage]
    fill_view(target.view, view)
    target.legal_actions.extend([ACTION_MESSAGES[action.code] for action in view.legal])
    target.default_index = view.legal.index(prompt.default)
    _fill_duration(target.time_limit, prompt.free_time)
    _fill_duration(target.bank_left, prompt.bank_left)
    target.game_number = prompt.game
    target.hand_number = prompt.hand


def _fill_welcome(target: match_service_pb2.Welcome, welcome: Welcome) -> None:
    target.seat = welcome.seat
    target.teams.extend(team_messages(welcome.seating))
    target.rule_set.CopyFrom(rule_set_message(welcome.rules))
    for field in fields(TimeControl):
        _fill_duration(getattr(target.time_control, field.name), getattr(welcome.time, field.name))
    target.window_mode = match_service_pb2.WINDOW_MODE_PROMPT
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


_REASONS: Final = numbers(match_service_pb2.RejectionReason, "REJECTION_REASON", RejectionReason)
