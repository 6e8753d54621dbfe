"""The regulations of a competition: who plays what, when, and how it is counted.

They are fixed before anybody enters. `regulationsfile` makes them from the file that an organiser
writes, `text` keeps that file as it is, and `digest` names it in the journal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from arena.errors import quoted
from arena.referee.limits import Limits
from arena.tournament.competition.regulationschecks import Parts, field_sizes, misfits
from arena.tournament.competition.regulationserrors import Mistake, RegulationsError, refuse
from arena.tournament.competition.regulationsparts import (
    EligibilityGroup,
    EntrantRules,
    GameRules,
    LadderRules,
    SandboxRules,
    Seeding,
    SeedRules,
    Source,
    bad_title,
)
from arena.tournament.competition.regulationswhen import ReleaseRules, Schedule
from arena.tournament.competition.stages import StageKind, StageRules
from arena.tournament.ladder.terms import RATED_LIMITS, Rotations, Terms

__all__ = [
    "EligibilityGroup",
    "EntrantRules",
    "GameRules",
    "LadderRules",
    "Mistake",
    "Regulations",
    "RegulationsError",
    "ReleaseRules",
    "Rotations",
    "SandboxRules",
    "Schedule",
    "SeedRules",
    "Seeding",
    "Source",
    "StageKind",
    "StageRules",
]

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
"""What a competition may be called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Regulations:
    """Everything that is settled before a competition begins.

    Attributes:
        name: Names it for commands and in addresses.
        title: Names it for people.
        limits, sandbox: What bots are allowed, and may take of the machine.
        groups: Of eligibility; none: everybody may enter.
        stages: In the order in which they are played.
        text: The file that they are from; empty: there is none.

    Raises:
        RegulationsError: something in them is wrong, with all that is.
    """

    name: str
    title: str
    stages: tuple[StageRules, ...]
    game: GameRules = field(default_factory=GameRules)
    limits: Limits = RATED_LIMITS
    sandbox: SandboxRules = field(default_factory=SandboxRules)
    entrants: EntrantRules = field(default_factory=EntrantRules)
    groups: tuple[EligibilityGroup, ...] = ()
    schedule: Schedule = field(default_factory=Schedule)
    release: ReleaseRules = field(default_factory=ReleaseRules)
    seed: SeedRules = field(default_factory=SeedRules)
    ladder: LadderRules = field(default_factory=LadderRules)
    text: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        refuse([*wrong_names(self.name, self.title), *misfits(self._parts)])

    @property
    def _parts(self) -> Parts:
        return Parts(
            game=self.game,
            entrants=self.entrants,
            groups=self.groups,
            schedule=self.schedule,
            stages=self.stages,
            release=self.release,
        )

    @property
    def digest(self) -> str:
        """SHA-256 of `text`, in hexadecimal digits."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def field_teams(self) -> tuple[int, ...]:
        """The size of each team at a table, as `story.Field` has it."""
        return self.game.table

    @property
    def field_sizes(self) -> tuple[int, ...]:
        """How many can play in each stage, at most."""
        return field_sizes(self.entrants, self.stages)

    def terms(self, stage: StageRules, boards: int = 0) -> Terms:
        """What is agreed for a match of a stage; `boards` are those of its pairing, if it says."""
        return Terms(
            preset=self.game.ruleset,
            options=self.game.options,
            boards=boards or stage.boards or self.game.boards,
            rotations=self.game.rotations,
            hands=self.game.hands or None,
            limits=self.limits,
            sandbox=self.sandbox.policy,
        )

    def group_of(self, owner: str) -> str:
        """The group of eligibility of an owner; empty: it is in none."""
        return next((group.name for group in self.groups if owner in group.owners), "")

    def may_enter(self, owner: str) -> bool:
        """Whether an owner's bots may play at all."""
        return not self.groups or bool(self.group_of(owner))


def wrong_names(name: str, title: str) -> Iterator[Mistake]:
    """All that is wrong in what a competition is called."""
    if not NAME.fullmatch(name):
        yield Mistake(
            ("name",),
            'must be 1 to 40 of a-z 0-9 -, not beginning with -, such as "school-2026"; '
            f"not {quoted(name)}",
        )
    yield from bad_title("title", title)
