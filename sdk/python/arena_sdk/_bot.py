"""What an author writes: a `Bot` with `choose`, and whichever hooks it wants."""

from __future__ import annotations

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cached_property
from random import Random
from typing import Final

from arena.engine.actions import Action
from arena.engine.cards import SAFETY_FOR, Card
from arena.engine.codes import Event
from arena_sdk._notes import Notes
from arena_sdk._prompt import Prompt
from arena_sdk._values import HandResult, MatchResult, Rejection, Welcome

SEED: Final = "ARENA_BOT_SEED"
FIXED_SEED: Final = "arena_sdk"
"""What `Bot.rng` is made from outside a match."""


class Hooks:
    """What a bot can listen to. Each of them does nothing by itself."""

    def game_started(self, welcome: Welcome) -> None:
        """A game begins."""

    def hand_started(self, game: int, hand: int) -> None:
        """This is the first that you hear of a hand; others may have played in it already."""

    def saw(self, events: tuple[Event, ...]) -> None:
        """What has happened in this hand since the last time, oldest first.

        Every event that your seat may know, each once, those of windows in which you were not
        asked included. What `choose` reads in `view.history` was seen here just before.
        """

    def rejected(self, rejection: Rejection) -> None:
        """The default action was played for you, because an answer was late or not legal."""

    def hand_over(self, result: HandResult) -> None:
        """A hand has ended."""

    def match_over(self, result: MatchResult) -> None:
        """It is over; the process ends after this."""


class Bot(Hooks, ABC):
    """A player. Derive from it, write `choose`, and hand an instance to `run`.

    One process plays one stream of games, and is asked and told things one after the other, in the
    order in which they happened:

        game_started                    for each game
            hand_started                for each hand
                saw                     what has happened, before each question
                choose, respond         a question
                standing_orders         only where response windows are run so
                rejected                what was played for you instead
            hand_over
        match_over

    `choose` is needed, the other methods are hooks that do nothing by themselves. What a method
    raises does not end the match: the traceback goes to standard error, which is your log, and for
    a question `prompt.default` is played. All of it runs on your own time.

    Attributes:
        name: What the bot calls itself in logs; by default the name of its class.
        version: Its version, for logs.
    """

    name: str = ""
    version: str = ""
    _arena_notes: Notes | None = None  # a name that no author takes

    # -- questions ----------------------------------------------------------------------------

    @abstractmethod
    def choose(self, prompt: Prompt) -> Action:
        """Answer a prompt with one of `prompt.legal`."""

    def respond(self, prompt: Prompt) -> Action:
        """Answer an attack (`prompt.kind is Stage.RESPOND`): the coup fourré or `pass`.

        Asked only if this seat holds the safety; otherwise the SDK passes, at once. By default
        `choose` is asked.
        """
        return self.choose(prompt)

    def standing_orders(self, prompt: Prompt) -> Collection[Card]:
        """The hazards to answer with a coup fourré until the next answer.

        Asked after each answer where `welcome.window_mode` is STANDING, and `respond` is not asked
        there. By default every hazard whose safety is in hand. Whoever passes in `respond` now and
        then has to say so here too.
        """
        cards = prompt.view.cards
        return [hazard for hazard, safety in SAFETY_FOR.items() if safety in cards]

    # -- what a bot can use -------------------------------------------------------------------

    def note(self, text: object) -> None:
        """Write a line to your log; no other seat sees it. It goes along with the next answer.

        A referee takes `welcome.faults.note_bytes` of a note, and with each answer one note less
        than `welcome.faults.messages_per_prompt`; what is longer is cut, further ones are dropped
        and counted.
        """
        if self._arena_notes is not None:
            self._arena_notes.add(str(text))
        else:  # nobody plays with this bot; where a note would go in the end
            sys.stderr.write(f"{text}\n")

    @cached_property
    def rng(self) -> Random:
        """Chance of your own: from ARENA_BOT_SEED, and a match can be repeated.

        Outside a match there is no such seed: it is always the same chance then, so that a test of
        yours repeats itself.
        """
        return Random(os.environ.get(SEED, FIXED_SEED))
