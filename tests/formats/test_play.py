"""The simulator itself: it plays a stage as told, and finds formats that break their promises."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.formats.roundrobin import RoundRobin
from arena.formats.story import Field, Pairing, Row, Story, Way
from tests.formats.play import Chances, Leaving, field_of, play_out


class Broken:
    """A format that always says the same, and is never over."""

    takes_latecomers = False

    def __init__(self, *pairings: Pairing) -> None:
        self._pairings = pairings

    def check(self, field: Field, /) -> None:
        """Takes any."""

    def due(self, story: Story, /) -> Sequence[Pairing]:
        return self._pairings

    def is_over(self, story: Story, /) -> bool:
        return False

    def table(self, story: Story, /) -> Sequence[Row]:
        return ()


class Endless(Broken):
    """Announces another match for ever."""

    def due(self, story: Story, /) -> Sequence[Pairing]:
        return () if story.waits else (pairing(f"{story.rounds + 1}.1", round_=story.rounds + 1),)


def pairing(key: str, *teams: tuple[int, ...], round_: int = 1) -> Pairing:
    return Pairing(key=key, round=round_, title="match", teams=teams or ((0,), (1,)))


@pytest.mark.parametrize(
    ("form", "message"),
    [
        (Broken(), "stuck"),
        (Broken(pairing("1.1")), "said twice"),
        (Broken(pairing("1.1"), pairing("1.1")), "a key is there twice"),
        (Broken(pairing("Round 1")), "Round 1"),
        (Broken(pairing("1.1", (0,), (0,))), "teams"),
        (Broken(pairing("1.1", (0,), (9,))), "teams"),
        (Broken(pairing("1.1", (0,), (1,), (2,))), "teams"),
        (Endless(), "not over after 50 steps"),
    ],
)
def test_broken_promises_are_found(form: Broken, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        play_out(form, field_of(4), most_steps=50)


def test_the_same_seed_gives_the_same_story_and_another_one_another() -> None:
    stories = [play_out(RoundRobin(), field_of(5), seed=seed) for seed in (1, 1, 2)]
    assert stories[0] == stories[1]
    assert stories[0] != stories[2]


def test_the_stronger_wins_where_strengths_are_far_apart() -> None:
    chances = Chances(strengths=(1, 2, 3), draws=0)
    story = play_out(RoundRobin(), field_of(3), chances=chances)
    for one, score in story.decided():
        assert score.ranks[one.team_of(max(one.entrants))] == 1


def test_who_leaves_has_walkovers_from_then_on() -> None:
    leaving = [Leaving(0, 2), Leaving(1, 4, is_disqualified=True)]
    story = play_out(RoundRobin(), field_of(5), withdrawals=leaving)
    assert {one: gone.is_disqualified for one, gone in story.gone.items()} == {0: False, 1: True}
    played = [one for one, score in story.decided() if score.way is Way.PLAYED]
    walkovers = [one for one, score in story.decided() if score.way is Way.WALKOVER]
    assert len(played) + len(walkovers) == 10
    assert len(played) >= 4
    assert all({0, 1} & {*one.entrants} for one in walkovers)
