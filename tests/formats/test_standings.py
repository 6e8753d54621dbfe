"""Tables worked out by hand: points, byes, walkovers, who is gone, places."""

from __future__ import annotations

import pytest

from arena.formats.scoring import Points, Scoring
from arena.formats.standings import shares, standings
from arena.formats.story import Departure, Pairing, Row, Score, Story, Way
from tests.formats.telling import bye, draw, duel, loss, placed, told, win

PLAIN = Scoring(breaks=())
BOARDS = Scoring(points=Points.BOARD, breaks=())


def points(rows: tuple[Row, ...]) -> dict[int, float]:
    return {row.entrant: row.points for row in rows}


def places(rows: tuple[Row, ...]) -> list[tuple[int, int]]:
    """Place and entrant, line by line."""
    return [(row.place, row.entrant) for row in rows]


def test_wins_draws_and_losses() -> None:
    story = told(3, [[duel(0, 1, win())], [duel(2, 1, draw())], [duel(0, 2, loss())]])
    rows = standings(story, PLAIN)
    assert places(rows) == [(1, 2), (2, 0), (3, 1)]
    assert points(rows) == {0: 1, 1: 0.5, 2: 1.5}
    assert [row.played for row in rows] == [2, 2, 2]
    assert {row.note for row in rows} == {""}
    assert {row.breaks for row in rows} == {()}


def test_boards_order_a_table_by_board_points() -> None:
    story = told(
        3, [[duel(0, 1, win((6, 4)))], [duel(2, 1, draw((5, 5)))], [duel(0, 2, loss((1.5, 8.5)))]]
    )
    assert points(standings(story, BOARDS)) == {2: 13.5, 1: 9, 0: 7.5}
    assert places(standings(story, BOARDS)) == [(1, 2), (2, 1), (3, 0)]


def test_before_anything_is_played_everybody_shares_the_first_place() -> None:
    assert places(standings(told(3, []), Scoring())) == [(1, 0), (1, 1), (1, 2)]


def test_place_after_a_shared_one_counts_all_before_it() -> None:
    story = told(4, [[duel(0, 3, win()), duel(1, 2, win())], [duel(0, 1, draw())]])
    assert places(standings(story, PLAIN)) == [(1, 0), (1, 1), (3, 2), (3, 3)]


def test_what_is_not_played_yet_counts_for_nothing() -> None:
    story = told(2, [[duel(0, 1, win())], [duel(1, 0, None)]])
    assert [row.played for row in standings(story, PLAIN)] == [1, 1]


def test_thirds_add_up_without_rounding() -> None:
    """Three times a third of a table of four is as much as one win, and places are shared."""
    seconds_and_thirds = [
        [(((0,), (1,), (2,), (3,)), placed(3, 1, 2, 4))],
        [(((0,), (1,), (2,), (3,)), placed(3, 4, 2, 1))],
        [(((0,), (1,), (2,), (3,)), placed(3, 4, 1, 2))],
    ]
    rows = standings(told(4, seconds_and_thirds, teams=(1, 1, 1, 1)), PLAIN)
    assert points(rows)[0] == points(rows)[1] == 1.0
    assert places(rows) == [(1, 2), (2, 3), (3, 0), (3, 1)]


def test_board_points_of_thirds_add_up_without_rounding() -> None:
    """0.1 + 0.2 is another float than 0.3: what was added in another way is equal all the same."""
    assert 0.1 + 0.2 != 0.3
    six = tuple((one,) for one in range(6))
    boards = [(0.1, 0.3, 0.0, 0.0, 0.0, 0.0), (0.2, 0.0, 0.0, 0.0, 0.0, 0.0)]
    story = told(
        6,
        [[(six, placed(1, 1, 1, 1, 1, 1, boards=one))] for one in boards],
        teams=(1,) * 6,
    )
    assert places(standings(story, BOARDS))[:3] == [(1, 0), (1, 1), (3, 2)]


def test_partners_have_the_points_of_their_team() -> None:
    story = told(4, [[(((0, 1), (2, 3)), win())], [(((0, 2), (1, 3)), draw())]], teams=(2, 2))
    assert points(standings(story, PLAIN)) == {0: 1.5, 1: 1.5, 2: 0.5, 3: 0.5}
    assert points(standings(story, BOARDS)) == {0: 12, 1: 12, 2: 8, 3: 8}


# -- byes -------------------------------------------------------------------------------------


def test_bye_is_a_match_won() -> None:
    story = told(3, [[duel(0, 1, draw()), bye(2)]])
    rows = standings(story, PLAIN)
    assert places(rows) == [(1, 2), (2, 0), (2, 1)]
    assert rows[0].points == 1
    assert rows[0].played == 1


def test_bye_brings_the_mean_of_ones_own_boards_rounded_down_to_a_half() -> None:
    """7 and 6 and 4.5 have a mean of 5.83; and who has played nothing has no mean."""
    rounds = [
        [duel(0, 1, win((7, 3))), bye(2)],
        [duel(0, 1, win((6, 4)))],
        [duel(0, 1, loss((4.5, 5.5)))],
        [bye(0)],
    ]
    rows = standings(told(3, rounds), BOARDS)
    assert points(rows) == {0: 17.5 + 5.5, 1: 12.5, 2: 0}


# -- walkovers --------------------------------------------------------------------------------


def pairing(*teams: tuple[int, ...]) -> Pairing:
    return Pairing(key="1.1", round=1, title="", teams=teams)


def walked(teams: tuple[tuple[int, ...], ...], *gone: int) -> dict[int, float]:
    """What a walkover brings, in points."""
    story = told(
        6,
        [[(teams, None)]],
        teams=tuple(map(len, teams)),
        gone={one: Departure(0) for one in gone},
    )
    return {
        one: share / 120
        for one, share in shares(story, pairing(*teams), story.scores["1.1"]).items()
    }


def test_walkover_of_two() -> None:
    assert walked(((0,), (1,)), 1) == {0: 1, 1: 0}
    assert walked(((0,), (1,)), 0) == {0: 0, 1: 1}


def test_walkover_of_two_who_are_both_gone_is_won_by_nobody() -> None:
    assert walked(((0,), (1,)), 0, 1) == {0: 0, 1: 0}


def test_walkover_at_a_larger_table_shares_the_upper_places() -> None:
    assert walked(((0,), (1,), (2,), (3,)), 2) == {0: 2 / 3, 1: 2 / 3, 2: 0, 3: 2 / 3}
    assert walked(((0,), (1,), (2,), (3,)), 0, 2) == {0: 0, 1: 5 / 6, 2: 0, 3: 5 / 6}
    assert walked(((0,), (1,), (2,)), 0, 1, 2) == {0: 0, 1: 0, 2: 0}


def test_partner_of_who_is_gone_has_half_a_match() -> None:
    assert walked(((0, 1), (2, 3)), 1) == {0: 0.5, 1: 0, 2: 1, 3: 1}
    assert walked(((0, 1), (2, 3)), 1, 2) == {0: 0.5, 1: 0, 2: 0, 3: 0.5}
    assert walked(((0, 1), (2, 3)), 0, 1) == {0: 0, 1: 0, 2: 1, 3: 1}


def test_walkover_stays_won_when_the_winner_leaves_later() -> None:
    """1 left before round 2, so that 0 had a walkover; then 0 left too."""
    rounds = [[duel(0, 2, draw()), duel(1, 3, win())], [duel(0, 1, None)]]
    story = told(4, rounds, gone={1: Departure(1)})
    later = Story(
        field=story.field,
        pairings=story.pairings,
        scores=story.scores,
        gone={1: Departure(1), 0: Departure(2)},
    )
    assert points(standings(later, PLAIN, annuls=False))[0] == 1.5


def test_boards_of_a_walkover_are_the_mean_of_who_is_there() -> None:
    rounds = [[duel(0, 1, win((8, 2)))], [duel(0, 2, win((7, 3)))], [duel(1, 0, None)]]
    story = told(3, rounds, gone={1: Departure(2)})
    assert points(standings(story, BOARDS)) == {0: 15 + 7.5, 1: 2, 2: 3}


# -- who is gone ------------------------------------------------------------------------------


def round_robin_left_by_3(*, played: int, is_disqualified: bool = False) -> Story:
    """Four entrants, of whom 3 would win everything, and leaves after so many matches."""
    threes = [duel(3, 0, win()), duel(1, 3, loss()), duel(3, 2, win())]
    rest = [duel(1, 2, win()), duel(0, 2, win()), duel(0, 1, draw())]
    rounds = [
        [(sides, score if number < played else None), other]
        for number, ((sides, score), other) in enumerate(zip(threes, rest, strict=True))
    ]
    return told(4, rounds, gone={3: Departure(3, is_disqualified)})


def test_who_leaves_before_half_counts_for_nobody() -> None:
    rows = standings(round_robin_left_by_3(played=1), PLAIN)
    assert places(rows) == [(1, 0), (1, 1), (3, 2), (4, 3)]
    assert points(rows) == {0: 1.5, 1: 1.5, 2: 0, 3: 0}
    assert [row.played for row in rows] == [2, 2, 2, 0]
    assert rows[-1].note == "withdrawn, its results count for nobody"


def test_who_leaves_after_half_has_its_results_and_loses_the_rest() -> None:
    rows = standings(round_robin_left_by_3(played=2), PLAIN)
    assert points(rows) == {0: 1.5, 1: 1.5, 2: 1, 3: 2}
    assert places(rows)[-1] == (4, 3)
    assert rows[-1].note == "withdrawn"


def test_half_exactly_is_half() -> None:
    """Of two matches one was played."""
    story = told(3, [[duel(0, 1, loss())], [duel(0, 2, None)]], gone={0: Departure(2)})
    assert points(standings(story, PLAIN)) == {0: 0, 1: 1, 2: 1}


def test_scoring_may_keep_all_results() -> None:
    rows = standings(round_robin_left_by_3(played=1), Scoring(breaks=(), annul=False))
    assert points(rows) == {0: 1.5, 1: 2.5, 2: 1, 3: 1}
    assert rows[-1].note == "withdrawn"


@pytest.mark.parametrize("annul", [True, False])
def test_disqualified_counts_for_nobody_however_much_it_has_played(annul: bool) -> None:
    story = round_robin_left_by_3(played=3, is_disqualified=True)
    rows = standings(story, Scoring(breaks=(), annul=annul))
    assert points(rows) == {0: 1.5, 1: 1.5, 2: 0, 3: 0}
    assert rows[-1].note == "disqualified, its results count for nobody"


def test_format_that_annuls_nothing() -> None:
    """As a Swiss: what was played stands."""
    story = round_robin_left_by_3(played=1, is_disqualified=True)
    rows = standings(story, PLAIN, annuls=False)
    assert points(rows) == {0: 1.5, 1: 2.5, 2: 1, 3: 1}
    assert rows[-1].note == "disqualified"


def test_gone_stand_below_all_and_disqualified_last() -> None:
    rounds = [
        [duel(0, 1, win()), duel(2, 3, win())],
        [duel(0, 2, win()), duel(1, 3, win())],
        [duel(0, 3, win()), duel(1, 2, draw())],
    ]
    story = told(4, rounds, gone={0: Departure(3, is_disqualified=True), 1: Departure(3)})
    rows = standings(story, PLAIN, annuls=False)
    assert places(rows) == [(1, 2), (2, 3), (3, 1), (4, 0)]


def test_decision_counts_as_played() -> None:
    decided = Score(ranks=(1, 2), boards=(0, 0), faults=(0, 0), way=Way.DECISION)
    rows = standings(told(2, [[duel(0, 1, decided)]]), PLAIN)
    assert points(rows) == {0: 1, 1: 0}


# -- parts of a field -------------------------------------------------------------------------


def test_some_of_the_field_have_places_of_their_own() -> None:
    story = told(4, [[duel(0, 1, win()), duel(2, 3, draw())], [duel(1, 2, loss())]])
    rows = standings(story, PLAIN, among=[3, 1, 2])
    assert places(rows) == [(1, 2), (2, 3), (3, 1)]


def test_latecomers_are_in_the_table_with_what_they_are_given() -> None:
    first = told(2, [[duel(0, 1, win())]])
    story = Story(field=first.field, pairings=first.pairings, scores=first.scores, joined={2: 2})
    rows = standings(story, PLAIN, given={2: 0.5})
    assert places(rows) == [(1, 0), (2, 2), (3, 1)]
    assert rows[1].points == 0.5
    assert rows[1].played == 0
