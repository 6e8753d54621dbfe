"""The corpus can fail: each check, the format, and the measuring itself."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.referee.limits import Limits
from arena.referee.tally import Fault, Tally
from tests.hostile import sabotage
from tests.hostile.cases import BOTS, BOXED, Case, CaseError, all_cases, read_case
from tests.hostile.features import missing_of
from tests.hostile.gauge import Gauged
from tests.hostile.house import Seen
from tests.hostile.judge import KEPT_BYTES, Baseline, problems
from tests.hostile.playing import Court
from tests.hostile.spying import BITS, suspects

QUIET = Baseline(0.5, 1.0)
CASE = Case(
    path=Path("some_bot.py"),
    what="Does wrong.",
    verdict="FORFEIT TIMEOUT",
    within=3,
    threats=("B4",),
    words=("no answer",),
    faults={"timed_out": 3},
    log=("bye",),
)


def tally(milliseconds: float, answers: int, **faults: int) -> Tally:
    one = Tally()
    for _ in range(answers):
        one.think_times.add(int(milliseconds * 1e6))
    for fault, count in faults.items():
        one.faults[Fault(fault)] = count
    return one


def as_expected() -> Seen:
    return Seen(
        verdict="FORFEIT TIMEOUT",
        who=(0,),
        text="FORFEIT by bot 0 (TIMEOUT: no answer to prompt 3)",
        seconds=1,
        logs=("hello\nbye\n", ""),
        tallies=(tally(1000, 3, timed_out=3), tally(0.5, 50)),
        most_descriptors=10,
        grown=10,
    )


def told(**changes: object) -> list[str]:
    seen = replace(as_expected(), **changes)  # type: ignore[arg-type]
    return [problem.text for problem in problems(CASE, seen, QUIET)]


def test_what_is_as_expected_has_no_problem() -> None:
    assert told() == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"verdict": "COMPLETED"}, "not FORFEIT TIMEOUT"),
        ({"verdict": "FORFEIT CRASH"}, "not FORFEIT TIMEOUT"),
        ({"who": (0, 1)}, "forfeits of bots (0, 1)"),
        ({"who": (1,)}, "forfeits of bots (1,)"),
        ({"text": "FORFEIT by bot 0"}, "does not name 'no answer'"),
        ({"record": "line 7"}, "record does not hold: line 7"),
        ({"seconds": 3.1}, "took 3.1 s, more than 3 s"),
        ({"logs": ("hello", "bye")}, "does not say 'bye'"),
        ({"tallies": (tally(1, 3), tally(0.5, 50))}, "its faults are {}"),
        (
            {"tallies": (tally(1, 3, timed_out=3), tally(0.5, 50, illegal=1))},
            "bot 1 has 0 strikes, faults {'illegal': 1}",
        ),
        ({"bank_taken": 1}, "bank has lost"),
        ({"lag": 101_000_000}, "stood still for 101 ms"),
        ({"tallies": (tally(1, 3, timed_out=3), tally(6, 50))}, "median: 6.0 ms, in quiet 0.5 ms"),
        ({"left": ["process 7: sleep"]}, "left behind: process 7: sleep"),
        ({"descriptors": ["socket:[7]"]}, "descriptors more than before: socket:[7]"),
        ({"most_descriptors": 41}, "41 file descriptors more meanwhile, 40 allowed"),
        ({"grown": 25.0}, "grew by 25 MB, 24 allowed"),
        ({"errors": "Traceback"}, "wrote on standard error: Traceback"),
        ({"failure": "HostFault: broken"}, "no verdict but an exception"),
    ],
)
def test_each_check_can_fail(changes: dict[str, object], problem: str) -> None:
    (text,) = told(**changes)
    assert problem in text


BOXED_QUIET = replace(QUIET, engine=0.5)


def in_a_box(**changes: object) -> list[str]:
    machine = Gauged(containers={"a" * 64}, engine=0.6, disk=0.1, processes=9)
    seen = replace(as_expected(), machine=replace(machine, **changes))  # type: ignore[arg-type]
    return [problem.text for problem in problems(CASE, seen, BOXED_QUIET)]


def test_what_is_as_expected_in_a_container_has_no_problem() -> None:
    assert in_a_box() == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"containers": set()}, "no container of it was seen"),
        ({"engine": 1.6}, "the engine took 1.6 s, in quiet 0.5 s"),
        ({"disk": 5.0}, "it had 5 MB on disk"),
        ({"kept": 1}, "the engine kept 1 bytes of its output"),
        ({"processes": 129}, "129 processes in one container"),
    ],
)
def test_each_check_of_a_container_can_fail(changes: dict[str, object], problem: str) -> None:
    (text,) = in_a_box(**changes)
    assert problem in text


def test_a_log_that_is_too_long_or_says_too_much_is_told() -> None:
    log = f"bye {'x' * KEPT_BYTES}"
    seen = replace(as_expected(), logs=(log, ""), machine=Gauged(containers={"a" * 64}))
    (text,) = [one.text for one in problems(CASE, seen, BOXED_QUIET)]
    assert text == f"the log of bot 0 has {len(log)} characters"
    seen = replace(as_expected(), logs=("bye", "HEARD it\nno more"))
    (text,) = [one.text for one in problems(replace(CASE, never=("HEARD",)), seen, QUIET)]
    assert text == "the log of bot 1 says 'HEARD': 'HEARD it'"


def test_logs_that_should_be_alike_are_compared() -> None:
    alike = replace(CASE, alike=True)
    for other, count in (("hello\nbye\n", 0), ("hello\nyou\n", 1)):
        seen = replace(as_expected(), logs=("hello\nbye\n", other))
        assert len(problems(alike, seen, QUIET)) == count


def test_some_slow_answers_are_noise_and_more_of_them_are_not() -> None:
    for slow, problem in ((4, False), (10, True)):
        other = tally(0.5, 50 - slow)
        other.think_times.merge(tally(50, slow).think_times)
        found = told(tallies=(tally(1000, 3, timed_out=3), other))
        assert bool(found) is problem


@pytest.mark.parametrize(
    ("verdict", "noisy"), [("VOID", True), ("COMPLETED", False), ("FORFEIT CRASH", False)]
)
def test_with_another_verdict_its_particulars_do_not_matter(verdict: str, noisy: bool) -> None:
    seen = replace(as_expected(), verdict=verdict, text="another one", logs=("", ""))
    assert [problem.noisy for problem in problems(CASE, seen, QUIET)] == [noisy]


def test_who_starts_too_slowly_may_have_had_no_time() -> None:
    text = "FORFEIT by bot 0 (TIMEOUT: no answer), then bot 1 (STARTUP: did not join)"
    tallies = (tally(1000, 3, timed_out=3), tally(0.5, 50, forfeited=1))
    seen = replace(as_expected(), who=(0, 1), text=text, tallies=tallies)
    assert [problem.noisy for problem in problems(CASE, seen, QUIET)] == [True, True]


def test_only_what_a_busy_machine_may_cause_is_tried_again() -> None:
    seen = replace(as_expected(), seconds=9.0, left=["process 7: sleep"])
    assert [problem.noisy for problem in problems(CASE, seen, QUIET)] == [True, False]


# -- the format -------------------------------------------------------------------------------

GOOD = '# /// expected\n# verdict = "VOID"\n# within = 1\n# threats = ["B1"]\n# ///\n"""Does."""\n'


def read(text: str, folder: Path) -> Case:
    path = folder / "bot.py"
    path.write_text(text)
    return read_case(path)


def test_a_file_says_what_is_expected(tmp_path: Path) -> None:
    case = read(GOOD, tmp_path)
    assert (case.verdict, case.within, case.threats, case.what) == ("VOID", 1, ("B1",), "Does.")
    assert case.limits == Limits()


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("# /// expected\n", "", "bot.py: must begin with '# /// expected'"),
        ("# ///\n", "", "bot.py: must begin"),
        ('"VOID"', "VOID", "bot.py: not TOML"),
        ("# within", "# wihtin", "bot.py: unknown key 'wihtin'; there are "),
        ('# verdict = "VOID"\n', "", "bot.py: verdict is missing"),
        ('["B1"]', "[]", "bot.py: threats is missing"),
        ('"""Does."""', "", "bot.py: has no docstring"),
    ],
)
def test_a_file_that_breaks_the_format_is_told(
    before: str, after: str, problem: str, tmp_path: Path
) -> None:
    text = GOOD.replace(before, after)
    assert text != GOOD
    with pytest.raises(CaseError) as caught:
        read(text, tmp_path)
    assert problem in str(caught.value)


@pytest.mark.parametrize("folder", [BOTS, BOXED], ids=["bots", "boxed"])
def test_no_file_in_the_corpus_is_forgotten(folder: Path) -> None:
    files = {path.stem for path in folder.glob("*.py") if not path.name.startswith("_")}
    assert {case.name for case in all_cases(folder)} == files


# -- what spies count -------------------------------------------------------------------------


def test_a_counter_that_tells_a_bit_is_found_and_chance_is_not() -> None:
    chance = random.Random(7)
    samples = [
        {"clear": 10 + 3 * bit, "faint": chance.randrange(20) + 8 * bit, "still": 4}
        | {f"chance {number}": chance.randrange(1000) for number in range(300)}
        for bit in BITS[:200]
    ]
    found, varying = suspects(samples, BITS[:200])
    assert [name for name, _, _ in found] == ["clear", "faint"]
    assert found[0][1] == 1.0
    assert varying == 302


def test_the_bits_of_spies_are_of_both_kinds_and_without_order() -> None:
    assert 80 < sum(BITS[:200]) < 120
    assert 60 < sum(one != other for one, other in itertools.pairwise(BITS[:200])) < 140


def test_every_counter_may_read_backwards_too() -> None:
    samples = [{"shrinks": 10 - bit} for bit in BITS[:100]]
    ((name, share, _),) = suspects(samples, BITS[:100])[0]
    assert (name, share) == ("shrinks", 0.0)


# -- this machine -----------------------------------------------------------------------------


def test_what_a_machine_lacks_is_named() -> None:
    everything = {
        "CgroupVersion": "2",
        "SecurityOptions": ["name=userns"],
        "SwapLimit": True,
        "PidsLimit": True,
        "Runtimes": {"runsc": {}},
    }
    lacking = {"CgroupVersion": "1", "SecurityOptions": None, "SwapLimit": False}
    more = set(missing_of(lacking)) - set(missing_of(everything))
    assert {line.split(":")[0] for line in more} == {
        "this machine lacks control groups version 2",
        "this machine lacks user namespaces",
        "this machine lacks swap accounting",
        "this machine lacks a limit of the engine on processes",
        "this machine lacks the runtime runsc",
    }


# -- the measuring ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "name", "problem"),
    [
        (sabotage.slow_referee, "unknown_fields", "another seat's think times, median"),
        (sabotage.without_sweep, "leaves_children", "left behind: process"),
        (sabotage.without_limit_on_connections, "connection_flood", "file descriptors more"),
        (sabotage.with_a_pipe_left_open, "unknown_fields", "more than before: pipe:["),
    ],
    ids=["slow referee", "no sweep", "no limit on connections", "a pipe"],
)
def test_a_referee_that_lacks_something_is_found_out(
    how: Callable[[Path], Seen], name: str, problem: str, the_court: Court
) -> None:
    case = read_case(BOTS / f"{name}.py")
    judged = the_court.judge(case, how)
    assert any(problem in one.text for one in judged.problems)
