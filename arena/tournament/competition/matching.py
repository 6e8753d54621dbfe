"""From an announced pairing to the match that is played for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.formats.story import Pairing
from arena.storage.facts import MatchKind, NewMatch, Seat

if TYPE_CHECKING:
    from arena.tournament.competition.parts import Stage
    from arena.tournament.competition.state import Competition

__all__ = ["games_of", "match_of", "team_seats"]


def team_seats(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """The seats of each team, as the rules seat them: (0, 2) and (1, 3) for two teams of two."""
    teams = stage.field.teams
    return tuple(tuple(range(team, sum(teams), len(teams))) for team in range(len(teams)))


def games_of(here: Competition, stage: Stage, pairing: Pairing) -> int:
    """How many games a match of a pairing has."""
    terms = here.regulations.terms(stage.rules, boards=pairing.boards)
    return sum(map(len, terms.legs(len(pairing.entrants))))


def match_of(here: Competition, stage: Stage, pairing: Pairing, number: int) -> NewMatch:
    """The match for the present run of a pairing; `number` is the competition's in the store."""
    seats: dict[int, Seat] = {}
    for team, places in zip(team_seats(stage), pairing.teams, strict=True):
        for seat, place in zip(team, places, strict=True):
            entry = here.entries[stage.entries[place]]
            seats[seat] = Seat(entry.entrant, entry.version)
    return NewMatch(
        kind=MatchKind.COMPETITION,
        table=f"{here.regulations.name}/{stage.number}",
        seats=tuple(seats[seat] for seat in sorted(seats)),
        teams=team_seats(stage),
        terms=here.regulations.terms(stage.rules, boards=pairing.boards).as_json(),
        cause=f"{here.regulations.title}: {stage.rules.name}, {pairing.title}",
        competition=number,
        pairing=stage.name_of(pairing.key),
    )
