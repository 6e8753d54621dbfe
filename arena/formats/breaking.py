"""What each tie-break says of entrants that are tied, as numbers of which the larger is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from arena.formats.counting import Tally
from arena.formats.scoring import WHOLE, TieBreak, number
from arena.formats.story import lot

__all__ = ["Parted", "part"]

Parted = list[tuple[list[int], dict[int, str]]]
"""Groups that are still tied, the best first, with the value that everybody in it has."""

_PLAIN: Final = frozenset({TieBreak.WINS, TieBreak.FAULTS})


def part(tied: Sequence[int], by: TieBreak, tallies: Mapping[int, Tally], seed: bytes) -> Parted:
    """Part a group of entrants by one tie-break; a single group if that does not part them.

    Args:
        tied: Who is tied.
        by: The tie-break.
        tallies: Of everybody that anybody has met.
        seed: From which lots are drawn.
    """
    if by is TieBreak.HEAD_TO_HEAD:
        return _among(tied, tallies)
    if by is TieBreak.LOT:
        order = sorted(tied, key=lambda entrant: (lot(seed, "tie", entrant), entrant))
        return [
            ([entrant], {entrant: f"drawn {place} of {len(tied)}"})
            for place, entrant in enumerate(order, start=1)
        ]
    values = {entrant: _value(by, tallies, entrant) for entrant in tied}
    whole = {TieBreak.SONNEBORN_BERGER: WHOLE * WHOLE}.get(by, 1 if by in _PLAIN else WHOLE)
    return [
        (group, {entrant: number(abs(values[entrant]), whole) for entrant in group})
        for group in _grouped(values)
    ]


def _grouped(values: Mapping[int, int]) -> list[list[int]]:
    """Entrants with equal values together, those with the largest first."""
    return [
        sorted(entrant for entrant in values if values[entrant] == value)
        for value in sorted(set(values.values()), reverse=True)
    ]


def _value(by: TieBreak, tallies: Mapping[int, Tally], entrant: int) -> int:
    """The value of a tie-break that does not depend on who else is tied; more is better."""
    tally = tallies[entrant]
    met = [tallies[meeting.opponent].points for meeting in tally.meetings]
    if by is TieBreak.BUCHHOLZ:
        return sum(met)
    if by is TieBreak.BUCHHOLZ_CUT_1:
        return sum(met) - min(met, default=0)
    if by is TieBreak.SONNEBORN_BERGER:
        pairs = zip(tally.meetings, met, strict=True)
        return sum(meeting.ahead * points for meeting, points in pairs)
    return {
        TieBreak.BOARD_POINTS: tally.board,
        TieBreak.MATCH_POINTS: tally.match,
        TieBreak.WINS: tally.wins,
        TieBreak.FAULTS: -tally.faults,
    }[by]


def _among(tied: Sequence[int], tallies: Mapping[int, Tally]) -> Parted:
    """By points among those tied; who is then still tied is compared among themselves again."""
    values = _points_among(tied, tallies)
    if values is None:
        return [(sorted(tied), {})]
    result: Parted = []
    for group in _grouped(values):
        own = {entrant: number(values[entrant]) for entrant in group}
        if len(group) in {1, len(tied)}:
            result.append((group, own))
            continue
        for rest, further in _among(group, tallies):
            told = {
                entrant: f"{own[entrant]}, then {further[entrant]}" if further else own[entrant]
                for entrant in rest
            }
            result.append((rest, told))
    return result


def _points_among(tied: Sequence[int], tallies: Mapping[int, Tally]) -> dict[int, int] | None:
    """What each made against the others; None if they have not all met equally often.

    Whoever was paired with more of the others than somebody else could make more points, and had
    no part in it.
    """
    meetings = dict.fromkeys(((one, other) for one in tied for other in tied if one != other), 0)
    values = dict.fromkeys(tied, 0)
    for entrant in tied:
        for meeting in tallies[entrant].meetings:
            if meeting.is_played and (entrant, meeting.opponent) in meetings:
                meetings[entrant, meeting.opponent] += 1
                values[entrant] += meeting.points
    often = set(meetings.values())
    return values if len(often) == 1 and 0 not in often else None
