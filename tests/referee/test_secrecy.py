"""Secrecy at the machine's rim: the law, what it rests on, and machines that break it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from arena.referee import verdict
from arena.referee.events import Begin, BotNo, Event, Message, Prompt, SeatNo, Tell
from arena.referee.game import Game, MatchPlan
from arena.referee.limits import Nanos, WindowMode
from arena.referee.match import Match
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, Step, eager
from arena.referee.window import Window
from tests.referee.plans import (
    MS,
    ONE,
    PUBLISHED,
    ZERO,
    asked,
    at_random,
    effects,
    hostile,
    in_turn,
    in_windows,
    make_plan,
    patient,
    silent,
)
from tests.referee.stacked import NOT_HELD, closings, response_after, stacked_plan
from tests.referee.worlds import Machine, leaks

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("classic", 2, {}),
    ("classic", 3, {}),
    ("classic", 4, {}),
    ("classic", 6, {}),
    ("leaflet", 3, {}),
    ("express", 3, {}),
    ("plateau", 4, {}),
]


def plans(window: WindowMode, seeds: Sequence[int]) -> list[tuple[int, MatchPlan]]:
    return [
        (seed, make_plan(preset, players, hands=2, seed=str(seed), window=window, **options))
        for preset, players, options in TABLES
        for seed in seeds
    ]


# -- the law ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("window", list(WindowMode))
def test_what_others_hear_and_when_does_not_depend_on_hidden_cards(window: WindowMode) -> None:
    for seed, plan in plans(window, range(3)):
        assert not list(leaks(plan, seed)), (seed, plan.rules.preset, plan.seating.players)


@pytest.mark.slow
@pytest.mark.parametrize("window", list(WindowMode))
def test_what_others_hear_and_when_does_not_depend_on_hidden_cards_in_many_matches(
    window: WindowMode,
) -> None:
    for seed, plan in plans(window, range(100, 130)):
        assert not list(leaks(plan, seed)), (seed, plan.rules.preset, plan.seating.players)


# -- machines that break it ------------------------------------------------------------------------


class ClosesOnPass(Match):
    """Its sealed windows close when all have passed."""

    def _respond(self, game: Game) -> bool:
        waits = super()._respond(game)
        window: Window | None = self._window
        if window is not None and {game.bots[seat] for seat in game.asked()} <= set(window.held):
            self._release(game, window)
            return False
        return waits


class AsksHolders(Match):
    """It asks nobody but who holds the safety."""

    def _take(self, event: Event) -> None:
        if self._game is not None:
            self._game.state.ask_all = False
        super()._take(event)


class RejectsAloud(Match):
    """It tells everybody that a window was missed."""

    def _tell(self, bot: BotNo, message: Message) -> None:
        for one in self.plan.bots if type(message).__name__ == "Rejection" else [bot]:
            super()._tell(one, message)


class ShowsAnotherHand(Match):
    """Its prompts hold the view of the next seat."""

    def _put(self, game: Game, bot: BotNo, seat: SeatNo) -> None:
        super()._put(game, bot, seat)
        tell = self._effects[-1]
        assert isinstance(tell, Tell)
        assert isinstance(tell.message, Prompt)
        other = game.state.hands[(seat + 1) % game.state.players]
        tell.message.view = tell.message.view._replace(known=(bytes(other),))


@pytest.mark.parametrize("leaking", [ClosesOnPass, AsksHolders, RejectsAloud, ShowsAnotherHand])
def test_a_planted_leak_is_found(leaking: Machine) -> None:
    matches = plans(WindowMode.SEALED, range(12))
    assert any(leak for seed, plan in matches for leak in leaks(plan, seed, leaking))


# -- banks -----------------------------------------------------------------------------------------


def told_in_words(
    plan: MatchPlan, machine: Machine, bot: BotNo, scripts: Sequence[Script]
) -> list[Message]:
    """What a bot is told, without the time."""
    simulation = Simulation(machine(plan, b"secret"), [ScriptedSeat(one) for one in scripts])
    simulation.run()
    return [effect.message for _, effect in effects(simulation, Tell) if effect.bot == bot]


class TellsTheBanks(Match):
    """Its prompts name the bank of another one."""

    def _put(self, game: Game, bot: BotNo, seat: SeatNo) -> None:
        super()._put(game, bot, seat)
        tell = self._effects[-1]
        assert isinstance(tell, Tell)
        assert isinstance(tell.message, Prompt)
        tell.message.bank_left = min(clock.bank_left for clock in self._clocks.values())


def banks_show(machine: Machine) -> bool:
    """Whether a bot is told anything about how long another one has thought.

    The other one thinks for longer or shorter at first; then it plays well, or forfeits.
    """
    plan = make_plan(players=3, games=2, faults=PUBLISHED)
    for reactions in (500, 5):
        told = []
        for delay in (MS, 150 * MS, 90 * MS):
            slow = in_turn(takes_for_each(delay, reactions), silent)
            told.append(told_in_words(plan, machine, ZERO, [at_random(3), slow, at_random(4)]))
        if any(one != told[0] for one in told):
            return True
    return False


def takes_for_each(delay: int, count: int) -> list[list[Step]]:
    """So many answers, the first five after a delay."""
    return [[Reply(0, Nanos(delay if at < 5 else MS))] for at in range(count)]


def test_nobody_is_told_what_others_have_in_the_bank() -> None:
    assert not banks_show(Match)
    assert banks_show(TellsTheBanks)


def test_a_planted_leak_of_what_another_one_did_wrong_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ["a bot"] * 3
    monkeypatch.setattr(verdict, "told_to", lambda bot, how: verdict.described(how, names))
    assert banks_show(Match)


# -- numbers and names -----------------------------------------------------------------------------


class CountsForAll(Match):
    """Its prompts are numbered and named through the whole table."""

    def _put(self, game: Game, bot: BotNo, seat: SeatNo) -> None:
        super()._put(game, bot, seat)
        tell = self._effects[-1]
        assert isinstance(tell, Tell)
        assert isinstance(tell.message, Prompt)
        tell.message.number = sum(tally.prompts for tally in self.roster.tallies.values())


def absence_shows(machine: Machine) -> bool:
    """Whether others can tell, when a sealed window closes, if anybody was asked in it."""
    plan = stacked_plan(NOT_HELD, players=3, window=WindowMode.SEALED)

    def goes(prompt: Prompt) -> list[Step]:
        return [*patient(prompt), Leave(Nanos(2 * MS))]

    told = []
    for script in (response_after(MS, declare=False), goes):
        seats = [ScriptedSeat(one) for one in (script, hostile, eager)]
        simulation = Simulation(machine(plan, b"secret"), seats)
        simulation.run()
        until = closings(simulation)[1][0]
        told.append(
            [(at, one) for at, one in effects(simulation, Tell) if at <= until and one.bot != ZERO]
        )
    return told[0] != told[1]


def test_numbers_and_names_of_prompts_count_the_bots_own() -> None:
    assert not absence_shows(Match)
    assert absence_shows(CountsForAll)


def test_names_of_prompts_are_in_no_order() -> None:
    simulation = Simulation(
        Match(make_plan(games=2), b"secret"),
        [ScriptedSeat(at_random(1)), ScriptedSeat(at_random(2))],
    )
    simulation.run()
    for bot in (ZERO, ONE):
        names = [int(prompt.prompt_id, 16) for _, whom, prompt in asked(simulation) if whom == bot]
        rises = sum(one < other for one, other in pairwise(names))
        assert len(names) / 4 < rises < 3 * len(names) / 4


# -- deals -----------------------------------------------------------------------------------------


def deals(plan: MatchPlan, *scripts: Script) -> list[tuple[bytes, ...]]:
    """The hands as they were dealt, and the pile, hand by hand."""
    simulation = Simulation(Match(plan, b"secret"), [ScriptedSeat(one) for one in scripts])
    dealt: dict[tuple[int, int], tuple[bytes, ...]] = {}
    simulation.handle(Begin())
    while not simulation.match.over:
        game = simulation.match._game
        if game is not None:
            state = game.state
            now = (*map(bytes, state.hands), state.draw_pile())
            dealt.setdefault((game.number, game.hand), now)
        simulation.step()
    return [dealt[key] for key in sorted(dealt)]


@pytest.mark.parametrize("window", list(WindowMode))
def test_later_deals_are_the_same_whatever_was_played_before(window: WindowMode) -> None:
    plan = make_plan(players=3, games=2, hands=3, window=window)
    ways = [
        deals(plan, patient, hostile, patient),
        deals(plan, in_windows(silent, patient), hostile, at_random(3)),
        deals(plan, lambda prompt: [Reply(prompt.default)], at_random(1), silent),
    ]
    assert len(ways[0]) == 6
    assert ways[0] == ways[1] == ways[2]
    assert len(set(ways[0])) == 6
