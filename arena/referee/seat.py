"""What the driver talks to: a place for one bot. The fake is `scripted.ScriptedSeat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from arena.referee.events import Event, Message

__all__ = ["Deliver", "Seat"]

Deliver = Callable[[Event], None]
"""Hand an event to the driver, in the order in which events arrive; never blocks."""


class Seat(Protocol):
    """A place for one bot, whatever brings it there and carries its messages."""

    async def serve(self, deliver: Deliver) -> None:
        """Bring the bot here and carry what it says, for one life of the bot.

        Delivers `Joined` once, `Answered` as often as the bot speaks, and `Gone` if it leaves by
        itself or cannot be started, and returns then. Whatever it started is gone when it has
        returned or, if cancelled, raised. May be called again after that.
        """

    def tell(self, message: Message) -> None:
        """Send the bot a message, or drop it if nobody is here; never blocks."""
