"""Sparring partners and an odd referee, for `arena check-bot`.

A sparring partner is a seat without a process: it answers at once, attacks when it can, and plays
at random otherwise. An odd seat stands between the referee and the bot that is checked, and does
what a referee may do, but rarely does: answers get lost, messages carry fields of a newer version.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from random import Random
from typing import Final

from arena.app import LocalSeat
from arena.engine.actions import Action, Verb
from arena.referee.events import Answered, BotNo, Event, Joined, Message, Prompt
from arena.referee.runner import monotonic
from arena.referee.seat import Deliver
from arena.transport.convert import response_bytes

__all__ = ["OddSeat", "SparringSeat", "with_newer_fields"]

_ATTACKS: Final = 0.8
_LOST_ANSWERS: Final = 0.15

_NEWER: Final = bytes((0b11111010, 0b01111111, 4)) + b"newer"[:4]
"""A field that no version of this protocol has: number 2047, four bytes."""


def with_newer_fields(message: Message) -> bytes:
    """A message as a newer minor version might send it."""
    return response_bytes(message) + _NEWER


class SparringSeat:
    """A seat that plays by itself.

    `pause` is how long, in seconds, it thinks once, at its tenth question.
    """

    def __init__(self, bot: BotNo, rng: Random, pause: float = 0.0) -> None:
        self._bot = bot
        self._rng = rng
        self._pause = pause
        self._asked = 0
        self._deliver: Deliver | None = None

    async def serve(self, leg: int, deliver: Deliver) -> None:
        self._deliver = deliver
        deliver(Joined(self._bot))
        await asyncio.get_running_loop().create_future()

    @property
    def can_rest(self) -> bool:
        return False

    def rest(self) -> None: ...

    async def ready(self) -> None: ...

    def tell(self, message: Message) -> None:
        if isinstance(message, Prompt):
            self._asked += 1
            wait = self._pause if self._asked == 10 else 0.0
            asyncio.get_running_loop().call_later(wait, self._answer, message)

    def _answer(self, prompt: Prompt) -> None:
        if self._deliver is not None:
            action = self._choice(prompt)
            self._deliver(Answered(self._bot, prompt.prompt_id, action, monotonic()))

    def _choice(self, prompt: Prompt) -> Action:
        legal = prompt.view.legal
        attacks = [action for action in legal if action.team is not None]
        if attacks and self._rng.random() < _ATTACKS:
            return self._rng.choice(attacks)
        plays = [one for one in legal if one.verb in (Verb.PLAY, Verb.COUP_FOURRE, Verb.EXTEND)]
        return self._rng.choice(plays or legal)


@dataclass
class OddSeat:
    """A seat whose answers get lost now and then.

    Attributes:
        inner: The seat of the bot.
        rng: Chance.
        loses: Whether answers get lost.
        kinds: What the bot was asked, by kind.
    """

    inner: LocalSeat
    rng: Random
    loses: bool = False
    kinds: dict[str, int] = field(default_factory=dict)

    async def serve(self, leg: int, deliver: Deliver) -> None:
        def pass_on(event: Event) -> None:
            lost = self.loses and isinstance(event, Answered) and self.rng.random() < _LOST_ANSWERS
            if not lost:
                deliver(event)

        await self.inner.serve(leg, pass_on)

    @property
    def can_rest(self) -> bool:
        return False

    def rest(self) -> None: ...

    async def ready(self) -> None: ...

    def tell(self, message: Message) -> None:
        if isinstance(message, Prompt):
            kind = message.view.stage.name
            self.kinds[kind] = self.kinds.get(kind, 0) + 1
        self.inner.tell(message)
