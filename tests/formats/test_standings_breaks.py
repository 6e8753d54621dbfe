"""Tie-breaks, each against a table worked out by hand."""

from __future__ import annotations

import pytest

from arena.formats.scoring import Points, Scoring, TieBreak
from arena.formats.standings import standings
from arena.formats.story import Departure, Row, Story, lot
from tests.formats.telling import SEED, bye, draw, duel, loss, placed, told, win

H2H, CUT, BUCHHOLZ, SB = (
    TieBreak.HEAD_TO_HEAD,
    TieBreak.BUCHHOLZ_CUT_1,
    TieBreak.BUCHHOLZ,
    TieBreak.SONNEBORN_BERGER,
)


def table(story: Story, *breaks: TieBreak, annuls: bool = True) -> list[tuple[int, int, str]]:
    """Place, entrant, and what parted it from those with equal points."""
    return lines(standings(story, Scoring(breaks=breaks), annuls=annuls))


def lines(rows: tuple[Row, ...]) -> list[tuple[int, int, str]]:
    return [
        (row.place, row.entrant, "; ".join(f"{name} {value}" for name, value in row.breaks))
        for row in rows
    ]


def swiss() -> Story:
    """Six entrants, three rounds.

    Points: 0 has 2.5, 1 and 5 have 2, 4 has 1.5, 2 has 1, 3 has none.
        1 met 4 (1.5), 3 (0), 0 (2.5): Buchholz 4, cut 4, Sonneborn-Berger 0.75 + 0 + 1.25 = 2
        5 met 2 (1), 0 (2.5), 4 (1.5): Buchholz 5, cut 4, Sonneborn-Berger 1 + 0 + 1.5 = 2.5
    """
    return told(
        6,
        [
            [duel(0, 3, win()), duel(1, 4, draw()), duel(2, 5, loss())],
            [duel(0, 5, win()), duel(4, 2, win()), duel(1, 3, win())],
            [duel(0, 1, draw()), duel(4, 5, loss()), duel(2, 3, win())],
        ],
    )


REST = [(4, 4, ""), (5, 2, ""), (6, 3, "")]


def test_buchholz() -> None:
    assert table(swiss(), BUCHHOLZ) == [
        (1, 0, ""),
        (2, 5, "buchholz 5"),
        (3, 1, "buchholz 4"),
        *REST,
    ]


def test_cut_leaves_out_the_weakest_opponent_and_the_next_tie_break_decides() -> None:
    assert table(swiss(), CUT, BUCHHOLZ) == [
        (1, 0, ""),
        (2, 5, "buchholz-cut-1 4; buchholz 5"),
        (3, 1, "buchholz-cut-1 4; buchholz 4"),
        *REST,
    ]


def test_sonneborn_berger() -> None:
    assert table(swiss(), SB) == [
        (1, 0, ""),
        (2, 5, "sonneborn-berger 2.5"),
        (3, 1, "sonneborn-berger 2"),
        *REST,
    ]


def test_who_did_not_meet_is_not_parted_by_head_to_head() -> None:
    assert table(swiss(), H2H)[:3] == [(1, 0, ""), (2, 1, ""), (2, 5, "")]


def test_head_to_head_of_two() -> None:
    """0 and 1 have 2 points each, and 1 has beaten 0."""
    story = told(
        4,
        [
            [duel(0, 1, loss()), duel(2, 3, draw())],
            [duel(0, 2, win()), duel(1, 3, win())],
            [duel(0, 3, win()), duel(1, 2, loss())],
        ],
    )
    assert table(story, H2H) == [
        (1, 1, "head-to-head 1"),
        (2, 0, "head-to-head 0"),
        (3, 2, ""),
        (4, 3, ""),
    ]


def test_head_to_head_of_three() -> None:
    """3 has lost to all; of the others each has 2 points, in a circle: nothing is decided."""
    story = told(
        4,
        [
            [duel(0, 1, win()), duel(2, 3, win())],
            [duel(1, 2, win()), duel(0, 3, win())],
            [duel(2, 0, win()), duel(1, 3, win())],
        ],
    )
    circle = "head-to-head 1"
    assert table(story, H2H) == [(1, 0, circle), (1, 1, circle), (1, 2, circle), (4, 3, "")]


def test_head_to_head_is_counted_again_for_those_still_tied() -> None:
    """0, 1, 2, 3 have 2.5 points each; among themselves 2, 2, 1.5, 0.5; and 0 has beaten 1."""
    story = told(
        6,
        [
            [duel(0, 1, win()), duel(2, 3, draw()), duel(4, 5, loss())],
            [duel(0, 2, loss()), duel(1, 3, win()), duel(2, 4, win())],
            [duel(0, 3, win()), duel(1, 2, win()), duel(3, 4, win())],
            [duel(0, 4, draw()), duel(1, 5, draw()), duel(2, 5, loss())],
            [duel(0, 5, loss()), duel(1, 4, loss()), duel(3, 5, win())],
        ],
    )
    assert table(story, H2H) == [
        (1, 5, ""),
        (2, 0, "head-to-head 2, then 1"),
        (3, 1, "head-to-head 2, then 0"),
        (4, 2, "head-to-head 1.5"),
        (5, 3, "head-to-head 0.5"),
        (6, 4, ""),
    ]


def test_head_to_head_needs_equally_many_meetings() -> None:
    """0, 1 and 2 have 1.5 points each, but 2 has made one half of them against 3.

    It could not make more against 0 and 1, which met each other twice.
    """
    story = told(
        4,
        [
            [duel(0, 1, draw()), duel(2, 3, draw())],
            [duel(0, 2, draw())],
            [duel(1, 2, draw())],
            [duel(1, 0, draw())],
        ],
    )
    assert table(story, H2H) == [(1, 0, ""), (1, 1, ""), (1, 2, ""), (4, 3, "")]


def test_head_to_head_at_larger_tables_is_by_who_was_ahead() -> None:
    """0 and 1 have 7/3 points each; 1 was ahead of 0 in two matches of three."""
    four = ((0,), (1,), (2,), (3,))
    ranks = [(2, 1, 3, 4), (2, 1, 3, 4), (1, 3, 2, 4)]
    story = told(4, [[(four, placed(*one))] for one in ranks], teams=(1, 1, 1, 1))
    assert table(story, H2H) == [
        (1, 1, "head-to-head 2"),
        (2, 0, "head-to-head 1"),
        (3, 2, ""),
        (4, 3, ""),
    ]


def test_head_to_head_by_boards() -> None:
    """With board points, those of the match between the two."""
    story = told(
        3, [[duel(0, 1, win((6, 4)))], [duel(0, 2, loss((2, 8)))], [duel(1, 2, loss((4, 6)))]]
    )
    rows = standings(story, Scoring(points=Points.BOARD, breaks=(H2H,)))
    assert lines(rows) == [
        (1, 2, ""),
        (2, 0, "head-to-head 6"),
        (3, 1, "head-to-head 4"),
    ]


def test_partners_are_no_opponents() -> None:
    """In each match two points are shared among opponents: 0 has met 2 and 3, and never 1."""
    story = told(4, [[(((0, 1), (2, 3)), win())]], teams=(2, 2))
    assert table(story, H2H, BUCHHOLZ, SB) == [
        (1, 0, "buchholz 0; sonneborn-berger 0"),
        (1, 1, "buchholz 0; sonneborn-berger 0"),
        (3, 2, "buchholz 2; sonneborn-berger 0"),
        (3, 3, "buchholz 2; sonneborn-berger 0"),
    ]


def test_bye_counts_as_an_opponent_with_ones_own_points() -> None:
    """After two rounds of three, 0 and 2 have 1.5 and 1 has 0.

    0 beat 1 (0 points) and drew with 2: Buchholz 1.5, Sonneborn-Berger 0.75.
    2 had a bye (its own 1.5) and drew with 0: Buchholz 3, Sonneborn-Berger 2.25.
    """
    story = told(3, [[duel(0, 1, win()), bye(2)], [duel(0, 2, draw())]])
    assert table(story, BUCHHOLZ)[:2] == [(1, 2, "buchholz 3"), (2, 0, "buchholz 1.5")]
    assert table(story, SB)[:2] == [
        (1, 2, "sonneborn-berger 2.25"),
        (2, 0, "sonneborn-berger 0.75"),
    ]
    assert table(story, CUT)[:2] == [(1, 0, "buchholz-cut-1 1.5"), (1, 2, "buchholz-cut-1 1.5")]


def test_walkover_counts_as_an_opponent_with_ones_own_points() -> None:
    """0 has 1 against the absent 3 and is its own opponent; 1 has beaten 2, who has nothing."""
    story = told(4, [[duel(0, 3, None), duel(1, 2, win())]], gone={3: Departure(0)})
    assert table(story, BUCHHOLZ, annuls=False) == [
        (1, 0, "buchholz 1"),
        (2, 1, "buchholz 0"),
        (3, 2, ""),
        (4, 3, ""),
    ]


def test_boards_part_equal_match_points_and_the_other_way_round() -> None:
    story = told(4, [[duel(0, 1, win((6, 4))), duel(2, 3, win((9, 1)))]])
    assert table(story, TieBreak.BOARD_POINTS) == [
        (1, 2, "board-points 9"),
        (2, 0, "board-points 6"),
        (3, 1, "board-points 4"),
        (4, 3, "board-points 1"),
    ]
    story = told(4, [[duel(0, 1, draw((5, 5))), duel(2, 3, win((5, 4)))]])
    rows = standings(story, Scoring(points=Points.BOARD, breaks=(TieBreak.MATCH_POINTS,)))
    assert lines(rows) == [
        (1, 2, "match-points 1"),
        (2, 0, "match-points 0.5"),
        (2, 1, "match-points 0.5"),
        (4, 3, ""),
    ]


def test_wins_of_byes_do_not_count() -> None:
    """0 has a win and a loss, 1 two draws, 2 a bye and a loss: 1 point each."""
    story = told(
        5,
        [
            [duel(0, 3, win()), duel(1, 4, draw()), bye(2)],
            [duel(0, 4, loss()), duel(1, 3, draw()), duel(2, 4, loss())],
        ],
    )
    assert [line for line in table(story, TieBreak.WINS) if line[1] < 3] == [
        (2, 0, "wins 1"),
        (3, 1, "wins 0"),
        (3, 2, "wins 0"),
    ]


def test_fewer_faults_are_better() -> None:
    story = told(4, [[duel(0, 1, win(faults=(3, 0))), duel(2, 3, win(faults=(1, 2)))]])
    assert table(story, TieBreak.FAULTS) == [
        (1, 2, "faults 1"),
        (2, 0, "faults 3"),
        (3, 1, "faults 0"),
        (4, 3, "faults 2"),
    ]


def test_lot_leaves_no_tie_and_is_the_same_every_time() -> None:
    story = told(9, [])
    rows = standings(story, Scoring(breaks=(TieBreak.LOT,)))
    order = sorted(range(9), key=lambda entrant: lot(SEED, "tie", entrant))
    assert order != list(range(9))
    assert lines(rows) == [
        (place, entrant, f"lot drawn {place} of 9") for place, entrant in enumerate(order, start=1)
    ]
    assert standings(story, Scoring(breaks=(TieBreak.LOT,))) == rows


@pytest.mark.parametrize("tie_break", [one for one in TieBreak if one is not TieBreak.LOT])
def test_nothing_but_a_lot_parts_equals(tie_break: TieBreak) -> None:
    assert [place for place, _, _ in table(told(3, []), tie_break)] == [1, 1, 1]


def test_annulled_opponents_are_no_opponents() -> None:
    """3 is disqualified after all is played: only the circle of the others is left."""
    story = told(
        4,
        [
            [duel(0, 1, win()), duel(2, 3, win())],
            [duel(1, 2, win()), duel(0, 3, win())],
            [duel(2, 0, win()), duel(3, 1, win())],
        ],
        gone={3: Departure(3, is_disqualified=True)},
    )
    circle = "buchholz 2; sonneborn-berger 1"
    assert table(story, BUCHHOLZ, SB) == [
        (1, 0, circle),
        (1, 1, circle),
        (1, 2, circle),
        (4, 3, ""),
    ]
