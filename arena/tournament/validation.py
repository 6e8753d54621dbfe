"""Validation: what a bot is asked to play before it may play for points, and what fails it.

A table is one rule set with so many players: one hand in every seat, in one life of the bot, with
the limits of rated play and the first fault a forfeit. Against itself it plays as well, as a bot
may trip over its own kind. Nothing in its sandbox or environment tells it from rated play.

Any fault of the bot fails it, also in the last step and after it: an answer too many, a crash when
all has been said. What this machine has failed at says nothing about the bot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from arena.engine.rulesets import make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.referee.events import BotNo, Forfeit, OutcomeKind
from arena.referee.game import Sitting
from arena.referee.limits import STANDARD_LIMITS, Limits, WindowMode
from arena.referee.tally import Fault, Tally
from arena.sandbox.lastwords import excerpt
from arena.sandbox.launcher import Exit
from arena.submissions.bottoml import PLAYERS, Manifest
from arena.tournament.matches import PROCESSES, MatchSpec
from arena.tournament.validation_watch import Moment, Trial

__all__ = [
    "VALIDATION_LIMITS",
    "Contestant",
    "Finding",
    "Report",
    "Table",
    "finding_of",
    "only_missed_windows",
    "spec_of",
    "tables",
]

VALIDATION_LIMITS: Final = replace(STANDARD_LIMITS, window=WindowMode.SEALED).strict()
"""Those of rated play, and the first fault is a forfeit."""

NEARLY: Final = 0.7
"""Beyond this part of a limit it is a matter of luck whether it holds next time."""

_LOG_LINES: Final = 8
_RAISED: Final = re.compile(r"^arena_sdk: .*\braised \d+ times? \(last: .*$", re.MULTILINE)
"""What an SDK says at its end of exceptions that it has played on after."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A bot as it is played: where it lies, and the id of its image; empty: it runs in none."""

    bot: Manifest
    image: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One match of a validation."""

    preset: str
    players: int
    against_itself: bool = False

    @property
    def name(self) -> str:
        """What it is called: `classic, 2 players`."""
        end = ", against itself" if self.against_itself else ""
        return f"{self.preset}, {self.players} players{end}"

    @property
    def subjects(self) -> frozenset[BotNo]:
        """Who of the bots is validated."""
        return frozenset(map(BotNo, range(self.players if self.against_itself else 1)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a table has shown.

    Attributes:
        table: Its name.
        problems: What the bot did wrong; empty: nothing.
        warnings: What went well, but not by much, or not each time.
        moment: When it went wrong; None: nowhere in play.
        did_not_start: It has not joined.
        attempts: How often the table was played.
        games: Hands that were played to their end.
        start_up, longest: Seconds until it joined, and of its longest answer.
        processor_time: Seconds of processor time that it used, by the engine; None: not known.
        seconds: Of the whole match, from the start of the programs.
        peak: The most memory that one of its programs held, in bytes; None: not known.
        log: The last lines of what it wrote; see `lastwords.excerpt`.
    """

    table: str
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    moment: Moment | None = None
    did_not_start: bool = False
    attempts: int = 1
    games: int = 0
    start_up: float = 0.0
    longest: float = 0.0
    processor_time: float | None = None
    seconds: float = 0.0
    peak: int | None = None
    log: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A whole validation: what was played, in order, and how many tables were not."""

    findings: tuple[Finding, ...]
    not_played: int = 0

    @property
    def passed(self) -> bool:
        """Whether the bot did nothing wrong."""
        return not self.failures and not self.not_played

    @property
    def failures(self) -> tuple[Finding, ...]:
        """The tables where it did."""
        return tuple(one for one in self.findings if one.problems)


def tables(
    bot: Manifest, played: Callable[[str, int], bool] = lambda preset, players: True
) -> tuple[Table, ...]:
    """What a bot has to play: every rule set and number of players that it says it can.

    Only those that are `played` where it shall play.
    """
    found: list[Table] = []
    for preset in bot.rulesets:
        sizes = [
            players
            for players in PLAYERS
            if bot.supports(preset, players) and played(preset, players)
        ]
        found += [Table(preset=preset, players=players) for players in sizes]
        found += [Table(preset=preset, players=size, against_itself=True) for size in sizes[:1]]
    return tuple(found)


def spec_of(table: Table, players: tuple[Contestant, Contestant], seed: bytes) -> MatchSpec:
    """The match of a table between a bot and the house's, `players` in that order."""
    subject, house = players
    rules = make_ruleset(table.preset, players=table.players)
    seats = range(table.players)
    bots = [subject if seat in table.subjects else house for seat in seats]
    images = tuple(one.image for one in bots)
    return MatchSpec(
        bots=tuple(one.bot for one in bots),
        rules=rules,
        seating=make_seating(rules, table.players),
        seed=seed,
        boards=tuple(seats),
        # One life: what goes wrong only in a later game is seen, and nobody is started again.
        legs=(tuple(Sitting(seat, seat) for seat in seats),),
        length=Length(1),
        limits=VALIDATION_LIMITS,
        venue=replace(PROCESSES, images=images if any(images) else ()),
    )


# -- judging ----------------------------------------------------------------------------------


def finding_of(table: Table, trial: Trial, limits: Limits = VALIDATION_LIMITS) -> Finding:
    """What a match that is not void says about the bot."""
    outcome = trial.outcome
    assert outcome.verdict.kind is not OutcomeKind.VOID
    subjects = sorted(table.subjects)
    tallies = [outcome.tallies[bot] for bot in subjects]
    exits = [one for bot in subjects if outcome.exits for one in outcome.exits[bot]]
    logs = [outcome.logs[bot] for bot in subjects]
    problems = (*_problems(table, trial, tallies), *_last_words(table, trial))
    longest = max(tally.think_times.longest for tally in tallies) / 1e9
    start_up = max(tally.start_ups.longest for tally in tallies) / 1e9
    used = [one.processor_time for one in exits if one.processor_time is not None]
    peaks = [one.peak for one in exits if one.peak is not None]
    return Finding(
        table=table.name,
        problems=problems,
        warnings=tuple(_warnings(start_up, longest, exits, limits)),
        moment=trial.moment,
        did_not_start=any(not tally.start_ups for tally in tallies),
        games=sum(result.finished for result in outcome.results),
        start_up=start_up,
        longest=longest,
        processor_time=max(used, default=None),
        seconds=trial.seconds,
        peak=max(peaks, default=None),
        log=tuple(excerpt(_telling(outcome.verdict.forfeits, subjects, logs), _LOG_LINES)),
    )


def only_missed_windows(table: Table, trial: Trial) -> bool:
    """Whether all that went wrong is that answers missed response windows.

    These last a tenth of a second: a bot that cannot keep them misses them each time, and a machine
    that is busy now and then.
    """
    outcome = trial.outcome
    faults = {
        fault
        for bot in table.subjects
        for fault, count in outcome.tallies[bot].faults.items()
        if count and fault is not Fault.STALE
    }
    beyond = faults - {Fault.MISSED_WINDOW, Fault.LATE}
    others = bool(beyond or outcome.verdict.forfeits or _last_words(table, trial))
    return bool(faults) and not others


def _problems(table: Table, trial: Trial, tallies: Sequence[Tally]) -> tuple[str, ...]:
    """What the referee has counted against the bot."""
    verdict = trial.outcome.verdict
    lost = [one for one in verdict.forfeits if one.bot in table.subjects]
    if lost:  # what led to it is what was counted
        return tuple(f"{one.reason}: {one.detail}" for one in lost[:1])
    counts = {fault: sum(tally.faults[fault] for tally in tallies) for fault in _COUNTED}
    return tuple(
        f"{fault.replace('_', ' ')}: {count} {'time' if count == 1 else 'times'}"
        for fault, count in counts.items()
        if count
    )


_COUNTED: Final = tuple(fault for fault in Fault if fault not in (Fault.STALE, Fault.FORFEITED))


def _last_words(table: Table, trial: Trial) -> tuple[str, ...]:
    """What went wrong besides the play: a bad end after a good one, and exceptions."""
    outcome = trial.outcome
    lost = {one.bot for one in outcome.verdict.forfeits}
    found = []
    for bot in sorted(table.subjects):
        if outcome.exits and bot not in lost:
            ends = [one.how for one in outcome.exits[bot] if not (one.is_clean or one.was_ended)]
            found += [f"after the end of the match it {how}" for how in ends]
        found += [line.group() for line in _RAISED.finditer(outcome.logs[bot])]
    return tuple(dict.fromkeys(found))


def _warnings(
    start_up: float, longest: float, exits: Sequence[Exit], limits: Limits
) -> Sequence[str]:
    found = []
    time = limits.time
    if start_up > NEARLY * time.start_up / 1e9:
        found.append(f"it needed {start_up:.1f} s of {time.start_up / 1e9:g} s to start")
    if longest > NEARLY * time.turn / 1e9:
        limit = f"{time.turn / 1e6:,.0f} ms that cost nothing"
        found.append(f"it took {1000 * longest:,.0f} ms of {limit} for an answer")
    if killed := sum(one.killed_besides for one in exits):
        found.append(f"{killed} of what it started was killed for memory while it went on")
    return found


def _telling(forfeits: Sequence[Forfeit], subjects: Sequence[BotNo], logs: Sequence[str]) -> str:
    """The log that says most: of the one that forfeited, or of the first that wrote anything."""
    for forfeit in forfeits:
        if forfeit.bot in subjects:
            return logs[subjects.index(forfeit.bot)]
    return next((log for log in logs if log.strip()), "")
