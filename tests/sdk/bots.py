"""Bots to test with, and prompts as they come over the wire."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field

from arena.engine.actions import PASS
from arena.transport.convert_hand import STAGES, fill_view
from arena_sdk import (
    Action,
    Bot,
    Card,
    Event,
    FaultBudget,
    HandResult,
    Knowledge,
    MatchResult,
    Outcome,
    Prompt,
    Rejection,
    RejectionReason,
    TimeControl,
    Welcome,
    WindowMode,
)
from arena_sdk._convert import action_message
from arena_sdk.testing import prompts
from millearena.v1 import match_service_pb2 as pb


class Chooses(Bot):
    """Answers as it is told to, and keeps what it is asked."""

    def __init__(self, choose: Callable[[Prompt], object] = lambda prompt: prompt.default) -> None:
        self._choose = choose
        self.asked: list[Prompt] = []

    def choose(self, prompt: Prompt) -> Action:
        self.asked.append(prompt)
        return self._choose(prompt)  # type: ignore[return-value]


@dataclass
class Diary(Bot):
    """Writes down everything that it is told; `answer` says what it plays."""

    answer: Callable[[Prompt], Action] = lambda prompt: prompt.default
    orders: Callable[[Prompt], Collection[Card]] = lambda prompt: ()
    lines: list[tuple[object, ...]] = field(default_factory=list)

    def choose(self, prompt: Prompt) -> Action:
        self.lines.append(("choose", prompt))
        return self.answer(prompt)

    def respond(self, prompt: Prompt) -> Action:
        self.lines.append(("respond", prompt))
        return self.answer(prompt)

    def standing_orders(self, prompt: Prompt) -> Collection[Card]:
        self.lines.append(("standing_orders", prompt))
        return self.orders(prompt)

    def game_started(self, welcome: Welcome) -> None:
        self.lines.append(("game_started", welcome))

    def hand_started(self, game: int, hand: int) -> None:
        self.lines.append(("hand_started", game, hand))

    def saw(self, events: tuple[Event, ...]) -> None:
        self.lines.append(("saw", events))

    def rejected(self, rejection: Rejection) -> None:
        self.lines.append(("rejected", rejection))

    def hand_over(self, result: HandResult) -> None:
        self.lines.append(("hand_over", result))

    def match_over(self, result: MatchResult) -> None:
        self.lines.append(("match_over", result))

    @property
    def hooks(self) -> list[str]:
        """The names of what was called, in order."""
        return [str(line[0]) for line in self.lines]

    def told(self, hook: str) -> list[tuple[object, ...]]:
        """What one hook was given, call by call."""
        return [line[1:] for line in self.lines if line[0] == hook]


def welcome(mode: WindowMode = WindowMode.PROMPT, **budget: int) -> Welcome:
    prompt = next(prompts(hands=1))
    return Welcome(
        seat=0,
        seating=prompt.view.seating,
        rules=prompt.view.rules,
        time=TimeControl(),
        window_mode=mode,
        faults=FaultBudget(**budget),
        knowledge=Knowledge(
            discards_face_down=True, striped_draw=True, frozen_between_prompts=True
        ),
        game=0,
        games=1,
    )


HAND_OVER = HandResult(
    game=0,
    hand=0,
    reason=None,
    winner=None,
    km=(0, 0),
    points=(0, 0),
    sheets=(),
    scores=(0, 0),
    game_over=True,
    game_winner=None,
)
MATCH_OVER = MatchResult(games=1, won=1, drawn=0, outcome=Outcome.COMPLETED)
REJECTION = Rejection(reason=RejectionReason.TIMED_OUT, detail="", played=PASS, strikes=1)


def wire_prompt(prompt: Prompt, prompt_id: str = "p", time_limit: float | None = None) -> pb.Prompt:
    """A prompt as a referee sends it."""
    message = pb.Prompt(
        prompt_id=prompt_id,
        kind=STAGES[prompt.kind],
        legal_actions=map(action_message, prompt.legal),
        default_index=prompt.legal.index(prompt.default),
        game_number=prompt.game,
        hand_number=prompt.hand,
    )
    fill_view(message.view, prompt.view)
    message.time_limit.FromNanoseconds(
        round(1e9 * (prompt.time_limit if time_limit is None else time_limit))
    )
    message.bank_left.FromNanoseconds(round(1e9 * prompt.bank_left))
    return message
