"""What a competition is after the lines of its journal: a fold, line by line.

    announced --> open --> closing --> frozen --> running <--> paused
                                                     |           |
                                                     '-----------'--> finished
    and from everywhere before that: cancelled

Nothing here reads a store or a clock, so that whoever has a journal can come to the same.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from copy import copy

from arena.errors import InputError, quoted
from arena.tournament.competition import events
from arena.tournament.competition.checks import check
from arena.tournament.competition.events import Event, FrozenEntry
from arena.tournament.competition.happenings import happen, plain_field
from arena.tournament.competition.journal import Line
from arena.tournament.competition.legal import AFTER, LEGAL, OVER
from arena.tournament.competition.parts import Absence, Phase, PlayedPairing, Stage
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.regulationsfile import regulations_from

__all__ = ["Absence", "Competition", "Phase", "PlayedPairing", "Stage", "folded"]


class Competition:
    """A competition, as far as its journal goes.

    Attributes:
        regulations: What the organiser has written.
        phase, level: Where it is, and who may see results.
        applicants: Who wants to take part, with its group; nobody after the freeze.
        entries: Who plays; an entry's number is its place here.
        out: Entries that play no more.
        absent: Who was meant to play and has nothing that could, with the reason.
        closed: When entries were closed, in milliseconds; None: they are not.
        active: By title, which version was the active one then.
        commitment: What was published of the secret seed at the freeze.
        mixed: The public value that goes into all seeds; empty: none.
        secret: The secret seed in hexadecimal digits, once it is finished.
        stages: Those that have begun.
        length: Lines of the journal so far.
    """

    def __init__(self, first: Line) -> None:
        if not isinstance(first.event, events.Announced):
            raise InputError("journal: line 1: must announce the competition")
        self.regulations: Regulations = regulations_from(first.event.text, "competition.toml")
        self.phase = Phase.ANNOUNCED
        self.level = self.regulations.release.during
        self.applicants: dict[str, str] = {}
        self.entries: list[FrozenEntry] = []
        self.out: dict[int, Absence] = {}
        self.absent: tuple[tuple[str, str], ...] = ()
        self.closed: int | None = None
        self.active: dict[str, int] = {}
        self.commitment = ""
        self.mixed = ""
        self.secret = ""
        self.why = ""
        self.stages: list[Stage] = []
        self.length = 1

    def copy(self) -> Competition:
        """The same, to see what would come of an event."""
        made = copy(self)
        made.applicants, made.out = dict(self.applicants), dict(self.out)
        made.entries = list(self.entries)
        made.stages = [stage.copy() for stage in self.stages]
        return made

    # -- asked ----------------------------------------------------------------------------------

    @property
    def stage(self) -> Stage | None:
        """The stage that is played; None: none has begun."""
        return self.stages[-1] if self.stages else None

    @property
    def announced(self) -> tuple[int, int]:
        """How many stages have begun, and how many pairings of the last one were announced."""
        return len(self.stages), len(self.stages[-1].pairings) if self.stages else 0

    @property
    def is_over(self) -> bool:
        """Nothing will happen any more."""
        return self.phase in OVER

    @property
    def is_settled(self) -> bool:
        """It is over, and whoever may see its results in the end may do so."""
        if self.phase is not Phase.FINISHED:
            return self.phase is Phase.CANCELLED
        has_release = self.regulations.schedule.release is not None
        return not has_release or self.level is self.regulations.release.after

    @property
    def is_played(self) -> bool:
        """Everything that can be played is, and an organiser may finish it."""
        if not self.stages or any(stage.story().waits for stage in self.stages):
            return False
        is_last = len(self.stages) == len(self.regulations.stages)
        return self.stages[-1].is_over and (is_last or bool(self.why_no_next))

    @property
    def why_no_next(self) -> str:
        """Why the next stage cannot be played with those who would come to it; empty: it can."""
        if not self.stages or len(self.stages) == len(self.regulations.stages):
            return ""
        rules = self.regulations.stages[len(self.stages)]
        coming = len(self.stages[-1].going_on())
        try:
            rules.format.check(plain_field(self, coming))
        except InputError as error:
            return f"stage {len(self.stages) + 1}, {rules.name}: {error}"
        return ""

    def owners(self) -> Collection[str]:
        """Who has an entry, or wants one."""
        titles = [*self.applicants, *(one.title for one in self.entries)]
        return {title.partition("/")[0] for title in titles}

    def entry(self, title: str) -> int:
        """The number of an entry; raises InputError if it plays not."""
        for number, one in enumerate(self.entries):
            if one.title == title:
                return number
        raise InputError(f"{quoted(title)}: is not among the {len(self.entries)} entries")

    def stage_of(self, number: int) -> Stage:
        """A stage that has begun; raises InputError."""
        if not 1 <= number <= len(self.stages):
            begun = f"there are {len(self.stages)}" if self.stages else "none has begun"
            raise InputError(f"stage {number}: {begun}")
        return self.stages[number - 1]

    def require(self, event: Event) -> None:
        """Refuse what cannot happen now.

        Raises:
            InputError: the message says what is not so.
        """
        allowed = LEGAL[type(event)]
        if self.phase not in allowed:
            when = " or ".join(sorted(allowed)) or "at the beginning"
            raise InputError(
                f"{_spoken(event)}: the competition is {self.phase}; that goes only when {when}"
            )
        check(self, event)

    # -- told -----------------------------------------------------------------------------------

    def take(self, line: Line) -> None:
        """Take in the next line.

        Raises:
            InputError: it cannot have happened then; nothing has changed.
        """
        event = line.event
        try:
            self.require(event)
        except InputError as error:
            raise InputError(f"journal: line {line.number}: {error}") from None
        happen(self, event)
        self.phase = AFTER.get(type(event), self.phase)
        self.length = line.number


def _spoken(event: Event) -> str:
    name = type(event).__name__
    return "".join(f" {char.lower()}" if char.isupper() else char for char in name).strip()


def folded(lines: Iterable[Line]) -> Competition:
    """A competition after these lines, of which there is at least one.

    Raises:
        InputError: one of them cannot have happened then.
    """
    left = iter(lines)
    here = Competition(next(left))
    for line in left:
        here.take(line)
    return here
