"""What formats speak of: who plays in a stage, pairings, scores, and the story of a stage so far.

    Field --Format.due--> Pairing --played, or decided--> Score
                ^                                           |
                '---------------- Story <-------------------'

Entrants are numbered from 0 in their order of seeding, the best first; who comes late gets the next
number. What was announced stays announced: a format is asked for pairings besides those that a
story has, so that an old match can be played again without a later round being other than it was.
"""

from __future__ import annotations

import dataclasses
import hashlib
import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from arena.errors import InputError

__all__ = [
    "TWO_SEATS",
    "Departure",
    "Field",
    "Format",
    "Pairing",
    "Row",
    "Score",
    "Story",
    "Way",
    "lot",
]

TWO_SEATS: Final = (1, 1)
"""The commonest table: one against one."""

_SEED: Final = 32  # bytes


def lot(seed: bytes, *what: object) -> int:
    """A number of 64 bits that `seed` draws for something, such as an entrant or a round.

    It is the start of HMAC-SHA256 under the seed, over what it is for, joined by slashes.
    """
    message = "/".join(map(str, what)).encode()
    return int.from_bytes(hmac.digest(seed, message, hashlib.sha256)[:8], "big")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Who plays in a stage, at which tables, and what decides lots.

    Attributes:
        entrants: How many begin; who comes later is in the story.
        seed: 32 bytes from which every lot of the stage follows.
        teams: The size of each team at a table: (1, 1) is one against one, (1, 1, 1) a table of
            three, (2, 2) two against two, (2, 2, 2) three teams of two.
        groups: By entrant, in which group of an earlier stage it was; empty: there was none.

    Raises:
        InputError: a number cannot be.
    """

    entrants: int
    seed: bytes = dataclasses.field(repr=False)
    teams: tuple[int, ...] = TWO_SEATS
    groups: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.seed) != _SEED:
            raise InputError(f"seed: has {_SEED} bytes, not {len(self.seed)}")
        if len(self.teams) < len(TWO_SEATS) or any(size < 1 for size in self.teams):
            raise InputError(f"teams {self.teams}: a table has two teams or more, none empty")
        if len(set(self.teams)) > 1:
            raise InputError(f"teams {self.teams}: all teams of a table are of one size")
        if self.groups and len(self.groups) != self.entrants:
            raise InputError(f"groups: {self.entrants} entrants have {len(self.groups)} groups")

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return sum(self.teams)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """One match that is to be played, or a bye.

    Attributes:
        key: Names it within its stage for ever: 1 to 24 of a-z 0-9 . -
        round: From 1.
        title: For people, such as "round 3, table 2" or "semi-final 1".
        teams: The entrants of each team, in the order of seats. A bye is one team of one entrant.
        boards: How many boards are played; 0: as many as the stage says.
    """

    key: str
    round: int
    title: str
    teams: tuple[tuple[int, ...], ...]
    boards: int = 0

    @property
    def is_bye(self) -> bool:
        """Nobody is played against: it counts at once, as a match that is won."""
        return len(self.teams) == 1

    @property
    def entrants(self) -> tuple[int, ...]:
        """Everybody in it, in the order of seats."""
        return tuple(entrant for team in self.teams for entrant in team)

    def team_of(self, entrant: int) -> int:
        """The team that an entrant is in; raises ValueError if it is in none."""
        for number, team in enumerate(self.teams):
            if entrant in team:
                return number
        raise ValueError(f"entrant {entrant} is not in {self.key}")


class Way(StrEnum):
    """How a score has come about."""

    PLAYED = "played"
    BYE = "bye"
    WALKOVER = "walkover"
    """Somebody in it was gone before it was played."""
    DECISION = "decision"
    """A person has decided it, and why is in the audit log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How a pairing ended.

    Attributes:
        ranks: By team, 1 for the best; teams that tie have the same rank.
        boards: By team, its board points: for every game the share of the other teams that it was
            ahead of, a tie being half of one. So 1 is a game won with two teams. 0 for what was
            not played.
        faults: By team, strikes and forfeits of its entrants.
        games: How many games were played.

    Raises:
        InputError: the numbers do not fit to each other.
    """

    ranks: tuple[int, ...]
    boards: tuple[float, ...]
    faults: tuple[int, ...]
    games: int = 0
    way: Way = Way.PLAYED

    def __post_init__(self) -> None:
        if not len(self.ranks) == len(self.boards) == len(self.faults) >= 1:
            raise InputError(
                f"score: {len(self.ranks)} ranks, {len(self.boards)} board points, "
                f"{len(self.faults)} faults; all are by team"
            )

    def share(self, team: int) -> float:
        """The share of the other teams that a team was ahead of, a tie being half of one.

        With two teams: 1 for a win, 1/2 for a draw. For a bye it is 1.
        """
        if len(self.ranks) == 1:
            return 1.0
        own = self.ranks[team]
        beaten = sum(other > own for other in self.ranks)
        tied = sum(other == own for other in self.ranks) - 1
        return (beaten + tied / 2) / (len(self.ranks) - 1)


@dataclass(frozen=True, slots=True)
class Departure:
    """Somebody plays no more.

    Attributes:
        after: The last round that was announced when it happened; 0: none was.
        is_disqualified: It was put out, and did not leave by itself.
    """

    after: int
    is_disqualified: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """All that has happened in a stage so far.

    Attributes:
        field: Who began.
        pairings: Those announced, in their order.
        scores: By the key of the pairing, what counts now; what is not there is still to be played.
        gone: Who plays no more. Whatever they were to play and had not played has a score by
            walkover.
        joined: Who came later, numbered on from the field, and the first round that they play in.
    """

    field: Field
    pairings: tuple[Pairing, ...] = ()
    scores: Mapping[str, Score] = dataclasses.field(default_factory=dict)
    gone: Mapping[int, Departure] = dataclasses.field(default_factory=dict)
    joined: Mapping[int, int] = dataclasses.field(default_factory=dict)

    @property
    def entrants(self) -> range:
        """Everybody who plays or has played."""
        return range(self.field.entrants + len(self.joined))

    @property
    def active(self) -> tuple[int, ...]:
        """Everybody who is not gone."""
        return tuple(one for one in self.entrants if one not in self.gone)

    @property
    def rounds(self) -> int:
        """The last round that was announced; 0: none was."""
        return max((pairing.round for pairing in self.pairings), default=0)

    @property
    def waits(self) -> bool:
        """Something that was announced has no score yet."""
        return any(pairing.key not in self.scores for pairing in self.pairings)

    def decided(self) -> Iterator[tuple[Pairing, Score]]:
        """Pairings with their scores, in the order in which they were announced."""
        for pairing in self.pairings:
            score = self.scores.get(pairing.key)
            if score is not None:
                yield pairing, score

    def of(self, entrant: int) -> Iterator[Pairing]:
        """What an entrant was paired in, in order."""
        return (pairing for pairing in self.pairings if entrant in pairing.entrants)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a table.

    Attributes:
        place: From 1; equal for those who share it.
        played: Matches with a score, byes and walkovers included.
        points: In the points that the table is ordered by first.
        breaks: Name and value of each tie-break, in the order in which they were applied.
        note: What has to be known of it, such as "out in the semi-final".
    """

    place: int
    entrant: int
    played: int
    points: float
    breaks: tuple[tuple[str, str], ...] = ()
    note: str = ""


class Format(Protocol):
    """A format with its settings; pure, and the same for the same story."""

    @property
    def takes_latecomers(self) -> bool:
        """Whether somebody may join after the first round was announced."""

    def check(self, field: Field, /) -> None:
        """Refuse a field that it cannot be played with.

        Raises:
            InputError: there are too few or too many, or the tables do not suit it.
        """

    def due(self, story: Story, /) -> Sequence[Pairing]:
        """What is announced now, besides what the story has; empty: nothing until more is played.

        Asked again with what it said announced, it says nothing twice.
        """

    def is_over(self, story: Story, /) -> bool:
        """Whether nothing will be announced any more, and everything announced has a score."""

    def table(self, story: Story, /) -> Sequence[Row]:
        """Everybody, from the first place to the last; also before it is over."""
