"""Every behaviour in `boxed/`, played in containers, comes to what its file expects."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from tests.hostile import features
from tests.hostile.cases import BOXED, Case, all_cases
from tests.hostile.playing import Judged, boxed_court

CASES = all_cases(BOXED)
if WHY_NOT := features.why_not():
    pytest.skip(f"{len(CASES)} cases not run: {WHY_NOT}", allow_module_level=True)

AT_ONCE = 2
Judge = Callable[[Case], Judged]


@pytest.fixture(scope="module")
def judge(request: pytest.FixtureRequest) -> Iterator[Judge]:
    """Judges a case. All that are asked for in this run are played from the start, two at once."""
    asked = [case for item in request.session.items for case in _cases_of(item)]
    # One of several processes that share the tests out does not know which will be its own.
    is_one_of_several = "PYTEST_XDIST_WORKER" in os.environ
    at_once = 1 if is_one_of_several else AT_ONCE
    with boxed_court(at_once) as court, ThreadPoolExecutor(at_once) as threads:
        begun: dict[str, Future[Judged]] = {}
        if not is_one_of_several:
            assert court.quiet.median > 0  # measured before others play
            begun = {case.name: threads.submit(court.judge, case) for case in asked}
        try:
            yield (
                lambda case: begun[case.name].result() if case.name in begun else court.judge(case)
            )
        finally:
            threads.shutdown(cancel_futures=True)


def _cases_of(item: pytest.Item) -> list[Case]:
    """The case that a test of this file is about."""
    parameters = getattr(item, "callspec", None)
    is_here = item.path.samefile(__file__) and parameters is not None
    return [parameters.params["case"]] if is_here and parameters is not None else []


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_a_behaviour_in_a_container(case: Case, judge: Judge) -> None:
    judged = judge(case)
    assert [problem.text for problem in judged.problems] == []
