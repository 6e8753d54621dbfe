"""The questions of a match: which are open, and what became of those that are not.

A prompt is open until it is answered, expires, or is withdrawn because the question has gone. The
machine compares what an answer names with what is kept here, so that an answer can only ever close
the one prompt it was made for.
"""

from __future__ import annotations

import hmac
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from hashlib import blake2b
from typing import Final

from arena.engine.actions import Action
from arena.referee.events import MALFORMED, BotNo, Choice, Prompt
from arena.referee.limits import Instant, Nanos
from arena.referee.tally import Fault

__all__ = ["Closing", "OpenPrompt", "PromptBook", "chosen", "what_is_wrong"]

_REMEMBERED: Final = 64
"""Closed prompts remembered for each bot. Who answers one that is older is told apart no longer."""


_NEVER: Final = Instant(0)
_NO_TIME: Final = Nanos(0)


class Closing(Enum):
    """How a prompt was closed; the value is what one more answer to it counts as."""

    value: Fault

    ANSWERED = Fault.DOUBLED
    EXPIRED = Fault.LATE
    WITHDRAWN = Fault.STALE


@dataclass(slots=True)
class OpenPrompt:
    """A prompt that waits for its answer.

    Attributes:
        prompt: The question.
        started: When its clock started.
        deadline: What arrives at it or before is in time.
        ended: When the answer came or time was up.
        standstills: From when to when this machine stood still meanwhile, one after the other; the
            deadline is later by as much.
    """

    prompt: Prompt
    started: Instant
    deadline: Instant
    ended: Instant = _NEVER
    standstills: tuple[tuple[int, int], ...] = ()

    def start(self, at: Instant) -> None:
        """Start its clock anew, later than it was thought to start."""
        stood, self.standstills = self.standstills, ()
        credited = sum(end - begin for begin, end in stood)
        self.deadline = Instant(self.deadline + at - self.started - credited)
        self.started = at
        for begin, end in stood:
            self.credit(end - begin, Instant(end))

    def lag(self, until: Instant) -> Nanos:
        """For how long this machine stood still until then."""
        if not self.standstills:
            return _NO_TIME
        return Nanos(sum(max(0, min(end, until) - begin) for begin, end in self.standstills))

    def spent(self, until: Instant) -> Nanos:
        """What the bot took of its time until then."""
        return Nanos(max(0, until - self.started - self.lag(until)))

    def credit(self, lag: int, now: Instant) -> int:
        """Give the bot what it lost of a standstill that ends now; how much that was."""
        begin = max(now - lag, self.started)
        if begin >= now or begin > self.deadline:  # time was up before it began
            return 0
        self.standstills += ((begin, now),)
        self.deadline = Instant(self.deadline + now - begin)
        return now - begin


@dataclass(slots=True)
class _Closed:
    how: Closing
    deadline: Instant


class PromptBook:
    """At most one open prompt for each bot, and the last closed ones."""

    def __init__(self, secret: bytes) -> None:
        # Names are a keyed hash: without the secret nobody can guess one, and with it a match can
        # be repeated to the letter. Only the bot's own count goes in, so that they tell nothing
        # about what others were asked.
        self._key = hmac.digest(secret, b"prompt", "sha256")
        self._open: dict[BotNo, OpenPrompt] = {}
        self._closed: dict[BotNo, OrderedDict[str, _Closed]] = {}

    def name(self, bot: BotNo, number: int) -> str:
        """A name for the prompt of a bot that has this number: 32 hexadecimal digits."""
        # BLAKE2 with a key is a MAC by itself (RFC 7693), in a tenth of the time of HMAC.
        return blake2b(b"%d/%d" % (bot, number), key=self._key, digest_size=16).hexdigest()

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
        closed[waiting.prompt.prompt_id] = _Closed(how, waiting.deadline)
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

    def fault_of(self, bot: BotNo, prompt_id: str, at: Instant) -> tuple[Fault, Nanos | None]:
        """What an answer to a prompt that is not open counts as, and how late it is.

        One answer to a prompt that was withdrawn, or whose time was up, is that; a second one is
        doubled.
        """
        all_closed = self._closed.get(bot)
        if all_closed is None or prompt_id not in all_closed:
            return Fault.UNSOLICITED, None
        closed = all_closed[prompt_id]
        fault, closed.how = closed.how.value, Closing.ANSWERED
        late = fault is Fault.LATE
        return fault, Nanos(max(0, at - closed.deadline)) if late else None

    def all_open(self) -> Iterable[OpenPrompt]:
        """Every open prompt."""
        return self._open.values()

    @property
    def deadline(self) -> Instant | None:
        """The first deadline of the open prompts."""
        first = None
        for waiting in self._open.values():
            if first is None or waiting.deadline < first:
                first = waiting.deadline
        return first

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
