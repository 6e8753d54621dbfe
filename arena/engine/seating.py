"""Who sits where and with whom (R01-R03, R39, X02, P12)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from arena.engine.rulesets import Family, RuleSet
from arena.errors import RuleSetError

_ALLOWED: Final = {
    Family.CLASSIC: "2 or 3 players individually, 4 in two teams, 6 in three teams",
    Family.EXPRESS: "2, 3 or 4 players individually",
    Family.PLATEAU: "2, 3 or 4 players individually",
}


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of each team. Seat s + 1 sits on the left of seat s, and play goes that way.

    Build it with `make_seating`, which checks it against a rule set.
    """

    teams: tuple[tuple[int, ...], ...]
    team_of: tuple[int, ...]

    @property
    def players(self) -> int:
        return len(self.team_of)

    def __str__(self) -> str:
        return " ".join("+".join(str(seat) for seat in team) for team in self.teams)


def make_seating(rules: RuleSet, teams: int | Sequence[Sequence[int]]) -> Seating:
    """Return the seating of `teams`: a number of players, or the seats of each team.

    With a number, 4 and 6 players of the classic game sit as teams of two (R01), unless the rule
    set has `allow_individual_4`.

    Raises:
        RuleSetError: the rules have no such number of players, partners do not sit alternately
            (K07), or the first dealer or player is not at the table; the message says what is
            allowed.
    """
    if isinstance(teams, int):
        teams = _usual_teams(rules, teams)
    seats = sorted(seat for team in teams for seat in team)
    players = len(seats)
    if seats != list(range(players)):
        raise RuleSetError(f"teams {_shown(teams)}: every seat from 0 up must be named just once")
    size = len(teams[0]) if teams else 0
    if size not in _team_sizes(rules, players) or any(len(team) != size for team in teams):
        raise RuleSetError(_refusal(rules, f"teams {_shown(teams)}"))
    apart = players // size
    if any(sorted(team) != [min(team) + apart * i for i in range(size)] for team in teams):
        raise RuleSetError(
            f"teams {_shown(teams)}: partners sit alternately (K07), "
            f"e.g. {_shown(_split(players, apart))}"
        )
    _check_first_seat(rules, players)
    team_of = [0] * players
    for number, team in enumerate(teams):
        for seat in team:
            team_of[seat] = number
    return Seating(tuple(tuple(sorted(team)) for team in teams), tuple(team_of))


def _check_first_seat(rules: RuleSet, players: int) -> None:
    for name in ("first_dealer", "first_player"):
        seat = getattr(rules, name)
        if seat is not None and seat >= players:
            raise RuleSetError(
                f"option {name}: seat {seat} is not at this table; allowed: 0 to {players - 1}"
            )


def _usual_teams(rules: RuleSet, players: int) -> list[list[int]]:
    sizes = _team_sizes(rules, players)
    if not sizes:
        noun = "player" if players == 1 else "players"
        raise RuleSetError(_refusal(rules, f"{players} {noun}"))
    return _split(players, players // min(sizes))


def _team_sizes(rules: RuleSet, players: int) -> tuple[int, ...]:
    """The sizes of team that `players` may form, none if that number cannot play."""
    if rules.family is not Family.CLASSIC:
        return (1,) if players in (2, 3, 4) else ()
    if players == 4 and rules.allow_individual_4:
        return (1, 2)
    return {2: (1,), 3: (1,), 4: (2,), 6: (2,)}.get(players, ())


def _split(players: int, teams: int) -> list[list[int]]:
    return [list(range(team, players, teams)) for team in range(teams)]


def _refusal(rules: RuleSet, what: str) -> str:
    allowed = _ALLOWED[rules.family]
    if rules.allow_individual_4:
        allowed += ", and 4 individually"
    return f"{what}: {rules.preset} is for {allowed}"


def _shown(teams: Sequence[Sequence[int]]) -> str:
    return str([list(team) for team in teams]).replace(" ", "")
