"""Every behaviour in `boxed/`, played in containers, comes to what its file expects."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hostile import features
from tests.hostile.cases import BOXED, Case, all_cases
from tests.hostile.playing import Court, boxed_court

CASES = all_cases(BOXED)
if WHY_NOT := features.why_not():
    pytest.skip(f"{len(CASES)} cases not run: {WHY_NOT}", allow_module_level=True)


@pytest.fixture(scope="module")
def court() -> Iterator[Court]:
    """Plays one case at a time: what a bot does to others' time is measured."""
    with boxed_court() as court:
        yield court


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in CASES])
def test_a_behaviour_in_a_container(case: Case, court: Court) -> None:
    judged = court.judge(case)
    assert [problem.text for problem in judged.problems] == []
