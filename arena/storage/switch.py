"""Whether matches begin: an operator can have none begin, which outlives the server."""

from __future__ import annotations

from sqlalchemy import select, update

from arena.storage.database import Database
from arena.storage.inputs import checked_text
from arena.storage.schema import PARAMETERS

__all__ = ["Switch"]

_LONGEST_WHY = 500


class Switch:
    """The switch in a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def paused(self) -> str:
        """Why no match begins; empty: they do."""
        query = select(PARAMETERS.c.paused)
        return self._database.read(lambda connection: connection.scalar(query) or "")

    def pause(self, why: str) -> None:
        """Have no match begin.

        Raises:
            InputError: there is no reason.
        """
        self._set(checked_text("reason", why, _LONGEST_WHY, least=1))

    def resume(self) -> None:
        """Have matches begin again."""
        self._set("")

    def _set(self, why: str) -> None:
        change = update(PARAMETERS).values(paused=why)
        self._database.write(lambda connection: connection.execute(change).rowcount)
