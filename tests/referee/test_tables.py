"""Tables of more than two teams: a forfeit is no end, the table plays on."""

from __future__ import annotations

import pytest

from arena.referee.events import (
    Begin,
    BotNo,
    Ended,
    EndLeg,
    Forfeited,
    ForfeitReason,
    GameBegan,
    Gone,
    HandOver,
    Joined,
    MatchOver,
    OutcomeKind,
    Prompt,
    Start,
    Tick,
    Welcome,
)
from arena.referee.limits import Instant, Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, eager
from arena.referee.verdict import match_ranks
from tests.referee.plans import (
    MS,
    ONE,
    PUBLISHED,
    TIME,
    TWO,
    ZERO,
    asked,
    at_random,
    effects,
    forfeits,
    hostile,
    make_plan,
    once,
    patient,
    played,
    prompts_of,
    silent,
    simulate,
    told,
    verdict,
)
from tests.referee.stacked import lengths, stacked_plan, windows


def leaves(game: int, hand: int = 0) -> Script:
    """Play well until then, and go."""
    return lambda prompt: (
        [Leave()] if (prompt.game, prompt.hand) >= (game, hand) else patient(prompt)
    )


def defaults(prompt: Prompt) -> list[Reply]:
    return [Reply(prompt.default)]


def lost_at(simulation: Simulation, bot: BotNo) -> int:
    return next(at for at, effect in effects(simulation, Forfeited) if effect.forfeit.bot == bot)


# -- the table plays on ----------------------------------------------------------------------------


def test_a_forfeit_leaves_the_others_to_play_all_their_games() -> None:
    done = simulate(make_plan(players=3, games=3), once([Leave()]), eager, eager)
    assert [(one.bot, one.game) for one in forfeits(done)] == [(ZERO, 0)]
    assert [result.finished for result in done.match.results] == [True] * 3
    assert [result.forfeited for result in done.match.results] == [(0,), (1,), (2,)]
    assert verdict(done).kind is OutcomeKind.FORFEIT
    for bot in (ONE, TWO):
        assert sum(whom == bot for whom, _ in told(done, HandOver)) == 3
        assert sum(whom == bot for whom, _ in told(done, MatchOver)) == 1


def test_without_playing_on_the_match_ends_with_the_game_in_play() -> None:
    plan = make_plan(players=3, games=3, hands=2, play_on=False)
    done = simulate(plan, leaves(1), eager, eager)
    assert [result.finished for result in done.match.results] == [True, True]
    assert [result.hands for result in done.match.results] == [2, 2]
    assert [(one.bot, one.game) for one in forfeits(done)] == [(ZERO, 1)]


def test_without_playing_on_who_is_there_plays_one_game_without_who_never_came() -> None:
    never = ScriptedSeat(joins=lambda _: False)
    done = simulate(make_plan(players=3, games=3, play_on=False), never, eager, eager)
    assert [result.finished for result in done.match.results] == [True]
    assert done.match.results[0].ranks[0] == 2


def test_a_match_ends_at_once_when_one_team_is_left() -> None:
    done = simulate(make_plan(players=3, games=2), leaves(0), leaves(1), eager)
    assert [(one.bot, one.game) for one in forfeits(done)] == [(ZERO, 0), (ONE, 1)]
    assert effects(done, Ended)[0][0] == lost_at(done, ONE)
    last = done.match.results[-1]
    assert (last.finished, last.winner) == (False, last.team(TWO))


def test_if_all_go_the_last_one_that_was_there_has_not_forfeited() -> None:
    done = simulate(make_plan(players=3), *[lambda _: [Leave()]] * 3)
    assert len(forfeits(done)) == 2
    assert effects(done, Ended)[0][0] == lost_at(done, forfeits(done)[-1].bot)


def test_two_that_never_join_forfeit_at_one_instant_in_the_order_of_their_numbers() -> None:
    never = [ScriptedSeat(eager, start_up=Nanos(TIME.start_up + 1)) for _ in range(2)]
    done = simulate(make_plan(players=3), never[0], eager, never[1])
    assert [one.bot for one in forfeits(done)] == [ZERO, TWO]
    assert lost_at(done, ZERO) == lost_at(done, TWO)


def test_who_never_joined_leaves_the_others_at_the_table() -> None:
    never = ScriptedSeat(eager, start_up=Nanos(TIME.start_up + 1))
    done = simulate(make_plan(players=3), eager, never, eager)
    assert [one.reason for one in forfeits(done)] == [ForfeitReason.STARTUP]
    assert effects(done, GameBegan)[0][0] == done.effects[0][0] + TIME.start_up + 1
    assert done.match.results[0].finished


# -- the seat of who forfeited ---------------------------------------------------------------------


@pytest.mark.parametrize("window", list(WindowMode))
def test_the_forfeiters_seat_plays_defaults_and_nobody_waits_for_it_on_its_turn(
    window: WindowMode,
) -> None:
    done = simulate(make_plan(players=3, games=2, window=window), once([Leave()]), eager, eager)
    mine = [one for one in played(done) if one.bot == ZERO]
    assert len(mine) > 10
    for one in mine:
        assert (one.answered, one.prompt, one.spent, one.fault) == (False, 0, 0, None)
    assert prompts_of(done, ZERO)[1:] == []
    # Time passes for the others' answers and for sealed windows alone.
    waited = sum(
        one.spent for one in played(done) if one.bot != ZERO and one.stage.name != "RESPOND"
    )
    end = effects(done, Ended)[0][0]
    assert end - lost_at(done, ZERO) == waited + sum(lengths(done))


@pytest.mark.parametrize("window", list(WindowMode))
@pytest.mark.parametrize(
    ("preset", "players"), [("classic", 3), ("classic", 6), ("express", 4), ("plateau", 3)]
)
def test_the_default_is_legal_in_every_state_that_is_reached(
    preset: str, players: int, window: WindowMode
) -> None:
    """The prompts say so; and the rules would refuse it where nobody is asked."""
    for seed in range(3):
        plan = make_plan(preset, players, games=2, hands=2, window=window, seed=str(seed))
        scripts = [at_random(seed), once([Leave()]), silent, *[at_random(9)] * (players - 3)]
        done = simulate(plan, *scripts)
        for _, _, prompt in asked(done):
            assert prompt.default in prompt.view.legal
        assert [result.finished for result in done.match.results] == [True, True]
        assert {ONE, TWO} <= {one.bot for one in played(done) if not one.answered}


def test_who_forfeits_ranks_below_every_healthy_seat_even_with_the_most_points() -> None:
    plan = make_plan(players=3, games=2, hands=3)
    done = simulate(plan, leaves(1, hand=2), defaults, defaults)
    for result in done.match.results:
        mine = result.team(ZERO)
        assert result.totals[mine] == max(result.totals) > 0
    first, second = done.match.results
    assert first.winner == first.team(ZERO)
    assert second.ranks[second.team(ZERO)] == 2
    assert second.winner != second.team(ZERO)
    assert match_ranks(done.match.results, plan.seating, forfeits(done))[ZERO] == 2


def test_a_partner_plays_on_although_their_team_is_last() -> None:
    done = simulate(make_plan(players=6, games=2), once([Leave()]), *[at_random(3)] * 5)
    partner = BotNo(3)
    assert [result.finished for result in done.match.results] == [True, True]
    assert {one.game for one in played(done) if one.bot == partner and one.answered} == {0, 1}
    ranks = match_ranks(done.match.results, done.match.plan.seating, forfeits(done))
    assert ranks[ZERO] == ranks[partner] == 2
    assert sorted(set(ranks)) in ([0, 1, 2], [0, 2])


def test_with_both_partners_of_two_teams_a_match_of_partners_ends_by_one_forfeit() -> None:
    done = simulate(make_plan(players=4, games=2), once([Leave()]), *[eager] * 3)
    (result,) = done.match.results
    assert (result.ranks, result.winner, result.finished) == ((1, 0), 1, False)
    ranks = match_ranks(done.match.results, done.match.plan.seating, forfeits(done))
    assert ranks == (1, 0, 1, 0)


# -- what the others learn -------------------------------------------------------------------------


def test_others_learn_of_a_forfeit_at_the_end_of_the_leg_and_only_its_kind() -> None:
    plan = make_plan(players=3, rotate=True, faults=PUBLISHED)
    done = simulate(plan, silent, eager, eager)
    over = [message for bot, message in told(done, MatchOver) if bot == ONE]
    assert [one.detail for one in over] == ["FORFEIT by another bot (TIMEOUT)"] * 3
    assert [one.games for one in over] == [1, 1, 1]
    mine = [message for bot, message in told(done, MatchOver) if bot == ZERO]
    assert [one.detail for one in mine] == [f"FORFEIT by you (TIMEOUT: {forfeits(done)[0].detail})"]


def test_who_forfeited_is_not_started_for_the_next_leg() -> None:
    done = simulate(make_plan(players=3, rotate=True), once([Leave()]), eager, eager)
    starts = [(one.leg, one.bot) for _, one in effects(done, Start)]
    assert starts == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 1), (2, 2)]
    assert len(effects(done, EndLeg)) == 2
    assert sum(bot == ZERO for bot, _ in told(done, Welcome)) == 1


def test_a_flood_while_others_start_costs_the_match_and_the_others_play() -> None:
    match = Match(make_plan(players=3, faults=PUBLISHED), b"secret")
    match.handle(Begin(), Instant(0))
    match.handle(Joined(ZERO), Instant(1))
    match.handle(Gone(ZERO, "sent 65 surplus messages", ForfeitReason.PROTOCOL), Instant(2))
    match.handle(Joined(ONE), Instant(3))
    assert not match.over
    effects_now = match.handle(Joined(TWO), Instant(4))
    assert any(isinstance(effect, GameBegan) for effect in effects_now)
    assert match.handle(Tick(), Instant(5)) == []


# -- windows of a seat that has nobody -------------------------------------------------------------


@pytest.mark.parametrize("window", list(WindowMode))
def test_an_attack_on_a_forfeited_seat_opens_the_same_window(window: WindowMode) -> None:
    goes: Script = lambda prompt: [*patient(prompt), Leave(Nanos(2 * MS))]  # noqa: E731
    done = simulate(stacked_plan(players=3, window=window), goes, hostile, eager)
    assert lost_at(done, ZERO) <= windows(done)[0][0]
    first = windows(done)[0][1]
    assert first.seats == (0,)
    assert (
        lengths(done)[0]
        == {
            WindowMode.SEALED: TIME.response_window + 1,
            WindowMode.PROMPT: 0,
            WindowMode.STANDING: 0,
        }[window]
    )
