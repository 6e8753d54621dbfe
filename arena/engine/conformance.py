"""Runs case files of the format `mille-conformance/1` (see tests/conformance/README.md).

    read_cases(text, name)   -> the cases of a file, every field checked, or one clear error
    run_case(case)           -> None if it passed, or the first thing that was not as expected

This module gets text and gives values; files are read and lines printed by the command.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from arena.engine.actions import PASS, Action, is_no_move, parse_action
from arena.engine.cards import CARDS
from arena.engine.checks import Expectation, Mismatch, as_ints, read_expectation
from arena.engine.fields import (
    Json,
    as_bool,
    as_int,
    as_list,
    as_object,
    as_text,
    shown,
)
from arena.engine.position import read_position
from arena.engine.rules import apply
from arena.engine.rulesets import OPTIONS, RuleSet, Value, make_ruleset
from arena.engine.scorecases import MatchCheck, ScoreCheck, read_match, read_score
from arena.engine.scoring import start_game
from arena.engine.seating import Seating, make_seating
from arena.engine.state import HandState, make_frame
from arena.errors import (
    CaseFileError,
    FieldError,
    IllegalAction,
    NotationError,
    RuleSetError,
    quoted,
)

FORMAT: Final = "mille-conformance/1"
CASE_KEYS: Final = (
    "name",
    "source",
    "ruleset",
    "teams",
    "scores",
    "dealer",
    "position",
    "steps",
    "deck",
    "score",
    "match",
)
STEP_KEYS: Final = ("do", "seat", "illegal", "timeout", "expect")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: an action, by which seat, whether it must be refused, and what must hold then.

    The action is None where there is only `expect`, and where the text to be refused is no
    action of any rule set, so that there is nothing to try.
    """

    action: Action | None
    seat: int
    illegal: bool
    expect: Expectation | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One case, read and checked; at least one of start, deck, score and match is there."""

    name: str
    source: str
    rules: RuleSet
    seating: Seating
    start: HandState | None
    steps: tuple[Step, ...]
    deck: tuple[int, ...] | None
    score: ScoreCheck | None
    match: MatchCheck | None


def read_cases(text: str, name: str) -> tuple[Case, ...]:
    """Read a case file; `name` is what messages call it.

    Raises:
        CaseFileError: the text is not valid JSON or a case breaks the format; the message names
            file, case and field.
    """
    try:
        document = json.loads(text, object_pairs_hook=_only_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise CaseFileError(f"{name}: not valid JSON: {error}") from None
    try:
        top = as_object(document, "file", ("format", "cases"))
        if top.get("format") != FORMAT:
            raise FieldError("format", f"{shown(top.get('format'))} is not {FORMAT!r}")
        if "cases" not in top:
            raise FieldError("cases", "missing")
        given = as_list(top["cases"], "cases")
    except FieldError as error:
        raise CaseFileError(f"{name}: {error}") from None
    cases: list[Case] = []
    names: set[str] = set()
    for at, value in enumerate(given):
        label = _label(value, at)
        try:
            case = _read_case(value)
            if case.name in names:
                raise FieldError("name", f"{quoted(case.name)} stands in this file twice")
        except (FieldError, RuleSetError, NotationError) as error:
            raise CaseFileError(f"{name}: case {label}: {error}") from None
        names.add(case.name)
        cases.append(case)
    return tuple(cases)


def _only_once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    """An object of JSON whose keys are all different; JSON itself does not ask for that."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at]))
        raise ValueError(f"key {quoted(twice)} stands twice in one object")
    return found


def _no_number(word: str) -> Json:
    raise ValueError(f"{word} is no number of JSON")


def _label(value: Json, at: int) -> str:
    if isinstance(value, dict) and isinstance(value.get("name"), str):
        return repr(value["name"])
    return f"number {at + 1}"


def _read_case(value: Json) -> Case:
    given = as_object(value, "case", CASE_KEYS)
    for key in ("name", "source", "ruleset", "teams"):
        if key not in given:
            raise FieldError(key, "missing")
    if not {"position", "deck", "score", "match"} & given.keys():
        raise FieldError("case", "has none of position, deck, score, match")
    if given.get("steps") and "position" not in given:
        raise FieldError("steps", "need a position to begin from")
    teams = _read_teams(given["teams"])
    rules = _read_ruleset(given["ruleset"], sum(map(len, teams)))
    try:
        seating = make_seating(rules, teams)
    except RuleSetError as error:
        raise FieldError("teams", str(error)) from None
    dealer = _read_dealer(rules, seating, given)
    scores = _read_scores(seating, given)
    start = None
    if "position" in given:
        frame = make_frame(rules, seating, dealer=dealer, scores=scores)
        start = read_position(frame, given["position"])
    match = None
    if "match" in given:
        match = read_match(rules, seating, given["match"], dealer, scores)
    return Case(
        name=as_text(given["name"], "name"),
        source=as_text(given["source"], "source"),
        rules=rules,
        seating=seating,
        start=start,
        steps=_read_steps(given.get("steps", []), seating),
        deck=_read_deck(given["deck"]) if "deck" in given else None,
        score=read_score(rules, seating, given["score"]) if "score" in given else None,
        match=match,
    )


def _read_teams(value: Json) -> list[list[int]]:
    return [
        [as_int(seat, f"teams[{at}][{place}]") for place, seat in enumerate(seats)]
        for at, seats in (
            (at, as_list(team, f"teams[{at}]")) for at, team in enumerate(as_list(value, "teams"))
        )
    ]


def _read_option(name: str, value: Json) -> Value:
    option = OPTIONS.get(name)
    if option is None:
        return cast("Value", value)  # refused with all options at once
    if value == "none" and not option.accepts("none"):
        return None  # as the command line writes it
    if not isinstance(value, bool | int | str | None):
        raise FieldError(
            f"ruleset.options.{name}", f"{shown(value)} is not allowed; allowed: {option.allowed}"
        )
    return value


def _read_ruleset(value: Json, players: int) -> RuleSet:
    options: dict[str, Value] = {}
    if isinstance(value, str):
        preset = value
    else:
        given = as_object(value, "ruleset", ("preset", "options"))
        preset = as_text(given.get("preset"), "ruleset.preset")
        for name, option in as_object(given.get("options", {}), "ruleset.options").items():
            options[name] = _read_option(name, option)
    try:
        return make_ruleset(preset, options, players=players)
    except RuleSetError as error:
        raise FieldError("ruleset", str(error)) from None


def _read_dealer(rules: RuleSet, seating: Seating, given: Mapping[str, Json]) -> int:
    usual = start_game(rules, len(seating.teams), seating.players).dealer
    return as_int(given.get("dealer", usual), "dealer", 0, seating.players - 1)


def _read_scores(seating: Seating, given: Mapping[str, Json]) -> tuple[int, ...]:
    teams = len(seating.teams)
    return tuple(as_ints(given.get("scores", [0] * teams), "scores", teams))


def _read_deck(value: Json) -> tuple[int, ...]:
    given = as_object(value, "deck", [card.name for card in CARDS])
    return tuple(as_int(given.get(card.name, 0), f"deck.{card}") for card in CARDS)


def _read_steps(value: Json, seating: Seating) -> tuple[Step, ...]:
    return tuple(
        _read_step(step, f"steps[{at}]", seating) for at, step in enumerate(as_list(value, "steps"))
    )


def _read_step(value: Json, path: str, seating: Seating) -> Step:
    given = as_object(value, path, STEP_KEYS)
    if "do" in given and "timeout" in given:
        raise FieldError(path, "has both do and timeout")
    if not {"do", "timeout", "expect"} & given.keys():
        raise FieldError(path, "has none of do, timeout, expect")
    acts = "do" in given or "timeout" in given
    if acts != ("seat" in given):
        raise FieldError(f"{path}.seat", "goes with do or timeout, and they need it")
    if "illegal" in given and "do" not in given:
        raise FieldError(f"{path}.illegal", "goes with do only")
    if "timeout" in given and not as_bool(given["timeout"], f"{path}.timeout"):
        raise FieldError(f"{path}.timeout", "can only be true")
    illegal = as_bool(given.get("illegal", False), f"{path}.illegal")
    last = seating.players - 1
    expect = None
    if "expect" in given:
        expect = read_expectation(given["expect"], f"{path}.expect", seating)
    return Step(
        action=_read_action(given, path, illegal=illegal),
        seat=as_int(given.get("seat", 0), f"{path}.seat", 0, None if illegal else last),
        illegal=illegal,
        expect=expect,
    )


def _read_action(given: Mapping[str, Json], path: str, *, illegal: bool) -> Action | None:
    if "timeout" in given:
        return PASS
    if "do" not in given:
        return None
    text = as_text(given["do"], f"{path}.do")
    if illegal and is_no_move(text):
        return None
    try:
        return parse_action(text)
    except NotationError as error:
        raise FieldError(f"{path}.do", str(error)) from None


# -- running ----------------------------------------------------------------------------------


def run_case(case: Case) -> Mismatch | None:
    """Hold the engine against a case: None if all is as expected, else the first difference."""
    mismatch = None
    if case.start is not None:
        mismatch = _run_steps(case.start.copy(), case.steps)
    if mismatch is None and case.deck is not None:
        mismatch = _compare_decks(case.deck, case.rules.deck(case.seating.players))
    for check in (case.score, case.match):
        if mismatch is None and check is not None:
            mismatch = check.run(case.rules, case.seating)
    return mismatch


def _compare_decks(wanted: Sequence[int], found: Sequence[int]) -> Mismatch | None:
    for card in CARDS:
        if wanted[card] != found[card]:
            return Mismatch(f"deck.{card}", wanted[card], found[card])
    return None


def _run_steps(state: HandState, steps: Sequence[Step]) -> Mismatch | None:
    for at, step in enumerate(steps):
        where = f"steps[{at}]"
        if step.action is not None:
            mismatch = _do(state, step, step.action)
            if mismatch is not None:
                return mismatch.within(where)
        if step.expect is not None:
            mismatch = step.expect.compare(state)
            if mismatch is not None:
                return mismatch.within(f"{where}.expect")
    return None


def _do(state: HandState, step: Step, action: Action) -> Mismatch | None:
    before = state.copy() if step.illegal else None
    try:
        apply(state, step.seat, action)
    except IllegalAction as refusal:
        if before is None:
            return Mismatch(str(action), "accepted", f"refused ({refusal})")
        if state != before:
            return Mismatch(str(action), "the state unchanged", "changed")
        return None
    return None if before is None else Mismatch(str(action), "refused", "accepted")
