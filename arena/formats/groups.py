"""Groups: several round robins beside each other, drawn so that they are equally strong."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_lowercase
from typing import Final

from arena.errors import InputError
from arena.formats.plans import (
    absence,
    is_played,
    require_duels,
    require_pairings,
    standing_with,
    unannounced,
    with_places,
)
from arena.formats.roundrobin import legs, require_times
from arena.formats.scoring import Scoring, units
from arena.formats.standings import standings
from arena.formats.story import Field, Pairing, Row, Story

__all__ = ["Groups"]

_NAME: Final = "groups"
_MOST: Final = len(ascii_lowercase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Groups:
    """Round robins beside each other; all rounds are announced at once.

    The order of seeding fills the groups like a snake: with three of them a b c c b a a b c, and
    so on. Their sizes are then equal to within one.

    Attributes:
        groups: How many, from 2; they are called a, b, c.
        times: How often two of a group meet; the second time they change sides.

    Raises:
        InputError: one of them cannot be; the message names it.
    """

    groups: int
    times: int = 1
    scoring: Scoring = dataclasses.field(default_factory=Scoring)

    def __post_init__(self) -> None:
        if not 2 <= self.groups <= _MOST:
            raise InputError(f"groups {self.groups}: must be from 2 to {_MOST}")
        require_times(self.times)

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: everything is announced at once."""
        return False

    def check(self, field: Field) -> None:
        """Refuse a field that is not one against one, of groups below two, or too large.

        Raises:
            InputError: it is so.
        """
        require_duels(f"{_NAME}: {self.groups} of them", field, least=2 * self.groups)
        require_pairings(_NAME, field, self._size(field))

    def group_of(self, field: Field, entrant: int) -> int:
        """The group of an entrant, from 0: the snake of the seeding.

        Raises:
            ValueError: the field has no such entrant.
        """
        if not 0 <= entrant < field.entrants:
            raise ValueError(f"entrant {entrant} of a field of {field.entrants}")
        turn, place = divmod(entrant, self.groups)
        return self.groups - 1 - place if turn % 2 else place

    def members(self, field: Field) -> tuple[tuple[int, ...], ...]:
        """By group, its entrants in the order of seeding."""
        found: list[list[int]] = [[] for _ in range(self.groups)]
        for entrant in range(field.entrants):
            found[self.group_of(field, entrant)].append(entrant)
        return tuple(map(tuple, found))

    def due(self, story: Story) -> Sequence[Pairing]:
        """All pairings, until they are announced: round by round, in each group by group."""
        return unannounced(story, self._plan(story.field), self._size(story.field))

    def is_over(self, story: Story) -> bool:
        """Whether everything has a score."""
        return is_played(story, self._size(story.field))

    def table(self, story: Story) -> Sequence[Row]:
        """The first of all groups, then the second of all, and so on; gone ones last.

        In a group the rules of counting decide. Those with the same place in their groups are in
        the order of their points for each match that counts, since a group may be larger by one or
        have lost a member, and with equal ones by the rules of counting for all of them. The
        tie-breaks shown are those that decided within the group.
        """
        rows: list[Row] = []
        for number, members in enumerate(self.members(story.field)):
            part = f"group {_letter(number).upper()}"
            for row in standings(_within(story, members), self.scoring, among=members):
                rows.append(dataclasses.replace(row, note=standing_with(story, row, part)))
        # Head-to-head parts nobody of two groups, who have not met, so their order depends on
        # nobody else.
        whole = {row.entrant: row.place for row in standings(story, self.scoring)}
        keys = {row.entrant: (*_order(story, row), whole[row.entrant]) for row in rows}
        return with_places(rows, keys)

    def _size(self, field: Field) -> int:
        sizes = map(len, self.members(field))
        return sum(size * (size - 1) // 2 for size in sizes) * self.times

    def _plan(self, field: Field) -> Iterator[Pairing]:
        rounds: dict[int, list[Pairing]] = {}
        for group, members in enumerate(self.members(field)):
            for number, table, (one, other) in legs(len(members), self.times):
                pairing = Pairing(
                    key=f"{_letter(group)}.{number}.{table}",
                    round=number,
                    title=f"group {_letter(group).upper()}, round {number}, table {table}",
                    teams=((members[one],), (members[other],)),
                )
                rounds.setdefault(number, []).append(pairing)
        for number in sorted(rounds):
            yield from rounds[number]


def _letter(group: int) -> str:
    return ascii_lowercase[group]


def _within(story: Story, members: Collection[int]) -> Story:
    """The story of a group alone."""
    own = frozenset(members)
    pairings = tuple(one for one in story.pairings if own.issuperset(one.entrants))
    return dataclasses.replace(story, pairings=pairings)


def _order(story: Story, row: Row) -> tuple[Fraction | int, ...]:
    """What a row is sorted by: absence, the place in its group, points for each match."""
    mean = Fraction(units(row.points), row.played) if row.played else Fraction(0)
    return absence(story, row.entrant), row.place, -mean
