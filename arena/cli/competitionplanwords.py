"""What `arena competition plan` says: the stages, the time, the power, and what would be enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any, Final

from rich import box
from rich.console import Console
from rich.table import Table

from arena.cli.competitionplanrun import Found
from arena.cli.competitionplanspeed import BOTS, Containers, Speed
from arena.cli.competitionwords import span
from arena.cli.output import printable
from arena.formats.story import TWO_SEATS
from arena.tournament.competition.planpower import (
    Chance,
    Needed,
    Power,
    Times,
    match_chance,
    times,
)
from arena.tournament.competition.regulations import Regulations, Seeding
from arena.tournament.competition.regulationsoutline import StageOutline
from arena.tournament.competition.regulationsparts import MOST_BOARDS

__all__ = ["Report", "duration"]

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400


def duration(seconds: float) -> str:
    """Seconds in words, such as "45 s", "12 min", "3 h 20 min" or "2 d 4 h"."""
    if seconds < _MINUTE:
        return f"{seconds:.0f} s" if round(seconds) < _MINUTE else "1 min"
    minutes = round(seconds / _MINUTE)
    if minutes < _MINUTE:
        return f"{minutes} min"
    hours, rest = divmod(minutes, _MINUTE)
    if hours * _HOUR < _DAY:
        return f"{hours} h {rest} min"
    days, hours = divmod(round(seconds / _HOUR), _DAY // _HOUR)
    return f"{days} d {hours} h"


@dataclass(frozen=True, kw_only=True)
class Report:
    """All that was found; `now` in milliseconds since 1970-01-01 in UTC."""

    stages: Sequence[StageOutline]
    found: Found
    speed: Speed
    now: int

    @property
    def _regulations(self) -> Regulations:
        return self.found.plan.regulations

    def _times(self, power: Power) -> Times:
        return times(power, self._regulations.game.games_per_board, self.speed.pace)

    @cached_property
    def _drawn(self) -> Times:
        return self._times(self.found.drawn)

    @cached_property
    def _match(self) -> Chance | None:
        """The better of two wins a match of the last stage, if that is one against one."""
        if self._regulations.field_teams != TWO_SEATS:
            return None
        return match_chance(self.found.plan, self.found.wanted.gap, self.stages[-1].boards)

    # -- when -----------------------------------------------------------------------------------

    @property
    def _zone(self) -> tzinfo | None:
        """The offset that the schedule is written with; None: this machine's."""
        written = self._regulations.schedule.written
        for name in ("start", "release"):
            if name in written:
                return datetime.fromisoformat(written[name]).tzinfo
        return None

    @property
    def _is_set(self) -> bool:
        """Whether the schedule says when play begins, and that is still to come."""
        start = self._regulations.schedule.start
        return start is not None and start > self.now

    @property
    def _start(self) -> datetime:
        start = self._regulations.schedule.start
        return self._at(start if start is not None and self._is_set else self.now)

    @property
    def _release(self) -> datetime | None:
        release = self._regulations.schedule.release
        return None if release is None else self._at(release)

    def _at(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment // 1000, UTC).astimezone(self._zone)

    def _end(self, seconds: float) -> datetime:
        return self._start + timedelta(seconds=round(seconds))

    @property
    def _is_late(self) -> bool:
        """Results are to be released before play has ended, perhaps."""
        return self._release is not None and self._end(self._drawn.late) > self._release

    # -- in words -------------------------------------------------------------------------------

    def print(self, console: Console) -> None:
        """Print it for people."""
        count = self.found.plan.entrants
        head = f"{self._regulations.title} ({self._regulations.name}) with {count} bots"
        console.print(printable(head), soft_wrap=True)
        console.print(self._table())
        balances = [(one.stage.name, one.balance) for one in self.stages if one.balance]
        for title, lines in (
            ("Balance", balances),
            ("Time", list(self._time_lines())),
            ("Power: how likely the best bot wins", list(self._power_lines())),
        ):
            if lines:
                console.print(title)
                console.print(_lines(lines))
        gap, confidence = self.found.wanted.gap, self.found.wanted.confidence
        console.print(
            f"\nWhat would be enough: {confidence:.0%} for a best bot that is {gap:g} Elo ahead of "
            "the second",
            soft_wrap=True,
        )
        console.print(self._enough())
        for text in self._remarks():
            console.print(text, soft_wrap=True)
        console.print("\nAssumed")
        console.print(_lines([("-", text) for text in self._assumptions()]))

    def _announced(self, stage: int) -> tuple[int, int]:
        counts = [one.announced[stage] for one in self.found.drawn.ended]
        return min(counts), max(counts)

    def _table(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        table.add_column("stage")
        table.add_column("format", no_wrap=True)
        for heading in ("bots", "rounds", "pairings", "matches", "boards", "games", "takes"):
            table.add_column(heading, justify="right", no_wrap=True)
        for number, one in enumerate(self.stages):
            table.add_row(
                printable(one.stage.name),
                str(one.stage.kind),
                str(one.entrants),
                str(one.rounds),
                span(*self._announced(number)),
                span(one.matches, one.most_matches),
                str(one.boards),
                span(one.games, one.most_games),
                duration(self._drawn.stages[number]),
            )
        return table

    def _time_lines(self) -> Iterator[tuple[str, str]]:
        pace, drawn = self.speed.pace, self._drawn
        yield "a game", f"{pace.game:.2f} s, {self._measured()}"
        if pace.start:
            yield "a start", f"{pace.start:.1f} s for each match; {self._contained()}"
        yield "at once", f"{pace.at_once} {'match' if pace.at_once == 1 else 'matches'}"
        late = f", in 95 of 100 cases no more than {duration(drawn.late)}"
        is_same = duration(drawn.late) == duration(drawn.mean)
        yield "takes", duration(drawn.mean) + ("" if is_same else late)
        why = "" if self._is_set else " (now)"
        yield "start", f"{_moment(self._start)}{why}"
        yield "end", f"{_moment(self._end(drawn.mean))}, if nothing has to be played again"
        if self._release is not None:
            yield "release", _moment(self._release)
        if self._is_late:
            yield (
                "WARNING",
                "the release may come before the end of play: begin earlier, release later, or "
                "play fewer boards",
            )

    def _measured(self) -> str:
        if self.speed.source is Containers.INCLUDED:
            return "as you say; nothing was measured"
        return f"measured now with {' and '.join(BOTS)} as plain programs, over the protocol"

    def _contained(self) -> str:
        extra = f"{self.speed.containers:.1f} s of it because bots are in containers"
        if self.speed.source is Containers.MEASURED:
            return f"{extra}, measured now"
        return f"{extra}, measured on another machine, for there is no engine to ask here"

    def _power_lines(self) -> Iterator[tuple[str, str]]:
        drawn = self.found.drawn
        yield "wins", _chance(drawn.wins)
        yield "in the first three", _chance(drawn.first_three)
        if len(self.stages) > 1:
            yield "plays in the last stage", _chance(drawn.last_stage)
        yield "its mean place", f"{drawn.place:.2f}"
        yield "its lead", f"{drawn.gap:.0f} Elo ahead of the second, in the median"
        if self._match is not None:
            yield (
                "one match",
                f"of {self.stages[-1].boards} boards: who is {self.found.wanted.gap:g} Elo better "
                f"wins {self._match.value:.0%}",
            )

    def _enough(self) -> Table:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
        table.add_column("boards of a match")
        for heading in ("it wins", "95 % interval", "takes"):
            table.add_column(heading, justify="right", no_wrap=True)
        boards = ", ".join(str(one.boards) for one in self.stages)
        rows = [(f"as planned: {boards}", self.found.planned)]
        if self.found.last is not None:
            rows += _row("in the last stage", self.found.last)
            rows += _row("in all stages", self.found.every)
        else:
            rows += _row("in the stage", self.found.every)
        for name, power in rows:
            wins = power.wins
            table.add_row(
                name,
                f"{wins.value:.1%}",
                f"{wins.interval.low:.1%} to {wins.interval.high:.1%}",
                duration(self._times(power).mean),
            )
        return table

    def _remarks(self) -> Iterator[str]:
        where = "in all stages" if self.found.last else "in a match"
        for name, one in (("in the last stage alone", self.found.last), (where, self.found.every)):
            if one is not None and one.boards is None:
                yield (
                    f"Not even {max(one.plan.boards):,} boards {name} reach "
                    f"{self.found.wanted.confidence:.0%}: another format, or more rounds, would "
                    "have to."
                )

    def _assumptions(self) -> Iterator[str]:
        plan, wanted = self.found.plan, self.found.wanted
        yield (
            "this is a model, not a promise: bots have one strength each, whoever the opponent is, "
            "commit no faults, and chance is as large as measured between example bots"
        )
        yield (
            f"strengths are drawn from a normal distribution with a deviation of {plan.spread:g} "
            "Elo of a single game (100 Elo ahead: 64 % of games)"
        )
        yield (
            f"the cards of a seat make {plan.noise.cards:.0%} of the chance in a game; the same "
            "board played from other seats takes them out"
        )
        seeding = plan.regulations.entrants.seeding
        if seeding is Seeding.LOT:
            yield "seeding is by lot, as the regulations say"
        else:
            yield f"seeding is by strength with errors of {plan.spread / 2:g} Elo"
        if self.speed.source is not Containers.INCLUDED:
            yield "bots answer as fast as the example bots; slower ones take longer"
        yield f"{wanted.simulations:,} simulations for each figure, seed {plan.seed}"

    # -- as JSON --------------------------------------------------------------------------------

    def facts(self) -> dict[str, Any]:
        """The same as one JSON value; times in seconds, moments with their offset from UTC."""
        found, match = self.found, self._match
        return {
            "name": self._regulations.name,
            "title": self._regulations.title,
            "digest": self._regulations.digest,
            "entrants": found.plan.entrants,
            "stages": [self._stage(number) for number in range(len(self.stages))],
            "time": self._time(),
            "power": {
                "simulations": found.wanted.simulations,
                "seed": found.plan.seed,
                "spread": found.plan.spread,
                "median_gap": round(found.drawn.gap, 1),
                "wins": _fact(found.drawn.wins),
                "first_three": _fact(found.drawn.first_three),
                "last_stage": _fact(found.drawn.last_stage),
                "mean_place": round(found.drawn.place, 3),
            },
            "enough": {
                "confidence": found.wanted.confidence,
                "gap": found.wanted.gap,
                "one_match": None if match is None else _fact(match),
                "most_boards": MOST_BOARDS,
                "planned": self._boards([one.boards for one in self.stages], found.planned),
                "last_stage": None if found.last is None else self._need(found.last),
                "all_stages": self._need(found.every),
            },
            "assumptions": list(self._assumptions()),
        }

    def _stage(self, number: int) -> dict[str, Any]:
        one = self.stages[number]
        least, most = self._announced(number)
        return {
            "name": one.stage.name,
            "format": str(one.stage.kind),
            "entrants": one.entrants,
            "rounds": one.rounds,
            "pairings": least,
            "most_pairings": most,
            "matches": one.matches,
            "most_matches": one.most_matches,
            "boards": one.boards,
            "games": one.games,
            "most_games": one.most_games,
            "advance": one.going_on,
            "balance": one.balance,
            "seconds": round(self._drawn.stages[number], 1),
        }

    def _time(self) -> dict[str, Any]:
        pace, drawn, release = self.speed.pace, self._drawn, self._release
        return {
            "seconds_per_game": round(pace.game, 4),
            "seconds_per_start": round(pace.start, 3),
            "containers": round(self.speed.containers, 3),
            "source": str(self.speed.source),
            "at_once": pace.at_once,
            "seconds": round(drawn.mean, 1),
            "late_seconds": round(drawn.late, 1),
            "start": self._start.isoformat(),
            "is_scheduled": self._is_set,
            "end": self._end(drawn.mean).isoformat(),
            "late_end": self._end(drawn.late).isoformat(),
            "release": None if release is None else release.isoformat(),
            "is_late": self._is_late,
        }

    def _need(self, need: Needed) -> dict[str, Any]:
        return {**self._boards(list(need.plan.boards), need.power), "enough": need.boards}

    def _boards(self, boards: list[int], power: Power) -> dict[str, Any]:
        seconds = round(self._times(power).mean, 1)
        return {"boards": boards, "wins": _fact(power.wins), "seconds": seconds}


def _row(where: str, need: Needed) -> list[tuple[str, Power]]:
    boards = f"{need.boards:,}" if need.boards else f"{max(need.plan.boards):,}: not enough"
    return [(f"{where}: {boards}", need.power)]


def _lines(lines: Sequence[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(width=2)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, words in lines:
        table.add_row("", printable(name), printable(words))
    return table


def _chance(chance: Chance) -> str:
    low, high = chance.interval.low, chance.interval.high
    return f"{chance.value:.1%} (95 % interval {low:.1%} to {high:.1%})"


def _fact(chance: Chance) -> dict[str, float]:
    low, high = chance.interval.low, chance.interval.high
    return {"value": round(chance.value, 4), "low": round(low, 4), "high": round(high, 4)}


def _moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M %Z")
