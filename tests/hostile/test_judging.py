"""The corpus can fail: each check, the format, and the measuring itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from arena.referee.limits import Limits
from arena.referee.tally import Fault, Tally
from tests.hostile import sabotage
from tests.hostile.cases import BOTS, Case, CaseError, all_cases, read_case
from tests.hostile.house import Seen
from tests.hostile.judge import Baseline, problems
from tests.hostile.playing import Court

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
        ({"descriptors": 1}, "1 file descriptors more than before"),
        ({"most_descriptors": 41}, "41 file descriptors more meanwhile, 40 allowed"),
        ({"grown": 25.0}, "grew by 25 MB, 24 allowed"),
        ({"errors": "Traceback"}, "wrote on standard error: Traceback"),
        ({"failure": "HostFault: broken"}, "no verdict but an exception"),
    ],
)
def test_each_check_can_fail(changes: dict[str, object], problem: str) -> None:
    (text,) = told(**changes)
    assert problem in text


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


def test_no_file_in_the_corpus_is_forgotten() -> None:
    files = {path.stem for path in BOTS.glob("*.py") if not path.name.startswith("_")}
    assert {case.name for case in all_cases()} == files


# -- the measuring ----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "name", "problem"),
    [
        (sabotage.slow_referee, "unknown_fields", "another seat's think times, median"),
        (sabotage.without_sweep, "leaves_children", "left behind: process"),
        (sabotage.without_limit_on_connections, "connection_flood", "file descriptors more"),
    ],
    ids=["slow referee", "no sweep", "no limit on connections"],
)
def test_a_referee_that_lacks_something_is_found_out(
    how: Callable[[Path], Seen], name: str, problem: str, the_court: Court
) -> None:
    case = read_case(BOTS / f"{name}.py")
    judged = the_court.judge(case, how)
    assert any(problem in one.text for one in judged.problems)
