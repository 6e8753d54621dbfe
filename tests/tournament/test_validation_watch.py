"""The watcher of a validation: which question, which answer, in which seat."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

import pytest

from arena.engine.actions import ACTIONS
from arena.engine.state import Stage
from arena.referee.events import BotNo, ForfeitReason, Prompt
from arena.referee.limits import nanos
from arena.referee.match import Match
from arena.referee.runner import Watch
from arena.referee.scripted import Leave, Reply, Script, ScriptedSeat, Simulation, Step, eager
from arena.tournament.matches import MatchOutcome, MatchSpec
from arena.tournament.validation import Contestant, Table, spec_of
from arena.tournament.validation_watch import Moment, Trial, watched
from tests.tournament.trials import HOUSE, bot

MINE = Contestant(bot(), "sha256:mine")
SEED = bytes(32)


def play(script: Script, *, table: Table | None = None, joins: bool = True) -> Trial:
    """A table at which the bot follows a script and the house's is without fault."""
    table = table or Table(preset="classic", players=2)
    spec = spec_of(table, (MINE, HOUSE), SEED)

    def simulated(own: MatchSpec, watch: Watch) -> MatchOutcome:
        seats = [
            ScriptedSeat(script, joins=lambda life: joins)
            if number in table.subjects
            else ScriptedSeat()
            for number in range(table.players)
        ]
        simulation = Simulation(Match(own.plan(), b"test"), seats)
        simulation.run()
        for now, effect in simulation.effects:
            watch(effect, now)
        match = simulation.match
        assert match.verdict is not None
        return MatchOutcome(
            verdict=match.verdict,
            results=tuple(match.results),
            tallies=tuple(match.roster.tallies[bot] for bot in match.plan.bots),
            logs=("",) * table.players,
        )

    return watched(simulated, spec, table.subjects)


def moment_of(trial: Trial) -> Moment:
    assert trial.moment is not None
    assert pickle.loads(pickle.dumps(trial)).moment == trial.moment
    return trial.moment


def at(number: int, step: Step) -> Script:
    """Play on, but for one prompt."""

    def script(prompt: Prompt) -> Sequence[Step]:
        return [step] if prompt.number == number else eager(prompt)

    return script


def test_a_bot_without_fault_has_no_moment() -> None:
    trial = play(eager)
    assert trial.moment is None
    assert trial.seconds > 0
    assert len(trial.outcome.results) == 2


def test_an_illegal_answer_is_told_with_what_was_asked() -> None:
    def script(prompt: Prompt) -> Sequence[Step]:
        if prompt.number < 4:
            return eager(prompt)
        return [Reply(next(one for one in ACTIONS if one not in prompt.view.legal))]

    moment = moment_of(play(script))
    assert moment.seat == 0
    assert moment.prompt == 4
    kind, _, legal = moment.asked.partition(": ")
    assert kind in {stage.name.lower() for stage in Stage}
    assert legal
    assert moment.answered.endswith(" is not legal now")
    assert moment.fault.startswith("ILLEGAL: prompt 4: ")


def test_a_number_beyond_the_legal_answers_is_told() -> None:
    moment = moment_of(play(at(3, Reply(99))))
    assert moment.answered.startswith("legal_index 99: the prompt has ")


def test_silence_is_told() -> None:
    moment = moment_of(play(at(3, Reply(0, nanos(60)))))
    assert (moment.prompt, moment.answered) == (3, "nothing in time")
    assert moment.fault.startswith("TIMEOUT: no answer to prompt 3 within 1,000 ms")


@pytest.mark.parametrize("reason", [ForfeitReason.CRASH, ForfeitReason.RESOURCE])
def test_a_crash_is_told_with_the_last_question(reason: ForfeitReason) -> None:
    moment = moment_of(play(at(5, Leave(why="was killed by SIGSEGV", reason=reason))))
    assert (moment.prompt, moment.answered) == (5, "nothing more")
    assert moment.fault == f"{reason}: was killed by SIGSEGV"


def test_who_never_joined_was_asked_nothing() -> None:
    moment = moment_of(play(eager, joins=False))
    assert moment == Moment(
        seat=None,
        prompt=0,
        asked="nothing",
        answered="nothing",
        fault="STARTUP: exited with 1 before it joined",
    )


def test_a_second_answer_is_told_although_the_match_goes_on() -> None:
    def script(prompt: Prompt) -> Sequence[Step]:
        return [*eager(prompt), *(eager(prompt) if prompt.number == 2 else ())]

    trial = play(script)
    moment = moment_of(trial)
    assert trial.outcome.verdict.forfeits == ()
    assert moment.fault == "a second answer to one question"
    assert moment.answered == "something that changes nothing"


def test_a_seat_is_that_of_the_game_in_which_it_happened() -> None:
    table = Table(preset="express", players=3)
    seats = set()
    for number in (1, 20, 40, 60, 80):
        trial = play(at(number, Leave()), table=table)
        if trial.moment is not None:
            game = len(trial.outcome.results) - 1
            assert trial.moment.seat == game
            seats.add(game)
    assert len(seats) > 1


def test_faults_of_others_are_none_of_its_own() -> None:
    spec = spec_of(Table(preset="express", players=2), (HOUSE, MINE), SEED)
    trial = play(at(2, Reply(99)))
    assert trial.moment is not None

    def again(own: MatchSpec, watch: Watch) -> MatchOutcome:
        seats = [ScriptedSeat(at(2, Reply(99))), ScriptedSeat()]
        simulation = Simulation(Match(own.plan(), b"test"), seats)
        simulation.run()
        for now, effect in simulation.effects:
            watch(effect, now)
        return trial.outcome

    assert watched(again, spec, frozenset({BotNo(1)})).moment is None
