"""A match without trouble, and one with all of it: games, hands, messages, the same again."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from arena.engine.state import Stage
from arena.errors import InputError
from arena.referee.events import (
    MALFORMED,
    BotNo,
    Ended,
    ForfeitReason,
    GameBegan,
    GameEnded,
    HandEnded,
    HandOver,
    MatchOver,
    OutcomeKind,
    Prompt,
    Tell,
    Welcome,
)
from arena.referee.game import Sitting
from arena.referee.limits import Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import (
    HostFails,
    Leave,
    Note,
    Reply,
    Script,
    ScriptedSeat,
    Simulation,
    Stall,
    Step,
    eager,
)
from arena.referee.tally import Fault
from arena.referee.verdict import match_ranks
from tests.referee.plans import (
    MS,
    ONE,
    PUBLISHED,
    ZERO,
    asked,
    at_random,
    effects,
    forfeits,
    make_plan,
    played,
    prompts_of,
    simulate,
    told,
    verdict,
)

# -- without trouble -------------------------------------------------------------------------------


@pytest.mark.parametrize("window", list(WindowMode))
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
    preset: str, players: int, window: WindowMode
) -> None:
    scripts = [at_random(seed) for seed in range(players)]
    plan = make_plan(preset, players, games=players + 1, window=window, faults=PUBLISHED)
    done = simulate(plan, *scripts)
    assert [result.finished for result in done.match.results] == [True] * (players + 1)
    assert verdict(done).kind is OutcomeKind.COMPLETED
    for bot, tally in done.match.roster.tallies.items():
        assert set(tally.faults) <= {Fault.STALE}, bot  # a partner was quicker
    assert done.match.deadline is None


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
        assert over == [MatchOver(2, won, drawn, OutcomeKind.COMPLETED, "")]


def test_a_game_lasts_until_the_match_points_unless_hands_are_fixed() -> None:
    done = simulate(make_plan(hands=None), at_random(1), at_random(2))
    (result,) = done.match.results
    assert result.hands > 1
    assert max(result.totals) >= done.match.plan.rules.match_points


def test_prompts_show_each_event_once_and_in_order() -> None:
    done = simulate(make_plan(hands=2), at_random(1), at_random(2))
    for bot in (ZERO, ONE):
        expected = 0
        hand = 0
        for prompt in prompts_of(done, bot):
            if prompt.hand != hand:
                hand, expected = prompt.hand, 0
            assert prompt.view.first_event == expected
            expected = prompt.view.event_count


def test_a_prompt_says_what_a_bot_has_to_know() -> None:
    done = simulate(make_plan(games=2), at_random(1), at_random(2))
    limits = done.match.plan.limits.time
    for bot in (ZERO, ONE):
        for number, prompt in enumerate(prompts_of(done, bot), 1):
            assert prompt.number == number
            assert prompt.view.legal
            assert prompt.default in prompt.view.legal
            window = prompt.view.stage is Stage.RESPOND
            assert prompt.free_time == (limits.response_window if window else limits.turn)


def test_an_action_may_be_named_as_well_as_pointed_at() -> None:
    by_name: Script = lambda prompt: [Reply(prompt.view.legal[-1])]  # noqa: E731
    by_place: Script = lambda prompt: [Reply(len(prompt.view.legal) - 1)]  # noqa: E731
    named = simulate(make_plan(), by_name, by_name)
    pointed = simulate(make_plan(), by_place, by_place)
    assert named.effects == pointed.effects


def test_no_two_prompts_have_the_same_name_and_another_secret_gives_other_names() -> None:
    done = simulate(make_plan(games=3), eager, eager)
    names = [prompt.prompt_id for _, _, prompt in asked(done)]
    assert len(names) == len(set(names))
    other = Simulation(Match(make_plan(), b"another secret"), [ScriptedSeat(), ScriptedSeat()])
    other.run()
    assert not {prompt.prompt_id for _, _, prompt in asked(other)} & set(names)


def test_every_hand_and_game_that_begins_also_ends_unless_the_match_was_broken_off() -> None:
    done = simulate(make_plan(games=3, hands=2), at_random(1), at_random(2))
    games = [one.game for _, one in effects(done, GameBegan)]
    assert games == [one.result.game for _, one in effects(done, GameEnded)] == [0, 1, 2]
    hands = [(one.game, one.hand) for _, one in effects(done, HandEnded)]
    assert hands == [(game, hand) for game in range(3) for hand in range(2)]
    assert [type(effect) for _, effect in done.effects if isinstance(effect, Ended)] == [Ended]


# -- what was agreed -------------------------------------------------------------------------------


def test_a_match_without_games_or_with_an_empty_leg_is_refused() -> None:
    for legs in ((), ((),), ((Sitting(0, 0),), ())):
        with pytest.raises(InputError, match="at least one game, and none of its legs is empty"):
            replace(make_plan(), legs=legs)


@pytest.mark.parametrize(
    ("sitting", "message"),
    [
        (Sitting(1, 0), "board 1: there are 1, from 0"),
        (Sitting(-1, 0), "board -1: there are 1, from 0"),
        (Sitting(0, 2), "rotation 2: must be below the number of seats"),
        (Sitting(0, -1), "rotation -1: must be below the number of seats"),
    ],
)
def test_a_game_on_no_board_or_in_no_rotation_is_refused(sitting: Sitting, message: str) -> None:
    with pytest.raises(InputError, match=message):
        replace(make_plan(), legs=((sitting,),))


# -- the same again, and everything at once --------------------------------------------------------


def chaotic(seed: int, *, host_fails: bool = False) -> Script:
    """Answer well mostly; otherwise late, wrongly, twice, not at all, or go."""
    rng = Random(seed)

    def script(prompt: Prompt) -> list[Step]:
        good = Reply(rng.randrange(len(prompt.view.legal)), Nanos(rng.randrange(1, 20) * MS))
        oddities: list[list[Step]] = [
            [],
            [Leave(Nanos(rng.randrange(1, 200) * MS))],
            [Leave(Nanos(MS), "flooded", ForfeitReason.PROTOCOL)],
            [Reply(rng.randrange(-5, 99))],
            [Reply(MALFORMED)],
            [Reply(0, Nanos(rng.randrange(1, 3000) * MS))],
            [good, good],
            [Reply(0, prompt_id="nonsense"), good],
            [*[Note()] * rng.randrange(20), good],
            [Stall(Nanos(15 * MS), Nanos(rng.randrange(1, 300) * MS)), good],
            [HostFails(Nanos(MS))] if host_fails and rng.random() < 0.05 else [good],
        ]
        return rng.choice(oddities) if rng.random() < 0.05 else [good]

    return script


@pytest.mark.parametrize("window", list(WindowMode))
def test_the_same_plan_answers_and_secret_give_the_same_effects_to_the_letter(
    window: WindowMode,
) -> None:
    runs = [
        simulate(
            make_plan("classic", 3, games=2, rotate=True, hands=2, window=window),
            *(chaotic(seed) for seed in range(3)),
        )
        for _ in range(2)
    ]
    assert runs[0].effects == runs[1].effects
    assert runs[0].match.verdict == runs[1].match.verdict
    assert runs[0].match.results == runs[1].match.results


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize(
    ("preset", "players"), [("classic", 2), ("classic", 6), ("express", 4), ("plateau", 3)]
)
def test_whatever_bots_and_host_do_every_match_ends_in_a_verdict_that_fits(
    preset: str, players: int, seed: int, window: WindowMode
) -> None:
    plan = make_plan(
        preset, players, games=2, hands=2, rotate=seed % 2 > 0, seed=str(seed), window=window
    )
    scripts = [chaotic(100 * seed + bot, host_fails=True) for bot in range(players)]
    done = simulate(plan, *scripts)
    end = verdict(done)
    teams = {plan.seating.team_of[one.bot] for one in end.forfeits}
    results = done.match.results
    if end.kind is OutcomeKind.VOID:
        assert end.void
        assert end.forfeits == ()
    elif end.kind is OutcomeKind.COMPLETED:
        assert not teams
        assert [result.finished for result in results] == [True] * len(plan.sittings)
    else:
        broken_off = len(plan.seating.teams) - len(teams) < 2
        assert [result.finished for result in results[:-1]] == [True] * (len(results) - 1)
        assert broken_off or len(results) == len(plan.sittings)
        ranks = match_ranks(results, plan.seating, forfeits(done))
        healthy = [ranks[bot] for bot in plan.bots if plan.seating.team_of[bot] not in teams]
        lost = [ranks[bot] for bot in plan.bots if plan.seating.team_of[bot] in teams]
        assert max(healthy, default=-1) < min(lost)
    told_last = {one.bot: one.message for _, one in effects(done, Tell)}
    joined = {bot for bot, _ in told(done, Welcome)}
    assert all(isinstance(told_last[bot], MatchOver) for bot in joined)
    assert played(done)
