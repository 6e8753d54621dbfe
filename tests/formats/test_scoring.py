"""What a scoring may be, what its tie-breaks are called, and how walkovers are scored."""

from __future__ import annotations

import pytest

from arena.errors import InputError
from arena.formats.scoring import Points, Scoring, TieBreak, number, units, walkover
from arena.formats.story import Pairing, Way


def test_usual_scoring_draws_no_lot() -> None:
    """A lot has to be named: without it, whoever is equal in everything shares a place."""
    usual = Scoring()
    assert usual.points is Points.MATCH
    assert usual.annul
    assert TieBreak.LOT not in usual.breaks
    assert usual.breaks[0] is TieBreak.HEAD_TO_HEAD


def test_tie_break_twice_is_refused() -> None:
    with pytest.raises(InputError, match="tie_breaks: 'faults' is named twice"):
        Scoring(breaks=(TieBreak.FAULTS, TieBreak.WINS, TieBreak.FAULTS))


def test_nothing_can_follow_a_lot() -> None:
    with pytest.raises(InputError, match="'lot' leaves no tie, so 'wins' after it never counts"):
        Scoring(breaks=(TieBreak.LOT, TieBreak.WINS))


@pytest.mark.parametrize("tie_break", TieBreak)
def test_every_tie_break_is_explained_in_a_line_of_its_own(tie_break: TieBreak) -> None:
    text = tie_break.explanation
    assert 20 < len(text) < 160
    assert "\n" not in text
    assert [one for one in TieBreak if one.explanation == text] == [tie_break]


def test_shares_of_every_size_of_table_are_whole_units() -> None:
    for teams in range(2, 7):
        for halves in range(2 * (teams - 1) + 1):
            share = halves / (2 * (teams - 1))
            assert units(share) * 2 * (teams - 1) == halves * 120


def test_numbers_are_short() -> None:
    assert [number(one) for one in (0, 60, 120, 1260, 40, 80)] == [
        "0",
        "0.5",
        "1",
        "10.5",
        "0.33",
        "0.67",
    ]


@pytest.mark.parametrize(
    ("teams", "gone", "ranks"),
    [
        pytest.param(((0,), (1,)), {1}, (1, 2), id="two, one gone"),
        pytest.param(((0,), (1,)), {0, 1}, (1, 1), id="two, both gone: nobody wins"),
        pytest.param(((0,), (1,), (2,), (3,)), {2}, (1, 1, 4, 1), id="four, one gone"),
        pytest.param(((0,), (1,), (2,), (3,)), {0, 2}, (3, 1, 3, 1), id="four, two gone"),
        pytest.param(((0, 1), (2, 3)), {3}, (1, 2), id="partners, one gone"),
        pytest.param(((0, 1), (2, 3)), {0, 3}, (1, 1), id="partners, one of each gone"),
    ],
)
def test_walkover(
    teams: tuple[tuple[int, ...], ...], gone: set[int], ranks: tuple[int, ...]
) -> None:
    score = walkover(Pairing(key="1.1", round=1, title="", teams=teams), gone)
    assert score.ranks == ranks
    assert score.way is Way.WALKOVER
    assert set(score.boards) == {0.0}
    assert set(score.faults) == {0}
    assert score.games == 0
