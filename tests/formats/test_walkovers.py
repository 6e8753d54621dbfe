"""Scores that come by themselves: byes, and pairings with somebody who is gone."""

from __future__ import annotations

import pytest

from arena.formats.story import Departure, Pairing, Story, Way
from arena.formats.walkovers import BYE, automatic
from tests.formats.play import field_of, won_by

Teams = tuple[tuple[int, ...], ...]


def story_of(teams: Teams, *gone: int) -> Story:
    pairing = Pairing(key="1.1", round=1, title="round 1, table 1", teams=teams)
    return Story(field=field_of(8), pairings=(pairing,), gone={one: Departure(1) for one in gone})


def test_a_bye_counts_at_once() -> None:
    assert automatic(story_of(((3,),))) == {"1.1": BYE}
    assert automatic(story_of(((3,),), 3)) == {"1.1": BYE}
    assert BYE.share(0) == 1


def test_what_can_be_played_gets_nothing() -> None:
    assert automatic(story_of(((0,), (1,)), 2)) == {}


@pytest.mark.parametrize(
    ("teams", "gone", "ranks"),
    [
        (((0,), (1,)), (1,), (1, 2)),
        (((0,), (1,)), (0,), (2, 1)),
        (((0,), (1,)), (0, 1), (1, 1)),
        (((0,), (1,), (2,), (3,)), (1, 3), (1, 3, 1, 3)),
        (((0, 1), (2, 3)), (1,), (2, 1)),
        (((0, 1), (2, 3)), (1, 2), (1, 1)),
        (((0, 1), (2, 3), (4, 5)), (0, 5), (2, 1, 2)),
    ],
)
def test_who_is_gone_stands_below(
    teams: Teams, gone: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    score = automatic(story_of(teams, *gone))["1.1"]
    assert score.ranks == ranks
    assert score.way is Way.WALKOVER
    assert score.games == 0
    assert set(score.boards) == {0.0}


def test_what_was_played_is_kept() -> None:
    begun = story_of(((0,), (1,)), 0)
    scores = {"1.1": won_by(begun.pairings[0], 0)}
    story = Story(field=begun.field, pairings=begun.pairings, scores=scores, gone=begun.gone)
    assert automatic(story) == {}
