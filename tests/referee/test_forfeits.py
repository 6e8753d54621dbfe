"""Forfeits: every cause in every phase, and how a match of two teams ends by one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena.engine.state import NOBODY
from arena.referee.events import (
    Begin,
    BotNo,
    Ended,
    EndLeg,
    Event,
    Forfeit,
    Forfeited,
    ForfeitReason,
    GameBegan,
    GameEnded,
    Gone,
    HandOver,
    Joined,
    MatchOver,
    OutcomeKind,
    Start,
    Stop,
    Tell,
    Tick,
    Welcome,
)
from arena.referee.limits import Instant, Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, Step, eager
from arena.referee.tally import Fault
from arena.referee.verdict import match_ranks
from tests.referee.plans import (
    MS,
    ONE,
    PUBLISHED,
    TIME,
    ZERO,
    after,
    at_random,
    at_the_first_prompt,
    effects,
    forfeits,
    hostile,
    in_windows,
    make_plan,
    once,
    played,
    prepare,
    silent,
    simulate,
    told,
    verdict,
)
from tests.referee.stacked import stacked_plan

CAUSES = [
    Leave(why="exited with code 0"),
    Leave(why="exited with code 1"),
    Leave(why="closed its stream"),
    Leave(why="sent bytes that are no message", reason=ForfeitReason.PROTOCOL),
    Leave(why="killed: 512 MiB of memory", reason=ForfeitReason.RESOURCE),
]


def loss(simulation: Simulation) -> Forfeit:
    """The only forfeit of a match that ended by it, at once, with the other one as the winner."""
    (lost,) = forfeits(simulation)
    when = effects(simulation, Forfeited)[0][0]
    assert verdict(simulation).kind is OutcomeKind.FORFEIT
    assert effects(simulation, Ended)[0][0] == when
    result = simulation.match.results[-1]
    assert not result.finished
    assert result.forfeited == (result.team(lost.bot),)
    assert result.ranks[result.team(lost.bot)] == 1
    assert result.winner == 1 - result.team(lost.bot)
    assert simulation.match.results[-1].game == lost.game
    return lost


def is_told_the_end(simulation: Simulation, bot: BotNo) -> str:
    """The end is the last that a bot hears, once; what it is told."""
    mine = [effect.message for _, effect in effects(simulation, Tell) if effect.bot == bot]
    assert [one for one in mine if isinstance(one, MatchOver)] == mine[-1:]
    return mine[-1].detail if isinstance(mine[-1], MatchOver) else ""


# -- in play ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.why)
def test_who_goes_on_its_own_turn_has_lost_at_once(cause: Leave) -> None:
    done = simulate(make_plan(games=2), once([cause]), eager)
    assert loss(done) == Forfeit(ZERO, cause.reason, cause.why, game=0)
    assert played(done) == []


@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.why)
def test_who_goes_on_anothers_turn_has_lost_at_once(cause: Leave) -> None:
    # It has answered, and goes while the other one thinks.
    steps: list[Step] = [Reply(0), replace(cause, after=Nanos(5 * MS))]
    done = simulate(make_plan(), once(steps), after(50 * MS))
    lost = loss(done)
    assert (lost.bot, lost.reason, lost.detail) == (ZERO, cause.reason, cause.why)
    assert len(played(done)) == 1


@pytest.mark.parametrize("window", [WindowMode.PROMPT, WindowMode.SEALED])
@pytest.mark.parametrize("cause", CAUSES, ids=lambda cause: cause.why)
def test_who_goes_in_a_window_has_lost_at_once(cause: Leave, window: WindowMode) -> None:
    done = simulate(stacked_plan(window=window), in_windows(lambda _: [cause]), hostile)
    assert loss(done) == Forfeit(ZERO, cause.reason, cause.why, game=0)


def test_who_goes_while_another_one_is_asked_in_a_window_has_lost_at_once() -> None:
    attack: Script = lambda prompt: [*hostile(prompt), Leave(Nanos(3 * MS))]  # noqa: E731
    done = simulate(stacked_plan(), in_windows(silent), attack)
    assert loss(done) == Forfeit(ONE, ForfeitReason.CRASH, "left", game=0)


@pytest.mark.parametrize("game", [0, 1, 2])
def test_the_game_in_which_it_happened_is_named(game: int) -> None:
    script: Script = lambda prompt: [Leave()] if prompt.game == game else eager(prompt)  # noqa: E731
    done = simulate(make_plan(games=3), script, eager)
    assert loss(done).game == game
    assert [result.finished for result in done.match.results] == [True] * game + [False]


def test_the_bot_is_stopped_and_neither_asked_nor_told_anything_more() -> None:
    done = simulate(make_plan(players=3, games=3), once([Leave()]), eager, eager)
    at = next(at for at, (_, effect) in enumerate(done.effects) if effect == Stop(ZERO))
    assert not any(
        getattr(effect, "bot", None) == ZERO
        for _, effect in done.effects[at:][1:]
        if isinstance(effect, Tell | Start | Stop)
    )


# -- before play -----------------------------------------------------------------------------------


def gathering() -> Match:
    match = Match(make_plan(), b"secret")
    assert match.handle(Begin(), Instant(0)) == [Start(ZERO, 0), Start(ONE, 0)]
    return match


def test_who_does_not_join_in_time_forfeits_and_the_limit_is_named() -> None:
    match = gathering()
    assert match.deadline == Instant(TIME.start_up)
    assert match.handle(Joined(ZERO), Instant(TIME.start_up)) == []
    effects = match.handle(Tick(), Instant(TIME.start_up + 1))
    lost = Forfeit(ONE, ForfeitReason.STARTUP, "did not join within 500 ms", game=0)
    assert effects[:2] == [Forfeited(lost), Stop(ONE)]
    assert match.verdict is not None
    assert match.verdict.forfeits == (lost,)


@pytest.mark.parametrize(("late_by", "lost"), [(-1, 0), (0, 0), (1, 1)])
def test_a_start_up_is_in_time_up_to_its_limit(late_by: int, lost: int) -> None:
    slow = ScriptedSeat(eager, start_up=Nanos(TIME.start_up + late_by))
    done = simulate(make_plan(), eager, slow)
    assert len(forfeits(done)) == lost


def test_all_start_in_parallel_and_the_slowest_costs_nobody_any_time() -> None:
    slow = ScriptedSeat(eager, start_up=Nanos(400 * MS))
    done = simulate(make_plan(), ScriptedSeat(eager, start_up=Nanos(300 * MS)), slow)
    assert [at for at, _ in effects(done, Start)] == [done.effects[0][0]] * 2
    assert effects(done, GameBegan)[0][0] == done.effects[0][0] + 400 * MS
    assert {one.bank_left for one in played(done)} == {TIME.bank}
    times = [done.match.roster.tallies[bot].start_ups.longest for bot in (ZERO, ONE)]
    assert times == [300 * MS, 400 * MS]


def test_every_leg_has_its_own_start_up() -> None:
    slow = [ScriptedSeat(eager, start_up=TIME.start_up) for _ in range(2)]
    done = simulate(make_plan(rotate=True), *slow)
    assert forfeits(done) == ()
    assert len(done.match.roster.tallies[ZERO].start_ups) == 2


def test_who_ends_before_it_joined_has_not_started() -> None:
    done = simulate(make_plan(), eager, ScriptedSeat(joins=lambda _: False))
    lost = Forfeit(ONE, ForfeitReason.STARTUP, "exited with 1 before it joined", game=0)
    assert loss(done) == lost


@pytest.mark.parametrize("reason", [ForfeitReason.PROTOCOL, ForfeitReason.RESOURCE])
def test_who_is_sent_away_before_it_joined_is_told_apart(reason: ForfeitReason) -> None:
    match = gathering()
    match.handle(Joined(ZERO), Instant(1))
    match.handle(Gone(ONE, "spoke nonsense", reason), Instant(2))
    assert match.verdict is not None
    assert match.verdict.forfeits == (Forfeit(ONE, reason, "spoke nonsense", game=0),)


def test_who_goes_after_it_joined_while_others_start_has_crashed() -> None:
    """The match waits for the others to say whether they are there, and ends then."""
    match = gathering()
    match.handle(Joined(ZERO), Instant(1))
    lost = Forfeit(ZERO, ForfeitReason.CRASH, "exited with code 0", game=0)
    assert Forfeited(lost) in match.handle(Gone(ZERO, "exited with code 0"), Instant(2))
    assert not match.over
    match.handle(Joined(ONE), Instant(3))
    assert match.verdict is not None
    assert match.verdict.forfeits == (lost,)


def test_if_nobody_joins_all_forfeit() -> None:
    never = [ScriptedSeat(eager, start_up=Nanos(TIME.start_up + 1)) for _ in range(2)]
    done = simulate(make_plan(), *never)
    assert [(one.bot, one.reason) for one in forfeits(done)] == [
        (ZERO, ForfeitReason.STARTUP),
        (ONE, ForfeitReason.STARTUP),
    ]
    (result,) = done.match.results
    assert result.ranks == (0, 0)
    assert result.winner == NOBODY


def test_a_match_that_was_lost_before_its_first_card_has_the_result_of_no_hand() -> None:
    done = simulate(make_plan(games=3), eager, ScriptedSeat(joins=lambda _: False))
    (result,) = done.match.results
    assert (result.game, result.hands, result.finished, result.winner) == (0, 0, False, 0)
    assert effects(done, GameBegan) == []
    assert told(done, Welcome) == []


def test_joining_twice_and_going_twice_changes_nothing() -> None:
    match = Match(make_plan(players=3), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    assert match.handle(Joined(ZERO), Instant(2)) == []
    for bot in (ONE, BotNo(2)):
        match.handle(Joined(bot), Instant(3))
    assert match.handle(Gone(ONE, "left"), Instant(4)) != []
    assert match.handle(Gone(ONE, "left"), Instant(5)) == []
    assert match.handle(Joined(ONE), Instant(6)) == []
    assert match.roster.tallies[ONE].faults == {Fault.FORFEITED: 1}


# -- between games and in later legs ---------------------------------------------------------------


def test_who_goes_when_a_hand_is_over_has_lost() -> None:
    simulation = prepare(make_plan(hands=2), at_random(1), at_random(2))
    simulation.handle(Begin())
    while not told(simulation, HandOver):
        simulation.step()
    simulation.handle(Gone(ONE, "left"))
    assert loss(simulation).bot == ONE
    assert simulation.match.results[0].hands == 1


def test_who_goes_between_two_games_has_lost_the_one_that_has_begun() -> None:
    simulation = prepare(make_plan(games=2), at_random(1), at_random(2))
    simulation.handle(Begin())
    while not effects(simulation, GameEnded):
        simulation.step()
    simulation.handle(Gone(ZERO, "left"))
    assert loss(simulation).game == 1


def between_legs() -> Simulation:
    simulation = prepare(make_plan(rotate=True), eager, eager)
    simulation.handle(Begin())
    while not effects(simulation, EndLeg):
        simulation.step()
    return simulation


def test_who_goes_between_two_legs_has_done_nothing_wrong() -> None:
    simulation = between_legs()
    late: list[Event] = [Gone(ZERO, "exited with code 0"), Joined(ONE)]
    for event in late:
        simulation.handle(event)
    simulation.handle(Begin())
    while not simulation.match.over:
        simulation.step()
    assert forfeits(simulation) == ()


@pytest.mark.parametrize(
    ("joins", "reason"), [(1, ForfeitReason.STARTUP), (2, ForfeitReason.CRASH)]
)
def test_a_forfeit_in_the_second_leg_ends_the_match_and_leaves_the_first_as_it_is(
    joins: int, reason: ForfeitReason
) -> None:
    seat = ScriptedSeat(joins=lambda life: life <= joins)
    seat.script = lambda prompt: [Leave()] if seat.lives == 2 else eager(prompt)
    done = simulate(make_plan(games=2, rotate=True), eager, seat)
    lost = loss(done)
    assert (lost.bot, lost.reason, lost.game) == (ONE, reason, 2)
    assert [result.finished for result in done.match.results] == [True, True, False]


# -- several at once, and the end ------------------------------------------------------------------


def test_of_two_that_go_at_one_instant_the_first_has_lost_and_the_match_is_over() -> None:
    simulation = at_the_first_prompt(make_plan(), silent, silent)
    simulation.handle(Gone(ONE, "left"))
    assert simulation.match.handle(Gone(ZERO, "left"), simulation.clock()) == []
    assert [one.bot for one in forfeits(simulation)] == [ONE]


def test_every_live_bot_is_told_the_end_and_what_kind_of_fault_it_was() -> None:
    done = simulate(make_plan(faults=PUBLISHED), silent, eager)
    assert is_told_the_end(done, ONE) == "FORFEIT by another bot (TIMEOUT)"
    assert is_told_the_end(done, ZERO).startswith("FORFEIT by you (TIMEOUT: no answer to prompt")
    ((_, mine), (_, other)) = told(done, MatchOver)
    assert (mine.won, other.won) == (0, 1)
    assert {one.outcome for one in (mine, other)} == {OutcomeKind.FORFEIT}


def test_a_match_without_forfeits_is_completed() -> None:
    done = simulate(make_plan(), eager, eager)
    assert verdict(done).kind is OutcomeKind.COMPLETED
    assert is_told_the_end(done, ZERO) == is_told_the_end(done, ONE) == ""


def test_points_do_not_save_who_forfeits() -> None:
    plan = make_plan(games=4, hands=2)
    leaves_last: Script = lambda prompt: (  # noqa: E731
        [Leave()] if (prompt.game, prompt.hand) == (3, 1) else at_random(prompt.number)(prompt)
    )
    done = simulate(plan, leaves_last, lambda prompt: [Reply(prompt.default)])
    wins = [result.winner == result.team(ZERO) for result in done.match.results]
    assert wins[:3] == [True] * 3
    ranks = match_ranks(done.match.results, plan.seating, forfeits(done))
    assert ranks == (1, 0)


def test_nothing_happens_after_the_end() -> None:
    done = simulate(make_plan(), eager, eager)
    late: list[Event] = [Joined(ZERO), Gone(ONE, "left"), Tick(), Begin()]
    for event in late:
        assert done.match.handle(event, Instant(10**15)) == []
    assert done.match.deadline is None
