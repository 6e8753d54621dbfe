"""What follows by itself in a competition: stages begin, pairings are announced.

A pure function of the journal and of the secret seed. So the arena appends these lines while it
runs, and whoever verifies an archive works each of them out again and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from arena.formats.groups import Groups
from arena.formats.story import lot
from arena.tournament.competition.events import Event, FrozenEntry, Paired, StageBegun
from arena.tournament.competition.regulations import Seeding
from arena.tournament.competition.state import Competition, Phase, Stage

__all__ = ["SeedOf", "due"]

SeedOf = Callable[[str, int], bytes]
"""The 32 bytes that the secret seed makes for something, such as `stage/1`, 0."""


def due(here: Competition, seed_of: SeedOf) -> Event | None:
    """What follows by itself now; None: nothing until something else has happened."""
    if here.phase is not Phase.RUNNING:
        return None
    stage = here.stage
    if stage is None:
        return _first_stage(here, seed_of("stage/1", 0))
    story = stage.story()
    pairings = tuple(stage.rules.format.due(story))
    if pairings:
        return Paired(stage.number, pairings)
    is_last = stage.number == len(here.regulations.stages)
    if is_last or not stage.rules.format.is_over(story) or here.why_no_next:
        return None
    number = stage.number + 1
    return _next_stage(stage, number, seed_of(f"stage/{number}", 0))


def _first_stage(here: Competition, seed: bytes) -> StageBegun:
    playing = [number for number in range(len(here.entries)) if number not in here.out]
    order = _order(here, seed)
    playing.sort(key=lambda number: order(here.entries[number]))
    return StageBegun(1, tuple(playing), (), seed.hex())


def _order(here: Competition, seed: bytes) -> Callable[[FrozenEntry], tuple[float, int]]:
    """What entries are seeded by, the smallest first; the rest is drawn by lot."""
    rules = here.regulations.entrants
    listed = {title: place for place, title in enumerate(rules.invited)}

    def order(entry: FrozenEntry) -> tuple[float, int]:
        drawn = lot(seed, "seeding", entry.title)
        if rules.seeding is Seeding.LADDER:
            return -(entry.mu - 3 * entry.sigma), drawn
        if rules.seeding is Seeding.LISTED:
            return listed.get(entry.title, len(listed)), drawn
        return 0.0, drawn

    return order


def _next_stage(stage: Stage, number: int, seed: bytes) -> StageBegun:
    places = stage.going_on()
    entries = tuple(stage.entries[place] for place in places)
    return StageBegun(number, entries, _groups(stage, places), seed.hex())


def _groups(stage: Stage, places: Sequence[int]) -> tuple[int, ...]:
    form = stage.rules.format
    if not isinstance(form, Groups):
        return ()
    return tuple(form.group_of(stage.field, place) for place in places)
