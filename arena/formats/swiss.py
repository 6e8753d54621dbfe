"""A Swiss: everybody plays every round, against somebody who has made about as many points."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from arena.errors import InputError
from arena.formats.counting import tallies
from arena.formats.scoring import WHOLE, Points, Scoring
from arena.formats.standings import standings
from arena.formats.story import TWO_SEATS, Field, Pairing, Row, Score, Story, Way
from arena.formats.swiss_pairing import Player, Round, pair

__all__ = ["LatePoints", "Swiss"]

_MOST_ENTRANTS: Final = 512
"""More would take the search for a round seconds, and its weights more than 128 bits."""

_MOST_ROUNDS: Final = 200
_BEYOND: Final = 2  # rounds more than a knockout has, if nobody says how many


class LatePoints(StrEnum):
    """What a latecomer has for every round that it missed."""

    ZERO = "zero"
    HALF = "half"


@dataclass(frozen=True, slots=True, kw_only=True)
class Swiss:
    """A Swiss of single matches, one against one.

    The next round is paired when the one before is decided, by the points of then; how is said in
    `arena.formats.swiss_pairing`. What was played stands: nothing is annulled when somebody leaves.

    Attributes:
        rounds: How many; 0: two more than a knockout of as many would have, but never so many
            that somebody had to be met twice.
        scoring: What counts. Rounds are paired by the same points that the table is ordered by.
        late_points: What a latecomer has for each round missed.

    Raises:
        InputError: a number is out of its range, or half points are to be given where board
            points count.
    """

    rounds: int = 0
    scoring: Scoring = dataclasses.field(default_factory=Scoring)
    late_points: LatePoints = LatePoints.ZERO

    def __post_init__(self) -> None:
        if not 0 <= self.rounds <= _MOST_ROUNDS:
            raise InputError(
                f"rounds {self.rounds}: from 1 to {_MOST_ROUNDS}, or 0 for what suits the field"
            )
        if self.late_points is LatePoints.HALF and self.scoring.points is Points.BOARD:
            raise InputError(
                "late_points 'half': half of a match is known in match points only; with "
                "points 'board' a latecomer begins with 'zero'"
            )

    @property
    def takes_latecomers(self) -> bool:
        """Yes, at any round."""
        return True

    def check(self, field: Field, /) -> None:
        """Refuse other tables than one against one, and fields that are too small or too large."""
        if field.teams != TWO_SEATS:
            raise InputError(f"swiss: plays one against one, not at tables of {field.seats}")
        if not 2 <= field.entrants <= _MOST_ENTRANTS:
            raise InputError(
                f"swiss: from 2 to {_MOST_ENTRANTS} entrants can play, not {field.entrants}"
            )

    def rounds_of(self, field: Field) -> int:
        """How many rounds a field plays."""
        if self.rounds:
            return self.rounds
        opponents = field.entrants - 1 + field.entrants % 2  # of an odd field one rests each time
        return max(1, min((field.entrants - 1).bit_length() + _BEYOND, opponents))

    def due(self, story: Story, /) -> Sequence[Pairing]:
        """The next round, if the one before is decided and two or more still play."""
        if story.waits or self._is_complete(story):
            return ()
        number = story.rounds + 1
        playing = [one for one in story.active if story.joined.get(one, 0) <= number]
        # Somebody who is to join later plays at once if nobody else is left: no round is empty.
        players = _players(story, playing or story.active, self.scoring, self._given(story))
        return _announced(pair(players, story.field.seed, number), number)

    def is_over(self, story: Story, /) -> bool:
        """Whether all rounds are decided, or nobody is left to be paired."""
        return not story.waits and self._is_complete(story)

    def table(self, story: Story, /) -> Sequence[Row]:
        """By points, then by tie-breaks; who is gone stands below."""
        return standings(story, self.scoring, annuls=False, given=self._given(story))

    def _is_complete(self, story: Story) -> bool:
        return story.rounds >= self.rounds_of(story.field) or len(story.active) < 2

    def _given(self, story: Story) -> dict[int, float]:
        """The points that latecomers have for rounds they missed."""
        if self.late_points is LatePoints.ZERO:
            return {}
        return {entrant: (first - 1) / 2 for entrant, first in story.joined.items()}


def _announced(paired: Round, number: int) -> list[Pairing]:
    result = [
        Pairing(
            key=f"{number}.{table}",
            round=number,
            title=f"round {number}, table {table}" + (" (met before)" if match.is_repeat else ""),
            teams=((match.first,), (match.second,)),
        )
        for table, match in enumerate(paired.matches, start=1)
    ]
    if paired.bye is not None:
        title = f"round {number}, bye"
        bye = Pairing(key=f"{number}.bye", round=number, title=title, teams=((paired.bye,),))
        result.append(bye)
    return result


def _players(
    story: Story, playing: Sequence[int], scoring: Scoring, given: Mapping[int, float]
) -> list[Player]:
    """Those who play a round, with what they have behind them."""
    points = _half_points(story, scoring, given)
    floated = _floated(story, scoring, given)
    met: dict[int, Counter[int]] = {one: Counter() for one in story.entrants}
    sides, last = Counter[int](), dict[int, int]()
    for pairing in story.pairings:
        score = story.scores.get(pairing.key)
        if not pairing.is_bye and score is not None and score.way is not Way.WALKOVER:
            first, second = pairing.entrants
            met[first][second] += 1
            met[second][first] += 1
            for entrant, side in ((first, 1), (second, -1)):
                sides[entrant] += side
                last[entrant] = side
    byes = Counter(one.entrants[0] for one in story.pairings if one.is_bye)
    free = Counter(_winner(pairing, score) for pairing, score in story.decided())
    return [
        Player(
            entrant=one,
            points=points[one],
            byes=byes[one],
            free=free[one],
            sides=sides[one],
            last=last.get(one, 0),
            floated=floated.get(one, 0),
            met=met[one],
        )
        for one in playing
    ]


def _winner(pairing: Pairing, score: Score) -> int | None:
    """Who has won a match without playing it, other than by a bye."""
    if score.way is not Way.WALKOVER or score.ranks[0] == score.ranks[-1]:
        return None
    return pairing.entrants[score.ranks.index(1)]


def _half_points(story: Story, scoring: Scoring, given: Mapping[int, float]) -> list[int]:
    """By entrant its points, doubled and rounded."""
    counted = tallies(story, scoring, annuls=False, given=given)
    return [round(2 * tally.points / WHOLE) for tally in counted]


def _floated(story: Story, scoring: Scoring, given: Mapping[int, float]) -> dict[int, int]:
    """Who met somebody with fewer points in the last round, or had a bye: 1; with more: -1."""
    number = story.rounds
    last = [pairing for pairing in story.pairings if pairing.round == number]
    earlier = tuple(one for one in story.pairings if one.round < number)
    before = _half_points(dataclasses.replace(story, pairings=earlier), scoring, given)
    result: dict[int, int] = {}
    for pairing in last:
        if pairing.is_bye:
            result[pairing.entrants[0]] = 1
            continue
        first, second = pairing.entrants
        gap = before[first] - before[second]
        result[first] = (gap > 0) - (gap < 0)
        result[second] = -result[first]
    return result
