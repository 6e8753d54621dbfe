"""From protobuf to the SDK's values: what a bot is told besides prompts (see `_convert`)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from arena.engine.scoring import Item
from arena.engine.state import Reason
from arena_sdk._convert import (
    NewerMessage,
    action_from,
    events_from,
    refuses_newer,
    rules_from,
    seating_from,
    seconds,
)
from arena_sdk._values import (
    FaultBudget,
    HandResult,
    Knowledge,
    MatchResult,
    Outcome,
    Rejection,
    RejectionReason,
    TimeControl,
    Welcome,
    WindowMode,
)
from millearena.v1 import match_service_pb2 as pb
from millearena.v1 import views_pb2

Word = TypeVar("Word", bound=StrEnum)


@refuses_newer
def welcome_from(message: pb.Welcome) -> Welcome:
    """Read a welcome.

    Raises:
        NewerMessage: the rules or the seating are unknown here.
    """
    rules = rules_from(message.rule_set)
    time, faults, knowledge = message.time_control, message.fault_budget, message.knowledge
    return Welcome(
        seat=message.seat,
        seating=seating_from(message.teams, rules),
        rules=rules,
        time=TimeControl(
            start_up=seconds(time.start_up),
            turn=seconds(time.turn),
            bank=seconds(time.bank),
            response_window=seconds(time.response_window),
        ),
        window_mode=_WINDOW_MODES.get(message.window_mode, WindowMode.UNKNOWN),
        faults=FaultBudget(
            max_strikes=faults.max_strikes,
            messages_per_prompt=faults.messages_per_prompt,
            surplus_messages=faults.surplus_messages,
            note_bytes=faults.note_bytes,
        ),
        knowledge=Knowledge(
            discards_face_down=knowledge.discards_face_down,
            striped_draw=knowledge.striped_draw,
            frozen_between_prompts=knowledge.frozen_between_prompts,
        ),
        game=message.game_number,
        games=message.game_count,
    )


def rejection_from(message: pb.Rejection) -> Rejection:
    """Read a rejection; an unknown action reads as None."""
    try:
        played = action_from(message.played)
    except KeyError:
        played = None
    return Rejection(
        reason=_REJECTION_REASONS.get(message.reason, RejectionReason.UNKNOWN),
        detail=message.detail,
        played=played,
        strikes=message.strikes,
    )


@refuses_newer
def hand_result_from(message: pb.HandOver) -> HandResult:
    """Read the end of a hand.

    Raises:
        NewerMessage: a card in its events is unknown here.
    """
    results = message.results
    has_points = any(result.items for result in results)
    won_game = message.HasField("game_winner_team")
    return HandResult(
        game=message.game_number,
        hand=message.hand_number,
        reason=_REASONS.get(message.end),
        winner=message.winner_team if message.HasField("winner_team") else None,
        km=tuple([result.km for result in results]),
        points=tuple([result.points for result in results]) if has_points else (),
        sheets=tuple([_sheet(result) for result in results]) if has_points else (),
        scores=tuple(message.scores),
        game_over=message.game_over,
        game_winner=message.game_winner_team if won_game else None,
        events=events_from(message.events),
    )


def match_result_from(message: pb.MatchOver) -> MatchResult:
    """Read the end of it all."""
    return MatchResult(
        games=message.game_count,
        won=message.games_won,
        drawn=message.games_drawn,
        outcome=_OUTCOMES.get(message.outcome, Outcome.UNKNOWN),
        detail=message.detail,
    )


def _sheet(result: pb.TeamResult) -> Mapping[Item, int]:
    """A score sheet; a line that is newer is only in the sum."""
    return {_ITEMS[item.kind]: item.points for item in result.items if item.kind in _ITEMS}


def _words(prefix: str, kind: type[Word]) -> dict[int, Word]:
    """The words of an enumeration by their numbers on the wire."""
    return {getattr(pb, f"{prefix}_{word.name}"): word for word in kind if word.name != "UNKNOWN"}


_WINDOW_MODES: Final = _words("WINDOW_MODE", WindowMode)
_REJECTION_REASONS: Final = _words("REJECTION_REASON", RejectionReason)
_OUTCOMES: Final = _words("OUTCOME", Outcome)
_ITEMS: Final = _words("SCORE_KIND", Item)
_REASONS: Final = {getattr(views_pb2, f"HAND_END_{reason.name}"): reason for reason in Reason}

__all__ = [
    "NewerMessage",
    "hand_result_from",
    "match_result_from",
    "rejection_from",
    "welcome_from",
]
