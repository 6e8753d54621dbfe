"""What came of a series for programs: one JSON value, or a line of CSV for every game and seat."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import arena
from arena.cli.labels import labels, sides, stopped_by
from arena.engine.state import NOBODY
from arena.referee.events import BotNo, GameResult
from arena.referee.record import limits_facts
from arena.referee.tally import Fault
from arena.sandbox.lastwords import excerpt
from arena.stats.estimates import Estimate

if TYPE_CHECKING:
    from arena.stats.pairs import PairSummary
    from arena.tournament.series import SeriesPlan
    from arena.tournament.standings import Standings

__all__ = ["SeriesFacts", "estimate_facts"]

_TAIL: Final = 5  # lines of a bot's log
_QUANTILES: Final = (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
_COLUMNS: Final = (
    "board",
    "rotation",
    "seat",
    "bot",
    "team",
    "rank",
    "points",
    "km",
    "hands",
    "forfeited",
    "finished",
)


class SeriesFacts:
    """A series as plain values."""

    def __init__(self, plan: SeriesPlan, seed: str) -> None:
        self._plan = plan
        self._seed = seed
        self._labels = labels(plan.bots)
        self._sides = sides(plan)
        self._unit = "points" if plan.rules.is_scored else "km"

    def facts(self, standings: Standings) -> dict[str, object]:
        """Everything, for programs."""
        plan = self._plan
        run = standings.sprt
        return {
            "ended": datetime.now(UTC).isoformat(timespec="seconds"),
            "arena": arena.__version__,
            "ruleset": plan.rules.preset,
            "options": plan.rules.options(),
            "teams": plan.seating.teams,
            "seed": self._seed,
            "boards_planned": plan.boards,
            "boards": standings.boards,
            "void_boards": standings.void_boards,
            "games_per_board": plan.games_per_board,
            "hands_per_game": plan.length.hands,
            "in_process": plan.venue.in_process,
            "sandbox": str(plan.venue.sandbox),
            "pondering": str(plan.venue.pondering),
            "limits_nanoseconds_and_counts": limits_facts(plan.limits),
            "stopped_early": standings.enough and standings.boards < plan.boards,
            "stopped_by": stopped_by(standings),
            "bots": [self._bot_facts(standings, BotNo(bot)) for bot in range(len(plan.bots))],
            "pairs": [
                {"sides": [self._sides[a], self._sides[b]], **_pair_facts(pair, self._unit)}
                for (a, b), pair in standings.pairs.items()
            ],
            "sprt": None
            if run is None
            else {
                "elo0": run.sprt.elo0,
                "elo1": run.sprt.elo1,
                "alpha": run.sprt.alpha,
                "beta": run.sprt.beta,
                "llr": run.llr,
                "bounds": [run.sprt.lower, run.sprt.upper],
                "boards": run.boards,
                "decision": str(run.decision),
            },
            "forfeits": [
                {"bot": self._labels[one.bot], "reason": str(one.reason), "detail": one.detail}
                for one in standings.forfeits
            ],
            "voids": standings.voids,
            "games": [self._game_facts(result) for result in standings.games],
        }

    def _bot_facts(self, standings: Standings, bot: BotNo) -> dict[str, object]:
        tally = standings.tallies[bot]
        side = standings.sides[self._plan.seating.team_of[bot]]
        results = standings.games
        seats = Counter(result.bots.index(bot) for result in results)
        times = tally.think_times
        return {
            "name": self._labels[bot],
            "version": self._plan.bots[bot].version,
            "games": len(results),
            "won": sum(result.winner == result.team(bot) for result in results),
            "drawn": sum(result.winner == NOBODY for result in results),
            f"mean_{self._unit}": estimate_facts(side.points),
            "mean_place": estimate_facts(side.place),
            "games_by_seat": [seats[seat] for seat in range(len(self._labels))],
            "coups_fourres": tally.coups_fourres,
            "faults": {fault.value: tally.faults[fault] for fault in Fault},
            "think_milliseconds": {
                name: times.quantile(share) / 1e6 if times else None for name, share in _QUANTILES
            },
            "start_up_milliseconds": tally.start_ups.longest / 1e6 if tally.start_ups else None,
            "log_tail": excerpt(standings.logs[bot], _TAIL),
        }

    def _game_facts(self, result: GameResult) -> dict[str, object]:
        return {
            "board": result.board,
            "rotation": result.rotation,
            "seats": [self._labels[bot] for bot in result.bots],
            "teams": result.team_of,
            "hands": result.hands,
            "points" if self._plan.rules.is_scored else "hands_won": result.totals,
            "km": result.km,
            "ranks": result.ranks,
            "winner_team": None if result.winner == NOBODY else result.winner,
            "forfeited_teams": result.forfeited,
            "finished": result.finished,
        }

    def csv(self, standings: Standings) -> str:
        """A line for every game and seat, for a spreadsheet."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(_COLUMNS)
        for result in standings.games:
            for seat, bot in enumerate(result.bots):
                team = result.team_of[seat]
                row = {
                    "board": result.board,
                    "rotation": result.rotation,
                    "seat": seat,
                    "bot": _cell(self._labels[bot]),
                    "team": team,
                    "rank": result.ranks[team],
                    "points": result.totals[team],
                    "km": result.km[team],
                    "hands": result.hands,
                    "forfeited": int(team in result.forfeited),
                    "finished": int(result.finished),
                }
                writer.writerow([row[name] for name in _COLUMNS])
        return out.getvalue()


def _pair_facts(pair: PairSummary, unit: str) -> dict[str, object]:
    return {
        "boards": pair.boards,
        "games": pair.games,
        "wins": pair.wins,
        "draws": pair.draws,
        "losses": pair.losses,
        "boards_by_half_points": pair.by_score,
        "share": estimate_facts(pair.share),
        unit: estimate_facts(pair.points),
        f"boards_without_{unit}": pair.boards_without_points,
        "elo": estimate_facts(pair.elo),
        "los": pair.los,
    }


def estimate_facts(estimate: Estimate | None) -> dict[str, object] | None:
    """A mean and its 95 % interval; what is unbounded is null, because JSON has no infinity."""
    if estimate is None:
        return None
    interval = estimate.interval
    ends = None if interval is None else [_finite(interval.low), _finite(interval.high)]
    return {"mean": _finite(estimate.value), "interval": ends}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _cell(text: str) -> str:
    """A name that a spreadsheet will not take for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
