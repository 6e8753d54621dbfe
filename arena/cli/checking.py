"""The scenarios of `arena check-bot`: what is played, and what a bot may not do in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from arena.engine.deal import seed_from_text
from arena.engine.rulesets import MAX_SEATS, PRESETS, Value, make_ruleset
from arena.engine.scoring import Length
from arena.engine.seating import make_seating
from arena.errors import RuleSetError
from arena.referee.events import BotNo, OutcomeKind
from arena.referee.game import Sitting
from arena.referee.limits import FaultBudget, Limits, TimeControl, WindowMode, nanos
from arena.referee.match import Match
from arena.referee.runner import run_match
from arena.referee.seat import Seat
from arena.referee.tally import Fault
from arena.referee.verdict import described
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchSpec, Venue

if TYPE_CHECKING:
    from arena.cli.sparring import OddSeat

__all__ = ["Finding", "Oddity", "Scenario", "check", "scenarios"]

_COUNTED: Final = tuple(fault for fault in Fault if fault not in (Fault.STALE, Fault.FORFEITED))
_FORGIVING: Final = FaultBudget(max_strikes=1_000_000, surplus_messages=1_000_000)
_OF_TIME: Final = frozenset((Fault.TIMED_OUT, Fault.MISSED_WINDOW, Fault.LATE))
_NEARLY: Final = 0.7  # of a limit


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """What the referee does in a scenario that it rarely does.

    Attributes:
        loses_answers: Answers get lost, so that prompts time out and are rejected.
        newer_fields: Messages carry fields of a newer minor version.
        pause: Seconds that another seat thinks once.
        no_notes: The budget leaves no room for notes.
        against_itself: All seats are taken by the bot.
    """

    loses_answers: bool = False
    newer_fields: bool = False
    pause: float = 0.0
    no_notes: bool = False
    against_itself: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One match to check a bot in.

    Attributes:
        name: What it is called in the report.
        preset, options, players, window: What is played.
        hands: Hands.
        oddity: What is odd.
        seat: Where the bot sits in its first game.
    """

    name: str
    preset: str = "classic"
    options: tuple[tuple[str, Value], ...] = ()
    players: int = 2
    window: WindowMode = WindowMode.PROMPT
    hands: int = 2
    oddity: Oddity = field(default_factory=Oddity)
    seat: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a scenario showed.

    Attributes:
        scenario: Its name.
        problems: What the bot did wrong; empty if nothing.
        warnings: What went well, but not by much.
        kinds: What it was asked, by kind.
        start_up, longest: Seconds until it joined, and of its longest answer.
        only_time: All that is wrong is that answers came late or not at all.
        void: This machine failed, so the scenario says nothing.
        log: The end of what it wrote.
    """

    scenario: str
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    kinds: dict[str, int] = field(default_factory=dict)
    start_up: float = 0.0
    longest: float = 0.0
    only_time: bool = False
    void: str = ""
    log: str = ""


def scenarios(pause: float) -> Iterator[Scenario]:
    """Every scenario, the quick ones first."""
    yield Scenario(name="classic, against itself", oddity=Oddity(against_itself=True))
    for preset in PRESETS:
        for players in filter(partial(_has_table, preset), range(2, MAX_SEATS + 1)):
            yield Scenario(name=f"{preset}, {players} seats", preset=preset, players=players)
    for window in (WindowMode.SEALED, WindowMode.STANDING):
        for players in (2, 4):
            yield Scenario(
                name=f"{window} windows, {players} seats", players=players, window=window
            )
    # To 700 km and on: only who gets there is asked whether to extend.
    yield Scenario(name="an extension to decide", preset="leaflet", hands=8)
    yield Scenario(
        name="the card on top of the discard pile",
        preset="express",
        options=(("top_choice", True),),
        hands=6,
        seat=1,
    )
    yield Scenario(name="answers that get lost", oddity=Oddity(loses_answers=True), hands=1)
    yield Scenario(name="fields of a newer version", oddity=Oddity(newer_fields=True), players=3)
    yield Scenario(name="no room for notes", oddity=Oddity(no_notes=True))
    yield Scenario(name=f"a pause of {pause:g} s", oddity=Oddity(pause=pause), hands=1)


def _has_table(preset: str, players: int) -> bool:
    """Whether so many can play by a rule set."""
    try:
        make_seating(make_ruleset(preset, players=players), players)
    except RuleSetError:
        return False
    return True


def check(report: object, bot: Manifest, scenario: Scenario, time: TimeControl) -> Finding:
    """Play a scenario, in this process: a task for a pool."""
    from arena.app import run_until_signalled

    return run_until_signalled(_check(bot, scenario, time))


async def _check(bot: Manifest, scenario: Scenario, time: TimeControl) -> Finding:
    from arena.app import LocalSeat, python_launcher
    from arena.cli.sparring import OddSeat, SparringSeat, with_newer_fields
    from arena.transport.seats import seat_folder

    odd = scenario.oddity
    spec = _spec(bot, scenario, time)
    rng = Random(scenario.name)
    match = Match(spec.plan(), rng.randbytes(32))
    own = list(match.plan.bots) if odd.against_itself else [BotNo(scenario.seat)]
    seats: list[Seat] = []
    mine: list[OddSeat] = []
    with seat_folder() as folder:
        for number in match.plan.bots:
            if number in own:
                inner = LocalSeat(number, spec, folder, python_launcher())
                if odd.newer_fields:
                    inner.server.encode = with_newer_fields
                mine.append(OddSeat(inner, rng, odd.loses_answers))
                seats.append(mine[-1])
            else:
                seats.append(SparringSeat(number, rng, odd.pause))
                odd = Oddity()  # one partner that pauses is enough
        await run_match(match, seats)
        for one in mine:
            await one.inner.close()
    return _finding(scenario, match, own, mine)


def _spec(bot: Manifest, scenario: Scenario, time: TimeControl) -> MatchSpec:
    rules = make_ruleset(
        scenario.preset,
        dict(scenario.options),
        players=scenario.players,
    )
    odd = scenario.oddity
    faults = _FORGIVING
    if odd.no_notes:
        faults = FaultBudget(
            max_strikes=1_000_000,
            surplus_messages=1_000_000,
            messages_per_prompt=1,
            note_bytes=0,
        )
    if odd.loses_answers:
        time = TimeControl(
            start_up=time.start_up, turn=nanos(0.05), bank=nanos(0), response_window=nanos(0.05)
        )
    return MatchSpec(
        bots=(bot,) * scenario.players,
        rules=rules,
        seating=make_seating(rules, scenario.players),
        seed=seed_from_text(f"check-bot/{scenario.name}"),
        boards=(0,),
        legs=((Sitting(0, 0),),),
        length=Length(scenario.hands),
        limits=Limits(time=time, faults=faults, window=scenario.window),
        # Elsewhere the SDK plays on after an exception, and nobody would be told.
        venue=Venue(strict_bots=True),
    )


def _finding(scenario: Scenario, match: Match, own: list[BotNo], mine: list[OddSeat]) -> Finding:
    verdict = match.verdict
    assert verdict is not None
    kinds: dict[str, int] = {}
    log = ""
    for seat in mine:
        for kind, count in seat.kinds.items():
            kinds[kind] = kinds.get(kind, 0) + count
        log = seat.inner.log.text() or log
    tallies = [match.roster.tallies[bot] for bot in own]
    time = match.plan.limits.time
    start_up = max(tally.start_ups.longest for tally in tallies) / 1e9
    longest = max(tally.think_times.longest for tally in tallies) / 1e9
    problems = []
    if verdict.kind is OutcomeKind.FORFEIT:
        problems.append(described(verdict, ["it"] * len(match.plan.bots)))
    expected = _expected(scenario.oddity)
    seen = {fault for tally in tallies for fault, count in tally.faults.items() if count}
    seen -= {*expected, Fault.STALE}
    for fault in _COUNTED:
        count = sum(tally.faults[fault] for tally in tallies)
        if count and fault not in expected:
            problems.append(f"{fault.replace('_', ' ')}: {count}")
    warnings = []
    if start_up > _NEARLY * time.start_up / 1e9:
        warnings.append(f"started in {start_up:.1f} s of {time.start_up / 1e9:g} s")
    if longest > _NEARLY * time.turn / 1e9 and not scenario.oddity.loses_answers:
        warnings.append(f"took {1000 * longest:.0f} ms of {time.turn / 1e6:g} ms for an answer")
    return Finding(
        scenario=scenario.name,
        problems=tuple(problems),
        warnings=tuple(warnings),
        kinds=kinds,
        start_up=start_up,
        longest=longest,
        only_time=bool(problems) and not (seen - _OF_TIME) and not verdict.forfeits,
        void=verdict.void,
        log=log,
    )


def _expected(odd: Oddity) -> tuple[Fault, ...]:
    """What happens although the bot does nothing wrong."""
    if odd.loses_answers:
        return Fault.TIMED_OUT, Fault.MISSED_WINDOW
    return ()
