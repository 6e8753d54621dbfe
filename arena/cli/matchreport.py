"""What `arena match` says before and after: the plan, the table, the same as JSON."""

from __future__ import annotations

from collections import Counter
from statistics import fmean
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.table import Table

from arena.engine.state import NOBODY
from arena.referee.events import BotNo, GameResult
from arena.referee.tally import Fault

if TYPE_CHECKING:
    from arena.app import MatchOutcome, MatchSpec

__all__ = ["MatchReport", "labels", "plan_line"]

_WORDS: Final = {
    Fault.TIMED_OUT: "time-out",
    Fault.ILLEGAL: "illegal",
    Fault.MALFORMED: "malformed",
    Fault.CRASHED: "crash",
    Fault.NEVER_JOINED: "no start",
    Fault.MISSED_WINDOW: "missed window",
    Fault.LATE: "late",
    Fault.DOUBLED: "doubled",
    Fault.UNSOLICITED: "unsolicited",
}
"""What each cause is called in the table. A stale answer is not in it: a partner was quicker."""


def labels(spec: MatchSpec) -> tuple[str, ...]:
    """What the bots are called; those of one name are numbered."""
    names = [bot.name for bot in spec.bots]
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(name if names.count(name) == 1 else f"{name} #{seen[name]}")
    return tuple(numbered)


def _game_length(spec: MatchSpec) -> str:
    hands = spec.length.hands
    if hands is None:
        return f"to {spec.rules.match_points} points" if spec.rules.is_scored else "of one hand"
    return f"of {hands} hand{'s' if hands > 1 else ''}"


def plan_line(spec: MatchSpec, seed: str) -> str:
    """The plan in one line: bots, rules, games, seed."""
    games = f"{spec.games} game{'s' if spec.games > 1 else ''} {_game_length(spec)}"
    return f"{', '.join(labels(spec))}: {spec.rules.preset}, {games}, seed {seed}"


class MatchReport:
    """What came of a match."""

    def __init__(self, spec: MatchSpec, outcome: MatchOutcome, seed: str) -> None:
        self._spec = spec
        self._outcome = outcome
        self._seed = seed
        self._labels = labels(spec)
        self._unit = "points" if spec.rules.is_scored else "km"

    def facts(self) -> dict[str, object]:
        """Everything, for programs."""
        spec = self._spec
        seconds = {
            name: getattr(spec.time, name) / 1e9
            for name in ("start_up", "turn", "bank", "response_window")
        }
        return {
            "ruleset": spec.rules.preset,
            "options": spec.rules.options(),
            "teams": spec.seating.teams,
            "seed": self._seed,
            "games": spec.games,
            "hands_per_game": spec.length.hands,
            "seconds": seconds,
            "bots": [self._bot_facts(BotNo(bot)) for bot in range(len(spec.bots))],
            "results": [self._game_facts(result) for result in self._outcome.results],
        }

    def _bot_facts(self, bot: BotNo) -> dict[str, object]:
        results = self._outcome.results
        tally = self._outcome.tallies[bot]
        seats = Counter(result.bots.index(bot) for result in results)
        return {
            "name": self._labels[bot],
            "version": self._spec.bots[bot].version,
            "games": len(results),
            "won": sum(result.winner == result.team(bot) for result in results),
            "drawn": sum(result.winner == NOBODY for result in results),
            f"mean_{self._unit}": fmean(self._made(result, bot) for result in results),
            "games_by_seat": [seats[seat] for seat in range(len(self._labels))],
            "coups_fourres": tally.coups_fourres,
            "faults": {fault.value: tally.faults[fault] for fault in Fault},
            "think_milliseconds": {
                "median": tally.think_time(0.5) / 1e6,
                "max": tally.think_time(1) / 1e6,
            },
        }

    def _made(self, result: GameResult, bot: BotNo) -> int:
        made = result.totals if self._spec.rules.is_scored else result.km
        return made[result.team(bot)]

    def _game_facts(self, result: GameResult) -> dict[str, object]:
        return {
            "game": result.game,
            "seats": [self._labels[bot] for bot in result.bots],
            "hands": result.hands,
            "points" if self._spec.rules.is_scored else "hands_won": result.totals,
            "km": result.km,
            "winner_team": None if result.winner == NOBODY else result.winner,
        }

    def table(self) -> Table:
        """A line for each bot."""
        table = Table(
            title=plan_line(self._spec, self._seed),
            caption="Seats rotate from game to game: how many games at seat 0/1/...\n"
            "Think ms: median, most.",
            box=SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
        )
        table.add_column("bot", no_wrap=True)
        table.add_column("seats", justify="right", no_wrap=True)
        for heading in ("won", "drawn", f"mean {self._unit}", "coups fourrés"):
            table.add_column(heading, justify="right")
        table.add_column("think ms", justify="right", no_wrap=True)
        table.add_column("faults", no_wrap=True)
        for number in range(len(self._labels)):
            table.add_row(*self._row(BotNo(number)))
        return table

    def _row(self, bot: BotNo) -> list[str]:
        facts = self._bot_facts(bot)
        tally = self._outcome.tallies[bot]
        by_seat = Counter(result.bots.index(bot) for result in self._outcome.results)
        faults = [
            f"{word}: {tally.faults[fault]}"
            for fault, word in _WORDS.items()
            if tally.faults[fault]
        ]
        return [
            self._labels[bot],
            "/".join(str(by_seat[seat]) for seat in range(len(self._labels))),
            str(facts["won"]),
            str(facts["drawn"]),
            f"{facts[f'mean_{self._unit}']:.0f}",
            str(tally.coups_fourres),
            f"{tally.think_time(0.5) / 1e6:.1f}, {tally.think_time(1) / 1e6:.1f}",
            "\n".join(faults) or "none",
        ]

    def last_words(self) -> list[str]:
        """For each bot that wrote something, the end of it: perhaps a traceback."""
        return [
            f"{label} wrote: {words}"
            for label, words in zip(self._labels, self._outcome.last_words, strict=True)
            if words
        ]
