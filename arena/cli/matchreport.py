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
from arena.sandbox.launcher import last_lines

if TYPE_CHECKING:
    from arena.app import MatchOutcome, MatchSpec

__all__ = ["MatchReport", "labels", "plan_line", "title"]

_WORDS: Final = {
    Fault.TIMED_OUT: ("time-out", "time-outs"),
    Fault.ILLEGAL: ("illegal", "illegal"),
    Fault.MALFORMED: ("malformed", "malformed"),
    Fault.CRASHED: ("crash", "crashes"),
    Fault.NEVER_JOINED: ("no start", "no starts"),
    Fault.MISSED_WINDOW: ("missed window", "missed windows"),
    Fault.LATE: ("late", "late"),
    Fault.DOUBLED: ("doubled", "doubled"),
    Fault.UNSOLICITED: ("unsolicited", "unsolicited"),
}
"""What one, and more, of each cause are called. Stale is not here: a partner was quicker."""

_TAIL: Final = 5  # lines of a bot's log that are shown


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
    """What the table does not know yet, and what repeats an interrupted match."""
    return f"playing {_games(spec)}, seed {seed}"


def title(spec: MatchSpec, seed: str) -> str:
    """The match in one line: bots, partners with a plus between them, rules, games, seed."""
    names = labels(spec)
    teams = [" + ".join(names[seat] for seat in team) for team in spec.seating.teams]
    length = f"{_games(spec)} {_game_length(spec)}"
    return f"{', '.join(teams)}: {spec.rules.preset}, {length}, seed {seed}"


def _games(spec: MatchSpec) -> str:
    return f"{spec.games} game{'s' if spec.games > 1 else ''}"


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
                "median": tally.think_time(0.5) / 1e6 if tally.think_times else None,
                "max": tally.think_time(1) / 1e6 if tally.think_times else None,
            },
            "log_tail": self._log_tail(bot),
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
            title=title(self._spec, self._seed),
            caption="seats: games at seat 0/1/...; ms: time to an answer",
            box=SIMPLE_HEAD,
            padding=0,
        )
        table.add_column("bot", overflow="fold", min_width=8)
        table.add_column("seats", justify="right", overflow="fold")
        mean = f"mean\n{self._unit}"
        for heading in ("won", "drawn", mean, "coups\nfourrés", "median\nms", "max\nms"):
            table.add_column(heading, justify="right", no_wrap=True)
        for number in range(len(self._labels)):
            table.add_row(*self._row(BotNo(number)))
        return table

    def _row(self, bot: BotNo) -> list[str]:
        facts = self._bot_facts(bot)
        tally = self._outcome.tallies[bot]
        return [
            self._labels[bot],
            self._seats(bot),
            str(facts["won"]),
            str(facts["drawn"]),
            f"{facts[f'mean_{self._unit}']:.0f}",
            str(tally.coups_fourres),
            *(
                f"{tally.think_time(share) / 1e6:.1f}" if tally.think_times else "-"
                for share in (0.5, 1)
            ),
        ]

    def _seats(self, bot: BotNo) -> str:
        """How many games it had at each seat: `2/1/1`, or `2 each`."""
        counts = Counter(result.bots.index(bot) for result in self._outcome.results)
        by_seat = [counts[seat] for seat in range(len(self._labels))]
        return f"{by_seat[0]} each" if len(set(by_seat)) == 1 else "/".join(map(str, by_seat))

    def fault_lines(self) -> list[str]:
        """A line for each bot that did something wrong."""
        lines = []
        for label, tally in zip(self._labels, self._outcome.tallies, strict=True):
            counts = [(tally.faults[fault], words) for fault, words in _WORDS.items()]
            told = [f"{count} {words[count > 1]}" for count, words in counts if count]
            if told:
                lines.append(f"{label}: {', '.join(told)}")
        return lines

    def log_lines(self, width: int) -> list[str]:
        """For each bot that wrote something the end of it, in lines of at most `width`."""
        lines = []
        for number, label in enumerate(self._labels):
            tail = self._log_tail(BotNo(number))
            if tail:
                lines += [f"{label} wrote:", *(f"  {line}" for line in tail)]
        return [line if len(line) <= width else f"{line[: width - 3]}..." for line in lines]

    def _log_tail(self, bot: BotNo) -> list[str]:
        return last_lines(self._outcome.logs[bot], _TAIL)
