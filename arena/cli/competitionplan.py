"""`arena competition plan`: how long a competition takes, and how likely its best bot wins."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.output import JsonOption, print_json, remarks, results
from arena.errors import InputError
from arena.tournament.competition.regulationsparts import FILE_NAME, MOST_ENTRANTS

if TYPE_CHECKING:
    from arena.cli.competitionplanrun import Found, Wanted
    from arena.cli.competitionplanspeed import Speed
    from arena.tournament.competition.planplay import Plan
    from arena.tournament.competition.regulations import Regulations

__all__ = ["plan"]

SPREAD: Final = 140.0
"""The deviation of the strengths of keeper, saboteur, cautious and racer in classic games of one
hand, in Elo: they are 52, 3, 0 and -255."""

GAP: Final = 50.0
"""So much is keeper ahead of the next two of them."""

_MOST_SIMULATIONS: Final = 100_000
_MOST_AT_ONCE: Final = 1000
_LONGEST: Final = 86_400.0


def plan(
    file: Annotated[Path, typer.Argument(metavar="[FILE]", help="The file of regulations.")] = Path(
        FILE_NAME
    ),
    entrants: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=MOST_ENTRANTS,
            show_default="the most that can come",
            help="Plan for so many entrants.",
        ),
    ] = None,
    at_once: Annotated[
        int | None,
        typer.Option(
            "--at-once",
            "--jobs",
            "-j",
            min=1,
            max=_MOST_AT_ONCE,
            show_default="as a server on this machine",
            help="Matches that are played at the same time.",
        ),
    ] = None,
    seconds_per_game: Annotated[
        float | None,
        typer.Option(
            metavar="S",
            help="A game takes so long, all that belongs to it included. Without it a few matches "
            "of example bots are played to find out.",
        ),
    ] = None,
    confidence: Annotated[
        float,
        typer.Option(metavar="P", help="The best bot is to win with this probability."),
    ] = 0.9,
    gap: Annotated[
        float,
        typer.Option(
            metavar="ELO", help="The best bot that is to win is so far ahead of the second."
        ),
    ] = GAP,
    spread: Annotated[
        float,
        typer.Option(metavar="ELO", help="The deviation of the bots' strengths."),
    ] = SPREAD,
    seed: Annotated[
        int, typer.Option(min=0, help="The same one simulates the same competitions.")
    ] = 0,
    simulations: Annotated[
        int,
        typer.Option(
            min=20, max=_MOST_SIMULATIONS, help="Competitions that are simulated for each figure."
        ),
    ] = 200,
    as_json: JsonOption = False,
) -> None:
    """Say how long a competition takes on this machine, and how likely its best bot wins.

    For the time a few matches of example bots are played as in the competition.
    How likely the best bot wins is found by simulation: made-up bots play the
    whole competition through its real formats, with as much chance in every
    game as was measured between example bots. An Elo is that of a single game.
    """
    from arena.cli.competitionplanrun import Wanted
    from arena.cli.competitionplanwords import Report
    from arena.tournament.competition.regulationsfile import read_regulations
    from arena.tournament.competition.regulationsoutline import outline

    regulations = read_regulations(file)
    stages = outline(regulations, entrants or 0)
    if not 0 < confidence < 1:
        raise InputError(f"--confidence {confidence:g}: must be between 0 and 1, such as 0.9")
    _require_elo("--gap", gap)
    _require_elo("--spread", spread)
    tried = _plan(regulations, stages[0].entrants, spread, seed)
    speed = _speed(regulations, at_once or _places(), seconds_per_game)
    found = _found(tried, Wanted(confidence=confidence, gap=gap, simulations=simulations))
    report = Report(stages=stages, found=found, speed=speed, now=int(1000 * time.time()))
    if as_json:
        print_json(report.facts())
    else:
        report.print(results())


def _require_elo(option: str, value: float) -> None:
    from arena.tournament.competition.planplay import MOST_ELO

    if not 0 <= value <= MOST_ELO:
        raise InputError(f"{option} {value:g}: must be from 0 to {MOST_ELO:,.0f} Elo")


def _plan(regulations: Regulations, entrants: int, spread: float, seed: int) -> Plan:
    from arena.tournament.competition.plannoise import Noise
    from arena.tournament.competition.planplay import Plan

    rules, teams = regulations.game.rules, regulations.field_teams
    return Plan(
        regulations=regulations,
        entrants=entrants,
        noise=Noise.of(is_scored=rules.is_scored, teams=teams),
        spread=spread,
        seed=seed,
    )


def _places() -> int:
    """Matches at once, as a server on this machine has them without settings of its own."""
    from arena.app.places import matches_at_once
    from arena.settings import Settings

    return matches_at_once(Settings())


def _speed(regulations: Regulations, at_once: int, seconds_per_game: float | None) -> Speed:
    from arena.cli.competitionplanrun import Bar
    from arena.cli.competitionplanspeed import Containers, Speed, measure_speed, steps
    from arena.tournament.competition.plantime import Pace

    if seconds_per_game is not None:
        if not 0 < seconds_per_game <= _LONGEST:
            raise InputError(
                f"--seconds-per-game {seconds_per_game:g}: must be more than 0 and at most "
                f"{_LONGEST:,.0f}"
            )
        return Speed(Pace(game=seconds_per_game, at_once=at_once), 0.0, Containers.INCLUDED)
    with Bar(remarks(), "matches that measure this machine", steps(at_once)) as bar:
        return measure_speed(regulations, at_once, bar.advance)


def _found(tried: Plan, wanted: Wanted) -> Found:
    from arena.cli.competitionplanrun import Bar, figures, simulate

    with Bar(remarks(), "simulations", figures(tried) * wanted.simulations) as bar:
        return simulate(tried, wanted, bar.advance)
