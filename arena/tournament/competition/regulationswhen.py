"""When things happen in a competition, and who sees its results.

Moments are milliseconds since 1970-01-01 in UTC. Who gives none gives the command instead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from arena.storage.facts import Moment
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulationserrors import Mistake, refuse
from arena.tournament.competition.regulationsparts import out_of_range

__all__ = ["MOMENTS", "ReleaseRules", "Schedule"]

MOMENTS: Final = ("opens", "freeze", "start", "release")
"""The moments of a schedule, in their order."""

_MOST_GRACE: Final = 86_400
_EARLIEST: Final = 946_684_800_000  # 2000-01-01
_LATEST: Final = 7_258_118_400_000  # 2200-01-01


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """`[schedule]`: when things happen; None: when an operator gives the command.

    Attributes:
        opens: Owners may enter bots.
        freeze: Nobody enters any more; the version that is active then is the one that plays.
        grace: Seconds after the freeze in which uploads that were under way still count.
        start: Play begins.
        release: Results are seen by those that they are for after the end.
        written: By name, how a moment stands in the file, with its offset from UTC.

    Raises:
        RegulationsError: they are not in order, or not in the years 2000 to 2199.
    """

    opens: Moment | None = None
    freeze: Moment | None = None
    grace: int = 300
    start: Moment | None = None
    release: Moment | None = None
    written: Mapping[str, str] = field(default_factory=dict, compare=False)

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from out_of_range("grace", self.grace, 0, _MOST_GRACE)
        sound: dict[str, Moment] = {}
        for name in MOMENTS:
            moment: Moment | None = getattr(self, name)
            if moment is None:
                continue
            if not _EARLIEST <= moment < _LATEST:
                said = self.written.get(name, f"{moment} ms after 1970-01-01")
                yield Mistake((name,), f"must be in the years 2000 to 2199 in UTC, not {said}")
                continue
            before = next(reversed(sound), None)
            if before and moment <= sound[before]:
                yield Mistake((name,), f"must be after {self._named(before)}")
            elif name == "start" and moment < sound.get("freeze", 0) + 1000 * self.grace:
                yield Mistake(
                    (name,),
                    f"must be {self.grace} seconds or more after {self._named('freeze')}: "
                    "uploads have until then (grace)",
                )
            sound[name] = moment

    def _named(self, name: str) -> str:
        return " ".join(filter(None, (name, self.written.get(name, ""))))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseRules:
    """`[release]`: who sees results while it runs, and afterwards.

    Raises:
        RegulationsError: fewer would see them afterwards.
    """

    during: Level = Level.PARTICIPANTS
    after: Level = Level.PUBLIC

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        levels = list(Level)
        if levels.index(self.during) > levels.index(self.after):
            yield Mistake(
                ("after",),
                f'"{self.after}" would hide what was "{self.during}" during the competition; '
                f'must be "{self.during}" or more',
            )
