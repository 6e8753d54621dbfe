"""What an author writes, and what it is given: `Bot` and `Prompt`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from arena.engine.actions import PASS, Action
from arena.engine.state import Stage
from arena.engine.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question, with everything that the seat may know.

    Attributes:
        view: The hand as this seat may know it: `view.cards`, `view.table`, `view.tables`, ...
        legal: The legal actions, at least one.
        default: What is played if no answer comes in time.
        time_limit: Seconds that the answer may take for free; for a response, at all.
        bank_left: Seconds in the bank, from which comes what takes longer. A response has none.
        game: Number of this game in the match, from 0. Seats change from game to game.
        hand: Number of this hand in the game, from 0.
    """

    view: View
    legal: tuple[Action, ...]
    default: Action
    time_limit: float
    bank_left: float
    game: int
    hand: int

    @property
    def kind(self) -> Stage:
        """What is asked: DRAW, PLAY, RESPOND, EXTEND or TOP."""
        return self.view.stage

    @property
    def has_choice(self) -> bool:
        """Whether there is anything to choose."""
        return self.legal != (PASS,)


class Bot(ABC):
    """A player. Derive from it, write `choose`, and hand an instance to `run`.

    Attributes:
        name: What the bot calls itself in logs; by default the name of its class.
        version: Its version, for logs.
    """

    name: str = ""
    version: str = ""

    @abstractmethod
    def choose(self, prompt: Prompt) -> Action:
        """Answer a prompt with one of `prompt.legal`.

        A response (`prompt.kind is Stage.RESPOND`) is asked only if this seat holds the safety
        that answers the attack; otherwise `pass` is the only answer, and is given for it.

        An exception does not end the match: `prompt.default` is played, and the traceback goes to
        standard error.
        """
