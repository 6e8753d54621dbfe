"""What `arena match` says: the plan before, the table after. For programs: `matchfacts`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from arena.cli.labels import labels, share_text, sides, so_many, stopped_by
from arena.cli.output import printable
from arena.engine.state import NOBODY
from arena.referee.events import BotNo, Forfeit, ForfeitReason
from arena.referee.limits import shown
from arena.referee.tally import Fault
from arena.sandbox.lastwords import BRIDGE, excerpt, what_happened
from arena.stats.estimates import Estimate
from arena.tournament.matches import Sandbox

if TYPE_CHECKING:
    from arena.tournament.series import SeriesPlan
    from arena.tournament.standings import Standings

__all__ = ["SeriesReport"]

_WORDS: Final = {
    Fault.TIMED_OUT: ("time-out", "time-outs"),
    Fault.ILLEGAL: ("illegal", "illegal"),
    Fault.MALFORMED: ("malformed", "malformed"),
    Fault.FORFEITED: ("forfeit", "forfeits"),
    Fault.MISSED_WINDOW: ("missed window", "missed windows"),
    Fault.LATE: ("late", "late"),
    Fault.DOUBLED: ("doubled", "doubled"),
    Fault.UNSOLICITED: ("unsolicited", "unsolicited"),
    Fault.CHATTER: ("message too many", "messages too many"),
}
"""What one, and more, of each cause are called. Stale is not here: a partner was quicker."""

_TAIL: Final = 5  # lines of a bot's log that are shown, or more of an error
_SHOWN: Final = 3  # forfeits and voids that are told in full
_NEARLY: Final = 0.7
"""A start-up that takes a larger part of what it may is told."""

_QUANTILES: Final = (("p50", 0.5), ("p99", 0.99), ("max", 1.0))


_BOXES: Final = {Sandbox.BUBBLEWRAP: "a bubblewrap", Sandbox.DOCKER: "a container"}


class SeriesReport:
    """A series in words and numbers."""

    def __init__(self, plan: SeriesPlan, seed: str) -> None:
        self._plan = plan
        self._seed = printable(seed)
        self._labels = labels(plan.bots)
        self._sides = sides(plan)
        self._unit = "points" if plan.rules.is_scored else "km"

    # -- before -------------------------------------------------------------------------------

    def plan_line(self, jobs: int) -> str:
        """What will be played, and what repeats it."""
        plan = self._plan
        boards = so_many(plan.boards, "board")
        if plan.rotate:
            boards += f" in {plan.games_per_board} rotations"
        how = "in one process" if plan.venue.in_process else f"{plan.limits.window} windows"
        if plan.venue.sandbox is not Sandbox.PROCESS:
            how += f"; each bot in {_BOXES[plan.venue.sandbox]}"
        if plan.venue.holds_still:
            how += ", held still while nothing is asked of it"
        matches = so_many(plan.match_count, "match", "matches")
        at_once = f", {jobs} at once" if jobs > 1 else ""
        return (
            f"plan: {' against '.join(self._sides)}; {plan.rules.preset}, {self._length()}; "
            f"{boards} = {so_many(plan.games, 'game')} in {matches}{at_once}; {how}; "
            f"seed {self._seed}"
        )

    def _length(self) -> str:
        hands = self._plan.length.hands
        if hands is not None:
            return f"{so_many(hands, 'hand')} a game"
        rules = self._plan.rules
        return f"to {rules.match_points} points" if rules.is_scored else "a hand a game"

    # -- after --------------------------------------------------------------------------------

    def print(self, standings: Standings, console: Console) -> None:
        """The table of the bots, the pairs, and what went wrong."""
        console.print(self.table(standings))
        for line in (*self.pair_lines(standings), *self.remark_lines(standings)):
            console.print(line, soft_wrap=True)
        for line in self.log_lines(standings):
            console.print(line, soft_wrap=True)

    def table(self, standings: Standings) -> Table:
        """A line for each bot."""
        limits = self._plan.limits.time
        free, window = limits.turn / 1e6, limits.response_window / 1e6
        table = Table(
            caption=f"ms: time to an answer; {free:,.0f} ms are free, {window:,.0f} in a window",
            box=SIMPLE_HEAD,
            padding=0,
        )
        table.add_column("bot", overflow="fold", min_width=8)
        headings = ("games", "won", "drawn", f"mean\n{self._unit}", "coups\nfourrés", "start\nms")
        for heading in (*headings, *(f"{name}\nms" for name, _ in _QUANTILES)):
            table.add_column(heading, justify="right", no_wrap=True)
        for bot in range(len(self._labels)):
            table.add_row(*self._row(standings, BotNo(bot)))
        return table

    def _row(self, standings: Standings, bot: BotNo) -> list[str]:
        tally = standings.tallies[bot]
        side = standings.sides[self._plan.seating.team_of[bot]]
        results = standings.games
        return [
            self._labels[bot],
            str(len(results)),
            str(sum(one.winner == one.team(bot) for one in results)),
            str(sum(one.winner == NOBODY for one in results)),
            "-" if side.points is None else f"{side.points.value:.0f}",
            str(tally.coups_fourres),
            f"{tally.start_ups.longest / 1e6:.0f}" if tally.start_ups else "-",
            *(
                f"{tally.think_times.quantile(share) / 1e6:.1f}" if tally.think_times else "-"
                for _, share in _QUANTILES
            ),
        ]

    def pair_lines(self, standings: Standings) -> list[str]:
        """A line for each two sides, and one for a test."""
        lines = []
        for (a, b), pair in standings.pairs.items():
            if pair.share is None:
                continue
            parts = [f"won {share_text(pair)}"]
            if pair.points is not None:
                parts.append(f"{_signed(pair.points, 0)} {self._unit} a game")
            if pair.elo is not None:
                parts.append(f"Elo {_signed(pair.elo, 0)}")
            if pair.los is not None:
                parts.append(f"LOS {100 * pair.los:.1f} %")
            lines.append(f"{self._sides[a]} against {self._sides[b]}: {'; '.join(parts)}")
        run = standings.sprt
        if run is not None:
            sprt = run.sprt
            lines.append(
                f"SPRT elo0 {sprt.elo0:g}, elo1 {sprt.elo1:g}: {run.decision}, "
                f"LLR {run.llr:.2f} in [{sprt.lower:.2f}, {sprt.upper:.2f}] "
                f"after {so_many(run.boards, 'board')}"
            )
        return lines

    def remark_lines(self, standings: Standings) -> list[str]:
        """How much was counted, what stopped it, and faults by cause."""
        counted = so_many(standings.boards, "board")
        lines = [f"95 % intervals from {counted}, not from games; seed {self._seed}"]
        lines += self.stop_lines(standings)
        if standings.waiting_boards:
            waiting = so_many(standings.waiting_boards, "board")
            lines.append(
                f"{waiting} more, finished, wait for an earlier match and do not count yet"
            )
        if standings.void_boards:
            lines.append(f"{so_many(standings.void_boards, 'board')} left out: this machine failed")
        without = max((one.boards_without_points for one in standings.sides), default=0)
        if without:
            lines.append(
                f"{self._unit} leave out {so_many(without, 'board')} with a forfeited game"
            )
        lines += [*self.slow_start_lines(standings), *self.fault_lines(standings)]
        told = [
            f"forfeit: {self._labels[one.bot]}: {one.reason}: {self._why(one, standings)}"
            for one in standings.forfeits
        ]
        told += [f"void: {why}" for why in standings.voids]
        lines += told[:_SHOWN]
        if len(told) > _SHOWN:
            lines.append(f"... and {len(told) - _SHOWN} more (--json has all)")
        return lines

    def _why(self, forfeit: Forfeit, standings: Standings) -> str:
        """Why a bot forfeited: of what a bridge could not read it knows more than the referee."""
        log = standings.logs[forfeit.bot]
        is_about_lines = forfeit.reason is ForfeitReason.PROTOCOL and BRIDGE in log
        if self._plan.bots[forfeit.bot].bridge and is_about_lines:
            return "; ".join(what_happened(log))
        return printable(forfeit.detail)

    def stop_lines(self, standings: Standings) -> list[str]:
        """What ended it, if it was not that all boards are played."""
        stop, width = stopped_by(standings), standings.stops.width
        if stop is None:
            return []
        why = "the SPRT is decided"
        if stop == "until_width":
            assert width is not None
            why = f"--until-width {width.width:g}: the interval of every win share is narrower"
        boards = f"{standings.boards:,} of {so_many(self._plan.boards, 'board')}"
        return [f"stopped after {boards}: {why}"]

    def slow_start_lines(self, standings: Standings) -> list[str]:
        """A line for each bot that nearly failed to start in time."""
        limit = self._plan.limits.time.start_up
        return [
            f"{label}: started in {shown(tally.start_ups.longest)} of {shown(limit)}; "
            "on a busier machine that is a forfeit"
            for label, tally in zip(self._labels, standings.tallies, strict=True)
            if tally.start_ups.longest > _NEARLY * limit
        ]

    def fault_lines(self, standings: Standings) -> list[str]:
        """A line for each bot that did something wrong."""
        lines = []
        for label, tally in zip(self._labels, standings.tallies, strict=True):
            counts = [(tally.faults[fault], words) for fault, words in _WORDS.items()]
            told = [f"{count} {words[count > 1]}" for count, words in counts if count]
            if told:
                lines.append(f"{label}: {', '.join(told)}")
        return lines

    def log_lines(self, standings: Standings) -> list[str]:
        """For each bot that wrote something the end of it."""
        lines = []
        for label, log in zip(self._labels, standings.logs, strict=True):
            tail = excerpt(log, _TAIL)
            if tail:
                lines += [f"{label} wrote last:", *(f"  {line}" for line in tail)]
        return lines


def _signed(estimate: Estimate, digits: int) -> str:
    interval = estimate.interval
    text = _number(estimate.value, digits)
    if interval is None:
        return text
    return f"{text} [{_number(interval.low, digits)}, {_number(interval.high, digits)}]"


def _number(value: float, digits: int) -> str:
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{value:+.{digits}f}"
