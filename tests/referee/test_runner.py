"""The driver: order of events, deadlines, lives of bots, and that nothing of it is left running."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from arena.errors import HostFault
from arena.referee.events import Answered, BotNo, GameEnded, Gone, Joined, Message, Prompt
from arena.referee.limits import Instant, Nanos
from arena.referee.match import Match
from arena.referee.runner import NeverJoined, run_match
from arena.referee.scripted import FakeClock, Leave, Reply, ScriptedSeat, Simulation, eager
from arena.referee.seat import Deliver
from arena.referee.tally import Fault
from tests.referee.plans import MS, ONE, TIME, ZERO, make_plan, once

QUICK = Nanos(10_000)


def brisk(prompt: Prompt) -> list[Reply]:
    """Play the first legal action, almost at once."""
    return [Reply(0, QUICK)]


def drive(match: Match, *seats: ScriptedSeat, farewell: int = 0) -> None:
    async def main() -> None:
        for number, seat in enumerate(seats):
            seat.sit(BotNo(number))
        await run_match(match, seats, farewell=Nanos(farewell))
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_a_match_is_driven_to_its_end_with_the_results_of_the_simulation() -> None:
    plan = make_plan(games=2)
    driven = Match(plan, b"secret")
    drive(driven, ScriptedSeat(brisk), ScriptedSeat(brisk))
    simulated = Simulation(Match(plan, b"secret"), [ScriptedSeat(eager), ScriptedSeat(eager)])
    simulated.run()
    assert driven.results == simulated.match.results
    assert driven.tallies[ZERO].faults == {}


def test_who_watches_sees_every_game_end() -> None:
    seen: list[int] = []

    async def main() -> None:
        seats = [ScriptedSeat(brisk).sit(bot) for bot in (ZERO, ONE)]
        await run_match(
            Match(make_plan(games=3), b"secret"),
            seats,
            watch=lambda effect: (
                seen.append(effect.result.game) if isinstance(effect, GameEnded) else None
            ),
            farewell=Nanos(0),
        )

    asyncio.run(main())
    assert seen == [0, 1, 2]


def test_a_silent_seat_runs_into_its_deadline_on_the_real_clock() -> None:
    time = replace(TIME, turn=Nanos(2 * MS), bank=Nanos(0), response_window=Nanos(2 * MS))
    match = Match(make_plan(time=time), b"secret")
    drive(match, ScriptedSeat(lambda _: []), ScriptedSeat(brisk))
    assert match.tallies[ZERO].faults[Fault.TIMED_OUT] > 5
    assert len(match.results) == 1


def test_a_bot_that_goes_is_brought_back_for_the_next_game() -> None:
    seat = ScriptedSeat(once([Leave(QUICK)], brisk))
    match = Match(make_plan(games=2), b"secret")
    drive(match, seat, ScriptedSeat(brisk))
    assert seat.lives == 2
    assert match.tallies[ZERO].faults == {Fault.CRASHED: 1}


def test_a_match_that_cannot_begin_says_which_bot_and_why() -> None:
    match = Match(make_plan(), b"secret")
    with pytest.raises(NeverJoined) as caught:
        drive(match, ScriptedSeat(brisk), ScriptedSeat(brisk, joins=lambda _: False))
    assert (caught.value.bot, caught.value.why) == (ONE, "exited with 1")


def test_a_failure_of_ours_ends_every_seat_and_comes_out() -> None:
    class Broken(ScriptedSeat):
        async def serve(self, deliver: Deliver) -> None:
            raise HostFault("no room")

    with pytest.raises(ExceptionGroup) as caught:
        drive(Match(make_plan(), b"secret"), ScriptedSeat(brisk), Broken(brisk))
    assert caught.group_contains(HostFault, match="no room")


class _ByHand:
    """A seat whose bot speaks when the test says so."""

    def __init__(self, bot: BotNo) -> None:
        self.bot = bot
        self.prompts: asyncio.Queue[Prompt] = asyncio.Queue()
        self.deliver: Deliver | None = None
        self.ended = 0

    async def serve(self, deliver: Deliver) -> None:
        self.deliver = deliver
        deliver(Joined(self.bot))
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            self.ended += 1

    def tell(self, message: Message) -> None:
        if isinstance(message, Prompt):
            self.prompts.put_nowait(message)

    def answer(self, prompt: Prompt, at: int) -> None:
        assert self.deliver is not None
        self.deliver(Answered(self.bot, prompt.prompt_id, 0, Instant(at)))


@pytest.mark.parametrize(
    ("late_by", "expected"), [(0, {}), (1, {Fault.TIMED_OUT: 1, Fault.LATE: 1})]
)
def test_what_counts_is_when_an_answer_arrived_and_not_when_the_driver_comes_to_it(
    late_by: int, expected: dict[Fault, int]
) -> None:
    match = Match(make_plan(), b"secret")
    clock = FakeClock()

    async def main() -> None:
        seats = [_ByHand(ZERO), _ByHand(ONE)]
        driving = asyncio.create_task(run_match(match, seats, clock=clock, farewell=Nanos(0)))
        prompt = await seats[0].prompts.get()
        deadline = clock() + TIME.turn + TIME.bank
        clock.set(Instant(deadline + 5 * MS))  # the driver was busy elsewhere
        seats[0].answer(prompt, deadline + late_by)
        await seats[1].prompts.get()
        driving.cancel()
        await asyncio.wait([driving])
        assert [seat.ended for seat in seats] == [1, 1]

    asyncio.run(main())
    assert match.tallies[ZERO].faults == expected


def test_what_an_earlier_life_left_behind_is_not_taken_for_the_present_one() -> None:
    match = Match(make_plan(games=2), b"secret")

    async def main() -> None:
        first, second = _ByHand(ZERO), ScriptedSeat(brisk).sit(ONE)
        driving = asyncio.create_task(run_match(match, [first, second], farewell=Nanos(0)))
        await first.prompts.get()
        old = first.deliver
        assert old is not None
        old(Gone(ZERO, "left"))
        prompt = await first.prompts.get()  # of the second game: it was brought back
        assert prompt.game == 1
        assert first.deliver is not old
        old(Gone(ZERO, "left again"))
        first.answer(prompt, 0)
        assert (await first.prompts.get()).game == 1  # it is still asked
        driving.cancel()
        await asyncio.wait([driving])

    asyncio.run(main())
    assert match.tallies[ZERO].faults == {Fault.CRASHED: 1}
