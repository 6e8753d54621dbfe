"""The engine against every conformance case, and the cases against the rule book's contents."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.engine.conformance import Case, read_cases, run_case
from arena.engine.rulesets import OPTIONS, Family, Option, Value
from arena.engine.scoring import Item
from tests.conformance import rulings

ENTRIES = list(rulings.entries())
OWN = [entry for entry in ENTRIES if entry.file.startswith("own/")]

# In these families the option has one value only.
FIXED = {("late_safety_restarts", Family.EXPRESS), ("late_safety_restarts", Family.PLATEAU)}


def all_cases() -> Iterator[tuple[Path, Case]]:
    for path in rulings.case_files():
        for case in read_cases(path.read_text(encoding="utf-8"), path.name):
            yield path, case


CASES = [
    pytest.param(case, id=f"{path.parent.name}/{path.stem}:{case.name}")
    for path, case in all_cases()
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: Case) -> None:
    mismatch = run_case(case)
    assert mismatch is None, str(mismatch)


# -- what the cases cover ---------------------------------------------------------------------


def test_rulings_are_numbered_without_a_gap() -> None:
    numbers = [
        *(f"R{number:02}" for number in range(1, 42)),
        *(f"X{number:02}" for number in range(1, 23)),
        *(f"P{number:02}" for number in range(1, 15)),
    ]
    assert list(rulings.TITLES) == numbers


@pytest.mark.parametrize("number", rulings.TITLES)
def test_ruling_has_a_case(number: str) -> None:
    assert any(number in entry.rulings for entry in ENTRIES)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.file}:{entry.name}")
def test_case_names_rulings_that_exist(entry: rulings.Entry) -> None:
    assert entry.rulings
    assert entry.rulings <= set(rulings.TITLES)


def test_the_rule_book_s_cases_are_all_listed() -> None:
    shared = [entry.name for entry in ENTRIES if entry.file.startswith("shared/")]
    assert sorted(rulings.SHARED) == sorted(shared)


def test_there_are_enough_cases_of_our_own() -> None:
    assert len(OWN) >= 60


def test_names_are_unique_over_all_files() -> None:
    twice = [name for name, times in Counter(entry.name for entry in ENTRIES).items() if times > 1]
    assert twice == []


def test_table_of_rulings_is_up_to_date() -> None:
    """Make it anew with `python tests/conformance/rulings.py`."""
    assert rulings.TABLE.read_text(encoding="utf-8") == rulings.render()


def other_values(option: Option, family: Family) -> list[Value]:
    """The values that a case must set: every other word or truth value, or any number."""
    words = [*re.findall(r'"(\w+)"', option.allowed), True, False]
    return [word for word in words if option.accepts(word) and word != option.defaults[family]]


@pytest.mark.parametrize(
    ("option", "family"),
    [
        pytest.param(option, family, id=f"{option.name}-{family}")
        for option in OPTIONS.values()
        for family in option.defaults
        if (option.name, family) not in FIXED
    ],
)
def test_every_value_of_an_option_has_a_case(option: Option, family: Family) -> None:
    values = {
        json.dumps(entry.options[option.name])
        for entry in ENTRIES
        if entry.family is family and option.name in entry.options
    }
    assert values - {json.dumps(option.defaults[family])}
    assert values >= {json.dumps(value) for value in other_values(option, family)}


@pytest.mark.parametrize("item", Item)
def test_score_item_has_cases_on_both_sides_of_its_condition(item: Item) -> None:
    found = [
        points[item] > 0
        for entry in ENTRIES
        for points in entry.document.get("score", {}).get("items", {}).values()
        if item in points
    ]
    assert set(found) == {True, False}


def test_illegal_steps_are_many_and_of_every_kind() -> None:
    refused = [step["do"].split()[0] for entry in OWN for step in steps(entry) if "illegal" in step]
    kinds = Counter(refused)
    assert len(refused) >= 100
    assert set(kinds) == {
        *("draw", "play", "discard", "coup_fourre", "pass", "extend", "stop", "top")
    }


def steps(entry: rulings.Entry) -> list[dict[str, Any]]:
    given: list[dict[str, Any]] = entry.document.get("steps", [])
    return given


def test_hands_are_full_as_long_as_there_are_cards_to_draw() -> None:
    """What the format promises: shorter hands stand only beside an empty draw pile."""
    for entry in OWN:
        position = entry.document.get("position", {})
        if position.get("draw"):
            dealt = 4 if entry.family is Family.EXPRESS else 6
            turn = position["turn"]
            for seat, hand in enumerate(position["hands"]):
                extra = turn == {"seat": seat, "stage": "play"}
                assert len(hand) == dealt + extra, f"{entry.name}: hand of seat {seat}"
