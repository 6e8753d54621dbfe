"""A prompt's own helpers: what can be done, and how long there is."""

from __future__ import annotations

import copy
import pickle
from itertools import chain

import pytest

from arena.engine.rulesets import make_ruleset
from arena_sdk import Prompt, Stage, Verb, _prompt
from arena_sdk.testing import prompts

MIXED = [
    *prompts(hands=30),
    *prompts(rules=make_ruleset("express", {"top_choice": True}), players=3, hands=5),
    *prompts(Stage.EXTEND, rules="leaflet", hands=100),
]


def test_there_is_one_of_each_kind() -> None:
    assert {prompt.kind for prompt in MIXED} == {
        *(Stage.DRAW, Stage.PLAY, Stage.RESPOND, Stage.EXTEND, Stage.TOP),
    }


def test_actions_are_sorted_by_what_they_do() -> None:
    seen = set()
    for prompt in MIXED:
        groups = {
            "drives": prompt.drives,
            "remedies": prompt.remedies,
            "safeties": prompt.safeties,
            "attacks": prompt.attacks,
            "discards": prompt.discards,
            "coup_fourre": () if prompt.coup_fourre is None else (prompt.coup_fourre,),
        }
        seen |= {name for name, group in groups.items() if group}
        together = list(chain(*groups.values()))
        others = [one for one in prompt.legal if one not in together]
        assert sorted(together + others, key=prompt.legal.index) == list(prompt.legal)
        assert {one.verb for one in others} <= {
            *(Verb.DRAW, Verb.PASS, Verb.EXTEND, Verb.STOP, Verb.TOP),
        }
        assert prompt.drives + prompt.remedies + prompt.safeties == prompt.plays
        for name, group in groups.items():
            assert list(group) == sorted(group, key=prompt.legal.index), name
        assert all(one.card is not None and one.card.is_hazard for one in prompt.attacks)
        assert all(one.team not in (None, prompt.view.team) for one in prompt.attacks)
        assert (prompt.kind is Stage.RESPOND) == (prompt.coup_fourre is not None)
    assert len(seen) == 6


def test_the_last_drive_is_the_longest() -> None:
    longest = [prompt.drives for prompt in MIXED if len(prompt.drives) > 1]
    assert longest
    for drives in longest:
        cards = [one.card for one in drives if one.card is not None]
        assert cards == sorted(cards)


def test_an_action_is_found_by_its_text() -> None:
    for prompt in MIXED:
        assert all(prompt.find(one.text) is one for one in prompt.legal)
        assert prompt.find("nonsense") is None
    draw = next(prompt for prompt in MIXED if prompt.kind is Stage.DRAW)
    assert draw.find("draw discard") is draw.legal[1]
    assert draw.find("extend") is None


def test_time_runs_from_the_arrival(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = next(one for one in MIXED if one.kind is Stage.PLAY)
    prompt = prompt._replace(arrived=100.0, time_limit=1.0, bank_left=30.0)
    for now, left, free in [(100.0, 31.0, 1.0), (100.25, 30.75, 0.75), (105, 26, 0), (131, 0, 0)]:
        monkeypatch.setattr(_prompt, "monotonic", lambda now=now: now)
        assert prompt.time_left() == left
        assert prompt.time_left(bank=False) == free


def test_a_response_has_no_bank(monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = next(one for one in MIXED if one.kind is Stage.RESPOND)
    monkeypatch.setattr(_prompt, "monotonic", lambda: prompt.arrived + 0.0625)
    assert prompt.bank_left > 0
    assert prompt.time_left() == prompt.time_left(bank=False)
    assert prompt.time_left() == pytest.approx(prompt.time_limit - 0.0625)


def test_a_prompt_arrives_when_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_prompt, "monotonic", lambda: 77.0)
    first = MIXED[0]
    made = Prompt(
        view=first.view,
        legal=first.legal,
        default=first.default,
        time_limit=1.0,
        bank_left=2.0,
        game=0,
        hand=0,
    )
    assert made.arrived == 77.0
    assert made.time_left() == 3.0


def test_a_prompt_is_a_value() -> None:
    prompt = MIXED[0]
    assert pickle.loads(pickle.dumps(prompt)) == copy.copy(prompt) == prompt
    for name in ("hand", "something"):
        with pytest.raises(AttributeError):
            setattr(prompt, name, 1)
