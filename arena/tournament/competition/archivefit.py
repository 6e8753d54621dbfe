"""How strong the entries of a competition are by all that was played, whatever the format counts.

A table tells who has won; this tells how sure one may be. Every match that was played is one result
of the fit, with its own boards. Figures are rounded: another machine's arithmetic may differ in the
last digits, so whoever compares does so within bounds.
"""

from __future__ import annotations

import json
from typing import Any, Final

from arena.errors import InputError, quoted
from arena.formats.story import Way, lot
from arena.ladder.rating import Parameters, Ranking, rate_all
from arena.stats.strengths import Ranked, fit
from arena.tournament.competition.archiveformat import TABLES
from arena.tournament.competition.jsonvalues import object_from
from arena.tournament.competition.state import Competition

__all__ = ["FIT", "fit_difference", "fit_of"]

FIT: Final = f"{TABLES}/fit.json"

_MOST_ENTRIES: Final = 300
_BOUNDS: Final = {
    "elo": 0.5,
    "low": 0.5,
    "high": 0.5,
    "best": 0.02,
    "mu": 0.02,
    "sigma": 0.02,
}
"""How far figures may differ that two machines have come to."""

_STILL: Final = Parameters(tau=0.0)
"""Ratings of those who do not change: each plays with one version from the first match on."""

_LARGEST: Final = 1e9


def fit_of(here: Competition) -> bytes | None:
    """The strengths as a file; None: nothing was played, or there are too many to be fitted."""
    games = _games(here)
    if not games or len(here.entries) > _MOST_ENTRIES:
        return None
    titles = sorted({title for game in games for team in game.teams for title in team})
    seed = lot(here.stages[0].field.seed, "fit")
    ratings = rate_all(_STILL, (Ranking(game.teams, game.ranks) for game in games))
    rows = [
        {
            "bot": row.entrant,
            "elo": round(row.elo, 1),
            "low": round(row.elo_interval.low, 1),
            "high": round(row.elo_interval.high, 1),
            "best": round(row.best, 3),
            "mu": round(ratings[row.entrant].mu, 2),
            "sigma": round(ratings[row.entrant].sigma, 2),
        }
        for row in fit(titles, games, seed=seed).rows
    ]
    facts = {
        "what": "strengths in Elo, 0 for the mean; their 95 % intervals; the probability of being "
        "the best; TrueSkill's mu and sigma, match by match as they were announced",
        "matches": len(games),
        "rows": rows,
    }
    return json.dumps(facts, ensure_ascii=False, indent=1).encode() + b"\n"


def _games(here: Competition) -> list[Ranked]:
    games = []
    for stage in here.stages:
        for pairing, score in stage.story().decided():
            if score.way is not Way.PLAYED:
                continue
            teams = tuple(
                tuple(here.entries[stage.entries[place]].title for place in team)
                for team in pairing.teams
            )
            games.append(Ranked(teams, score.ranks, stage.name_of(pairing.key)))
    return games


def fit_difference(said: bytes, right: bytes) -> tuple[int, str] | None:
    """In what the one file is another than the other, beyond rounding; None: in nothing."""
    try:
        one, other = _rows(said), _rows(right)
    except InputError as error:
        return 0, str(error)
    if one.keys() != other.keys():
        return (
            0,
            f"is about {quoted(sorted(one), 200)}; it must be about {quoted(sorted(other), 200)}",
        )
    for bot, figures in one.items():
        for name, bound in _BOUNDS.items():
            if not abs(figures[name] - other[bot][name]) <= bound:
                return (
                    0,
                    f"{name} of {bot} is {figures[name]}; the journal makes it {other[bot][name]}",
                )
    return None


def _rows(content: bytes) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    found = object_from(content).get("rows")
    for row in found if isinstance(found, list) else ():
        rows[_bot(row)] = {name: _figure(row, name) for name in _BOUNDS}
    return rows


def _bot(row: Any) -> str:
    bot = row.get("bot") if isinstance(row, dict) else None
    if not isinstance(bot, str):
        raise InputError(f"rows: {quoted(row)} names no bot")
    return bot


def _figure(row: dict[str, Any], name: str) -> float:
    figure = row.get(name)
    if not isinstance(figure, int | float) or not abs(figure) < _LARGEST:
        raise InputError(f"rows: {name} is {quoted(figure)}, which cannot be")
    return float(figure)
