"""Where brackets are drawn: no boxes overlap, lines begin and end at boxes, whatever the number."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from arena.formats.elimination_bracket import GRAND_FINAL, RESET, THIRD, Bracket, bracket_of
from arena.web.brackets import CAPTION, ROW, Box, Layout, layout

KINDS = [
    (count, double, third)
    for count in range(2, 65)
    for double, third in ((False, False), (False, True), (True, False))
]


def drawn(count: int, *, double: bool = False, third: bool = False) -> tuple[Bracket, Layout]:
    bracket = bracket_of(tuple(range(count)), double=double, third=third)
    return bracket, layout(bracket)


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def crosses(start: tuple[int, int], end: tuple[int, int], box: Box) -> bool:
    """Whether a stretch of a line goes through the inside of a box's frame."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return (
        left < box.x + box.width
        and right > box.x
        and top < box.y + box.height
        and bottom > box.frame
    )


@pytest.mark.parametrize(("count", "double", "third"), KINDS)
def test_boxes_are_inside_and_do_not_overlap(count: int, double: bool, third: bool) -> None:
    _, laid = drawn(count, double=double, third=third)
    for box in laid.boxes:
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= laid.width
        assert box.y + box.height <= laid.height
    assert [pair for pair in combinations(laid.boxes, 2) if overlap(*pair)] == []


@pytest.mark.parametrize(("count", "double", "third"), KINDS)
def test_every_duel_and_every_bye_has_one_box(count: int, double: bool, third: bool) -> None:
    bracket, laid = drawn(count, double=double, third=third)
    names = [box.name for box in laid.boxes]
    assert len(set(names)) == len(names)
    assert {box.name for box in laid.boxes if box.bye is None} == {
        duel.name for duel in bracket.duels
    }
    size = 1 << (count - 1).bit_length()
    byes = [box.bye for box in laid.boxes if box.bye is not None]
    assert sorted(byes) == list(range(size - count))


@pytest.mark.parametrize(("count", "double", "third"), KINDS)
def test_lines_lead_from_box_to_box_and_through_none(count: int, double: bool, third: bool) -> None:
    bracket, laid = drawn(count, double=double, third=third)
    boxes = {box.name: box for box in laid.boxes}
    winners = [line for line in laid.lines if line.after != RESET]
    for line in winners:
        before, after = boxes[line.before], boxes[line.after]
        assert line.points[0] == (before.x + before.width, before.middle)
        assert line.points[-1][0] == after.x
        assert after.frame < line.points[-1][1] < after.y + after.height
        for start, end in pairwise(line.points):
            assert start[0] == end[0] or start[1] == end[1]
            assert [box.name for box in laid.boxes if crosses(start, end, box)] == []
    is_for_third = any(duel.name == THIRD for duel in bracket.duels)
    ends = 1 + is_for_third + double  # whose winner goes nowhere
    assert len(winners) == len(laid.boxes) - ends


def test_a_duel_stands_between_those_that_lead_to_it() -> None:
    _, laid = drawn(8)
    boxes = {box.name: box for box in laid.boxes}
    upper, lower = boxes["w1.1"], boxes["w1.2"]
    assert upper.middle < boxes["w2.1"].middle < lower.middle
    assert boxes["w2.1"].x == upper.x + upper.width + (boxes["w3.1"].x - boxes["w2.1"].x) - 280


def test_a_bye_is_half_as_high_and_leads_on() -> None:
    _, laid = drawn(3)
    boxes = {box.name: box for box in laid.boxes}
    assert boxes["w1.1"].bye == 0
    assert boxes["w1.1"].height == CAPTION + ROW
    assert boxes["w1.2"].height == CAPTION + 2 * ROW
    assert {(line.before, line.after) for line in laid.lines} == {
        ("w1.1", "w2.1"),
        ("w1.2", "w2.1"),
    }


def test_the_reset_is_under_the_grand_final_and_third_place_under_the_final() -> None:
    for (_, laid), upper, lower in (
        (drawn(8, double=True), GRAND_FINAL, RESET),
        (drawn(8, third=True), "w3.1", THIRD),
    ):
        boxes = {box.name: box for box in laid.boxes}
        assert boxes[lower].x == boxes[upper].x
        assert boxes[lower].y > boxes[upper].y + boxes[upper].height
    assert ((GRAND_FINAL, RESET)) in {
        (line.before, line.after) for line in drawn(8, double=True)[1].lines
    }
