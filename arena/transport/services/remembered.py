"""Answers to calls that have made something, for whoever did not get theirs and asks again."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Final

from google.protobuf.message import Message

from arena.errors import quoted
from arena.tournament.refusals import Invalid, WrongPhase

__all__ = ["Remembered", "checked_request_id"]

_REQUEST: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def checked_request_id(text: str) -> str:
    """Return `text`.

    Raises:
        Invalid: it is no request id.
    """
    if not _REQUEST.fullmatch(text):
        raise Invalid("request_id", f"{quoted(text)}: must be 1 to 64 of A-Z a-z 0-9 - _ .")
    return text


@dataclass(frozen=True, slots=True)
class _Kept:
    asked: bytes
    until: float
    answer: asyncio.Task[Message]


class Remembered:
    """The answers of the last minutes, at most `each` of one caller; belongs to an event loop.

    Whoever asks while the first call is still at work gets its answer too. What was refused is not
    remembered. After a restart nothing is: what must not be made twice is refused by the store.
    """

    def __init__(
        self, now: Callable[[], float], *, lifetime: float = 600.0, each: int = 200
    ) -> None:
        self._now = now
        self._lifetime = lifetime
        self._each = each
        # By caller: whoever makes much forgets what is their own.
        self._kept: dict[str, OrderedDict[tuple[str, str, str], _Kept]] = {}

    async def answer(
        self,
        key: tuple[str, str, str],
        asked: bytes,
        make: Callable[[], Coroutine[Any, Any, Message]],
    ) -> Message:
        """The answer for a caller, method and request id; made unless it is there.

        Raises:
            WrongPhase: the same id came with another request.
        """
        self._forget()
        mine = self._kept.setdefault(key[0], OrderedDict())
        kept = mine.get(key)
        if kept is None:
            # A task of its own: a caller who goes away does not take it along.
            task = asyncio.create_task(make())
            kept = mine[key] = _Kept(asked, self._now() + self._lifetime, task)
            if len(mine) > self._each:
                mine.popitem(last=False)
            task.add_done_callback(lambda done: self._drop_failed(key, done))
        elif kept.asked != asked:
            raise WrongPhase(
                "REQUEST_REUSED",
                f"request_id {key[2]}: came before with another request; make up a new one",
                request_id=key[2],
            )
        return await asyncio.shield(kept.answer)

    def _drop_failed(self, key: tuple[str, str, str], task: asyncio.Task[Message]) -> None:
        if not task.cancelled() and task.exception() is None:
            return
        mine = self._kept.get(key[0])
        if mine is not None and key in mine and mine[key].answer is task:
            del mine[key]

    def _forget(self) -> None:
        """Let go of what is too old, and of callers of whom nothing is left."""
        now = self._now()
        for caller, mine in tuple(self._kept.items()):
            while mine and next(iter(mine.values())).until <= now:
                mine.popitem(last=False)
            if not mine:
                del self._kept[caller]
