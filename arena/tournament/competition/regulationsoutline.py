"""What will happen under regulations, in numbers: rounds, matches and games of every stage.

Nothing is estimated: each stage's format is asked for its pairings as in a competition in which
the better seed wins every match.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from arena.errors import InputError
from arena.formats.partners import Partners
from arena.formats.story import Field, Format, Pairing, Score, Story
from arena.formats.swiss import Swiss
from arena.formats.tables import Tables
from arena.formats.walkovers import automatic
from arena.tournament.competition.regulations import Regulations
from arena.tournament.competition.stages import StageKind, StageRules

__all__ = ["StageOutline", "outline"]

_ANY_SEED: Final = bytes(32)
_THIRD: Final = 4  # entrants that there have to be for a match for the third place


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOutline:
    """A stage in numbers.

    Attributes:
        stage: What the regulations say of it.
        entrants: How many play.
        rounds: How many there are, at most where it depends.
        matches: How many there are at least, byes not counted.
        most_matches: How many at most, but for extra matches after drawn duels.
        boards: Of a match.
        games_per_board: How often a board is played.
        going_on: How many go on to the next stage; 0: it is the last.
        balance: How evenly everybody meets everybody, where it is not equally often; else empty.
    """

    stage: StageRules
    entrants: int
    rounds: int
    matches: int
    most_matches: int
    boards: int
    games_per_board: int
    going_on: int
    balance: str = ""

    @property
    def games_per_match(self) -> int:
        """How many games a match has."""
        return self.boards * self.games_per_board

    @property
    def games(self) -> int:
        """How many games there are at least."""
        return self.matches * self.games_per_match

    @property
    def most_games(self) -> int:
        """How many at most."""
        return self.most_matches * self.games_per_match


def outline(regulations: Regulations, entrants: int = 0) -> tuple[StageOutline, ...]:
    """The stages in numbers, for so many entrants; 0: the most that there can be.

    Raises:
        InputError: a stage cannot be played with so many.
    """
    size = entrants or regulations.entrants.field_size
    found: list[StageOutline] = []
    for stage in regulations.stages:
        is_last = stage is regulations.stages[-1]
        going_on = 0 if is_last else min(stage.advance or size, size)
        found.append(_outlined(regulations, stage, size, going_on))
        size = going_on
    return tuple(found)


def _outlined(
    regulations: Regulations, stage: StageRules, entrants: int, going_on: int
) -> StageOutline:
    field = Field(entrants=entrants, seed=_ANY_SEED, teams=regulations.field_teams)
    form = stage.format
    try:
        form.check(field)
    except InputError as error:
        raise InputError(f"{stage.name} with {entrants} entrants: {error}") from None
    rounds, matches = _counted(form, field)
    return StageOutline(
        stage=stage,
        entrants=entrants,
        rounds=rounds,
        matches=matches,
        most_matches=max(matches, _most_duels(stage, entrants) * stage.best_of),
        boards=stage.boards or regulations.game.boards,
        games_per_board=regulations.game.games_per_board,
        going_on=going_on,
        balance=str(form.balance(field)) if isinstance(form, Tables | Partners) else "",
    )


def _counted(form: Format, field: Field) -> tuple[int, int]:
    """How many rounds and matches there are, byes not counted."""
    if isinstance(form, Swiss):  # pairing hundreds takes long, and one rests at most
        rounds = form.rounds_of(field)
        return rounds, rounds * (field.entrants // 2)
    pairings = _played(form, field)
    rounds = max((pairing.round for pairing in pairings), default=0)
    return rounds, sum(not pairing.is_bye for pairing in pairings)


def _most_duels(stage: StageRules, entrants: int) -> int:
    """The duels of an elimination, one loser each; 0 of all others."""
    if stage.kind is StageKind.DOUBLE_ELIMINATION:
        return 2 * entrants - 1  # everybody loses two, but the first, who may lose one
    if stage.kind is StageKind.ELIMINATION:
        return entrants - 1 + (stage.third_place and entrants >= _THIRD)
    return 0


def _played(form: Format, field: Field) -> tuple[Pairing, ...]:
    """All that is announced if the better seed always wins."""
    story = Story(field=field)
    while due := tuple(form.due(story)):
        announced = replace(story, pairings=(*story.pairings, *due))
        scores = {**story.scores, **{one.key: _won(one) for one in due if not one.is_bye}}
        announced = replace(announced, scores=scores)
        story = replace(announced, scores={**scores, **automatic(announced)})
    return story.pairings


def _won(pairing: Pairing) -> Score:
    """A score with the teams in the order of their best seeds."""
    order = sorted(range(len(pairing.teams)), key=lambda team: min(pairing.teams[team]))
    ranks = tuple(order.index(team) + 1 for team in range(len(pairing.teams)))
    nothing = (0,) * len(ranks)
    return Score(ranks=ranks, boards=tuple(map(float, nothing)), faults=nothing)
