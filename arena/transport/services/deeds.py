"""The audit log's side of a call: what operators do, and what somebody was not allowed to do."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message

from arena.errors import HostFault
from arena.storage.audit import Audit
from arena.transport.auth import Caller
from arena.transport.texts import one_line

__all__ = ["Deeds"]

_LOG: Final = logging.getLogger(__name__)

_TARGETS: Final = ("entrant_id", "match_id", "upload_id", "token_id", "name", "owner")
_MOST: Final = 2000
_EVERY: Final = 60.0


class Deeds:
    """Notes what is done; `now` tells seconds on a clock that never goes back."""

    def __init__(self, audit: Audit, now: Callable[[], float]) -> None:
        self._audit = audit
        self._now = now
        self._denied: OrderedDict[tuple[str, str], float] = OrderedDict()

    def intended(self, caller: Caller, request: Message) -> None:
        """Note what an operator is about to do; blocks.

        Before it is done: a deed that the log does not have is worse than one that was refused.
        """
        self._audit.note(caller.shown, _short(caller), _target(request), _detail(caller, request))

    async def refused(self, caller: Caller | None, reason: str, *, is_denial: bool) -> None:
        """Note that somebody has tried what is not allowed, or an operator what did not work."""
        if caller is None or caller.principal is None:
            return
        is_operator = caller.principal.kind == "admin"
        if not is_denial and not is_operator:
            return
        if is_denial and not self._is_news(caller):
            return
        detail = f"refused: {reason} (request {caller.request_id}, from {caller.peer})"
        try:
            await asyncio.to_thread(self._audit.note, caller.shown, _short(caller), "", detail)
        except HostFault as fault:  # the caller is told why it was refused, not that
            _LOG.error("the audit log cannot be written: %s (%s: %s)", fault, caller.shown, detail)

    def _is_news(self, caller: Caller) -> bool:
        """Whether the same was not noted a moment ago: nobody is to fill the disk this way."""
        key = (caller.shown, caller.method)
        now = self._now()
        if self._denied.get(key, now) > now:
            return False
        self._denied[key] = now + _EVERY
        self._denied.move_to_end(key)
        if len(self._denied) > _MOST:
            self._denied.popitem(last=False)
        return True


def _short(caller: Caller) -> str:
    return caller.method.rpartition("/")[2]


def _target(request: Message) -> str:
    fields = request.DESCRIPTOR.fields_by_name
    found = [str(getattr(request, name)) for name in _TARGETS if name in fields]
    target = next((one for one in found if one), "")
    ordinal = f" version {request.ordinal}" if "ordinal" in fields else ""  # type: ignore[attr-defined]
    return one_line(target, 150) + ordinal


def _detail(caller: Caller, request: Message) -> str:
    fields = request.DESCRIPTOR.fields_by_name
    why = str(request.reason) if "reason" in fields else ""  # type: ignore[attr-defined]
    said = f"{one_line(why, 500)}; " if why else ""
    return f"{said}request {caller.request_id}, from {caller.peer}"
