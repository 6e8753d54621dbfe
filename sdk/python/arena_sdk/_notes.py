"""Lines for the author's log that wait for the next answer to take them along.

A referee counts the messages that a bot sends for each prompt, and a bot that sends too many has
lost. So what is too much is not sent at all.
"""

from __future__ import annotations

from arena_sdk._values import FaultBudget


class Notes:
    """The notes of one bot.

    Attributes:
        dropped: Notes that will not be sent.
        most: Notes that may go with an answer. Before the first welcome there are none.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self.most = 0
        self._bytes = 0
        self._waiting: list[str] = []

    def allow(self, budget: FaultBudget) -> None:
        """From now on this much is taken; one of the messages for a prompt is the answer."""
        self.most = max(0, budget.messages_per_prompt - 1)
        self._bytes = max(0, budget.note_bytes)

    def add(self, text: str) -> None:
        """Note `text`, as one line that is no longer than allowed."""
        if len(self._waiting) >= self.most:
            self.dropped += 1
            return
        line = " ".join(text.splitlines()).encode("utf-8", "replace")
        self._waiting.append(line[: self._bytes].decode("utf-8", "ignore"))

    def take(self) -> list[str]:
        """The notes that wait, which are sent now."""
        taken, self._waiting = self._waiting, []
        return taken
