"""What decides a duel: its matches, extra matches, boards, faults, the seed, walkovers."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.formats.elimination import Elimination
from arena.formats.story import Departure, Pairing, Score, Story, Way
from arena.formats.walkovers import automatic
from tests.formats.play import field_of, won_by

UPPER, LOWER = 0, 1


def score_of(pairing: Pairing, winner: int | None, boards: float = 4, faults: int = 0) -> Score:
    """Won by an entrant with so many boards of its own, or drawn; faults are of entrant 1."""
    lower = pairing.team_of(LOWER)
    other = 4 - boards
    if winner is None:
        ranks, shares = (1, 1), [0.0, 0.0]
        shares[lower], shares[1 - lower] = other, boards
    else:
        team = pairing.team_of(winner)
        ranks = (1, 2) if team == 0 else (2, 1)
        shares = [other, other]
        shares[team] = boards
    counted = [0, 0]
    counted[lower] = faults
    return Score(ranks=ranks, boards=tuple(shares), faults=tuple(counted), games=4)


def played(form: Elimination, winners: Sequence[int | None], boards: float = 2) -> Story:
    """A final of two in which one match after the other ends so, as long as one is due."""
    story = Story(field=field_of(2))
    for winner in winners:
        (pairing,) = form.due(story)
        story = Story(
            field=story.field,
            pairings=(*story.pairings, pairing),
            scores={
                **story.scores,
                pairing.key: score_of(pairing, winner, boards if winner is None else 4),
            },
        )
    return story


def ended(form: Elimination, story: Story) -> tuple[int, str]:
    """Who is first, and what the table says of it."""
    assert not form.due(story)
    assert form.is_over(story)
    first = form.table(story)[0]
    return first.entrant, first.note


def test_a_single_match_decides() -> None:
    form = Elimination()
    assert ended(form, played(form, [LOWER])) == (LOWER, "won the final")
    assert [row.note for row in form.table(played(form, [LOWER]))] == [
        "won the final",
        "out in the final",
    ]


@pytest.mark.parametrize(
    ("winners", "first"),
    [
        ([UPPER, UPPER], UPPER),
        ([UPPER, LOWER, LOWER], LOWER),
        ([None, UPPER, UPPER], UPPER),
        ([LOWER, None, None], LOWER),
        ([None, UPPER, None], UPPER),
    ],
)
def test_best_of_three_ends_when_one_side_cannot_be_caught(
    winners: list[int | None], first: int
) -> None:
    form = Elimination(best_of=3)
    for length in range(len(winners)):
        story = played(form, winners[:length])
        assert len(form.due(story)) == 1, f"ends after {length}"
        assert not form.is_over(story)
    assert ended(form, played(form, winners)) == (first, "won the final")


def test_matches_of_a_duel_have_numbers_and_change_sides() -> None:
    form = Elimination(best_of=3, extra_boards=5)
    story = played(form, [None, None, None, None])
    (last,) = form.due(story)
    pairings = [*story.pairings, last]
    assert [one.key for one in pairings] == [f"w1.1-{number}" for number in (1, 2, 3, 4, 5)]
    assert [one.teams for one in pairings] == [
        *[((0,), (1,)), ((1,), (0,)), ((0,), (1,)), ((1,), (0,)), ((0,), (1,))]
    ]
    assert [one.title for one in pairings] == [
        *[f"final, match {number}" for number in (1, 2, 3)],
        *["final, extra match 1", "final, extra match 2"],
    ]
    assert [one.boards for one in pairings] == [0, 0, 0, 5, 5]
    assert {one.round for one in pairings} == {1}


def test_the_first_extra_match_that_is_won_decides() -> None:
    form = Elimination()
    winner = (LOWER, "won the final in an extra match")
    assert ended(form, played(form, [None, None, LOWER])) == winner
    assert ended(form, played(form, [None, LOWER])) == winner


def test_after_the_extra_matches_board_points_decide() -> None:
    form = Elimination(most_extra=2)
    story = played(form, [None, None, None], boards=1.5)
    assert ended(form, story) == (LOWER, "won the final by board points")


def test_then_fewer_faults_decide() -> None:
    form = Elimination(most_extra=0)
    (pairing,) = form.due(Story(field=field_of(2)))
    for faults, expected in (
        (1, (UPPER, "won the final by fewer faults")),
        (-1, (LOWER, "won the final by fewer faults")),
        (0, (UPPER, "won the final by the better seed")),
    ):
        score = score_of(pairing, None, boards=2, faults=max(faults, 0))
        if faults < 0:
            score = Score(ranks=(1, 1), boards=(2, 2), faults=(1, 0), games=4)
        story = Story(field=field_of(2), pairings=(pairing,), scores={pairing.key: score})
        assert ended(form, story) == expected


def test_a_match_that_waits_keeps_its_duel_open() -> None:
    """Two matches are won by one side only after the third was announced, by another result."""
    form = Elimination(best_of=3)
    story = played(form, [UPPER, LOWER])
    third = form.due(story)
    first_two = {one.key: score_of(one, UPPER) for one in story.pairings}
    waiting = Story(field=story.field, pairings=(*story.pairings, *third), scores=first_two)
    assert not form.due(waiting)
    assert not form.is_over(waiting)
    scores = {**first_two, third[0].key: score_of(third[0], LOWER)}
    after = Story(field=story.field, pairings=waiting.pairings, scores=scores)
    assert ended(form, after) == (UPPER, "won the final")


def test_regular_matches_count_before_extra_ones() -> None:
    """A draw becomes a win by another result, after an extra match was won by the other."""
    form = Elimination()
    story = played(form, [None, LOWER])
    first = story.pairings[0]
    scores = {**story.scores, first.key: score_of(first, UPPER)}
    after = Story(field=story.field, pairings=story.pairings, scores=scores)
    assert ended(form, after) == (UPPER, "won the final")


# -- who is gone ------------------------------------------------------------------------------


def gone(form: Elimination, story: Story, *entrants: int, out: bool = False) -> Story:
    """The story after some have gone and what follows by itself."""
    for _ in range(20):
        story = Story(
            field=story.field,
            pairings=(*story.pairings, *form.due(story)),
            scores=story.scores,
            gone=dict.fromkeys(entrants, Departure(story.rounds, out)),
        )
        scores = {**story.scores, **automatic(story)}
        story = Story(field=story.field, pairings=story.pairings, scores=scores, gone=story.gone)
    return story


def test_a_walkover_ends_a_duel_that_the_gone_one_led() -> None:
    form = Elimination(best_of=5)
    story = gone(form, played(form, [UPPER, UPPER]), UPPER)
    assert len(story.pairings) == 3
    rows = form.table(story)
    assert [(row.place, row.entrant, row.note) for row in rows] == [
        (1, LOWER, "won the final by walkover"),
        (2, UPPER, "withdrawn; out in the final by walkover"),
    ]


def test_a_duel_that_is_decided_stays_so() -> None:
    form = Elimination(best_of=3)
    story = gone(form, played(form, [UPPER, UPPER]), UPPER)
    rows = form.table(story)
    assert [(row.place, row.entrant, row.note) for row in rows] == [
        (1, UPPER, "won the final; withdrawn afterwards"),
        (2, LOWER, "out in the final"),
    ]


def test_disqualified_stands_last_even_after_winning() -> None:
    form = Elimination()
    story = gone(form, played(form, [UPPER]), UPPER, out=True)
    assert [(row.place, row.entrant, row.note) for row in form.table(story)] == [
        (1, LOWER, "out in the final"),
        (2, UPPER, "disqualified; won the final"),
    ]


def test_with_nobody_there_nobody_has_won() -> None:
    """The first and the last of four are gone: their semi-final has no winner, and who is in the
    final from it is not there, so that the other finalist wins."""
    form = Elimination()
    story = gone(form, Story(field=field_of(4)), 0, 3)
    (other,) = [one for one in story.pairings if one.key not in story.scores]
    assert set(other.entrants) == {1, 2}
    scores = {**story.scores, other.key: won_by(other, 1)}
    story = gone(form, Story(field=story.field, pairings=story.pairings, scores=scores), 0, 3)
    assert form.is_over(story)
    final = story.pairings[-1]
    assert final.teams == ((0,), (2,)), "the better seed goes on, on paper"
    assert story.scores[final.key].way is Way.WALKOVER
    rows = form.table(story)
    assert [(row.place, row.entrant, row.points, row.note) for row in rows] == [
        (1, 2, 2.0, "won the final by walkover"),
        (2, 1, 0.0, "out in semi-final 2"),
        (3, 0, 0.0, "withdrawn; out in the final by walkover"),
        (4, 3, 0.0, "withdrawn; out in semi-final 1 with nobody there"),
    ]


@pytest.mark.parametrize("double", [False, True])
def test_if_all_are_gone_it_ends_and_nobody_is_first_by_a_win(double: bool) -> None:
    form = Elimination(double=double)
    story = gone(form, Story(field=field_of(5)), *range(5))
    assert form.is_over(story)
    rows = form.table(story)
    assert {row.points for row in rows} == {0.0}
    assert all(row.note.startswith("withdrawn") for row in rows)


def test_a_decision_counts_as_a_result() -> None:
    form = Elimination()
    (pairing,) = form.due(Story(field=field_of(2)))
    decided = Score(ranks=(2, 1), boards=(0, 0), faults=(0, 0), way=Way.DECISION)
    story = Story(field=field_of(2), pairings=(pairing,), scores={pairing.key: decided})
    assert ended(form, story) == (LOWER, "won the final")
