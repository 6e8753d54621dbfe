"""Every limit of a limits file: what exceeds it has another result than what keeps to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import pytest

from arena.referee.limits import FaultBudget, TimeControl
from tests.e2e.house import House, faults, refused

WIDE = {"start_up": 100, "turn": 60, "bank": 60, "response_window": 30}
"""Limits that no bot runs into because this machine is busy."""

Facts = dict[str, Any]


def reasons(facts: Facts) -> set[str]:
    return {one["reason"] for one in facts["forfeits"]}


def cause(name: str) -> Callable[[Facts], object]:
    return lambda facts: faults(facts, 0).get(name, 0) > 0


@dataclass(frozen=True)
class Case:
    """A bot against another, a limit, and what shows that it was exceeded.

    `common` holds for both matches; `kept` and `exceeded` are two values of the limit.
    """

    limit: str
    bot: str
    kept: object
    exceeded: object
    shows: Callable[[Facts], object]
    common: dict[str, object] | None = None
    against: str = "plain"


CASES = [
    Case("turn", "slow", 60, 0.2, cause("timed_out"), {"bank": 0}),
    Case("bank", "slow", 60, 0, cause("timed_out"), {"turn": 0.2}),
    Case("response_window", "dawdler", 30, 0.2, cause("missed_window"), against="attacker"),
    Case("max_strikes", "liar", 2, 1, lambda facts: reasons(facts) == {"ILLEGAL"}),
    Case(
        "surplus_messages",
        "dawdler",
        64,
        0,
        lambda facts: reasons(facts) == {"PROTOCOL"},
        {"response_window": 0.2},
        against="attacker",
    ),
    Case(
        "window",
        "dawdler",
        "prompt",
        "standing",
        # Nobody is asked, so nobody can be late, and orders answer the attack.
        lambda facts: not cause("late")(facts) and facts["bots"][0]["coups_fourres"],
        {"response_window": 0.2},
        against="attacker",
    ),
]


def play(house: House, case: Case, value: object) -> Facts:
    values = {**WIDE, **(case.common or {}), case.limit: value}
    path = house.bots / "limits.toml"
    path.write_text("".join(f"{name} = {given!r}\n" for name, given in values.items()))
    bots = [house.bots / kind for kind in (case.bot, case.against)]
    args = ("--seed", "7", "--hands", "2", "-n", "2", "--rotations", "none")
    return house.facts(*map(str, bots), *args, "--limits", str(path), limits=())


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.limit)
def test_a_limit_of_the_file_is_enforced(case: Case, house: House) -> None:
    house.bot(case.bot)
    house.bot(case.against)
    assert not case.shows(play(house, case, case.kept))
    assert case.shows(play(house, case, case.exceeded))


@pytest.mark.slow
def test_the_limit_on_starting_up_is_enforced(house: House) -> None:
    path = house.bots / "limits.toml"
    path.write_text("start_up = 0.7\n")
    args = (house.bot("laggard"), house.bot("plain"), "--limits", str(path), "--json")
    message = refused(house.match(*args))
    # On a busy machine the other one may be late as well.
    assert message.endswith(" did not start: it did not join within 700 ms")
    path.write_text("start_up = 100\n")
    facts = house.facts(*args, "-n", "1", "-r", "express", limits=())
    assert facts["bots"][0]["start_up_milliseconds"] > 1000
    assert facts["forfeits"] == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "value", "notes", "length"),
    [("note_bytes", 10, 3, 10), ("messages_per_prompt", 2, 1, 103), ("max_strikes", 3, 3, 103)],
)
def test_notes_are_kept_as_far_as_the_file_says(
    limit: str, value: int, notes: int, length: int, house: House
) -> None:
    """Bots of the SDK keep to what they are told; what others send beyond it counts as surplus."""
    (house.bots / "limits.toml").write_text(f"{limit} = {value}\n")
    logs = house.bots / "logs"
    bots = (house.bot("talker"), house.bot("plain"))
    args = ("-r", "express", "--seed", "7", "-n", "1", "--rotations", "none", "--logs", str(logs))
    facts = house.facts(*bots, *args, "--limits", str(house.bots / "limits.toml"))
    lines = [
        line
        for line in (logs / "1-talker-match0.log").read_text().splitlines()
        if not line.startswith("arena_sdk:")
    ]
    assert {line[:3] for line in lines} == {f"{number}: " for number in range(notes)}
    assert {len(line) for line in lines} == {length}
    assert faults(facts, 0) == {}


def test_there_is_a_case_for_every_limit() -> None:
    tried = {case.limit for case in CASES} | {"start_up", "note_bytes", "messages_per_prompt"}
    limits = {one.name for kind in (TimeControl, FaultBudget) for one in fields(kind)}
    assert tried == limits | {"window"}
