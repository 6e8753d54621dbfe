"""An attempt at a ladder's match: what goes to the process that plays it, and what comes back.

    director -- RatedSpec --> run_match -- News, News, ... --> director      (where there is a way)
                                  |------- Done -------------> director
                                  '------- record, report ---> spool

What counts lies in the spool, on the disk, before `Done` is returned; see `spool`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.ladder.ranking import Game, match_ranks
from arena.referee.events import BotNo, GameResult, OutcomeKind
from arena.referee.tally import Tally
from arena.referee.verdict import described
from arena.storage.facts import Moment, Report, SeatReport
from arena.tournament.ladder.commentary import Frame
from arena.tournament.matches import MatchOutcome, MatchSpec

__all__ = ["HEARTBEAT", "Done", "News", "RatedSpec", "Span", "report_of"]

HEARTBEAT: Final = 5.0
"""Seconds between two signs of life of a process that plays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSpec:
    """One attempt at a ladder's match, as it travels to the process that plays it.

    Attributes:
        match, attempt, token: Of its lease.
        spec: What is played; the venue's folder for records is the spool.
        heartbeat: Seconds between signs of life.
    """

    match: int
    attempt: int
    token: str = field(repr=False)
    spec: MatchSpec
    heartbeat: float = HEARTBEAT

    @property
    def spool(self) -> Path:
        """The folder of the spool.

        Raises:
            ValueError: it was given none.
        """
        if self.spec.venue.records is None:
            raise ValueError("a rated match leaves a record")
        return self.spec.venue.records


@dataclass(frozen=True, slots=True)
class News:
    """A sign of life, and what the public may know of what has happened since the last one.

    `has_turn` is False as long as it only makes ready, and waits for its turn.
    """

    frames: tuple[Frame, ...] = ()
    has_turn: bool = True


@dataclass(frozen=True, slots=True)
class Done:
    """An attempt is over, and its report is in the spool; `verdict` is what it says."""

    match: int
    attempt: int
    verdict: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """When an attempt was played, and the milliseconds in which it held a place."""

    started: Moment
    ended: Moment
    machine_time: int


def report_of(
    rated: RatedSpec, outcome: MatchOutcome, logs: Sequence[str], record: str, span: Span
) -> Report:
    """What came of an attempt, as it is stored.

    `logs` are the digests of what the bots have written, `record` is that of the record's bytes.
    """
    spec, verdict = rated.spec, outcome.verdict
    lost = {one.bot: one for one in reversed(verdict.forfeits)}
    seats = tuple(
        SeatReport(
            points=_points(spec, outcome.results, bot),
            wins=_wins(spec, outcome.results, bot),
            shares=_shares(outcome.results, bot),
            forfeit=str(lost[bot].reason) if bot in lost else "",
            detail=lost[bot].detail if bot in lost else "",
            tally=_tally(outcome.tallies[bot]),
            log=log,
        )
        for bot, log in zip(map(BotNo, range(len(spec.bots))), logs, strict=True)
    )
    return Report(
        match=rated.match,
        attempt=rated.attempt,
        token=rated.token,
        verdict=str(verdict.kind),
        why=described(verdict, [bot.name for bot in spec.bots]),
        ranks=() if verdict.kind is OutcomeKind.VOID else _ranks(spec, outcome),
        seats=seats,
        games=sum(result.finished for result in outcome.results),
        record=record,
        head=outcome.record_head,
        started=span.started,
        ended=span.ended,
        machine_time=span.machine_time,
    )


def _ranks(spec: MatchSpec, outcome: MatchOutcome) -> tuple[int, ...]:
    """By team of bots; at the table teams change their numbers from game to game."""
    teams = spec.seating.teams
    games = []
    for result in outcome.results:
        here = [result.team(BotNo(team[0])) for team in teams]
        games.append(
            Game(
                ranks=tuple(result.ranks[at] for at in here),
                points=tuple(_made(spec, result)[at] for at in here),
                is_finished=result.finished,
            )
        )
    forfeits: dict[int, int] = {}
    for forfeit in outcome.verdict.forfeits:
        forfeits.setdefault(spec.seating.team_of[forfeit.bot], forfeit.game)
    return match_ranks(len(teams), games, forfeits)


def _made(spec: MatchSpec, result: GameResult) -> tuple[int, ...]:
    """By team at the table: match points, or km where the game makes none."""
    return result.totals if spec.rules.is_scored else result.km


def _points(spec: MatchSpec, results: Sequence[GameResult], bot: BotNo) -> int:
    return sum(_made(spec, one)[one.team(bot)] for one in results if one.finished)


def _wins(spec: MatchSpec, results: Sequence[GameResult], bot: BotNo) -> float:
    """Games won; one that several teams lead is shared among them."""
    leads = [result.ranks.count(0) for result in results if result.ranks[result.team(bot)] == 0]
    return sum(1 / shared for shared in leads)


def _shares(results: Sequence[GameResult], bot: BotNo) -> float:
    """Over all games, of how many of the other teams its own was ahead; one that ties is half."""
    shares = 0.0
    for result in results:
        own = result.ranks[result.team(bot)]
        ahead = sum(other > own for other in result.ranks)
        ties = result.ranks.count(own) - 1
        shares += (ahead + ties / 2) / (len(result.ranks) - 1)
    return shares


def _tally(tally: Tally) -> dict[str, Any]:
    """Faults and times of a bot, in milliseconds."""
    times = tally.think_times
    return {
        "prompts": tally.prompts,
        "strikes": tally.strikes,
        "surplus": tally.surplus,
        "coups_fourres": tally.coups_fourres,
        "faults": {str(fault): count for fault, count in sorted(tally.faults.items())},
        "think_p50_ms": round(times.quantile(0.5) / 1e6, 3) if times else None,
        "think_p99_ms": round(times.quantile(0.99) / 1e6, 3) if times else None,
        "think_max_ms": round(times.longest / 1e6, 3) if times else None,
        "start_up_max_ms": round(tally.start_ups.longest / 1e6, 3) if tally.start_ups else None,
    }
