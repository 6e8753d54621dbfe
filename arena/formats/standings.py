"""The table of a stage: who stands where, by points and then by tie-breaks.

Those who play no more stand below all others: first who left, then who was disqualified.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby

from arena.formats.breaking import part
from arena.formats.counting import Tally, annulled, shares, tallies
from arena.formats.scoring import WHOLE, Scoring, TieBreak
from arena.formats.story import Row, Story

__all__ = ["annulled", "shares", "standings"]

_Breaks = tuple[tuple[str, str], ...]


def standings(
    story: Story,
    scoring: Scoring,
    *,
    annuls: bool = True,
    among: Iterable[int] | None = None,
    given: Mapping[int, float] | None = None,
) -> tuple[Row, ...]:
    """Everybody, the first place first; those who share a place by their number.

    Args:
        story: What has happened.
        scoring: What counts.
        annuls: Whether the format annuls results at all, which one in which not everybody meets
            everybody (a Swiss, an elimination) does not: what was played there stands, and the
            rest are walkovers.
        among: Who is put in order, with places of their own; without it everybody. Points are those
            of the whole stage.
        given: By entrant, points that it has besides those of its matches.

    Returns:
        Rows with the tie-breaks that had to be asked, and no others.
    """
    counted = dict(enumerate(tallies(story, scoring, annuls=annuls, given=given)))
    void = annulled(story, scoring) if annuls else frozenset[int]()
    chosen = sorted(counted if among is None else set(among))
    rows: list[Row] = []

    def rank(entrant: int) -> tuple[int, int]:
        return _standing(story, entrant), -counted[entrant].points

    for _, equal in groupby(sorted(chosen, key=rank), key=rank):
        groups = _parted(sorted(equal), scoring.breaks, counted, story.field.seed)
        for group in groups:
            place = len(rows) + 1
            rows += [
                _row(counted[entrant], place, breaks, _note(story, entrant, entrant in void))
                for entrant, breaks in group
            ]
    return tuple(rows)


def _standing(story: Story, entrant: int) -> int:
    """0 for who plays, 1 for who left, 2 for who was disqualified."""
    departure = story.gone.get(entrant)
    return 0 if departure is None else 1 + departure.is_disqualified


def _note(story: Story, entrant: int, is_void: bool) -> str:
    said = ("", "withdrawn", "disqualified")[_standing(story, entrant)]
    return f"{said}, its results count for nobody" if is_void else said


def _row(tally: Tally, place: int, breaks: _Breaks, note: str) -> Row:
    return Row(
        place=place,
        entrant=tally.entrant,
        played=tally.played,
        points=tally.points / WHOLE,
        breaks=breaks,
        note=note,
    )


def _parted(
    tied: list[int], breaks: tuple[TieBreak, ...], counted: Mapping[int, Tally], seed: bytes
) -> list[list[tuple[int, _Breaks]]]:
    """Part those with equal points as far as tie-breaks do; with what each of them said."""
    if len(tied) == 1 or not breaks:
        return [[(entrant, ()) for entrant in tied]]
    result = []
    for group, values in part(tied, breaks[0], counted, seed):
        said = {entrant: ((str(breaks[0]), value),) for entrant, value in values.items()}
        for rest in _parted(group, breaks[1:], counted, seed):
            result.append([(one, said.get(one, ()) + further) for one, further in rest])
    return result
