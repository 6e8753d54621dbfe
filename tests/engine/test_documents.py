"""Whatever stands in a document, reading it ends in a value or in one line that says what is wrong.

Most documents are made from a case that exists, by putting something else in a place or two:
nonsense alone would never come past the first check.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.engine.cards import CARDS
from arena.engine.conformance import FORMAT, read_cases, run_case
from arena.engine.position import read_position
from arena.engine.rulesets import OPTIONS, PRESETS, make_ruleset
from arena.engine.seating import make_seating
from arena.engine.state import make_frame
from arena.errors import CaseFileError, FieldError, InputError

ROOT = Path(__file__).parents[1] / "conformance"

CASES: list[dict[str, Any]] = [
    case
    for path in sorted(ROOT.rglob("*.json"))
    for case in json.loads(path.read_text("utf-8"))["cases"]
]
WORDS = [
    *(card.name for card in CARDS),
    *OPTIONS,
    *PRESETS,
    *("hands", "tables", "battle", "started", "seat", "stage", "start", "play", "respond"),
    *("pass", "draw pile", "play RED_LIGHT on 1", "over", "reason", "target", "0", "1", "6"),
    *("", "a\nb", "\u2028", "\x00", "name", "expect", "7" * 5000),
]
TEXTS = st.sampled_from(WORDS) | st.text(max_size=8)
NUMBERS = st.sampled_from([-1, 0, 1, 2, 3, 6, 7, 255, 256, 700, 1000, 2**63, 10**400])
SCALARS = st.none() | st.booleans() | NUMBERS | st.integers() | st.floats() | TEXTS
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(TEXTS, inner, max_size=4)
        | st.builds(lambda one, times: [one] * times, inner, st.sampled_from([2, 3, 7, 40, 300]))
    ),
    max_leaves=12,
)


POSITIONS = [case["position"] for case in CASES if "position" in case]


@st.composite
def tampered(draw: st.DrawFn, sound: list[Any]) -> Any:
    """One of `sound` with something else in one place, or in a few."""
    holder = [copy.deepcopy(draw(st.sampled_from(sound)))]
    for _ in range(draw(st.integers(1, 3))):
        container: Any = holder
        key: Any = 0
        while draw(st.integers(0, 5)):  # go on down, most of the time
            found = container[key]
            if not found or not isinstance(found, dict | list):
                break
            container = found
            key = draw(
                st.sampled_from(list(found) if isinstance(found, dict) else range(len(found)))
            )
        _tamper(draw, container, key)
    return holder[0]


def _tamper(draw: st.DrawFn, container: Any, key: Any) -> None:
    found = container[key]
    how = draw(st.sampled_from(["replace", "repeat", "add", "drop"]))
    if how == "repeat" and isinstance(found, list):
        container[key] = found * draw(st.sampled_from([2, 3, 300]))
    elif how == "add" and isinstance(found, dict):
        found[draw(TEXTS)] = draw(VALUES)
    elif how == "drop" and isinstance(container, dict):
        del container[key]
    else:
        container[key] = draw(VALUES)


def one_line(error: InputError) -> str:
    message = str(error)
    assert len(message.splitlines()) == 1, message
    assert "\x00" not in message
    return message


def read(text: str) -> str | None:
    """Read a case file and run its cases; the refusal if there is one."""
    try:
        cases = read_cases(text, "some.json")
    except CaseFileError as error:
        return one_line(error)
    for case in cases:
        run_case(case)
    return None


@settings(max_examples=500)
@given(tampered(CASES))
def test_tampered_case_is_read_or_refused_in_one_line(case: Any) -> None:
    refusal = read(json.dumps({"format": FORMAT, "cases": [case]}))
    assert refusal is None or refusal.startswith("some.json: ")


@given(VALUES)
def test_any_document_is_refused_in_one_line(document: Any) -> None:
    refusal = read(json.dumps(document))
    assert refusal is not None
    assert refusal.startswith("some.json: ")


@given(st.text())
@example("")
@example("{")
@example("\ufeff{}")
@example("[" * 100_000)
@example('{"format": ' + "7" * 5000 + "}")
@example('{"a\nb": 1}')
def test_any_text_is_refused_in_one_line(text: str) -> None:
    refusal = read(text)
    assert refusal is not None
    assert refusal.startswith("some.json: ")


SOUND: dict[str, Any] = {
    "name": "n",
    "source": "s",
    "ruleset": "classic",
    "teams": [[0], [1]],
    "position": {"hands": [["D25"], []], "tables": [{}, {}], "turn": {"seat": 0, "stage": "play"}},
    "steps": [],
}
NASTY: list[dict[str, Any]] = [
    {"teams": [[0], [1], []]},
    {"ruleset": {"preset": "classic", "options": {"a\nb": []}}},
    {"ruleset": {"preset": "classic", "options": {"a\nb": 1}}},
    {"ruleset": {"preset": "classic", "options": {"target": "a\nb"}}},
    {"ruleset": {"preset": "a\nb"}},
    {"ruleset": {"preset": "classic", "options": {"first_dealer": 5}}},
    {"name": "a\nb", "dealer": 2},
    {"steps": [{"do": "play\nD26", "seat": 0}]},
    {"steps": [{"expect": {"hands": {"7" * 5000: []}}}]},
    {"steps": [{"expect": {"tables": {"1\n": {}}}}]},
    {"position": SOUND["position"] | {"draw": ["D25"] * 300}},
    {"position": SOUND["position"] | {"target": 10**4000}},
]


@pytest.mark.parametrize("changes", NASTY)
def test_nasty_case_is_refused_in_one_line(changes: dict[str, Any]) -> None:
    """Found by tampering, or by thinking of what is seldom found so."""
    assert read(json.dumps({"format": FORMAT, "cases": [SOUND]})) is None
    refusal = read(json.dumps({"format": FORMAT, "cases": [SOUND | changes]}))
    assert refusal is not None
    assert refusal.startswith("some.json: case ")


@pytest.mark.parametrize("depth", range(900, 1001, 5))
@pytest.mark.parametrize("place", ["cases", "deck", "battle"])
def test_deep_document_is_refused_in_one_line(place: str, depth: int) -> None:
    """Also where the parser just copes and what comes after it would not."""
    nest = "[" * depth + "]" * depth
    battle = f'"position": {{"hands": [[], []], "tables": [{{"battle": {nest}}}, {{}}], "turn": 0}}'
    subject = battle if place == "battle" else f'"deck": {nest}'
    case = f'{{"name": "n", "source": "s", "ruleset": "classic", "teams": [[0], [1]], {subject}}}'
    cases = nest if place == "cases" else f"[{case}]"
    assert read(f'{{"format": "{FORMAT}", "cases": {cases}}}') is not None


def read_any(preset: str, players: int, position: Any) -> FieldError | None:
    """Read a position; the refusal if there is one."""
    rules = make_ruleset(preset, players=players)
    frame = make_frame(rules, make_seating(rules, players), dealer=0)
    before = repr(position)
    refusal = None
    try:
        read_position(frame, position)
    except FieldError as error:
        refusal = error
    assert repr(position) == before
    return refusal


def check_refusal(refusal: FieldError) -> None:
    assert refusal.field.startswith("position")
    assert one_line(refusal) == f"{refusal.field}: {refusal.problem}"


TABLES = st.sampled_from([(preset, 2) for preset in PRESETS] + [("express", 3), ("classic", 6)])


@settings(max_examples=500)
@given(TABLES, tampered(POSITIONS))
def test_tampered_position_is_read_or_refused_in_one_line(
    table: tuple[str, int], position: Any
) -> None:
    refusal = read_any(*table, position)
    if refusal is not None:
        check_refusal(refusal)


@given(TABLES, VALUES)
def test_any_value_as_a_position_is_refused_in_one_line(table: tuple[str, int], value: Any) -> None:
    refusal = read_any(*table, value)
    assert refusal is not None
    check_refusal(refusal)


def test_cases_are_sound_before_they_are_tampered_with() -> None:
    """Else the tests above would never come past the first checks."""
    assert read(json.dumps({"format": FORMAT, "cases": []})) is None
    assert all(read(json.dumps({"format": FORMAT, "cases": [case]})) is None for case in CASES)
    assert len(POSITIONS) > 45
