"""Two sides compared: counts, and the laws that the counting keeps."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats.pairs import PairTally
from tests.stats.boards import DRAWN, FORFEITED, LOST, WON, Board, many_boards

Boards = tuple[int, int, list[Board]]


def tally(a: int, b: int, rotations: int, played: list[Board]) -> PairTally:
    made = PairTally(a, b, rotations)
    for board in played:
        made.add(board)
    return made


def test_counts_of_a_few_boards() -> None:
    played: list[Board] = [(WON, WON), (WON, LOST), (LOST, WON), (DRAWN, WON), (LOST, DRAWN)]
    found = tally(0, 1, 2, played).summary()
    assert (found.boards, found.games) == (5, 10)
    assert (found.wins, found.draws, found.losses) == (5, 2, 3)
    assert found.by_score == (0, 1, 2, 1, 1)
    assert found.share is not None
    assert found.share.value == pytest.approx(0.6)
    assert found.points is not None
    assert found.points.value == pytest.approx((5 * 2000 - 3 * 2600) / 10)
    assert found.boards_without_points == 0
    assert found.elo is not None
    assert found.elo.value == pytest.approx(70.437, abs=0.001)


def test_forfeited_game_counts_as_lost_and_its_board_has_no_points() -> None:
    found = tally(0, 1, 2, [(WON, FORFEITED), (WON, WON)]).summary()
    assert (found.wins, found.losses) == (3, 1)
    assert found.boards_without_points == 1
    assert found.points is not None
    assert (found.points.value, found.points.interval) == (2000, None)


def test_nothing_is_claimed_without_boards() -> None:
    found = PairTally(0, 1, 2).summary()
    assert (found.boards, found.games, found.by_score) == (0, 0, (0,) * 5)
    assert (found.share, found.points, found.los, found.elo) == (None,) * 4


def test_games_of_a_board_are_one_piece_of_evidence() -> None:
    """Forty games, each board shared: as games a coin that is hard to tell, as boards no spread."""
    by_board = tally(0, 1, 2, [(WON, LOST)] * 20).summary().share
    by_game = tally(0, 1, 1, [(WON,), (LOST,)] * 20).summary().share
    assert by_board is not None
    assert by_game is not None
    assert by_board.interval is not None
    assert by_game.interval is not None
    assert by_board.value == by_game.value == 0.5
    assert by_board.interval.width < by_game.interval.width


@settings(max_examples=50)
@given(many_boards(), st.randoms(use_true_random=False))
def test_order_inside_a_board_and_of_boards_does_not_matter(given_: Boards, rng: object) -> None:
    _sides, rotations, played = given_
    shuffle = getattr(rng, "shuffle")  # noqa: B009 - hypothesis's generator has no public type
    other = [list(board) for board in played]
    for board in other:
        shuffle(board)
    shuffle(other)
    assert tally(0, 1, rotations, [tuple(board) for board in other]) == tally(
        0, 1, rotations, played
    )


@settings(max_examples=50)
@given(many_boards())
def test_other_side_sees_the_mirror_image(given_: Boards) -> None:
    _sides, rotations, played = given_
    ours, theirs = tally(0, 1, rotations, played), tally(1, 0, rotations, played)
    assert ours.results == theirs.results[::-1]
    assert ours.by_score == theirs.by_score[::-1]
    assert ours.points.total == -theirs.points.total
    assert ours.points.squares == theirs.points.squares
    mine, other = ours.summary(), theirs.summary()
    if mine.los is not None:
        assert mine.los + (other.los or 0) == pytest.approx(1)
    if mine.points and other.points and mine.points.interval and other.points.interval:
        assert mine.points.interval.low == -other.points.interval.high


@settings(max_examples=50)
@given(many_boards(), st.integers(0, 12))
def test_parts_put_together_are_the_whole(given_: Boards, cut: int) -> None:
    _sides, rotations, played = given_
    first, second = tally(0, 1, rotations, played[:cut]), tally(0, 1, rotations, played[cut:])
    whole = tally(0, 1, rotations, played)
    assert first.merged(second) == second.merged(first) == whole
    assert first.merged(second).summary() == whole.summary()
    for board in played[cut:]:
        first.add(board)
    assert first == whole


@settings(max_examples=50)
@given(many_boards())
def test_counts_are_those_of_the_games(given_: Boards) -> None:
    _sides, rotations, played = given_
    found = tally(0, 1, rotations, played).summary()
    results = [game.duel(0, 1) for game in chain.from_iterable(played)]
    assert [found.losses, found.draws, found.wins] == [results.count(one) for one in range(3)]
    assert sum(found.by_score) == found.boards == len(played)
    if found.share is not None:
        assert found.share.value == pytest.approx(sum(results) / 2 / len(results))


def test_misuse_is_refused() -> None:
    pair = PairTally(0, 1, 2)
    with pytest.raises(ValueError, match=r"a board of 2 games, not 1"):
        pair.add((WON,))
    assert pair == PairTally(0, 1, 2)
    with pytest.raises(ValueError, match=r"sides 1 and 1 in 2 games a board"):
        PairTally(1, 1, 2)
    with pytest.raises(ValueError, match=r"\(0, 1, 2\) and \(0, 1, 3\) do not add up"):
        pair.merged(PairTally(0, 1, 3))
