"""The parts of regulations, section by section; one that exists can be, as far as it knows.

When things happen, and who sees them, is in `regulationswhen`; what has to fit between parts in
`regulationschecks`. Each part has `mistakes`, which yields all that is wrong in it, and is refused
at birth for any of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from arena.engine.rulesets import PRESETS, RuleSet, Value, make_ruleset
from arena.engine.seating import Seating, make_seating
from arena.errors import RuleSetError, quoted
from arena.sandbox.policy import MIB, PLAYING, Policy
from arena.submissions.tomlplaces import near
from arena.tournament.competition.regulationserrors import Mistake, refuse
from arena.tournament.ladder.terms import Rotations

__all__ = [
    "EligibilityGroup",
    "EntrantRules",
    "GameRules",
    "LadderRules",
    "SandboxRules",
    "SeedRules",
    "Seeding",
    "Source",
    "out_of_range",
]

FILE_NAME: Final = "competition.toml"
"""What a file of regulations is called, if nobody says otherwise."""

MOST_BOARDS: Final = 1000
MOST_HANDS: Final = 1000
MOST_ENTRANTS: Final = 1000
LONGEST_TITLE: Final = 80
_LONGEST_PUBLIC: Final = 500

_LEAST_MEMORY: Final = 64  # MiB; sdk/README.md has what a bot of each language needs
_LEAST_PROCESSES: Final = 16  # threads count
_PAIR: Final = 2
_SIZES_OF_TEAMS: Final = (4, 6)
_OWNER: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_BOT: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


def out_of_range(key: str, value: float, least: float, most: float) -> Iterator[Mistake]:
    """The mistake of a number that is too small or too large, if it is."""
    if not least <= value <= most:
        yield Mistake((key,), f"must be from {least:,} to {most:,}, not {quoted(value)}")


def bad_title(key: str, value: str) -> Iterator[Mistake]:
    """The mistake of a text for people that cannot be shown, if it is one."""
    if not value.strip() or not value.isprintable() or len(value) > LONGEST_TITLE:
        yield Mistake((key,), f"must be a text of 1 to {LONGEST_TITLE} printable characters")


def _twice(values: Sequence[str]) -> Iterator[int]:
    """The numbers of those that have been there before."""
    seen: set[str] = set()
    for number, value in enumerate(values):
        if value in seen:
            yield number
        seen.add(value)


# -- what is played -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRules:
    """`[game]`: what a match is.

    Attributes:
        ruleset, options: The rule set, and what is changed in it.
        players: How many sit at a table.
        teams: They play in teams of two, with 4 or 6 at a table.
        hands: Hands of a game; 0: to the match points.
        boards: Boards of a match; a stage may have another number.
        rotations: How often each board is played.

    Raises:
        RegulationsError: there is no such game.
    """

    ruleset: str = "classic"
    options: Mapping[str, Value] = field(default_factory=dict)
    players: int = 2
    teams: bool = False
    hands: int = 1
    boards: int = 12
    rotations: Rotations = Rotations.ALL

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    @property
    def table(self) -> tuple[int, ...]:
        """The size of each team at a table, such as (1, 1) or (2, 2)."""
        size = 2 if self.teams else 1
        return (size,) * (self.players // size)

    @property
    def rules(self) -> RuleSet:
        """The rule set."""
        return make_ruleset(self.ruleset, self.options, players=self.players)

    @property
    def seating(self) -> Seating:
        """Who sits where, and with whom."""
        count = len(self.table)
        return make_seating(
            self.rules, [list(range(team, self.players, count)) for team in range(count)]
        )

    @property
    def games_per_board(self) -> int:
        """How often a board is played."""
        return self.players if self.rotations is Rotations.ALL else 1

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from out_of_range("hands", self.hands, 0, MOST_HANDS)
        yield from out_of_range("boards", self.boards, 1, MOST_BOARDS)
        wrong = [*self._wrong_rules(), *self._wrong_players()]
        yield from wrong
        if not wrong:
            yield from self._wrong_seating()

    def _wrong_rules(self) -> Iterator[Mistake]:
        if self.ruleset not in PRESETS:
            yield Mistake(
                ("ruleset",),
                f"there is no rule set {quoted(self.ruleset)}{near(self.ruleset, PRESETS)}",
            )
            return
        alone = []
        for name, value in self.options.items():
            try:
                make_ruleset(self.ruleset, {name: value})
            except RuleSetError as error:
                # Some are right only together with others.
                alone.append(Mistake(("options", name), str(error)))
        try:
            make_ruleset(self.ruleset, self.options)
        except RuleSetError as error:
            yield from alone or [Mistake(("options",), str(error))]

    def _wrong_players(self) -> Iterator[Mistake]:
        if self.teams and self.players not in _SIZES_OF_TEAMS:
            yield Mistake(
                ("players",), f"must be 4 or 6 where teams = true, not {quoted(self.players)}"
            )
        elif not self.teams:
            yield from out_of_range("players", self.players, 2, 6)

    def _wrong_seating(self) -> Iterator[Mistake]:
        try:
            _ = self.seating
        except RuleSetError as error:
            hint = ""
            if not self.teams and self.players in _SIZES_OF_TEAMS:
                hint = "; write teams = true, with stages of the format partners or complete"
                if self.players == _SIZES_OF_TEAMS[0]:
                    hint += ", or options = { allow_individual_4 = true }"
            reason = str(error).partition(": ")[2] or str(error)
            how = "in teams of two" if self.teams else "each for themselves"
            yield Mistake(("players",), f"no {self.players} {how}: {reason}{hint}")


# -- who plays ----------------------------------------------------------------------------------


class Source(StrEnum):
    """Where entrants come from."""

    OPEN = "open"
    """Their owners enter them."""
    INVITED = "invited"
    """They are named in the regulations."""
    LADDER = "ladder"
    """They are the first of the ladder at the freeze."""


class Seeding(StrEnum):
    """What orders entrants before anything was played."""

    LADDER = "ladder"
    """Their ratings at the freeze."""
    LOT = "lot"
    LISTED = "listed"
    """The list of the invited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantRules:
    """`[entrants]`: who may play.

    Attributes:
        source: `from` in the file.
        invited: As OWNER/NAME, where `source` is INVITED.
        top: So many of the ladder, where `source` is LADDER.
        most: No more than so many.
        per_owner: No more of one owner than so many.
        seeding: What orders them.

    Raises:
        RegulationsError: what is said does not fit together.
    """

    source: Source = Source.OPEN
    invited: tuple[str, ...] = ()
    top: int = 0
    most: int = 64
    per_owner: int = 1
    seeding: Seeding = Seeding.LADDER

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    @property
    def field_size(self) -> int:
        """How many there can be."""
        if self.source is Source.INVITED:
            return len(self.invited)
        return min(self.top, self.most) if self.source is Source.LADDER else self.most

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from out_of_range("most", self.most, 2, MOST_ENTRANTS)
        yield from out_of_range("per_owner", self.per_owner, 1, MOST_ENTRANTS)
        if self.source is Source.INVITED:
            yield from self._wrong_invited()
        elif self.invited:
            yield Mistake(("invited",), 'goes with from = "invited" only')
        if self.source is Source.LADDER:
            yield from self._wrong_top()
        elif self.top:
            yield Mistake(("top",), 'goes with from = "ladder" only')
        if self.seeding is Seeding.LISTED and self.source is not Source.INVITED:
            yield Mistake(
                ("seeding",), 'can be "listed" with from = "invited" only, for there is no list'
            )

    def _wrong_invited(self) -> Iterator[Mistake]:
        if len(self.invited) < _PAIR:
            yield Mistake(
                ("invited",), f"has {len(self.invited)}; name 2 bots or more, each as OWNER/NAME"
            )
        if len(self.invited) > self.most:
            yield Mistake(
                ("invited",), f"has {len(self.invited):,}, more than most, {self.most:,}; raise it"
            )
        twice = set(_twice(self.invited))
        owners: dict[str, int] = {}
        for number, title in enumerate(self.invited):
            where = ("invited", number)
            owner, _, bot = title.partition("/")
            if not _OWNER.fullmatch(owner) or not _BOT.fullmatch(bot):
                yield Mistake(where, f'must be OWNER/NAME, such as "ann/keeper", not {_q(title)}')
            elif number in twice:
                yield Mistake(where, f"{_q(title)} is there twice")
            else:
                owners[owner] = owners.get(owner, 0) + 1
                if owners[owner] > self.per_owner:
                    yield Mistake(
                        where,
                        f"{_q(title)} is number {owners[owner]} of {owner}; "
                        f"per_owner allows {self.per_owner}",
                    )

    def _wrong_top(self) -> Iterator[Mistake]:
        if self.top < _PAIR:
            yield Mistake(
                ("top",), "says how many of the ladder play; it must be 2 or more, such as top = 16"
            )
        elif self.top > self.most:
            yield Mistake(("top",), f"{self.top:,} is more than most, {self.most:,}; raise it")


def _q(text: str) -> str:
    return quoted(text, 140)


@dataclass(frozen=True, slots=True, kw_only=True)
class EligibilityGroup:
    """`[[group]]`: who may enter, and a table of prizes of its own.

    Raises:
        RegulationsError: it has no name or nobody is in it, or an owner cannot be.
    """

    name: str
    owners: tuple[str, ...]

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from bad_title("name", self.name)
        if not self.owners:
            yield Mistake(("owners",), 'names nobody; name owners, such as ["ann", "ben"]')
        twice = set(_twice(self.owners))
        for number, owner in enumerate(self.owners):
            if not _OWNER.fullmatch(owner):
                yield Mistake(
                    ("owners", number),
                    f"must be an owner, 1 to 64 of a-z 0-9 _ -, not {quoted(owner)}",
                )
            elif number in twice:
                yield Mistake(("owners", number), f"{quoted(owner)} is there twice")


# -- the rest -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRules:
    """`[seed]`: the public value that is mixed into the deals, named in advance; empty: none.

    Raises:
        RegulationsError: it is too long, or cannot be shown.
    """

    public: str = ""

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        if len(self.public) > _LONGEST_PUBLIC or not self.public.isprintable():
            yield Mistake(
                ("public",),
                f"must be one line of up to {_LONGEST_PUBLIC} printable characters that says "
                "where the value can be read, and when",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxRules:
    """`[sandbox]`: what a bot may take of the machine, where it plays in a container.

    No more than on the ladder, for which this machine's room was reckoned.

    Attributes:
        memory: MiB, without swap beyond it.
        processors: How many it may keep busy.
        processes: Processes and threads.

    Raises:
        RegulationsError: a number is out of its range.
    """

    memory: int = PLAYING.memory // MIB
    processors: float = PLAYING.processors
    processes: int = PLAYING.processes

    def __post_init__(self) -> None:
        refuse(self.mistakes())

    def mistakes(self) -> Iterator[Mistake]:
        """All that is wrong."""
        yield from out_of_range("memory", self.memory, _LEAST_MEMORY, PLAYING.memory // MIB)
        yield from out_of_range("processors", self.processors, 0.1, PLAYING.processors)
        yield from out_of_range("processes", self.processes, _LEAST_PROCESSES, PLAYING.processes)

    @property
    def policy(self) -> Policy:
        """The same for a sandbox."""
        return replace(
            PLAYING,
            memory=self.memory * MIB,
            processors=self.processors,
            processes=self.processes,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderRules:
    """`[ladder]`: whether the ladder's own matches go on beside the competition."""

    beside: bool = False

    def mistakes(self) -> Iterator[Mistake]:
        """Nothing can be wrong."""
        yield from ()
