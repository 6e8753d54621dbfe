"""What a referee of the same process says, in the SDK's values."""

from __future__ import annotations

from arena.engine.codes import decode_events
from arena.referee.events import BotNo, HandOver
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Limits
from arena_sdk import _values as values

__all__ = ["hand_result", "welcome"]


def welcome(plan: MatchPlan, game: Game, bot: BotNo) -> values.Welcome:
    """What a bot is told when a game begins."""
    told = game.welcome(bot)
    limits = told.limits
    return values.Welcome(
        seat=told.seat,
        seating=told.seating,
        rules=told.rules,
        time=_time(limits),
        window_mode=values.WindowMode(limits.window.value),
        faults=values.FaultBudget(
            max_strikes=limits.faults.max_strikes,
            messages_per_prompt=limits.faults.messages_per_prompt,
            surplus_messages=limits.faults.surplus_messages,
            note_bytes=limits.faults.note_bytes,
        ),
        knowledge=values.Knowledge(
            discards_face_down=not plan.rules.discard_visible,
            striped_draw=plan.striped,
            frozen_between_prompts=True,
        ),
        game=told.game,
        games=told.games,
    )


def _time(limits: Limits) -> values.TimeControl:
    time = limits.time
    return values.TimeControl(
        start_up=time.start_up / 1e9,
        turn=time.turn / 1e9,
        bank=time.bank / 1e9,
        response_window=time.response_window / 1e9,
    )


def hand_result(over: HandOver) -> values.HandResult:
    """What a bot is told when a hand has ended."""
    return values.HandResult.of(
        over.result,
        game=over.game,
        hand=over.hand,
        scores=over.totals,
        game_over=over.game_over,
        game_winner=over.game_winner,
        events=tuple(decode_events(over.seen.events)),
    )
