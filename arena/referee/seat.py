"""What the driver talks to: a place for one bot. The fake is `scripted.ScriptedSeat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from arena.referee.events import Event, Message

__all__ = ["Deliver", "Seat"]

Deliver = Callable[[Event], None]
"""Hand an event to the driver, in the order in which events arrive; never blocks.

The driver may deal with it at once, so `tell` may be called before this returns.
"""


class Seat(Protocol):
    """A place for one bot, whatever brings it there and carries its messages."""

    async def serve(self, leg: int, deliver: Deliver) -> None:
        """Bring the bot here for a leg and carry what it says, for one life of the bot.

        Delivers `Joined` once, `Sent` just before each prompt is written, `Answered` and `Noted` as
        the bot speaks, and `Gone` if it leaves by itself, breaks the protocol or cannot be started,
        and returns then. Whatever it started is gone when it has returned or, if cancelled, raised.
        May be called again after that.

        Raises:
            HostFault: this machine failed, and no bot is to blame.
        """

    async def ready(self) -> None:
        """Wait until there is a place for the bot's next life, however long that takes.

        It is no time of the bot's. If it goes wrong, `serve` tells.
        """

    def tell(self, message: Message) -> None:
        """Send the bot a message, or drop it if nobody is here; never blocks."""

    @property
    def can_rest(self) -> bool:
        """Whether `rest` does anything."""

    def rest(self) -> None:
        """Hold the bot still until it is told a prompt or that the leg is over; never blocks.

        It has joined, and nothing is asked of it. May be said again while it rests.
        """
