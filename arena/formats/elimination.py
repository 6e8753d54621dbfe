"""Elimination: who loses a duel is out, or who loses two.

The best of the seeding meet the last, and so that they can meet each other only in the end: with
16, the first against the 16th, the 8th against the 9th. What is missing to a power of two are byes
for the first of the seeding, which are not announced: they begin a round later.

A duel is one match or more, announced one after the other as they are needed. Its next duel is
announced as soon as both who are in it are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError
from arena.formats.elimination_bracket import Bracket, bracket_of
from arena.formats.elimination_draw import apart
from arena.formats.elimination_duels import Bout, Length, bouts_of
from arena.formats.elimination_ends import Career, end_of
from arena.formats.plans import require_duels, with_places
from arena.formats.story import Field, Pairing, Row, Story

__all__ = ["Elimination"]

_MOST_ENTRANTS: Final = 4096
_MOST_MATCHES: Final = 15
_MOST_EXTRA: Final = 9
_MOST_BOARDS: Final = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Elimination:
    """Duels in a bracket; the winner of the last is first.

    A duel drawn after its matches gets extra matches, the first of which that is won decides. If
    none is, more board points in all of the duel decide, then fewer faults, then the better seed.
    Whoever is gone loses by walkover; with both gone nobody has won, and the better seed goes on
    only on paper, as an opponent who is not there.

    Attributes:
        double: Out is who has lost two duels. The first of the losers' bracket meets the first of
            the winners' in the grand final, and if it wins there, once more (the reset).
        best_of: The matches of a duel, an odd number; they end when one side cannot be caught up
            with. Sides change from one to the next.
        third_place: Those who lose the semi-finals meet. Only without `double`.
        extra_boards: How many boards an extra match has; 0: as many as the stage says.
        most_extra: How many extra matches a duel can have.

    Raises:
        InputError: one of them cannot be; the message names it.
    """

    double: bool = False
    best_of: int = 1
    third_place: bool = False
    extra_boards: int = 0
    most_extra: int = 3

    def __post_init__(self) -> None:
        if not 1 <= self.best_of <= _MOST_MATCHES or self.best_of % 2 == 0:
            raise InputError(f"best_of {self.best_of}: must be odd, and from 1 to {_MOST_MATCHES}")
        for name, value, most in (
            ("extra_boards", self.extra_boards, _MOST_BOARDS),
            ("most_extra", self.most_extra, _MOST_EXTRA),
        ):
            if not 0 <= value <= most:
                raise InputError(f"{name} {value}: must be from 0 to {most}")
        if self.double and self.third_place:
            raise InputError(
                "third_place: is for an elimination that is not double; "
                "a double one has a third place without it"
            )

    @property
    def takes_latecomers(self) -> bool:
        """Nobody: the bracket is drawn in the beginning."""
        return False

    def check(self, field: Field) -> None:
        """Refuse a field that is not one against one, too small, or too large.

        Raises:
            InputError: it is so.
        """
        name = "double elimination" if self.double else "elimination"
        require_duels(name, field, least=2)
        if field.entrants > _MOST_ENTRANTS:
            raise InputError(f"{name}: {field.entrants} entrants; at most {_MOST_ENTRANTS} can be")

    def bracket(self, field: Field) -> Bracket:
        """All duels that there can be, with who goes where: what is needed to draw it.

        If the entrants come from groups, their first duels are not within one, where the numbers
        allow it.
        """
        seeds = apart(tuple(range(field.entrants)), field.groups)
        return bracket_of(seeds, double=self.double, third=self.third_place)

    def bouts(self, story: Story) -> Mapping[str, Bout]:
        """By the name of the duel, all of which it is known who is in them, and how they stand."""
        return bouts_of(self.bracket(story.field), story, Length(self.best_of, self.most_extra))

    def due(self, story: Story) -> Sequence[Pairing]:
        """The next match of every duel that needs one and has none that is still to be played.

        Keys are those of the duel, with the number of the match: `w2.1-3`.
        """
        return tuple(self._next(bout) for bout in self.bouts(story).values() if bout.lacks_match)

    def is_over(self, story: Story) -> bool:
        """Whether the last duel, and the last reset that it called for, is decided."""
        return not story.waits and not self.due(story)

    def table(self, story: Story) -> Sequence[Row]:
        """By the round of leaving; those who left in the same round share a place.

        Points are duels won, those by walkover included. Who is gone stands below all others,
        except who had left only after its last duel was played: that place was fought out. Whoever
        was disqualified stands last in any case.
        """
        bouts = self.bouts(story)
        careers = {entrant: Career(entrant) for entrant in story.entrants}
        for bout in sorted(bouts.values(), key=lambda one: one.duel.round):
            for entrant in bout.pair:
                careers[entrant].add(bout)
        bracket = self.bracket(story.field)
        ends = [end_of(bracket, story, career) for career in careers.values()]
        rows = [
            Row(
                place=1,
                entrant=career.entrant,
                played=career.played,
                points=float(career.won),
                note=end.note,
            )
            for career, end in zip(careers.values(), ends, strict=True)
        ]
        keys = {row.entrant: (end.absence, -end.level) for row, end in zip(rows, ends, strict=True)}
        return with_places(rows, keys)

    def _next(self, bout: Bout) -> Pairing:
        number = len(bout.matches) + 1
        extra = number - self.best_of
        title = bout.duel.title
        if extra > 0:
            title = f"{title}, extra match {extra}"
        elif self.best_of > 1:
            title = f"{title}, match {number}"
        one, other = bout.pair if number % 2 else bout.pair[::-1]
        return Pairing(
            key=f"{bout.duel.name}-{number}",
            round=bout.duel.round,
            title=title,
            teams=((one,), (other,)),
            boards=self.extra_boards if extra > 0 else 0,
        )
