"""What has to fit between the parts of regulations, before an organiser relies on them.

Every check looks at parts that are right by themselves. Of parts that are not, nothing is said
here: they are `None`, and the checks that need them wait until they are mended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from arena.errors import InputError, quoted
from arena.formats.story import Field
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulationserrors import Mistake
from arena.tournament.competition.regulationsparts import (
    EligibilityGroup,
    EntrantRules,
    GameRules,
)
from arena.tournament.competition.regulationswhen import ReleaseRules, Schedule
from arena.tournament.competition.stages import StageKind, StageRules
from arena.tournament.ladder.terms import Rotations

__all__ = ["Parts", "field_sizes", "misfits"]

_ANY_SEED: Final = bytes(32)
_LARGEST_ELIMINATION: Final = 256
_LARGEST_FIRST_ELIMINATION: Final = 128
_MOST_STAGES: Final = 10
_MOST_GROUPS: Final = 100
_TABLE: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts that have to fit; None is one that is wrong by itself."""

    game: GameRules | None
    entrants: EntrantRules | None
    groups: Sequence[EligibilityGroup | None]
    schedule: Schedule | None
    stages: Sequence[StageRules | None]
    release: ReleaseRules | None


def field_sizes(entrants: EntrantRules, stages: Sequence[StageRules]) -> tuple[int, ...]:
    """How many can play in each stage, at most."""
    sizes = [entrants.field_size]
    for stage in stages[:-1]:
        sizes.append(min(stage.advance or sizes[-1], sizes[-1]))
    return tuple(sizes)


def misfits(parts: Parts) -> Iterator[Mistake]:
    """All that does not fit."""
    yield from _counts(parts)
    yield from _names(parts)
    yield from _eligible(parts)
    yield from _released(parts)
    for number, stage in enumerate(parts.stages):
        if stage is not None:
            is_last = number == len(parts.stages) - 1
            yield from _going_on(number, stage, is_last=is_last)
            if parts.game is not None:
                yield from _at_tables(number, stage, parts.game)
                yield from _seats_even(number, stage, parts.game)
    yield from _fields(parts)


def _counts(parts: Parts) -> Iterator[Mistake]:
    if not parts.stages:
        yield Mistake(
            ("stage",), 'there is none; give one, such as [[stage]] with format = "swiss"'
        )
    if len(parts.stages) > _MOST_STAGES:
        yield Mistake(("stage", _MOST_STAGES), f"there are more than {_MOST_STAGES}")
    if len(parts.groups) > _MOST_GROUPS:
        yield Mistake(("group", _MOST_GROUPS), f"there are more than {_MOST_GROUPS}")


def _names(parts: Parts) -> Iterator[Mistake]:
    names_of_stages: set[str] = set()
    for number, stage in enumerate(parts.stages):
        if stage is not None and stage.name in names_of_stages:
            yield Mistake(
                ("stage", number, "name"),
                f"two stages are called {quoted(stage.name)}; give each a name of its own",
            )
        if stage is not None:
            names_of_stages.add(stage.name)
    names: set[str] = set()
    for number, group in enumerate(parts.groups):
        if group is not None and group.name in names:
            yield Mistake(("group", number, "name"), f"{quoted(group.name)} is there twice")
        if group is not None:
            names.add(group.name)


def _eligible(parts: Parts) -> Iterator[Mistake]:
    """Whoever is in two groups would have a prize too many; the invited have to be in one."""
    homes: dict[str, str] = {}
    for number, group in enumerate(parts.groups):
        for place, owner in enumerate(() if group is None else group.owners):
            name = "" if group is None else group.name
            if homes.setdefault(owner, name) != name:
                yield Mistake(
                    ("group", number, "owners", place),
                    f"{quoted(owner)} is in group {quoted(homes[owner])} already; one is enough",
                )
    if not parts.groups or None in parts.groups or parts.entrants is None:
        return
    for place, title in enumerate(parts.entrants.invited):
        owner = title.partition("/")[0]
        if owner not in homes:
            yield Mistake(
                ("entrants", "invited", place),
                f"{quoted(title, 140)}: {owner} is in no [[group]], and so may not enter",
            )


def _released(parts: Parts) -> Iterator[Mistake]:
    if parts.schedule is None or parts.release is None or parts.schedule.release is None:
        return
    if parts.release.after is Level.HIDDEN:
        yield Mistake(
            ("schedule", "release"), 'nothing is released then: [release] says after = "hidden"'
        )


# -- stages by themselves -----------------------------------------------------------------------


def _going_on(number: int, stage: StageRules, *, is_last: bool) -> Iterator[Mistake]:
    where = ("stage", number, "advance")
    if is_last and stage.advance:
        yield Mistake(where, "is for stages with another one after it; leave it out")
    if is_last:
        return
    if stage.kind.is_elimination:
        yield Mistake(
            ("stage", number, "format"),
            f"{stage.kind} plays down to a winner, so nobody can go on from it; "
            "it has to be the last stage",
        )
        return
    if stage.advance == 1:
        yield Mistake(where, "must be 2 or more, or nobody has an opponent in the next stage")
    elif stage.kind is StageKind.GROUPS and 0 < stage.advance < stage.groups:
        yield Mistake(
            where,
            f"{stage.advance} of {stage.groups} groups: not even every winner of a group would "
            f"go on; must be {stage.groups} or more",
        )


def _at_tables(number: int, stage: StageRules, game: GameRules) -> Iterator[Mistake]:
    where = ("stage", number, "format")
    now = f"[game] has players = {game.players}" + (" and teams = true" if game.teams else "")
    if stage.kind is StageKind.TABLES:
        if game.teams or game.players < _TABLE:
            yield Mistake(where, f"tables has 3 or more at a table, each for themselves, and {now}")
    elif stage.kind is StageKind.PARTNERS:
        if not game.teams:
            yield Mistake(
                where, f"partners has teams of two, and {now}; write teams = true, players = 4"
            )
    elif stage.kind is not StageKind.COMPLETE and game.table != (1, 1):
        other = "partners" if game.teams else "tables"
        yield Mistake(
            where,
            f"{stage.kind} is played one against one, and {now}; "
            f"take players = 2, or the format {other} or complete",
        )


def _seats_even(number: int, stage: StageRules, game: GameRules) -> Iterator[Mistake]:
    """With each board played once, a match is fair if everybody has every seat equally often."""
    if game.rotations is not Rotations.ONE:
        return
    where = ("stage", number, "boards") if stage.boards else ("game", "boards")
    for path, boards in (
        (where, stage.boards or game.boards),
        (("stage", number, "extra_boards"), stage.extra_boards),
    ):
        if boards % game.players and (path[0] == "stage" or number == 0):
            below = boards - boards % game.players
            right = f"{below} or {below + game.players}" if below else str(game.players)
            yield Mistake(
                path,
                f'with rotations = "one" and {game.players} at a table {boards} boards do not give '
                f"everybody every seat equally often; take {right}",
            )


# -- who comes, from stage to stage -------------------------------------------------------------


def _fields(parts: Parts) -> Iterator[Mistake]:
    if parts.entrants is None:
        return
    size = parts.entrants.field_size
    for number, stage in enumerate(parts.stages):
        if stage is None:
            return
        if parts.game is not None:
            yield from _fits(number, stage, size, parts.game)
        is_last = number == len(parts.stages) - 1
        if not is_last and stage.advance > size:
            come = "can play in this stage" if number == 0 else "come from the stage before"
            yield Mistake(
                ("stage", number, "advance"),
                f"{stage.advance} is more than the {size} that {come}",
            )
        size = min(stage.advance or size, size)


def _fits(number: int, stage: StageRules, size: int, game: GameRules) -> Iterator[Mistake]:
    where = ("stage", number, "format")
    if stage.kind.is_elimination:
        most = _LARGEST_ELIMINATION if number else _LARGEST_FIRST_ELIMINATION
        if size > most:
            yield Mistake(
                where,
                f"{size} entrants: half of them would be out after one match; {stage.kind} is for "
                f"{most} or fewer, after a stage of swiss or groups with advance = 16, say",
            )
            return
    if any(_at_tables(number, stage, game)):
        return  # said already
    if stage.kind is StageKind.GROUPS and size < 2 * stage.groups:
        yield Mistake(
            ("stage", number, "groups"),
            f"{stage.groups} groups need {2 * stage.groups} entrants or more, and {size} can play",
        )
        return
    try:
        stage.format.check(Field(entrants=size, seed=_ANY_SEED, teams=game.table))
    except InputError as error:
        yield Mistake(where, f"with {size} entrants: {error}")
