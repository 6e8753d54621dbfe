"""A stage played from its first pairing to its last, with made-up scores.

`play_out` does what a competition does: announces what is due, scores byes and walkovers, lets
matches end in any order, lets entrants leave and join at any moment, and changes old scores. On the
way it asserts what is promised of every format; the rest is for the tests of each.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from hypothesis import strategies as st

from arena.formats.story import Departure, Field, Format, Pairing, Score, Story, Way
from arena.formats.walkovers import automatic

__all__ = ["Chances", "Leaving", "field_of", "leavings", "made_up", "play_out", "ranked", "won_by"]

_KEY = re.compile(r"[a-z0-9.-]{1,24}")
_GAMES = 4


@dataclass(frozen=True)
class Leaving:
    """Somebody goes when so many matches of the stage have been played; 0: before the first."""

    entrant: int
    played: int = 0
    is_disqualified: bool = False


@dataclass(frozen=True)
class Chances:
    """How scores come about.

    Attributes:
        strengths: By entrant, how it plays; empty: all the same. Each match adds up to 1 to each
            side's, so with whole numbers that are 1 or more apart the stronger always wins.
        draws: How often all teams tie.
        reruns: How often, after a match, one that was played before gets another score.
        at_once: How many matches at most end between two looks at what is due.
    """

    strengths: Sequence[float] = ()
    draws: float = 0.1
    reruns: float = 0.0
    at_once: int = 1


def field_of(
    entrants: int, teams: tuple[int, ...] = (1, 1), groups: tuple[int, ...] = (), seed: int = 0
) -> Field:
    """A field with a seed made of a number."""
    return Field(entrants=entrants, seed=seed.to_bytes(32, "big"), teams=teams, groups=groups)


def leavings(entrants: int, most_played: int) -> st.SearchStrategy[list[Leaving]]:
    """Up to eight who leave or are disqualified, by so many played matches."""
    one = st.builds(
        Leaving,
        entrant=st.integers(0, entrants - 1),
        played=st.integers(0, most_played),
        is_disqualified=st.booleans(),
    )
    return st.lists(one, max_size=8)


def ranked(values: Sequence[float]) -> tuple[int, ...]:
    """Ranks of values, the largest first."""
    return tuple(1 + sum(other > own for other in values) for own in values)


def won_by(pairing: Pairing, team: int, boards: Sequence[float] = (), faults: int = 0) -> Score:
    """A played score in which one team is ahead of all others, which tie; -1: all tie."""
    teams = range(len(pairing.teams))
    return Score(
        ranks=ranked([float(one == team) for one in teams]),
        boards=tuple(boards) or tuple(_GAMES * (one == team) * 1.0 for one in teams),
        faults=tuple(faults * (one != team) for one in teams),
        games=_GAMES,
    )


def made_up(pairing: Pairing, rng: Random, chances: Chances) -> Score:
    """A score of four games by the strengths of the teams."""
    teams = range(len(pairing.teams))
    boards = [0.0] * len(pairing.teams)
    is_draw = rng.random() < chances.draws
    strengths = chances.strengths
    for _ in range(_GAMES):
        form = [
            rng.random() + sum(strengths[one] if strengths else 0 for one in team)
            for team in pairing.teams
        ]
        for one in teams:
            ahead = sum(form[other] < form[one] for other in teams)
            share = 0.5 if is_draw else ahead / (len(boards) - 1)
            boards[one] += share
    return Score(
        ranks=ranked(boards),
        boards=tuple(boards),
        faults=tuple(int(rng.random() < 0.05) for _ in teams),
        games=_GAMES,
    )


def play_out(
    form: Format,
    field: Field,
    *,
    seed: int = 0,
    chances: Chances | None = None,
    withdrawals: Iterable[Leaving] = (),
    joins: Iterable[int] = (),
    most_steps: int = 20_000,
) -> Story:
    """Play a stage until it is over.

    Args:
        form: The format; its `check` is asked first.
        field: Who begins.
        seed: Of the scores and of the order in which matches end: the same gives the same story.
        chances: How scores come about.
        withdrawals: Who goes, and when; what is after the end of the stage does not happen.
        joins: After how many played matches somebody joins, in the round after the last announced.
        most_steps: So many looks at what is due are enough.

    Raises:
        AssertionError: the format broke a promise, or has not ended.
    """
    form.check(field)
    stage = _Stage(form, field, Random(seed), chances or Chances())
    leaving = sorted(withdrawals, key=lambda one: one.played)
    joining = sorted(joins)
    for _ in range(most_steps):
        while leaving and leaving[0].played <= stage.played:
            stage.leave(leaving.pop(0))
        while joining and joining[0] <= stage.played:
            joining.pop(0)
            stage.join()
        stage.announce()
        if form.is_over(stage.story):
            return stage.story
        moments = [one.played for one in leaving] + joining
        stage.play(most=min(moments, default=stage.played + len(stage.open)) - stage.played)
    raise AssertionError(f"not over after {most_steps} steps: {form}")


class _Stage:
    def __init__(self, form: Format, field: Field, rng: Random, chances: Chances) -> None:
        self.story = Story(field=field)
        self.played = 0
        self._form = form
        self._rng = rng
        self._chances = chances

    @property
    def open(self) -> list[Pairing]:
        """What was announced and is still to be played."""
        return [one for one in self.story.pairings if one.key not in self.story.scores]

    def leave(self, leaving: Leaving) -> None:
        if leaving.entrant in self.story.entrants and leaving.entrant not in self.story.gone:
            departure = Departure(self.story.rounds, leaving.is_disqualified)
            self._change(gone={**self.story.gone, leaving.entrant: departure})
            self._add(automatic(self.story))

    def join(self) -> None:
        assert self._form.takes_latecomers
        number = self.story.field.entrants + len(self.story.joined)
        self._change(joined={**self.story.joined, number: self.story.rounds + 1})

    def announce(self) -> None:
        """Announce what is due, until only what can be played is left."""
        for _ in range(1_000):
            due = tuple(self._form.due(self.story))
            if not due:
                return
            assert due == tuple(self._form.due(self.story)), "another answer to the same story"
            self._require_sound(due)
            self._change(pairings=(*self.story.pairings, *due))
            again = {one.key for one in self._form.due(self.story)}
            assert again.isdisjoint(one.key for one in self.story.pairings), "said twice"
            self._add(automatic(self.story))
        raise AssertionError("something is due for ever")

    def play(self, most: int) -> None:
        """Let some of the open matches end, in any order, and at times change an old score."""
        ready = self.open
        assert ready, f"stuck: nothing is due or open, and it is not over: {self._form}"
        count = max(1, min(most, self._chances.at_once, len(ready)))
        ended = self._rng.sample(ready, count)
        self._add({one.key: made_up(one, self._rng, self._chances) for one in ended})
        self.played += count
        reruns = sum(self._rng.random() < self._chances.reruns for _ in ended)
        old = [one for one, score in self.story.decided() if score.way is Way.PLAYED]
        again = self._rng.choices(old, k=reruns)
        self._add({one.key: made_up(one, self._rng, self._chances) for one in again})

    def _require_sound(self, due: Sequence[Pairing]) -> None:
        keys = [one.key for one in (*self.story.pairings, *due)]
        assert len(set(keys)) == len(keys), "a key is there twice"
        sizes = self.story.field.teams
        for pairing in due:
            assert _KEY.fullmatch(pairing.key), pairing
            assert pairing.round >= 1, pairing
            assert pairing.title, pairing
            assert pairing.boards >= 0, pairing
            assert len(set(pairing.entrants)) == len(pairing.entrants), pairing
            assert set(pairing.entrants) <= set(self.story.entrants), pairing
            assert pairing.is_bye or tuple(map(len, pairing.teams)) == sizes, pairing
            assert not pairing.is_bye or len(pairing.entrants) == 1, pairing

    def _add(self, scores: Mapping[str, Score]) -> None:
        self._change(scores={**self.story.scores, **scores})

    def _change(self, **changes: object) -> None:
        self.story = dataclasses.replace(self.story, **changes)  # type: ignore[arg-type]
