"""Playing in one process, and small bots to play with."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any
from zlib import crc32

from arena.engine.actions import ACTIONS, Action, Verb
from arena.engine.cards import Card
from arena.engine.view import View
from arena.referee.events import BotNo
from arena.referee.game import MatchPlan
from arena_sdk import Bot, HandResult, MatchResult, Prompt, Rejection, Welcome
from arena_sdk._failures import Failures, StrictFailures
from arena_sdk._local import LocalOutcome, play_locally
from arena_sdk._player import Player
from tests.referee.plans import PUBLISHED, make_plan

Make = Callable[[], Bot]


class Clock:
    """A clock that bots move on."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


def play(
    plan: MatchPlan, *bots: Make, strict: bool = False, clock: Clock | None = None
) -> LocalOutcome:
    def make(bot: BotNo, leg: int) -> Player:
        return Player(bots[bot](), failures=StrictFailures() if strict else Failures(), seed="1")

    return play_locally(plan, make, clock=clock or Clock())


def strict_plan(**given: Any) -> MatchPlan:
    """A plan in which faults cost what is published."""
    return make_plan(**{"faults": PUBLISHED, **given})


def choice_of(view: View) -> Action:
    """Any legal action, always the same one for the same cards."""
    return view.legal[
        crc32(repr((view.cards, view.legal, view.draw_count)).encode()) % len(view.legal)
    ]


class Steady(Bot):
    """Plays `choice_of`."""

    def choose(self, prompt: Prompt) -> Action:
        return choice_of(prompt.view)

    def standing_orders(self, prompt: Prompt) -> list[Card]:
        return []


class First(Bot):
    """Plays the first legal action."""

    def choose(self, prompt: Prompt) -> Action:
        return prompt.legal[0]


class Hostile(Bot):
    """Attacks when it can."""

    def choose(self, prompt: Prompt) -> Action:
        return next(iter(prompt.attacks), prompt.legal[0])


class Patient(Bot):
    """Gets going and stays so, and keeps every safety for an attack."""

    def choose(self, prompt: Prompt) -> Action:
        return max(prompt.legal, key=self.urgency)

    @staticmethod
    def urgency(action: Action) -> int:
        if action.card is None or action.card.is_safety:
            return 3 if action.verb is Verb.COUP_FOURRE else -1
        return 2 if action.verb is Verb.PLAY and action.card.is_remedy else 1


def once_in_two_games(what: Callable[[Prompt], Action]) -> type[Bot]:
    """A bot that does something odd at its first decision of the second game of a leg."""

    class Odd(First):
        done = False

        def choose(self, prompt: Prompt) -> Action:
            if prompt.game == 1 and not self.done:
                self.done = True
                return what(prompt)
            return super().choose(prompt)

    return Odd


def illegal(prompt: Prompt) -> Action:
    return next(action for action in ACTIONS if action not in prompt.legal)


def raising(prompt: Prompt) -> Action:
    raise RuntimeError("dropped all my cards")


def exiting(prompt: Prompt) -> Action:
    sys.exit(3)


class Witness(First):
    """Writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []

    def game_started(self, welcome: Welcome) -> None:
        self.told.append(welcome)

    def hand_over(self, result: HandResult) -> None:
        self.told.append(result)

    def rejected(self, rejection: Rejection) -> None:
        self.told.append(rejection)

    def match_over(self, result: MatchResult) -> None:
        self.told.append(result)


def told(plan: MatchPlan, *others: Make, clock: Clock | None = None) -> list[object]:
    witnesses: list[Witness] = []

    def make() -> Bot:
        witnesses.append(Witness())
        return witnesses[-1]

    play(plan, make, *others, clock=clock)
    return [what for witness in witnesses for what in witness.told]


class Illegal(Bot):
    def choose(self, prompt: Prompt) -> Action:
        return illegal(prompt)
