"""A short soak: nothing grows but results, though one bot crashes, hangs, floods or exits (H28)."""

from __future__ import annotations

from dataclasses import fields

import pytest

from tests.faults.site import building
from tests.faults.soak import Figures, soak


@pytest.mark.slow
def test_nothing_grows_but_results() -> None:
    with building() as site:
        soaked = soak(site, 12, warm=5)
    assert soaked.wrong == (), soaked.facts()
    assert soaked.matches >= 12
    assert soaked.after.database_kilobytes > 0


def test_what_grows_is_told() -> None:
    names = [one.name for one in fields(Figures)]
    before = Figures(**dict.fromkeys(names, 1))
    after = Figures(**dict.fromkeys(names, 100))
    assert before.grown(before) == after.grown(after) == before.grown(after) == []
    told = {line.partition(":")[0] for line in after.grown(before)}
    assert told == {name for name in names if not name.endswith("_kilobytes")}
