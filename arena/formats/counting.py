"""What every entrant has made of its matches in a stage, before anybody is put in order.

bye         a match won; nobody was met
walkover    whoever is there shares what the places above the gone ones are worth; of a team of
            which somebody is gone, those who are there have half a match, and the gone ones none
boards      of a bye or a walkover: as many as one's own played matches brought in the mean,
            rounded down to a half; nobody gains or loses by it, since nobody could choose it
annulled    a match with somebody whose results are annulled counts for none of those in it
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from arena.formats.scoring import WHOLE, Points, Scoring, units
from arena.formats.story import Pairing, Score, Story, Way

__all__ = ["Meeting", "Tally", "annulled", "shares", "tallies"]

_HALF = WHOLE // 2


@dataclass(frozen=True, slots=True)
class Meeting:
    """An opponent in one match.

    Attributes:
        opponent: Who it was; the entrant itself, where nobody was met (a bye or a walkover).
        ahead: The share against that opponent alone, in units: whole, half or nothing.
        points: What the match brought against it, in units of the points of the table.
        is_played: Whether they sat at a table.
    """

    opponent: int
    ahead: int
    points: int
    is_played: bool = True


@dataclass(slots=True)
class Tally:
    """What an entrant has made; points in units.

    Attributes:
        entrant: Whose it is.
        points: What the table is ordered by.
        played: Matches that count, byes and walkovers included.
        match: Match points.
        board: Board points.
        wins: Matches finished ahead of all others.
        faults: Strikes and forfeits of its teams.
        meetings: Its opponents, one after the other.
    """

    entrant: int
    points: int = 0
    played: int = 0
    match: int = 0
    board: int = 0
    wins: int = 0
    faults: int = 0
    meetings: list[Meeting] = dataclasses.field(default_factory=list)


def annulled(story: Story, scoring: Scoring) -> frozenset[int]:
    """Whose results count for nobody.

    That is everybody disqualified and, if the scoring says so, who left before half of its matches
    were played.
    """
    return frozenset(
        entrant
        for entrant, departure in story.gone.items()
        if departure.is_disqualified or (scoring.annul and _left_early(story, entrant))
    )


def _left_early(story: Story, entrant: int) -> bool:
    matches = [pairing.key for pairing in story.of(entrant) if not pairing.is_bye]
    played = sum(key in story.scores and _is_played(story.scores[key]) for key in matches)
    return 2 * played < len(matches)


def _is_played(score: Score) -> bool:
    return score.way in {Way.PLAYED, Way.DECISION}


def shares(story: Story, pairing: Pairing, score: Score) -> dict[int, int]:
    """The match points that a score brings everybody in it, in units."""
    if pairing.is_bye:
        return dict.fromkeys(pairing.entrants, WHOLE)
    if score.way is not Way.WALKOVER:
        return {
            entrant: _share(score, number)
            for number, team in enumerate(pairing.teams)
            for entrant in team
        }
    gone = _absent(story, pairing, score)
    result: dict[int, int] = {}
    for number, team in enumerate(pairing.teams):
        share = _HALF if any(entrant in gone for entrant in team) else _share(score, number)
        result |= {entrant: 0 if entrant in gone else share for entrant in team}
    return result


def _share(score: Score, team: int) -> int:
    """`Score.share`, in units and exact."""
    duels = [_duel(score, team, other) for other in range(len(score.ranks)) if other != team]
    return sum(duels) // len(duels)


def _duel(score: Score, one: int, other: int) -> int:
    """What `one` has against `other` alone."""
    return _HALF * (
        (score.ranks[one] < score.ranks[other]) + (score.ranks[one] <= score.ranks[other])
    )


def _absent(story: Story, pairing: Pairing, score: Score) -> frozenset[int]:
    """Who was gone when a walkover came about; the others may be gone by now as well."""
    best = min(score.ranks)
    nobody_won = max(score.ranks) == best
    return frozenset(
        entrant
        for number, team in enumerate(pairing.teams)
        if nobody_won or score.ranks[number] > best
        for entrant in team
        if len(team) == 1 or entrant in story.gone
    )


def tallies(
    story: Story,
    scoring: Scoring,
    *,
    annuls: bool = True,
    given: Mapping[int, float] | None = None,
) -> tuple[Tally, ...]:
    """Of everybody in the story, by number; the arguments are those of `standings`."""
    out = annulled(story, scoring) if annuls else frozenset[int]()
    made = tuple(map(Tally, story.entrants))
    boards: list[list[int]] = [[] for _ in made]
    unplayed = [0] * len(made)
    for pairing, score in story.decided():
        if out.isdisjoint(pairing.entrants):
            for entrant, share in shares(story, pairing, score).items():
                made[entrant].played += 1
                made[entrant].match += share
            if pairing.is_bye or not _is_played(score):
                _miss(made, unplayed, story, pairing, score)
            else:
                _play(made, boards, scoring, pairing, score)
    for tally, played, missed in zip(made, boards, unplayed, strict=True):
        tally.board = sum(played) + missed * _usual(played)
        tally.points = tally.match if scoring.points is Points.MATCH else tally.board
    for entrant, points in (given or {}).items():
        made[entrant].points += units(points)
    return made


def _usual(boards: list[int]) -> int:
    """The board points of a match that was not played: the mean, rounded down to a half."""
    return sum(boards) // (_HALF * len(boards)) * _HALF if boards else 0


def _miss(
    made: tuple[Tally, ...], unplayed: list[int], story: Story, pairing: Pairing, score: Score
) -> None:
    """Count what was not played, as often against oneself as there would have been opponents."""
    opponents = story.field.seats - story.field.teams[0]
    absent = frozenset[int]() if pairing.is_bye else _absent(story, pairing, score)
    for entrant, share in shares(story, pairing, score).items():
        unplayed[entrant] += entrant not in absent
        meeting = Meeting(entrant, share, share, is_played=False)
        made[entrant].meetings += [meeting] * opponents


def _play(
    made: tuple[Tally, ...],
    boards: list[list[int]],
    scoring: Scoring,
    pairing: Pairing,
    score: Score,
) -> None:
    by_board = scoring.points is Points.BOARD and len(pairing.teams) == 2
    for own, team in enumerate(pairing.teams):
        board = units(score.boards[own])
        met = []
        for other, opponents in enumerate(pairing.teams):
            if other != own:
                ahead = _duel(score, own, other)
                points = board if by_board else ahead
                met += [Meeting(opponent, ahead, points) for opponent in opponents]
        for entrant in team:
            tally = made[entrant]
            tally.wins += _share(score, own) == WHOLE
            tally.faults += score.faults[own]
            tally.meetings += met
            boards[entrant].append(board)
