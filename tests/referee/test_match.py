"""The match machine: games, answers, and bots that die, with scripted seats."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from arena.engine.actions import parse_action
from arena.engine.state import Stage
from arena.errors import InputError
from arena.referee.events import (
    MALFORMED,
    Abandon,
    Answered,
    Begin,
    BotNo,
    Choice,
    GameEnded,
    Gone,
    HandOver,
    Joined,
    MatchOver,
    Prompt,
    Rejection,
    RejectionReason,
    Start,
    Stop,
    Tell,
    Tick,
    Welcome,
)
from arena.referee.limits import Instant, Nanos
from arena.referee.match import Match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, eager
from arena.referee.tally import Fault
from tests.referee.plans import (
    MS,
    ONE,
    TIME,
    ZERO,
    asked,
    at_random,
    faults,
    make_plan,
    once,
    played,
    prompts_of,
    simulate,
    told,
)

# -- a match without trouble -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("preset", "players"),
    [
        ("classic", 2),
        ("classic", 3),
        ("classic", 4),
        ("classic", 6),
        ("express", 3),
        ("plateau", 4),
        ("leaflet", 2),
    ],
)
def test_bots_that_answer_in_time_finish_every_game_without_a_fault(
    preset: str, players: int
) -> None:
    scripts = [at_random(seed) for seed in range(players)]
    done = simulate(make_plan(preset, players, games=players + 1), *scripts)
    assert len(done.match.results) == players + 1
    for bot, tally in done.match.tallies.items():
        assert set(tally.faults) <= {Fault.STALE}, bot  # a partner was quicker
    assert done.match.deadline is None


def test_the_same_plan_and_answers_give_the_same_match_to_the_letter() -> None:
    runs = [simulate(make_plan(games=2), at_random(1), at_random(2)) for _ in range(2)]
    assert runs[0].effects == runs[1].effects


def test_seats_rotate_from_game_to_game_and_everybody_is_told_its_own() -> None:
    done = simulate(make_plan(players=3, games=4), eager, eager, eager)
    assert [result.bots for result in done.match.results] == [
        (0, 1, 2),
        (2, 0, 1),
        (1, 2, 0),
        (0, 1, 2),
    ]
    for bot, message in told(done, Welcome):
        assert message.seat == (bot + message.game) % 3
    for _, bot, prompt in asked(done):
        assert prompt.view.seat == (bot + prompt.game) % 3


def test_partners_stay_partners_when_seats_rotate() -> None:
    done = simulate(make_plan(players=4, games=4), *[eager] * 4)
    for result in done.match.results:
        assert result.team(BotNo(0)) == result.team(BotNo(2)) != result.team(BotNo(1))


def test_every_bot_hears_of_every_hand_and_of_the_end() -> None:
    done = simulate(make_plan(games=2, hands=3), eager, eager)
    for bot in (ZERO, ONE):
        hands = [message for whom, message in told(done, HandOver) if whom == bot]
        assert [(one.game, one.hand, one.game_over) for one in hands] == [
            (game, hand, hand == 2) for game in range(2) for hand in range(3)
        ]
        over = [message for whom, message in told(done, MatchOver) if whom == bot]
        won = sum(result.winner == result.team(bot) for result in done.match.results)
        drawn = sum(result.winner < 0 for result in done.match.results)
        assert over == [MatchOver(2, won, drawn)]


def test_a_game_lasts_until_the_match_points_unless_hands_are_fixed() -> None:
    done = simulate(make_plan(hands=None), at_random(1), at_random(2))
    (result,) = done.match.results
    assert result.hands > 1
    assert max(result.totals) >= 5000


def test_prompts_show_each_event_once_and_in_order() -> None:
    done = simulate(make_plan(hands=2), at_random(1), at_random(2))
    for bot in (ZERO, ONE):
        expected = 0
        hand = 0
        for _, whom, prompt in asked(done):
            if whom != bot:
                continue
            if prompt.hand != hand:
                hand, expected = prompt.hand, 0
            assert prompt.view.first_event == expected
            expected = prompt.view.event_count


def test_nothing_happens_after_the_end() -> None:
    done = simulate(make_plan(), eager, eager)
    for event in (Joined(ZERO), Gone(ONE, "left"), Tick(), Begin()):
        assert done.match.handle(event, Instant(10**15)) == []


def test_a_match_without_games_is_refused() -> None:
    with pytest.raises(InputError, match="at least one game"):
        replace(make_plan(), boards=())


# -- answers ---------------------------------------------------------------------------------------

NOT_NOW = parse_action("extend")


@pytest.mark.parametrize(
    ("choice", "fault", "reason", "detail"),
    [
        (99, Fault.ILLEGAL, RejectionReason.ILLEGAL, "legal_index 99: the prompt has"),
        (-1, Fault.ILLEGAL, RejectionReason.ILLEGAL, "legal_index -1: the prompt has"),
        (NOT_NOW, Fault.ILLEGAL, RejectionReason.ILLEGAL, "extend is not legal now"),
        (MALFORMED, Fault.MALFORMED, RejectionReason.MALFORMED, "no action that can be read"),
    ],
)
def test_an_answer_that_chooses_no_legal_action_plays_the_default_and_is_told_why(
    choice: Choice, fault: Fault, reason: RejectionReason, detail: str
) -> None:
    done = simulate(make_plan(), once([Reply(choice)]), eager)
    assert faults(done, ZERO) == {fault: 1}
    (_, rejection), *_ = told(done, Rejection)
    assert rejection.reason is reason
    assert detail in rejection.detail
    _, _, prompt = asked(done)[0]
    assert played(done)[0].action == rejection.played == prompt.default


def test_an_action_may_be_named_as_well_as_pointed_at() -> None:
    by_name: Script = lambda prompt: [Reply(prompt.view.legal[-1])]  # noqa: E731
    by_place: Script = lambda prompt: [Reply(len(prompt.view.legal) - 1)]  # noqa: E731
    named = simulate(make_plan(), by_name, by_name)
    pointed = simulate(make_plan(), by_place, by_place)
    assert named.effects == pointed.effects


def _noise(*extra: Reply) -> Script:
    return lambda prompt: [Reply(0), *extra]


@pytest.mark.parametrize(
    ("extra", "fault"),
    [
        (Reply(1), Fault.DOUBLED),
        (Reply(0, prompt_id="0" * 32), Fault.UNSOLICITED),
        (Reply(MALFORMED, prompt_id=""), Fault.MALFORMED),
    ],
)
def test_answers_to_no_open_prompt_change_nothing_and_are_counted(
    extra: Reply, fault: Fault
) -> None:
    quiet = simulate(make_plan(), eager, eager)
    noisy = simulate(make_plan(), _noise(extra), eager)
    assert noisy.effects == quiet.effects
    assert set(faults(noisy, ZERO)) == {fault}
    # The last answer ends the match, and what comes after it is not looked at.
    assert faults(noisy, ZERO)[fault] >= len(prompts_of(noisy, ZERO)) - 1


def test_a_bot_cannot_answer_for_another() -> None:
    simulation = Simulation(
        Match(make_plan(), b"secret"), [ScriptedSeat(lambda _: []), ScriptedSeat()]
    )
    simulation.handle(Begin())
    while not asked(simulation):
        simulation.step()
    _, bot, prompt = asked(simulation)[0]
    assert bot == ZERO
    simulation.handle(Answered(ONE, prompt.prompt_id, 0, simulation.clock()))
    assert played(simulation) == []
    assert faults(simulation, ONE) == {Fault.UNSOLICITED: 1}


def test_no_two_prompts_have_the_same_name() -> None:
    done = simulate(make_plan(games=3), eager, eager)
    names = [prompt.prompt_id for _, _, prompt in asked(done)]
    assert len(names) == len(set(names))
    other = Simulation(Match(make_plan(), b"another secret"), [ScriptedSeat(), ScriptedSeat()])
    other.run()
    assert not {prompt.prompt_id for _, _, prompt in asked(other)} & set(names)


# -- bots that die ---------------------------------------------------------------------------------


def test_a_bot_that_dies_plays_defaults_at_once_and_is_started_again_for_the_next_game() -> None:
    seat = ScriptedSeat(once([Leave()]))
    done = simulate(make_plan(games=2), seat, eager)
    assert faults(done, ZERO) == {Fault.CRASHED: 1}
    mine = [one for one in played(done) if one.seat == 0 and one.game == 0]
    assert mine
    assert not any(one.answered for one in mine)
    assert seat.lives == 2
    assert all(one.answered for one in played(done) if one.game == 1)
    stops = [effect for _, effect in done.effects if isinstance(effect, Stop | Start)]
    assert stops == [Start(ZERO), Start(ONE), Stop(ZERO), Start(ZERO)]


def test_nothing_is_told_to_a_bot_that_has_gone_until_it_is_back() -> None:
    done = simulate(make_plan(games=2), once([Leave()]), eager)
    gone = False
    for _, effect in done.effects:
        if effect == Stop(ZERO):
            gone = True
        elif isinstance(effect, Tell) and effect.bot == ZERO and gone:
            assert isinstance(effect.message, Welcome)
            assert effect.message.game == 1
            return
    raise AssertionError("it never came back")


def test_nobody_waits_for_a_seat_whose_bot_has_gone() -> None:
    done = simulate(make_plan(), once([Leave()]), eager)
    left = next(at for at, effect in done.effects if isinstance(effect, Stop))
    ended = next(at for at, effect in done.effects if isinstance(effect, GameEnded))
    answers = sum(one.answered for one in played(done))
    assert ended - left == answers * MS  # the other one's answers take a millisecond each


def test_a_bot_that_cannot_be_started_again_plays_defaults_for_the_whole_game() -> None:
    seat = ScriptedSeat(once([Leave()]), joins=lambda life: life != 2)
    done = simulate(make_plan(games=3), seat, eager)
    assert faults(done, ZERO) == {Fault.CRASHED: 1, Fault.NEVER_JOINED: 1}
    answered = [
        any(one.answered for one in played(done) if one.game == game and is_mine(done, one))
        for game in range(3)
    ]
    assert answered == [False, False, True]
    assert seat.lives == 3


def is_mine(simulation: Simulation, one: object) -> bool:
    return simulation.match.plan.bot_at(one.seat, one.game) == ZERO  # type: ignore[attr-defined]


def test_a_match_in_which_all_bots_die_is_played_to_its_end() -> None:
    done = simulate(make_plan(games=3), lambda _: [Leave()], lambda _: [Leave()])
    assert len(done.match.results) == 3
    assert faults(done, ZERO)[Fault.CRASHED] == 3


def test_a_bot_that_goes_before_it_joined_stops_the_match_before_it_began() -> None:
    done = simulate(make_plan(), eager, ScriptedSeat(joins=lambda _: False))
    assert done.effects[-1][1] == Abandon(ONE, "exited with 1")
    assert done.match.over
    assert done.match.results == []


def test_a_bot_that_does_not_join_in_time_stops_the_match_before_it_began() -> None:
    match = Match(make_plan(), b"secret")
    assert match.handle(Begin(), Instant(0)) == [Start(ZERO), Start(ONE)]
    assert match.deadline == Instant(TIME.start_up)
    assert match.handle(Joined(ZERO), Instant(1)) == []
    assert match.handle(Tick(), Instant(TIME.start_up + 1)) == [
        Stop(ONE),
        Abandon(ONE, "did not join within 500 ms"),
    ]


def test_a_bot_that_joins_and_goes_before_the_others_have_joined_stops_the_match() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    assert match.handle(Gone(ZERO, "exited with 0"), Instant(2)) == [
        Stop(ZERO),
        Abandon(ZERO, "exited with 0"),
    ]


def test_joining_twice_and_going_twice_changes_nothing() -> None:
    match = Match(make_plan(), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    assert match.handle(Joined(ZERO), Instant(2)) == []
    match.handle(Joined(ONE), Instant(3))
    assert match.handle(Gone(ONE, "left"), Instant(4)) == [Stop(ONE)]
    assert match.handle(Gone(ONE, "left"), Instant(5)) == []
    assert match.tallies[ONE].faults == {Fault.CRASHED: 1}


# -- everything at once ----------------------------------------------------------------------------


def chaotic(seed: int) -> Script:
    """Answer well mostly; otherwise late, wrongly, twice, not at all, or leave."""
    rng = Random(seed)

    def script(prompt: Prompt) -> list[Reply | Leave]:
        good = Reply(rng.randrange(len(prompt.view.legal)), Nanos(rng.randrange(1, 20) * MS))
        oddities: list[list[Reply | Leave]] = [
            [],
            [Leave(Nanos(rng.randrange(1, 200) * MS))],
            [Reply(rng.randrange(-5, 99))],
            [Reply(MALFORMED)],
            [Reply(0, Nanos(rng.randrange(1, 3000) * MS))],
            [good, good],
            [Reply(0, prompt_id="nonsense"), good],
        ]
        return rng.choice(oddities) if rng.random() < 0.05 else [good]

    return script


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    ("preset", "players"), [("classic", 2), ("classic", 6), ("express", 4), ("plateau", 3)]
)
def test_whatever_bots_do_every_game_is_played_to_its_end(
    preset: str, players: int, seed: int
) -> None:
    plan = make_plan(preset, players, games=4, hands=2, seed=str(seed))
    scripts = [chaotic(100 * seed + bot) for bot in range(players)]
    done = simulate(plan, *scripts)
    assert [result.game for result in done.match.results] == [0, 1, 2, 3]
    stages = {prompt.view.stage for _, _, prompt in asked(done)}
    assert Stage.PLAY in stages
