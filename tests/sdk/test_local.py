"""Matches between bots of one process: the same games and the same judgements as a referee's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from arena.engine.actions import Action
from arena.engine.cards import Card
from arena.errors import BotError
from arena.referee import events
from arena.referee.events import BotNo, Forfeit, ForfeitReason, OutcomeKind
from arena.referee.limits import WindowMode
from arena.referee.scripted import Reply, ScriptedSeat
from arena.referee.tally import Fault
from arena_sdk import Bot, HandResult, MatchResult, Prompt, Rejection, Welcome
from arena_sdk._local import play_locally
from arena_sdk._player import Player
from tests.referee.plans import ONE, TIME, TWO, ZERO, make_plan, simulate
from tests.sdk.localplay import (
    First,
    Hostile,
    Illegal,
    Make,
    Patient,
    Steady,
    Witness,
    choice_of,
    exiting,
    illegal,
    once_in_two_games,
    play,
    raising,
    strict_plan,
    told,
)

# -- the same games ---------------------------------------------------------------------------

TABLES = [
    ("classic", 2, None),
    ("classic", 3, 2),
    ("classic", 4, 2),
    ("classic", 6, 2),
    ("leaflet", 2, 3),
    ("express", 2, None),
    ("express", 3, None),
    ("express", 4, None),
    ("plateau", 2, None),
    ("plateau", 3, None),
    ("plateau", 4, None),
]


@pytest.mark.parametrize("window", [WindowMode.PROMPT, WindowMode.SEALED, WindowMode.STANDING])
@pytest.mark.parametrize(("preset", "players", "hands"), TABLES)
def test_the_games_are_those_that_a_referee_would_have(
    preset: str, players: int, hands: int | None, window: WindowMode
) -> None:
    plan = make_plan(preset, players, games=2, hands=hands, window=window, rotate=True)

    def script(prompt: events.Prompt) -> list[Reply]:
        return [Reply(choice_of(prompt.view))]

    there = simulate(plan, *[ScriptedSeat(script) for _ in range(players)]).match
    here = play(plan, *[Steady] * players)
    assert list(here.results) == there.results
    assert here.verdict == there.verdict
    for bot in plan.bots:
        assert here.tallies[bot].faults == {}
        assert here.tallies[bot].coups_fourres == there.roster.tallies[bot].coups_fourres


def test_coups_fourres_are_counted() -> None:
    patient, hostile = play(make_plan(games=10), Patient, Hostile).tallies
    assert patient.coups_fourres > 0
    assert hostile.coups_fourres == 0


def test_every_game_is_reported_as_it_ends() -> None:
    heard: list[events.GameResult] = []
    outcome = play_locally(
        make_plan(games=3), lambda bot, leg: Player(First(), seed="1"), heard.append
    )
    assert tuple(heard) == outcome.results


def test_fresh_bots_play_each_leg() -> None:
    made: list[tuple[BotNo, int]] = []

    def make(bot: BotNo, leg: int) -> Player:
        made.append((bot, leg))
        return Player(First(), seed="1")

    outcome = play_locally(make_plan(games=3, rotate=True), make)
    assert made == [(ZERO, 0), (ONE, 0), (ZERO, 1), (ONE, 1)]
    assert [len(tally.start_ups) for tally in outcome.tallies] == [2, 2]


def test_orders_answer_attacks_where_windows_are_run_so() -> None:
    class Meek(Patient):
        def standing_orders(self, prompt: Prompt) -> list[Card]:
            return []

    plan = make_plan(games=20, window=WindowMode.STANDING)
    assert play(plan, Patient, Hostile).tallies[0].coups_fourres > 0
    assert play(plan, Meek, Hostile).tallies[0].coups_fourres == 0


# -- what bots are told -----------------------------------------------------------------------


def test_games_hands_and_the_end_are_told() -> None:
    heard = told(make_plan(games=2, hands=2, rotate=True), Steady)
    kinds = [type(what) for what in heard]
    leg = [*[Welcome, HandResult, HandResult] * 2, MatchResult]
    assert kinds == leg * 2
    welcomes = [what for what in heard if isinstance(what, Welcome)]
    assert [(one.seat, one.game, one.games) for one in welcomes] == [
        (0, 0, 2),
        (1, 1, 2),
        (1, 0, 2),
        (0, 1, 2),
    ]
    assert welcomes[0].time.turn == TIME.turn / 1e9
    overs = [what for what in heard if isinstance(what, MatchResult)]
    assert [one.games for one in overs] == [2, 2]
    assert {one.detail for one in overs} == {""}


def test_of_another_bot_s_forfeit_only_the_kind_is_told() -> None:
    (*_, over) = told(strict_plan(games=2), once_in_two_games(exiting))
    assert isinstance(over, MatchResult)
    assert over.games == 2
    assert over.detail == "FORFEIT by another bot (CRASH)"


# -- faults -----------------------------------------------------------------------------------


def test_an_illegal_answer_is_a_strike_and_the_default_is_played() -> None:
    outcome = play(strict_plan(games=2), once_in_two_games(illegal), First)
    assert dict(outcome.tallies[0].faults) == {Fault.ILLEGAL: 1}
    assert outcome.verdict.kind is OutcomeKind.COMPLETED


def test_a_rejection_says_what_was_played_instead_and_how_many_strikes_there_are() -> None:
    class Stubborn(Witness):
        def choose(self, prompt: Prompt) -> Action:
            return illegal(prompt)

    bot = Stubborn()
    outcome = play_locally(strict_plan(), lambda number, leg: Player(First() if number else bot))
    rejections = [what for what in bot.told if isinstance(what, Rejection)]
    assert [one.strikes for one in rejections] == [1, 2, 3]
    assert all("is not legal now" in one.detail for one in rejections)
    assert outcome.tallies[0].strikes == 3


def test_the_third_strike_is_a_forfeit_that_names_the_prompt() -> None:
    outcome = play(strict_plan(games=3), Illegal, First)
    (forfeit,) = outcome.verdict.forfeits
    assert (forfeit.bot, forfeit.reason, forfeit.game) == (ZERO, ForfeitReason.ILLEGAL, 0)
    assert forfeit.detail.startswith("prompt 3: ")
    assert forfeit.detail.endswith(" is not legal now; strike 3 of 3")
    (result,) = outcome.results
    assert (result.finished, result.winner, result.forfeited) == (False, 1, (0,))


def test_what_a_bot_raises_costs_nothing_but_the_choice() -> None:
    outcome = play(strict_plan(games=2), once_in_two_games(raising), First)
    assert outcome.verdict.kind is OutcomeKind.COMPLETED
    assert dict(outcome.tallies[0].faults) == {}


def test_in_strict_play_it_costs_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = play(strict_plan(games=3), once_in_two_games(raising), First, strict=True)
    assert outcome.verdict.forfeits == (
        Forfeit(ZERO, ForfeitReason.CRASH, "choose raised RuntimeError: dropped all my cards", 1),
    )
    assert len(outcome.results) == 2
    assert "Traceback" in capsys.readouterr().err


@pytest.mark.parametrize("hook", ["game_started", "hand_over", "saw", "standing_orders"])
def test_in_strict_play_a_hook_that_raises_costs_it_too(hook: str) -> None:
    def fail(self: Bot, *_: object) -> None:
        raise RuntimeError("no")

    kind = type("Failing", (First,), {hook: fail})
    plan = strict_plan(games=2, window=WindowMode.STANDING)
    outcome = play(plan, kind, First, strict=True)
    (forfeit,) = outcome.verdict.forfeits
    assert (forfeit.bot, forfeit.reason) == (ZERO, ForfeitReason.CRASH)
    assert forfeit.detail == f"{hook} raised RuntimeError: no"


def test_a_farewell_that_fails_costs_nothing() -> None:
    class Rude(First):
        def match_over(self, result: MatchResult) -> None:
            sys.exit(1)

    for strict in (False, True):
        outcome = play(strict_plan(games=2, rotate=True), Rude, First, strict=strict)
        assert outcome.verdict.kind is OutcomeKind.COMPLETED
        assert len(outcome.results) == 4


@pytest.mark.parametrize(("code", "shown"), [(3, 3), (None, 0), (0, 0), ("bye", 1)])
def test_a_bot_that_exits_has_crashed(code: object, shown: int) -> None:
    def leave(prompt: Prompt) -> Action:
        sys.exit(code)  # type: ignore[arg-type]

    outcome = play(strict_plan(games=3), once_in_two_games(leave), First)
    assert outcome.verdict.forfeits == (
        Forfeit(ZERO, ForfeitReason.CRASH, f"exited with code {shown}", 1),
    )


def making(error: BaseException) -> Make:
    def make() -> Bot:
        raise error

    return make


@pytest.mark.parametrize(
    ("make", "detail"),
    [
        (making(TypeError("no seed")), "cannot be made: TypeError: no seed"),
        (making(BotError("bot x: defines none")), "cannot be made: bot x: defines none"),
        (making(SystemExit(2)), "exited with code 2 before it joined"),
    ],
)
def test_a_bot_that_cannot_be_made_did_not_start(make: Make, detail: str) -> None:
    outcome = play(strict_plan(games=3, rotate=True), First, make)
    assert outcome.verdict.forfeits == (Forfeit(ONE, ForfeitReason.STARTUP, detail, 0),)
    assert len(outcome.tallies[1].start_ups) == 0
    (result,) = outcome.results
    assert (result.forfeited, result.winner, result.finished) == ((1,), 0, False)


def test_where_nobody_can_be_made_nobody_wins() -> None:
    no = making(TypeError())
    outcome = play(strict_plan(games=3), no, no)
    assert len(outcome.verdict.forfeits) == 2
    assert outcome.results[0].winner == -1


# -- a table of three -------------------------------------------------------------------------


@pytest.mark.parametrize("play_on", [False, True])
def test_the_others_play_on_without_a_bot_that_has_lost(play_on: bool) -> None:
    plan = strict_plan(preset="express", players=3, games=3, hands=None, rotate=True)
    plan = replace(plan, play_on=play_on)
    outcome = play(plan, First, once_in_two_games(exiting), First)
    assert [one.bot for one in outcome.verdict.forfeits] == [ONE]
    # Without `play_on` the game in play is the last one.
    assert len(outcome.results) == (9 if play_on else 2)
    assert outcome.results[0].forfeited == ()
    for result in outcome.results[1:]:
        team = result.team(ONE)
        assert result.forfeited == (team,)
        assert result.ranks[team] == 2
        assert result.finished
        assert result.winner != team


def test_the_last_one_at_a_table_wins() -> None:
    plan = strict_plan(preset="express", players=3, games=3, hands=None)
    outcome = play(plan, First, Illegal, once_in_two_games(exiting))
    assert [one.bot for one in outcome.verdict.forfeits] == [ONE, TWO]
    last = outcome.results[-1]
    assert last.winner == last.team(ZERO)
    assert not last.finished


# -- what is around a bot ---------------------------------------------------------------------


def test_a_bot_finds_its_own_surroundings_whenever_it_is_called() -> None:
    inside: list[BotNo] = []
    wrong: list[tuple[BotNo, str]] = []

    @contextmanager
    def around(bot: BotNo) -> Iterator[None]:
        inside.append(bot)
        yield
        inside.pop()

    class Checking(Witness):
        def __init__(self, bot: BotNo) -> None:
            super().__init__()
            self.bot = bot
            self.check("made")

        def check(self, where: str) -> None:
            if inside != [self.bot]:
                wrong.append((self.bot, where))

        def __getattribute__(self, name: str) -> Any:
            if name in {"choose", "game_started", "hand_over", "match_over", "rejected"}:
                self.check(name)
            return super().__getattribute__(name)

    outcome = play_locally(
        make_plan(games=2, rotate=True),
        lambda bot, leg: Player(Checking(bot), seed="1"),
        around=around,
    )
    assert len(outcome.results) == 4
    assert wrong == []
    assert inside == []


def test_notes_are_lines_on_standard_error_and_none_is_lost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Noting(First):
        def choose(self, prompt: Prompt) -> Action:
            self.note(f"game {prompt.game}")
            return super().choose(prompt)

    outcome = play(strict_plan(games=2), Noting, First)
    lines = capsys.readouterr().err.splitlines()
    assert lines.count("game 0") + lines.count("game 1") == len(lines)
    assert len(lines) == outcome.tallies[0].prompts
