"""The questions of a match: which are open, and what became of those that are not.

A prompt is open until it is answered, expires, or is withdrawn because the question has gone. The
machine compares what an answer names with what is kept here, so that an answer can only ever close
the one prompt it was made for.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from arena.engine.actions import Action
from arena.referee.events import MALFORMED, BotNo, Choice, Prompt
from arena.referee.limits import Instant
from arena.referee.tally import Fault

__all__ = ["Closing", "OpenPrompt", "PromptBook", "chosen", "what_is_wrong"]

_REMEMBERED: Final = 64
"""Closed prompts remembered for each bot. Who answers one that is older is told apart no longer."""


class Closing(Enum):
    """How a prompt was closed; the value is what one more answer to it counts as."""

    value: Fault

    ANSWERED = Fault.DOUBLED
    EXPIRED = Fault.LATE
    WITHDRAWN = Fault.STALE


@dataclass(frozen=True, slots=True)
class OpenPrompt:
    """A prompt that waits for its answer; in time is what arrives at `deadline` or before."""

    prompt: Prompt
    started: Instant
    deadline: Instant


class PromptBook:
    """At most one open prompt for each bot, and the last closed ones."""

    def __init__(self, secret: bytes) -> None:
        # Names are the keyed hash of a counter: without the secret nobody can guess one or see
        # how many were given away, and with it a match can be repeated to the letter.
        self._key = hmac.new(secret, b"prompt", hashlib.sha256)
        self._given = 0
        self._open: dict[BotNo, OpenPrompt] = {}
        self._closed: dict[BotNo, OrderedDict[str, Closing]] = {}

    def new_id(self) -> str:
        """A name for the next prompt: 32 hexadecimal digits."""
        self._given += 1
        mac = self._key.copy()
        mac.update(self._given.to_bytes(8, "big"))
        return mac.hexdigest()[:32]

    def open(self, bot: BotNo, prompt: OpenPrompt) -> None:
        """Note that `bot` has been asked."""
        assert bot not in self._open
        self._open[bot] = prompt

    def opened(self, bot: BotNo) -> OpenPrompt | None:
        """The prompt that `bot` has to answer."""
        return self._open.get(bot)

    def close(self, bot: BotNo, how: Closing) -> None:
        """Close the open prompt of `bot`, if it has one."""
        waiting = self._open.pop(bot, None)
        if waiting is None:
            return
        closed = self._closed.setdefault(bot, OrderedDict())
        closed[waiting.prompt.prompt_id] = how
        if len(closed) > _REMEMBERED:
            closed.popitem(last=False)

    def withdraw_all(self) -> None:
        """Close every open prompt: what they asked is settled."""
        for bot in tuple(self._open):
            self.close(bot, Closing.WITHDRAWN)

    def forget(self, bot: BotNo) -> None:
        """Forget what `bot` was asked: whoever takes its place was not asked it."""
        self._open.pop(bot, None)
        self._closed.pop(bot, None)

    def fault_of(self, bot: BotNo, prompt_id: str) -> Fault:
        """What an answer to a prompt that is not open counts as."""
        closed = self._closed.get(bot)
        if closed is None or prompt_id not in closed:
            return Fault.UNSOLICITED
        return closed[prompt_id].value

    @property
    def deadline(self) -> Instant | None:
        """The first deadline of the open prompts."""
        return min((waiting.deadline for waiting in self._open.values()), default=None)

    def expired(self, now: Instant) -> Iterable[BotNo]:
        """The bots whose prompt is past its deadline at `now`, lowest number first."""
        return sorted(bot for bot, waiting in self._open.items() if waiting.deadline < now)


def chosen(prompt: Prompt, choice: Choice) -> Action | None:
    """The legal action that an answer chooses, None if it chooses none."""
    legal = prompt.view.legal
    if isinstance(choice, Action):
        return choice if choice in legal else None
    if isinstance(choice, int):
        return legal[choice] if 0 <= choice < len(legal) else None
    return None


def what_is_wrong(prompt: Prompt, choice: Choice) -> str:
    """Why an answer that chooses no legal action does not, in words for its author."""
    if choice is MALFORMED:
        return "the answer holds no action that can be read"
    if isinstance(choice, Action):
        return f"{choice} is not legal now"
    return f"legal_index {choice}: the prompt has {len(prompt.view.legal)} legal actions, from 0"
