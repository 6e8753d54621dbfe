"""What a bot has to play, what fails it, and what says nothing about it."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena.engine.rulesets import PRESETS
from arena.errors import BotError, HostFault
from arena.referee.events import BotNo, ForfeitReason
from arena.referee.limits import STANDARD_LIMITS, WindowMode
from arena.referee.tally import Fault
from arena.sandbox.launcher import Exit
from arena.tournament.matches import MatchSpec, Sandbox, Venue
from arena.tournament.validation import (
    VALIDATION_LIMITS,
    Contestant,
    Finding,
    Report,
    Table,
    finding_of,
    spec_of,
    tables,
)
from arena.tournament.validation_hints import hints, image_in_words
from arena.tournament.validation_run import validate
from arena.tournament.validation_watch import Trial
from arena.workers.processes import WorkerLost
from tests.tournament.trials import CLEAN, HOUSE, bot, ring, trial

SEED = bytes(32)
MINE = Contestant(bot(), "sha256:mine")
EVERYTHING = Contestant(bot(players=(2, 3, 4, 5, 6), rulesets=tuple(PRESETS)), "sha256:mine")
TABLE = Table(preset="express", players=2)
SPEC = spec_of(TABLE, (MINE, HOUSE), SEED)

Make = Callable[[MatchSpec], Trial]


def played(*made: Make, subject: Contestant = MINE) -> tuple[Report, list[MatchSpec]]:
    """Validate a bot whose matches come out as `made` says, the last of them for ever."""
    specs: list[MatchSpec] = []

    def play(spec: MatchSpec, bots: frozenset[BotNo]) -> Trial:
        specs.append(spec)
        return made[min(len(specs), len(made)) - 1](spec)

    return validate(subject, ring(play), SEED), specs


# -- what is played ---------------------------------------------------------------------------


def test_all_that_a_bot_says_it_can_and_the_rules_have_is_played() -> None:
    found = tables(EVERYTHING.bot)
    names = {one.name for one in found}
    assert len(names) == len(found)
    assert {one.preset for one in found} == set(PRESETS)
    assert {
        "classic, 6 players",
        "express, 4 players",
        "plateau, 2 players, against itself",
    } <= names
    assert "classic, 5 players" not in names
    assert [one.name for one in tables(bot(players=(4,)))] == [
        "express, 4 players",
        "express, 4 players, against itself",
    ]
    assert tables(bot(players=(5,), rulesets=("classic",))) == ()


@pytest.mark.parametrize("table", tables(EVERYTHING.bot), ids=lambda table: str(table.name))
def test_a_table_has_a_hand_in_every_seat_with_the_limits_of_rated_play(table: Table) -> None:
    spec = spec_of(table, (EVERYTHING, HOUSE), SEED)
    plan = spec.plan()
    games = range(len(plan.sittings))
    assert {plan.seat_of(BotNo(0), game) for game in games} == set(range(table.players))
    assert plan.length.hands == 1
    assert len(plan.legs) == 1
    assert plan.limits.time == STANDARD_LIMITS.time
    assert plan.limits.window is WindowMode.SEALED
    assert plan.limits.faults.max_strikes == 1
    mine = [number for number, one in enumerate(spec.bots) if one.name == "mine"]
    assert mine == sorted(table.subjects)
    assert [spec.venue.images[number] == "sha256:mine" for number in mine] == [True] * len(mine)
    assert len(spec.bots) == len(spec.venue.images) == table.players
    assert len({spec.bots[number].folder for number in mine}) == 1
    # What a program could see of it is what it sees in rated play.
    assert not spec.venue.strict_bots


def test_where_it_is_played_is_what_the_ring_says() -> None:
    specs: list[MatchSpec] = []

    def play(spec: MatchSpec, bots: frozenset[BotNo]) -> Trial:
        specs.append(spec)
        return trial(spec)

    venue = Venue(sandbox=Sandbox.DOCKER, holds_still=True, runtime="runsc")
    own = replace(ring(play), venue=venue)
    assert validate(MINE, own, SEED).passed
    assert {spec.venue.images[0] for spec in specs} == {"sha256:mine"}
    assert all(replace(spec.venue, images=()) == venue for spec in specs)
    assert len({spec.name for spec in specs}) == len(specs) == 2


# -- what fails a bot -------------------------------------------------------------------------


def test_a_bot_without_fault_passes_and_its_times_are_told() -> None:
    found = finding_of(TABLE, trial(SPEC, start_up=1.5, longest=0.25))
    assert found == Finding(
        table="express, 2 players",
        games=2,
        start_up=1.5,
        longest=0.25,
        processor_time=0.5,
        seconds=2.0,
        peak=20 * 2**20,
    )
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("fault", sorted(set(Fault) - {Fault.STALE, Fault.FORFEITED}))
def test_every_fault_that_the_referee_counts_fails_it(fault: Fault) -> None:
    found = finding_of(TABLE, trial(SPEC, faults={fault: 1}))
    assert found.problems == (f"{fault.replace('_', ' ')}: 1 time",)
    report, _ = played(lambda spec: trial(spec, faults={fault: 2}))
    assert not report.passed


def test_what_is_nobodys_fault_does_not() -> None:
    assert finding_of(TABLE, trial(SPEC, faults={Fault.STALE: 3})).problems == ()


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        (
            {"lost": (0, ForfeitReason.CRASH, "exited with code 1")},
            "CRASH: exited with code 1",
        ),
        (
            {"exits": [Exit(how="exited with code 3")]},
            "after the end of the match it exited with code 3",
        ),
        (
            {"exits": [Exit(how="was killed by SIGSEGV")]},
            "after the end of the match it was killed by SIGSEGV",
        ),
        (
            {"log": "hello\narena_sdk: choose raised 3 times (last: KeyError: 1); default ...\n"},
            "arena_sdk: choose raised 3 times (last: KeyError: 1); default ...",
        ),
    ],
)
def test_what_goes_wrong_in_the_last_step_or_after_it_fails_it(
    case: dict[str, Any], problem: str
) -> None:
    assert finding_of(TABLE, trial(SPEC, **case)).problems == (problem,)


def test_who_is_slow_to_leave_has_done_nothing_wrong() -> None:
    ended = trial(SPEC, exits=[Exit(how="had to be ended", was_ended=True)])
    assert finding_of(TABLE, ended).problems == ()


def test_a_forfeit_is_told_once_and_not_by_its_parts() -> None:
    lost = (0, ForfeitReason.ILLEGAL, "prompt 3: discard D25 is not legal now; strike 1 of 1")
    found = finding_of(TABLE, trial(SPEC, faults={Fault.ILLEGAL: 1}, lost=lost))
    assert found.problems == (f"ILLEGAL: {lost[2]}",)


def test_what_comes_near_to_a_limit_is_a_warning() -> None:
    time = VALIDATION_LIMITS.time
    start_up, turn = time.start_up / 1e9, time.turn / 1e9
    assert finding_of(TABLE, trial(SPEC, start_up=0.69 * start_up)).warnings == ()
    near = finding_of(TABLE, trial(SPEC, start_up=0.71 * start_up, longest=0.9 * turn))
    assert near.problems == ()
    assert near.warnings == (
        "it needed 14.2 s of 20 s to start",
        "it took 900 ms of 1,000 ms that cost nothing for an answer",
    )
    killed = replace(CLEAN, killed_besides=2)
    (warning,) = finding_of(TABLE, trial(SPEC, exits=[killed])).warnings
    assert warning == "2 of what it started was killed for memory while it went on"


# -- what is played again, and when it is enough ----------------------------------------------


def test_a_void_match_is_played_again_and_says_nothing_about_the_bot() -> None:
    report, specs = played(lambda spec: trial(spec, why_void="a power cut"), trial)
    assert report.passed
    assert [one.attempts for one in report.findings] == [2, 1]
    assert [spec.name for spec in specs] == ["00000-0-1", "00000-0-2", "00001-0-1"]


def lost_worker(spec: MatchSpec) -> Trial:
    raise WorkerLost("a worker was killed by SIGKILL before its task was done")


def house_forfeits(spec: MatchSpec) -> Trial:
    return trial(spec, lost=(1, ForfeitReason.CRASH, "exited with code 1"))


@pytest.mark.parametrize(
    ("made", "why"),
    [
        (lambda spec: trial(spec, why_void="the referee stood still"), "the referee stood still"),
        (lost_worker, "a worker was killed by SIGKILL before its task was done"),
        (house_forfeits, "the house's bot forfeited: CRASH: exited with code 1"),
    ],
)
def test_a_machine_that_fails_each_time_is_to_blame_and_not_the_bot(made: Make, why: str) -> None:
    with pytest.raises(HostFault) as caught:
        played(made)
    assert str(caught.value) == (
        f"validation, express, 2 players: this machine failed 3 times, last: {why}"
    )


def test_a_machine_that_cannot_play_at_all_is_to_blame() -> None:
    def fail(spec: MatchSpec) -> Trial:
        raise HostFault("no engine answers")

    with pytest.raises(HostFault, match="no engine answers"):
        played(fail)


def test_windows_that_are_missed_each_time_fail_a_bot_and_once_warn_it() -> None:
    def missed(spec: MatchSpec) -> Trial:
        return trial(spec, faults={Fault.MISSED_WINDOW: 1, Fault.LATE: 1})

    report, specs = played(missed)
    assert len(specs) == 3
    assert report.failures[0].problems == ("missed window: 1 time", "late: 1 time")
    report, _ = played(missed, trial)
    assert report.passed
    assert report.findings[0].warnings == ("it missed response windows in 1 of 2 attempts",)


def test_a_bot_that_fails_at_its_first_table_is_told_once() -> None:
    def silent(spec: MatchSpec) -> Trial:
        lost = (0, ForfeitReason.STARTUP, "did not join within 20,000 ms")
        return trial(spec, lost=lost, start_up=0)

    report, specs = played(silent, subject=EVERYTHING)
    assert len(specs) == len(report.findings) == 1
    assert report.findings[0].did_not_start
    assert report.not_played == len(tables(EVERYTHING.bot)) - 1
    assert not report.passed


def test_a_bot_for_no_launcher_is_told_why() -> None:
    def refuse(spec: MatchSpec) -> Trial:
        raise BotError("/bot: more than 10000 files")

    report, _ = played(refuse)
    assert report.failures[0].problems == ("/bot: more than 10000 files",)


def test_a_bot_that_fails_later_is_told_of_three_tables() -> None:
    def crash(spec: MatchSpec) -> Trial:
        return trial(spec, lost=(0, ForfeitReason.CRASH, "exited with code 1"))

    report, specs = played(trial, crash, subject=EVERYTHING)
    assert len(specs) == 4
    assert len(report.failures) == 3
    assert report.not_played == len(tables(EVERYTHING.bot)) - 4


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("OSError: [Errno 101] Network is unreachable", "no network"),
        ("socket.gaierror: Temporary failure in name resolution", "no network"),
        ("OSError: [Errno 30] Read-only file system: 'log.txt'", "/tmp"),
        ("ModuleNotFoundError: No module named 'numpy'", "image lacks"),
        ("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'left-pad'", "image lacks"),
        ("OSError: [Errno 28] No space left on device", "full"),
        ("RuntimeError: can't start new thread", "threads"),
    ],
)
def test_last_words_that_newcomers_stumble_over_are_explained(line: str, hint: str) -> None:
    (found,) = hints(["Traceback (most recent call last):", line])
    assert hint in found
    assert hints(["ValueError: no card"]) == ()


@pytest.mark.parametrize(
    ("problem", "hint"),
    [
        (
            "STARTUP: cannot start 'node' in its image: No such file or directory",
            "the image of the language python has no program 'node': name another language or "
            "image in bot.toml, or one of the bot's own files, such as './bot'",
        ),
        (
            "cannot start './bot' in its image: No such file or directory",
            "there is no './bot' in the bot's folder, as it was packed or built; or its "
            "interpreter or a library is not in the image of the language python",
        ),
        (
            "cannot start './bot' in its image: Permission denied",
            "'./bot' is not marked as a program where it lies: chmod +x, then pack again",
        ),
        (
            "arena_sdk.bridge: cannot start './bot': Permission denied",
            "'./bot' is not marked as a program where it lies: chmod +x, then pack again",
        ),
    ],
)
def test_a_program_that_is_not_in_the_image_is_explained(problem: str, hint: str) -> None:
    assert hints([problem], image_in_words(bot())) == (hint,)
    assert hints([problem, problem], image_in_words(bot())) == (hint,)


def test_an_image_is_called_as_it_was_chosen() -> None:
    assert image_in_words(bot(language="cpp")) == "the image of the language cpp"
    assert image_in_words(bot(image="blend")) == "the image 'blend'"
    assert image_in_words(bot(language="cpp", bridge="stdio-json")) == "the image 'other'"
    assert image_in_words(bot(image="blend"), "rust") == "the image 'rust'"
