"""A case file that breaks its format is refused in one line that names file, case and field."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

import pytest

from arena.engine.cards import CARDS, CLASSIC_DECK
from arena.engine.conformance import read_cases, run_case
from arena.errors import CaseFileError
from tests.engine.brokencases import (
    CASE,
    DEALT,
    DECK,
    EXPECT,
    GONE,
    MATCH,
    MATCHED,
    PLAYED,
    POSITION,
    RULESET,
    SCORE,
    SCORED,
    STEPS,
    SUBJECTS,
    TEAMS,
    Broken,
    Place,
)

FILE: Final = "some/cases.json"


def document(*cases: object) -> str:
    return json.dumps({"format": "mille-conformance/1", "cases": cases})


def changed(case: Any, path: Place, value: Any) -> Any:
    """A copy of `case` with `value` at `path`."""
    new = copy.deepcopy(case)
    place = new
    for key in path[:-1]:
        place = place[key]
    if value is GONE:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return new


def refusal(text: str) -> str:
    """The message with which a file is refused, one line that begins with its name."""
    with pytest.raises(CaseFileError) as caught:
        read_cases(text, FILE)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert message.startswith(f"{FILE}: ")
    return message.removeprefix(f"{FILE}: ")


@pytest.mark.parametrize("case", SUBJECTS.values(), ids=SUBJECTS)
def test_the_cases_that_are_broken_below_pass_as_they_are(case: dict[str, Any]) -> None:
    (read,) = read_cases(document(case), FILE)
    assert run_case(read) is None


# -- the file as a whole ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["", "{", "case", '{"format": ', "{'format': 1}", '{"a": 1}}', "[" * 100_000, "9" * 5000],
    ids=["empty", "open", "word", "cut", "quotes", "closed twice", "deep", "endless number"],
)
def test_what_is_not_json_is_refused(text: str) -> None:
    assert refusal(text).startswith("not valid JSON: ")


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("[]", "file"),
        ("null", "file"),
        ("7", "file"),
        ('"mille-conformance/1"', "file"),
        ("{}", "format"),
        ('{"cases": []}', "format"),
        ('{"format": "mille-conformance/2", "cases": []}', "format"),
        ('{"format": 1, "cases": []}', "format"),
        ('{"format": ["mille-conformance/1"], "cases": []}', "format"),
        ('{"format": "mille-conformance/1"}', "cases"),
        ('{"format": "mille-conformance/1", "cases": {}}', "cases"),
        ('{"format": "mille-conformance/1", "cases": null}', "cases"),
        ('{"format": "mille-conformance/1", "cases": [], "author": "me"}', "file"),
    ],
)
def test_file_that_is_no_case_file_is_refused(text: str, field: str) -> None:
    assert refusal(text).startswith(f"{field}: ")


@pytest.mark.parametrize("case", [None, 7, "played", [], [PLAYED], True, 1.5])
def test_what_is_not_an_object_is_called_by_its_number(case: Any) -> None:
    assert refusal(document(DEALT, case)).startswith("case number 2: case: ")


def test_case_without_a_name_is_called_by_its_number() -> None:
    assert refusal(document(changed(DEALT, ["name"], GONE))) == "case number 1: name: missing"


def test_name_that_stands_twice_is_refused() -> None:
    message = refusal(document(DEALT, MATCHED, changed(PLAYED, ["name"], "dealt")))
    assert message == "case 'dealt': name: 'dealt' stands in this file twice"


def test_file_with_one_broken_case_is_refused_as_a_whole() -> None:
    message = refusal(document(DEALT, MATCHED, changed(PLAYED, ["teams"], 2)))
    assert message.startswith("case 'played': teams: ")


# -- a case -----------------------------------------------------------------------------------


def rows(*broken: Broken) -> pytest.MarkDecorator:
    """Parametrize with what is broken; the id is the place."""
    numbered = enumerate(row for one in broken for row in one)
    given = [pytest.param(*row, id=f"{at}-{'.'.join(map(str, row[0]))}") for at, row in numbered]
    return pytest.mark.parametrize(("path", "value", "says"), given)


@rows(CASE, RULESET, TEAMS, POSITION, STEPS, EXPECT)
def test_broken_position_case_is_refused(path: Place, value: Any, says: str) -> None:
    assert_refused(PLAYED, path, value, says)


def assert_refused(case: dict[str, Any], path: Place, value: Any, says: str) -> None:
    """The message names the case, then the field, then what is wrong with it."""
    nameless = path == ["name"] and not isinstance(value, str)
    label = "case number 1" if nameless else f"case '{case['name']}'"
    message = refusal(document(changed(case, path, value)))
    assert message.startswith(f"{label}: {says}" if ": " in says else f"{label}: {says}: ")


# -- the other subjects -----------------------------------------------------------------------


@rows(DECK)
def test_broken_deck_case_is_refused(path: Place, value: Any, says: str) -> None:
    assert_refused(DEALT, path, value, says)


@rows(SCORE)
def test_broken_score_case_is_refused(path: Place, value: Any, says: str) -> None:
    assert_refused(SCORED, path, value, says)


@rows(MATCH)
def test_broken_match_case_is_refused(path: Place, value: Any, says: str) -> None:
    assert_refused(MATCHED, path, value, says)


@pytest.mark.parametrize("preset", ["express", "plateau"])
def test_match_of_a_game_without_points_is_refused(preset: str) -> None:
    case = changed(changed(MATCHED, ["ruleset"], preset), ["teams"], [[0], [1]])
    assert refusal(document(case)).startswith(f"case 'matched': match: {preset} makes no points")


CLASSIC_COUNTS: Final = {card.name: count for card, count in zip(CARDS, CLASSIC_DECK, strict=True)}
LEGAL_OF_PLAYED: Final = [
    "play FLAT_TIRE on 1",
    *(f"discard {card}" for card in PLAYED["position"]["hands"][0]),
]
LENIENT: Final[list[dict[str, Any]]] = [
    {**PLAYED, "deck": CLASSIC_COUNTS},
    {**DEALT, "steps": []},
    {key: value for key, value in PLAYED.items() if key != "steps"},
    {**PLAYED, "steps": [{"do": "play GREEN_LIGHT on 1", "seat": 0, "illegal": True}]},
    {**PLAYED, "steps": [{"do": "coup_fourre D25", "seat": 0, "illegal": True}]},
    {**PLAYED, "steps": [{"do": "play RED_LIGHT on 9", "seat": 0, "illegal": True}]},
    {**PLAYED, "steps": [{"do": "pass", "seat": 7, "illegal": True}]},
    {**PLAYED, "steps": [{"expect": {"legal_lacks": ["play GREEN_LIGHT on 0", "play RED_LIGHT"]}}]},
    {**PLAYED, "ruleset": {"preset": "classic", "options": {"max_200": "none"}}},
]
"""What the format allows and somebody who knows only the format may write."""


@pytest.mark.parametrize("case", LENIENT, ids=range(len(LENIENT)))
def test_a_case_by_the_letter_of_the_format_is_read_and_passes(case: dict[str, Any]) -> None:
    (read,) = read_cases(document(case), FILE)
    assert run_case(read) is None


def test_legal_is_a_set() -> None:
    expect = {"legal": [*LEGAL_OF_PLAYED, *LEGAL_OF_PLAYED]}
    case = {**PLAYED, "steps": [{"expect": expect}]}
    (read,) = read_cases(document(case), FILE)
    assert run_case(read) is None


def test_extended_score_is_to_1000_km_unless_it_says_otherwise() -> None:
    score = {
        "tables": [{"distance": ["D100"] * 10}, {"distance": ["D25"]}],
        "finisher": 0,
        "extended": True,
        "points": [1900, 25],
    }
    case = {
        **{key: SCORED[key] for key in ("name", "source", "teams")},
        "ruleset": {"preset": "classic", "options": {"target": 700, "extension": True}},
        "score": score,
    }
    (read,) = read_cases(document(case), FILE)
    assert run_case(read) is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"format": "mille-conformance/1", "cases": [], "cases": []}', "key 'cases' stands twice"),
        ('{"format": "mille-conformance/1", "cases": [NaN]}', "NaN is no number of JSON"),
    ],
)
def test_what_json_readers_let_pass_is_refused(text: str, says: str) -> None:
    assert says in refusal(text)
