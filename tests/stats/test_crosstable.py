"""Who has scored how much against whom."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats.crosstable import CrossTable, Duel
from arena.stats.scores import GameScore
from tests.stats.boards import DRAWN, LOST, WON, game, game_scores

Match = tuple[tuple[tuple[str, ...], ...], GameScore]


@st.composite
def matches(draw: st.DrawFn) -> Match:
    sides = draw(st.integers(2, 4))
    entrants = draw(st.permutations("abcdef"))[:sides]
    return tuple((entrant,) for entrant in entrants), draw(game_scores(sides))


def cross(*played: Match) -> CrossTable:
    made = CrossTable()
    for sides, score in played:
        made.add(sides, score)
    return made


def test_league_of_three() -> None:
    table = cross(
        ((("ann",), ("bob",)), WON),
        ((("bob",), ("ann",)), LOST),
        ((("bob",), ("cyd",)), DRAWN),
        ((("cyd",), ("ann",), ("bob",)), game(900, 500, 500)),
    )
    assert table.duel("ann", "bob") == Duel(wins=2, draws=1)
    assert table.duel("bob", "ann") == Duel(losses=2, draws=1)
    assert table.duel("ann", "bob").share == pytest.approx(5 / 6)
    assert table.total("cyd") == Duel(wins=2, draws=1)
    assert table.entrants == ("cyd", "ann", "bob")


def test_partners_have_not_met() -> None:
    table = cross(((("ann", "bob"), ("cyd", "dan")), WON))
    assert table.duel("ann", "bob") == Duel()
    assert table.duel("ann", "bob").share is None
    assert [table.duel("ann", other).wins for other in ("cyd", "dan")] == [1, 1]


def test_nobody_meets_itself() -> None:
    table = cross(((("ann",), ("ann",)), WON))
    assert table.duel("ann", "ann").games == 0
    assert table.total("ann").share is None
    assert table.entrants == ("ann",)


def test_unknown_entrants_have_not_met() -> None:
    assert CrossTable().duel("ann", "bob") == Duel()
    assert CrossTable().total("ann").games == 0


@settings(max_examples=50)
@given(st.lists(matches(), max_size=10), st.randoms(use_true_random=False))
def test_table_is_antisymmetric_and_order_free(played: list[Match], rng: object) -> None:
    table = cross(*played)
    getattr(rng, "shuffle")(played)  # noqa: B009 - hypothesis's generator has no public type
    again = cross(*played)
    assert table.entrants == again.entrants
    for one in table.entrants:
        for other in table.entrants:
            duel, back = table.duel(one, other), table.duel(other, one)
            assert duel == again.duel(one, other)
            assert (duel.wins, duel.draws, duel.losses) == (back.losses, back.draws, back.wins)


def test_score_of_another_number_of_sides_is_refused() -> None:
    with pytest.raises(ValueError, match=r"3 sides, and a score of 2"):
        CrossTable().add((("ann",), ("bob",), ("cyd",)), WON)
