"""When enough has been played: the interval is as narrow as somebody wished."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.errors import InputError
from arena.stats.estimates import Estimate

__all__ = ["WidthStop"]


@dataclass(frozen=True, slots=True)
class WidthStop:
    """Play until every interval of a win share is narrower than `width`, from end to end.

    To be asked after every board, in board order. Looking again and again until an interval is
    narrow favours boards that happened to be alike, so an interval after such a stop holds slightly
    less often than it says (Chow and Robbins 1965 show that the loss goes to nothing as the width
    does); README.md beside this file has it measured. Far too early a stop is impossible: no
    interval is narrower than what unseen boards allow, about 3.7 / n.

    Attributes:
        width: The full width of the 95 % interval, as a share: 0.1 is plus or minus 5 %.

    Raises:
        InputError: it is not between 0 and 1.
    """

    width: float

    def __post_init__(self) -> None:
        if not 0 < self.width < 1:
            raise InputError(f"width {self.width:g}: must be above 0 and below 1, such as 0.1")

    def is_met(self, shares: Iterable[Estimate | None]) -> bool:
        """Whether all of these shares are known as well as that."""
        return all(
            share is not None and share.interval is not None and share.interval.width < self.width
            for share in shares
        )
