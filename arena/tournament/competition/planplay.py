"""Competitions that are drawn instead of played, through the formats that real ones have.

Bots are numbered from 0 in the order of their strengths, so bot 0 is the best. Chance is common to
plans that are compared: the strengths of a simulation, the lots, and what happens on the first
boards of two bots' meeting are the same, however many boards there are.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from arena.errors import InputError
from arena.formats.groups import Groups
from arena.formats.story import Field, Format, Pairing, Row, Score, Story, lot
from arena.formats.walkovers import automatic
from arena.tournament.competition.plannoise import Noise, play_match
from arena.tournament.competition.regulations import Regulations, Seeding
from arena.tournament.competition.stages import StageKind, StageRules

__all__ = ["MOST_ELO", "Ended", "Plan", "Wave", "play_competition"]

Wave = tuple[int, ...]
"""The boards of each match of some that can all be played at once."""

MOST_ELO: Final = 2000.0
"""Of spreads and gaps; who is so far ahead loses nothing that chance could change."""

_SEED: Final = 32  # bytes
_AT_ONCE: Final = frozenset({StageKind.TABLES, StageKind.PARTNERS, StageKind.COMPLETE})
_GUESS: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is tried.

    Attributes:
        regulations: Of the competition.
        entrants: How many bots.
        noise: The chance in a game.
        spread: The deviation of the bots' strengths, in Elo.
        gap: By how many Elo the best bot is ahead of the second; None: as it is drawn.
        boards: By stage, boards of a match instead of what the regulations say; 0: those.
        seed: All chance follows from it.

    Raises:
        InputError: a number cannot be.
    """

    regulations: Regulations
    entrants: int
    noise: Noise
    spread: float
    gap: float | None = None
    boards: tuple[int, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        for name, value in (("spread", self.spread), ("gap", self.gap)):
            if value is not None and not 0 <= value <= MOST_ELO:
                raise InputError(f"{name} {value:g}: must be from 0 to {MOST_ELO:,.0f} Elo")
        stages = len(self.regulations.stages)
        if self.boards and len(self.boards) != stages:
            raise InputError(f"boards: {len(self.boards)} numbers for {stages} stages")
        if self.seed < 0:
            raise InputError(f"seed {self.seed}: must be 0 or more")

    def boards_of(self, stage: int, pairing: Pairing) -> int:
        """How many boards a match has; stages are numbered from 0."""
        rules = self.regulations.stages[stage]
        usual = rules.boards or self.regulations.game.boards
        return pairing.boards or (self.boards[stage] if self.boards else 0) or usual


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a simulated competition went.

    Attributes:
        place: Of the best bot, from 1; who shares a place is ordered by lot.
        shared: The same, but places are shared.
        reached: How many stages it played in.
        strengths: In Elo, the best first.
        announced: By stage, how many pairings there were, byes included.
        waves: By stage, its matches, in parts of which each waits for the one before.
    """

    place: int
    shared: int
    reached: int
    strengths: tuple[float, ...]
    announced: tuple[int, ...]
    waves: tuple[tuple[Wave, ...], ...]


def play_competition(plan: Plan, number: int) -> Ended:
    """Simulation `number`, from 0, of a plan: always the same.

    Raises:
        InputError: a stage cannot be played with so many.
    """
    chance = np.random.default_rng([plan.seed, number])
    strengths = _strengths(plan, chance)
    entries = _seeded(plan, strengths, chance)
    groups: tuple[int, ...] = ()
    announced, waves = [], []
    place = shared = reached = 0
    for stage, rules in enumerate(plan.regulations.stages):
        field = Field(
            entrants=len(entries),
            seed=_lots(plan, number, stage),
            teams=plan.regulations.field_teams,
            groups=groups,
        )
        play = _Play(plan, number, stage, tuple(strengths[one] for one in entries), entries)
        form = rules.format
        story, parts = _played(play, form, rules, field)
        order = _order(form.table(story), field)
        if 0 in entries:
            reached = stage + 1
            rows = [entries[row.entrant] for row in order]
            place, shared = rows.index(0) + 1, order[rows.index(0)].place
        announced.append(len(story.pairings))
        waves.append(parts)
        going = [row.entrant for row in order[: rules.advance or len(order)]]
        groups = ()
        if isinstance(form, Groups):
            groups = tuple(form.group_of(field, one) for one in going)
        entries = tuple(entries[one] for one in going)
    return Ended(
        place=place,
        shared=shared,
        reached=reached,
        strengths=tuple(strengths),
        announced=tuple(announced),
        waves=tuple(waves),
    )


# -- who plays ----------------------------------------------------------------------------------


def _strengths(plan: Plan, chance: np.random.Generator) -> list[float]:
    drawn = chance.standard_normal(plan.entrants)
    found = sorted((plan.spread * float(one) for one in drawn), reverse=True)
    if plan.gap is not None:
        found[0] = found[1] + plan.gap
    return found


def _seeded(plan: Plan, strengths: Sequence[float], chance: np.random.Generator) -> tuple[int, ...]:
    """The bots in the order of seeding: by lot, or by a guess that is half a spread off."""
    drawn = [float(one) for one in chance.standard_normal(plan.entrants)]
    if plan.regulations.entrants.seeding is Seeding.LOT:
        return tuple(sorted(range(plan.entrants), key=lambda bot: drawn[bot]))
    error = _GUESS * plan.spread

    def guessed(bot: int) -> tuple[float, float]:
        return -(strengths[bot] + error * drawn[bot]), drawn[bot]

    return tuple(sorted(range(plan.entrants), key=guessed))


def _lots(plan: Plan, number: int, stage: int) -> bytes:
    text = f"plan/{plan.seed}/{number}/{stage}"
    return hashlib.blake2b(text.encode(), digest_size=_SEED).digest()


# -- a stage ------------------------------------------------------------------------------------


class _Play:
    """Draws the scores of one stage of a simulation."""

    def __init__(
        self,
        plan: Plan,
        number: int,
        stage: int,
        strengths: tuple[float, ...],
        bots: tuple[int, ...],
    ) -> None:
        self._plan = plan
        self._key = (plan.seed, number, stage)
        self._stage = stage
        self._strengths = strengths
        self._bots = bots
        self._met: Counter[tuple[tuple[int, ...], ...]] = Counter()

    def boards_of(self, pairing: Pairing) -> int:
        return self._plan.boards_of(self._stage, pairing)

    def score(self, pairing: Pairing) -> Score:
        """What came of a pairing; the same for the same meeting, whoever is named first."""
        named = [tuple(self._bots[one] for one in team) for team in pairing.teams]
        order = sorted(range(len(named)), key=lambda team: named[team])
        who = tuple(named[team] for team in order)
        self._met[who] += 1
        bots = [bot for team in who for bot in team]
        chance = np.random.Generator(np.random.PCG64([*self._key, self._met[who], *bots]))
        made = play_match(
            self._plan.noise,
            [[self._strengths[one] for one in pairing.teams[team]] for team in order],
            self.boards_of(pairing),
            self._plan.regulations.game.games_per_board,
            chance,
        )
        back = [order.index(team) for team in range(len(order))]
        return dataclasses.replace(
            made,
            ranks=tuple(made.ranks[team] for team in back),
            boards=tuple(made.boards[team] for team in back),
        )


def _played(
    play: _Play, form: Format, rules: StageRules, field: Field
) -> tuple[Story, tuple[Wave, ...]]:
    """A stage from its first pairing to its last."""
    form.check(field)
    story, waves = Story(field=field), []
    while due := _due(form, rules, story):
        story = dataclasses.replace(story, pairings=(*story.pairings, *due))
        scores: Mapping[str, Score] = {**story.scores, **automatic(story)}
        wave = [one for one in due if one.key not in scores]
        scores = {**scores, **{one.key: play.score(one) for one in wave}}
        story = dataclasses.replace(story, scores=scores)
        if wave:
            waves.append(tuple(map(play.boards_of, wave)))
    return story, tuple(waves)


def _due(form: Format, rules: StageRules, story: Story) -> Sequence[Pairing]:
    if rules.kind not in _AT_ONCE:
        return form.due(story)
    # Who has which place is drawn anyway, so one schedule does for all: some take long to find.
    return () if story.pairings else _schedule(rules, story.field.entrants, story.field.teams)


@lru_cache(maxsize=16)
def _schedule(rules: StageRules, entrants: int, teams: tuple[int, ...]) -> tuple[Pairing, ...]:
    field = Field(entrants=entrants, seed=bytes(_SEED), teams=teams)
    return tuple(rules.format.due(Story(field=field)))


def _order(table: Sequence[Row], field: Field) -> list[Row]:
    """A table with those who share a place in the order of a lot, as whoever goes on is chosen."""
    return sorted(table, key=lambda row: (row.place, lot(field.seed, "advance", row.entrant)))
