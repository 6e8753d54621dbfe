"""The words for what lies on the tables agree with the rules."""

from __future__ import annotations

from collections import Counter

import pytest

from arena.engine.rulesets import make_ruleset
from arena.engine.state import EMPTY_TABLE, TableView, derived_table
from arena_sdk import HAZARDS, KM, REMEDY_FOR, SAFETY_FOR, Card, tables
from arena_sdk.testing import prompts

VIEWS = [
    prompt.view
    for preset, players in [("classic", 2), ("classic", 6), ("express", 3), ("plateau", 2)]
    for prompt in prompts(rules=preset, players=players, hands=5)
]


def every_table() -> list[TableView]:
    return [table for view in VIEWS for table in view.tables]


def test_rivals_are_all_teams_but_one_s_own() -> None:
    for seen in VIEWS:
        assert sorted((*tables.rivals(seen), seen.team)) == list(range(len(seen.tables)))


def test_what_is_left_to_drive() -> None:
    for seen in VIEWS:
        assert tables.to_go(seen) == seen.target - seen.table.km
        for team, table in enumerate(seen.tables):
            assert tables.to_go(seen, team) == seen.target - table.km


def test_unseen_has_every_card_and_adds_up() -> None:
    for seen in VIEWS:
        unseen = tables.unseen(seen)
        assert list(unseen) == list(Card)
        assert list(unseen.values()) == list(seen.unseen)
        others = sum(seen.sizes) - seen.sizes[seen.seat]
        face_down = seen.discard_pile.count(None)
        known = sum(map(sum, seen.known)) - (sum(seen.known[seen.seat]) if seen.known else 0)
        assert sum(unseen.values()) == others + seen.draw_count + face_down - known


def test_a_car_stands_for_a_reason_and_needs_what_helps() -> None:
    reasons: Counter[Card | None] = Counter()
    for table in every_table():
        stop = tables.stopped_by(table)
        reasons[stop] += 1
        if stop is not None:
            assert not table.moving
            assert not tables.is_immune(table, stop)
            assert REMEDY_FOR[stop] in tables.needs(table)
        elif not table.moving:
            assert Card.GREEN_LIGHT in tables.needs(table)
        else:
            assert Card.GREEN_LIGHT not in tables.needs(table)
        limits = (Card.SPEED_LIMIT,) if table.limited else ()
        assert tables.hazards(table) == ((*limits,) if stop is None else (stop, *limits))
        assert (Card.END_OF_LIMIT in tables.needs(table)) == table.limited
    assert set(reasons) == {*HAZARDS, None} - {Card.SPEED_LIMIT}


def test_masks_are_spelled_out() -> None:
    immune = 0
    for table in every_table():
        assert sum(1 << card for card in tables.accepts(table)) == table.accepts
        assert sum(1 << card for card in tables.suffers(table)) == table.suffers
        exposed = tables.safeties(table)
        assert len(exposed) == table.safeties.bit_count()
        for hazard in HAZARDS:
            assert tables.is_immune(table, hazard) == (SAFETY_FOR[hazard] in exposed)
            immune += tables.is_immune(table, hazard)
            if tables.is_immune(table, hazard):
                assert hazard not in tables.suffers(table)
        assert tables.top(table.battle) == (table.battle[-1] if table.battle else None)
    assert immune


@pytest.mark.parametrize(
    ("battle", "safeties", "stop", "needs"),
    [
        ([], 0, None, [Card.GREEN_LIGHT]),
        ([Card.RED_LIGHT], 0, Card.RED_LIGHT, [Card.GREEN_LIGHT]),
        ([Card.RED_LIGHT], 0b0001, None, []),  # an exposed Right of Way
        ([Card.ACCIDENT], 0b0001, Card.ACCIDENT, [Card.REPAIRS]),
        ([Card.ACCIDENT, Card.REPAIRS], 0, None, [Card.GREEN_LIGHT]),
        ([Card.ACCIDENT, Card.REPAIRS], 0b0001, None, []),
    ],
)
def test_a_hazard_under_its_safety_stops_nobody(
    battle: list[Card], safeties: int, stop: Card | None, needs: list[Card]
) -> None:
    laid = EMPTY_TABLE._replace(battle=bytes(battle), safeties=safeties, started=bool(battle))
    table = derived_table(make_ruleset("classic"), 1000, laid)
    assert tables.stopped_by(table) is stop
    assert tables.hazards(table) == (() if stop is None else (stop,))
    assert list(tables.needs(table)) == needs


def test_kilometres_of_a_card() -> None:
    assert [tables.km(card) for card in Card][:5] == list(KM)
    assert {tables.km(card) for card in list(Card)[5:]} == {0}


@pytest.mark.parametrize("pile", [b"", b"\x05", b"\x0a\x05"])
def test_the_top_of_a_pile(pile: bytes) -> None:
    assert tables.top(pile) is (Card.RED_LIGHT if pile else None)
