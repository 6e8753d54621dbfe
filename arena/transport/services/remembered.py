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
    """The answers of the last minutes, at most `most` of them; belongs to an event loop.

    Whoever asks while the first call is still at work gets its answer too. What was refused is not
    remembered. After a restart nothing is: what must not be made twice is refused by the store.
    """

    def __init__(
        self, now: Callable[[], float], *, lifetime: float = 600.0, most: int = 2000
    ) -> None:
        self._now = now
        self._lifetime = lifetime
        self._most = most
        self._kept: OrderedDict[tuple[str, str, str], _Kept] = OrderedDict()

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
        kept = self._kept.get(key)
        if kept is None:
            # A task of its own: a caller who goes away does not take it along.
            task = asyncio.create_task(make())
            kept = self._kept[key] = _Kept(asked, self._now() + self._lifetime, task)
            task.add_done_callback(lambda done: self._drop_failed(key, done))
        elif kept.asked != asked:
            raise WrongPhase(
                "REQUEST_REUSED",
                f"request_id {key[2]}: came before with another request; make up a new one",
                request_id=key[2],
            )
        return await asyncio.shield(kept.answer)

    def _drop_failed(self, key: tuple[str, str, str], task: asyncio.Task[Message]) -> None:
        if task.cancelled() or task.exception() is not None:
            self._kept.pop(key, None)

    def _forget(self) -> None:
        now = self._now()
        while self._kept:
            key, oldest = next(iter(self._kept.items()))
            if oldest.until > now and len(self._kept) < self._most:
                return
            del self._kept[key]
