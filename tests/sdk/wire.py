"""What a referee says, for tests of the stream."""

from __future__ import annotations

from arena.transport.convert_hand import rule_set_message, team_messages
from arena_sdk import Stage
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb

OVER = pb.MatchOver(game_count=1, games_won=1, outcome=pb.OUTCOME_COMPLETED)
TURNS = [prompt for prompt in prompts(seed=5, hands=2) if prompt.kind is Stage.PLAY]
LONG = 3600.0  # seconds that nothing here takes


def welcome(mode: pb.WindowMode = pb.WINDOW_MODE_PROMPT, messages: int = 4) -> pb.Welcome:
    """A game begins, for the seat of the first of `TURNS`."""
    view = TURNS[0].view
    return pb.Welcome(
        seat=view.seat,
        teams=team_messages(view.seating),
        rule_set=rule_set_message(view.rules),
        window_mode=mode,
        game_count=1,
        fault_budget=pb.FaultBudget(messages_per_prompt=messages, note_bytes=20),
    )
