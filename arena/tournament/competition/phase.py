"""The phases of a competition."""

from __future__ import annotations

from enum import StrEnum

__all__ = ["Phase"]


class Phase(StrEnum):
    """Where a competition is."""

    ANNOUNCED = "announced"
    OPEN = "open"
    CLOSING = "closing"
    """Nobody enters any more; uploads that were under way may still come to their end."""
    FROZEN = "frozen"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"
