"""Cleaning up that is not broken off."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any

__all__ = ["to_its_end"]


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Await `work` until it is done, also when whoever awaits it is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            cancelled = error
    task.result()
    if cancelled is not None:
        raise cancelled
