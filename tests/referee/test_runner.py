"""The driver: order of events, deadlines, standstills, lives, and nothing of it left running."""

from __future__ import annotations

import ast
import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import HostFault
from arena.referee.events import (
    Ended,
    ForfeitReason,
    GameEnded,
    Gone,
    MatchOver,
    Message,
    OutcomeKind,
    Played,
    Prompt,
    Sent,
    Stop,
)
from arena.referee.limits import HostGuard, Instant, Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.runner import monotonic, run_match
from arena.referee.scripted import FakeClock, Leave, Reply, Script, ScriptedSeat, Simulation
from arena.referee.seat import Deliver
from arena.referee.tally import Fault
from tests.referee.driving import (
    DAY,
    ByHand,
    brisk,
    drive,
    in_a_loop,
    stand_still,
    whatever_the_host,
)
from tests.referee.plans import LIMIT, MS, ONE, TIME, ZERO, make_plan, once

ROOT = Path(__file__).parents[2]


def match_of(**options: Any) -> Match:
    """A match on a host that may be as slow as it likes: the machine that tests is no matter."""
    return Match(whatever_the_host(make_plan(**options)), b"secret")


# -- to the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", list(WindowMode))
def test_a_match_is_driven_to_its_end_with_the_results_of_the_simulation(
    window: WindowMode,
) -> None:
    time = replace(TIME, response_window=Nanos(2 * MS))
    match = match_of(games=2, time=time, window=window)
    drive(match, ScriptedSeat(brisk), ScriptedSeat(brisk))
    simulated = Simulation(Match(match.plan, b"secret"), [ScriptedSeat(), ScriptedSeat()])
    simulated.run()
    assert match.results == simulated.match.results
    assert match.verdict == simulated.match.verdict


def test_who_watches_sees_every_effect_before_it_is_performed() -> None:
    seen: list[int] = []
    over: list[bool] = []
    seats = [ScriptedSeat(brisk), ScriptedSeat(brisk)]

    def watch(effect: object, now: Instant) -> None:
        if isinstance(effect, GameEnded):
            seen.append(effect.result.game)
        if isinstance(effect, Ended):
            over.append(isinstance(seats[0].told[-1], MatchOver))

    drive(match_of(games=3), *seats, watch=watch)
    assert seen == [0, 1, 2]
    assert over == [True]


def test_a_silent_seat_runs_into_its_deadline_on_the_real_clock() -> None:
    time = replace(TIME, turn=Nanos(2 * MS), bank=Nanos(0), response_window=Nanos(2 * MS))
    match = match_of(time=time)
    drive(match, ScriptedSeat(lambda _: []), ScriptedSeat(brisk))
    assert match.roster.tallies[ZERO].faults[Fault.TIMED_OUT] > 5
    assert match.results[0].finished


def test_a_seat_that_does_not_join_runs_into_the_start_up_limit() -> None:
    match = match_of(time=replace(TIME, start_up=Nanos(20 * MS)))
    drive(match, ScriptedSeat(brisk), ScriptedSeat(brisk, start_up=DAY))
    assert match.verdict is not None
    assert [(one.bot, one.reason) for one in match.verdict.forfeits] == [
        (ONE, ForfeitReason.STARTUP)
    ]


# -- lives and legs --------------------------------------------------------------------------------


def test_every_leg_has_a_life_of_its_own() -> None:
    seats = [ScriptedSeat(brisk), ScriptedSeat(brisk)]
    match = match_of(games=2, rotate=True)
    drive(match, *seats)
    assert [seat.lives for seat in seats] == [2, 2]
    assert len(match.results) == 4


def test_the_next_leg_begins_when_nobody_of_the_one_before_is_left() -> None:
    class Lingering(ScriptedSeat):
        alive = 0
        most = 0

        async def serve(self, leg: int, deliver: Deliver) -> None:
            Lingering.alive += 1
            Lingering.most = max(Lingering.most, Lingering.alive)
            try:
                await super().serve(leg, deliver)
            finally:
                await asyncio.sleep(0.005)  # what ending a container takes
                Lingering.alive -= 1

    drive(match_of(rotate=True), Lingering(brisk), Lingering(brisk))
    assert (Lingering.most, Lingering.alive) == (2, 0)


def test_who_leaves_when_it_is_over_is_not_waited_for_any_longer() -> None:
    class Polite(ScriptedSeat):
        def tell(self, message: Message) -> None:
            super().tell(message)
            if isinstance(message, MatchOver):
                self.left.set()

        async def serve(self, leg: int, deliver: Deliver) -> None:
            self.left = asyncio.Event()
            self._deliver = deliver
            deliver(self.start())
            await self.left.wait()

    drive(match_of(), Polite(brisk), Polite(brisk), farewell=DAY)


def test_who_does_not_leave_in_its_farewell_is_ended() -> None:
    begin = monotonic()
    seats = [ScriptedSeat(brisk), ScriptedSeat(brisk)]
    drive(match_of(), *seats, farewell=30 * MS)
    assert monotonic() - begin > 30 * MS
    assert isinstance(seats[0].told[-1], MatchOver)


def test_who_has_forfeited_is_told_so_and_ended_while_the_others_play_on() -> None:
    order: list[str] = []

    class Watched(ScriptedSeat):
        async def serve(self, leg: int, deliver: Deliver) -> None:
            try:
                await super().serve(leg, deliver)
            finally:
                order.append(f"end of {self.bot}")

    def watch(effect: object, now: Instant) -> None:
        if isinstance(effect, Stop | Ended):
            order.append(type(effect).__name__)

    slow: Script = lambda prompt: [Reply(0, Nanos(MS))]  # noqa: E731
    match = match_of(players=3, games=3)
    seats = [Watched(once([Leave()])), Watched(slow), Watched(slow)]
    drive(match, *seats, watch=watch)
    assert [result.finished for result in match.results] == [True] * 3
    assert order[:3] == ["Stop", "end of 0", "Ended"]
    assert isinstance(seats[0].told[-1], MatchOver)


def test_what_an_earlier_life_left_behind_is_not_taken_for_the_present_one() -> None:
    match = match_of(rotate=True)

    async def main() -> None:
        first, second = ByHand(ZERO), ScriptedSeat(brisk).sit(ONE)
        driving = asyncio.create_task(run_match(match, [first, second], farewell=Nanos(0)))
        old = None
        while len(first.legs) < 2:
            prompt = await first.prompts.get()
            old = old or first.deliver
            first.answer(prompt, monotonic())
        assert old is not None
        assert first.deliver is not old
        old(Gone(ZERO, "left, long ago"))
        for _ in range(3):
            first.answer(await first.prompts.get(), monotonic())
        driving.cancel()
        await asyncio.wait([driving])
        assert first.legs == [0, 1]

    in_a_loop(main())
    assert match.roster.forfeits == []


# -- failures --------------------------------------------------------------------------------------


class Broken(ScriptedSeat):
    """A seat that cannot serve."""

    error: Exception = HostFault("no room")

    async def serve(self, leg: int, deliver: Deliver) -> None:
        raise self.error


def test_a_failure_of_the_host_voids_the_match_and_ends_every_seat() -> None:
    match = Match(make_plan(), b"secret")
    other = ByHand(ZERO)
    drive(match, other, Broken(brisk))
    assert match.verdict is not None
    assert (match.verdict.kind, match.verdict.void) == (OutcomeKind.VOID, "no room")
    assert other.ended == 1


def test_a_bug_of_ours_ends_every_seat_and_comes_out() -> None:
    broken = Broken(brisk)
    broken.error = ZeroDivisionError("a bug")
    other = ByHand(ZERO)
    with pytest.raises(ExceptionGroup) as caught:
        drive(Match(make_plan(), b"secret"), other, broken)
    assert caught.group_contains(ZeroDivisionError, match="a bug")
    assert other.ended == 1


def test_who_stops_the_driver_ends_every_seat() -> None:
    async def main() -> None:
        before = asyncio.all_tasks()
        seats = [ByHand(ZERO), ByHand(ONE)]
        driving = asyncio.create_task(run_match(Match(make_plan(), b"secret"), seats))
        await seats[0].prompts.get()
        driving.cancel()
        await asyncio.wait([driving])
        assert driving.cancelled()
        assert [seat.ended for seat in seats] == [1, 1]
        assert asyncio.all_tasks() == before

    in_a_loop(main())


def test_a_bot_that_goes_has_lost() -> None:
    match = match_of(games=2)
    drive(match, ScriptedSeat(once([Leave(Nanos(10_000))], brisk)), ScriptedSeat(brisk))
    assert match.verdict is not None
    assert [one.detail for one in match.verdict.forfeits] == ["left"]


# -- arrival and deadline --------------------------------------------------------------------------


async def answered_at(match: Match, late_by: int, *, written: int | None = None) -> list[Played]:
    """What is played for a first prompt that is answered so long after its deadline.

    The driver comes to it only later. `written` is after how long the prompt was written.
    """
    clock, seats, played = FakeClock(), [ByHand(ZERO), ByHand(ONE)], list[Played]()

    def watch(effect: object, now: Instant) -> None:
        played.extend([effect] if isinstance(effect, Played) else [])

    driving = asyncio.create_task(
        run_match(match, seats, clock=clock, farewell=Nanos(0), watch=watch)
    )
    prompt = await seats[0].prompts.get()
    start = clock()
    clock.set(Instant(start + 2 * LIMIT + 5 * MS))  # the driver was busy elsewhere
    if written is not None:
        seats[0].deliver(Sent(ZERO, prompt.prompt_id, Instant(start + written)))
    seats[0].answer(prompt, start + (written or 0) + LIMIT + late_by)
    await seats[1].prompts.get()
    driving.cancel()
    await asyncio.wait([driving])
    return played


@pytest.mark.parametrize(("late_by", "answered"), [(-1, True), (0, True), (1, False)])
def test_what_counts_is_when_an_answer_arrived_and_not_when_the_driver_comes_to_it(
    late_by: int, answered: bool
) -> None:
    (one,) = in_a_loop(answered_at(match_of(), late_by))
    assert one.answered == answered


@pytest.mark.parametrize(("late_by", "answered"), [(-1, True), (0, True), (1, False)])
def test_the_clock_starts_at_the_writing_even_if_that_comes_after_the_deadline_there_was(
    late_by: int, answered: bool
) -> None:
    (one,) = in_a_loop(answered_at(match_of(), late_by, written=LIMIT + 2))
    assert (one.answered, one.spent) == (answered, LIMIT + min(0, late_by))


# -- standstills -----------------------------------------------------------------------------------


def stall_at_first_prompt(nanoseconds: int, *, void: bool) -> tuple[Match, list[Played]]:
    """A match whose loop stands still for so long while the first prompt is open.

    Without `void` nothing is too long.
    """
    plan = make_plan(time=replace(TIME, turn=Nanos(MS)))
    if not void:
        plan = replace(plan, limits=replace(plan.limits, host=HostGuard(void=DAY)))
    match = Match(plan, b"secret")
    played: list[Played] = []

    class Blocks(ScriptedSeat):
        def tell(self, message: Message) -> None:
            super().tell(message)
            if isinstance(message, Prompt) and message.number == 1:
                asyncio.get_running_loop().call_later(0.001, stand_still, nanoseconds)

    first = Blocks(once([Reply(0, Nanos(nanoseconds + 5 * MS))], brisk))

    def watch(effect: object, now: Instant) -> None:
        played.extend([effect] if isinstance(effect, Played) else [])

    drive(match, first, ScriptedSeat(brisk), watch=watch)
    return match, played


def test_a_standstill_of_the_loop_is_credited() -> None:
    match, (one, *_) = stall_at_first_prompt(60 * MS, void=False)
    assert match.verdict is not None
    assert match.verdict.kind is OutcomeKind.COMPLETED
    assert one.lag > 50 * MS
    assert one.spent < 60 * MS
    assert TIME.bank - one.bank_left == one.spent - MS


def test_a_long_standstill_voids_the_match() -> None:
    match, _ = stall_at_first_prompt(300 * MS, void=True)
    assert match.verdict is not None
    assert match.verdict.kind is OutcomeKind.VOID
    assert "the referee stood still for" in match.verdict.void


def test_a_suspended_machine_voids_the_match() -> None:
    """The clock leaps while nothing runs."""
    match, clock = Match(make_plan(), b"secret"), FakeClock()

    async def main() -> None:
        seats = [ByHand(ZERO), ByHand(ONE)]
        driving = asyncio.create_task(run_match(match, seats, clock=clock, farewell=Nanos(0)))
        await seats[0].prompts.get()
        clock.set(Instant(clock() + 3_600_000 * MS))
        await driving

    in_a_loop(main())
    assert match.verdict is not None
    assert match.verdict.kind is OutcomeKind.VOID
    assert match.roster.forfeits == []


WALL_CLOCKS = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.today"}


@pytest.mark.parametrize("package", ["engine", "referee", "transport", "sandbox", "workers"])
def test_no_wall_clock_is_read_where_time_counts(package: str) -> None:
    """So that it may be set while a match is played."""
    read = [
        f"{path.name}:{node.lineno}: {ast.unparse(node)}"
        for path in (ROOT / "arena" / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute) and ast.unparse(node) in WALL_CLOCKS
    ]
    assert read == []
