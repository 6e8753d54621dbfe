"""Every behaviour in `bots/`, played against an honest bot, comes to what its file expects."""

from __future__ import annotations

import pytest

from tests.hostile.cases import Case, all_cases
from tests.hostile.playing import Court

CASES = [
    pytest.param(case, id=case.name, marks=[pytest.mark.slow] if case.slow else [])
    for case in all_cases()
]


@pytest.mark.parametrize("case", CASES)
def test_a_behaviour(case: Case, the_court: Court) -> None:
    judged = the_court.judge(case)
    assert [problem.text for problem in judged.problems] == []
