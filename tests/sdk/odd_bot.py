"""Bots for a real process: `python odd_bot.py KIND`. They print what they were told."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from arena_sdk import Action, Bot, HandResult, MatchResult, Prompt, run


def say(*words: str) -> None:
    sys.stdout.write(" ".join(words) + "\n")


class Plain(Bot):
    """Plays the default and says how it went."""

    version = "2.5"

    def choose(self, prompt: Prompt) -> Action:
        say("asked", prompt.kind.name)
        return prompt.default

    def match_over(self, result: MatchResult) -> None:
        say("over", result.outcome, result.detail)


class Raises(Plain):
    """Raises in its first question."""

    def choose(self, prompt: Prompt) -> Action:
        raise RuntimeError("dropped my cards")


class RaisesLast(Plain):
    """Raises when all is over."""

    def match_over(self, result: MatchResult) -> None:
        raise RuntimeError("sore loser")


class Waits(Plain):
    """Thinks until a file is there: the last argument."""

    def choose(self, prompt: Prompt) -> Action:
        say("asked", prompt.kind.name)
        while not Path(sys.argv[-1]).exists():
            time.sleep(0.01)
        return prompt.default


class Exits(Plain):
    """Leaves in the middle."""

    def hand_over(self, result: HandResult) -> None:
        sys.exit(7)


if __name__ == "__main__":
    KINDS: list[type[Plain]] = [Plain, *Plain.__subclasses__()]
    run({kind.__name__: kind for kind in KINDS}[sys.argv[1]]())
