"""What holds for every table, whatever was played."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from arena.formats.scoring import Points, Scoring, TieBreak, walkover
from arena.formats.standings import standings
from arena.formats.story import Departure, Field, Pairing, Row, Score, Story, Way
from tests.formats.telling import BYE, SEED

NO_LOT: tuple[TieBreak, ...] = tuple(one for one in TieBreak if one is not TieBreak.LOT)
ALL_SIZES = ((1, 1), (1, 1, 1, 1), (2, 2))


def scorings(*, lots: bool = False) -> st.SearchStrategy[Scoring]:
    breaks = st.permutations(NO_LOT).map(tuple)
    if lots:
        breaks = breaks.map(lambda some: (*some, TieBreak.LOT))
    return st.builds(Scoring, points=st.sampled_from(Points), breaks=breaks, annul=st.booleans())


@st.composite
def stories(
    draw: st.DrawFn, sizes: Sequence[tuple[int, ...]] = ALL_SIZES, most_gone: int = 2
) -> Story:
    """Random tables, some not played, some byes, and some entrants gone."""
    teams = draw(st.sampled_from(sizes))
    entrants = draw(st.integers(sum(teams), 8))
    everybody = st.permutations(range(entrants))
    pairings = []
    scores = {}
    for number in range(draw(st.integers(0, 10))):
        order = iter(draw(everybody))
        is_bye = draw(st.integers(0, 5)) == 0
        sides = tuple(tuple(next(order) for _ in range(size)) for size in teams)
        pairing = Pairing(
            key=f"1.{number}", round=1, title="", teams=((sides[0][0],),) if is_bye else sides
        )
        pairings.append(pairing)
        if draw(st.integers(0, 5)):
            scores[pairing.key] = _score(draw, len(pairing.teams))
    gone = draw(
        st.dictionaries(
            st.integers(0, entrants - 1),
            st.builds(Departure, st.just(1), st.booleans()),
            max_size=most_gone,
        )
    )
    for pairing in pairings:
        if pairing.key not in scores and not gone.keys().isdisjoint(pairing.entrants):
            scores[pairing.key] = BYE if pairing.is_bye else walkover(pairing, gone)
    return Story(
        field=Field(entrants=entrants, seed=SEED, teams=teams),
        pairings=tuple(pairings),
        scores=scores,
        gone=gone,
    )


def _score(draw: st.DrawFn, teams: int) -> Score:
    if teams == 1:
        return BYE
    some = st.tuples(*[st.integers(0, 3)] * teams)
    merits = draw(some)
    return Score(
        ranks=tuple(1 + sum(other > one for other in merits) for one in merits),
        boards=tuple(number / (2 * (teams - 1)) for number in draw(some)),
        faults=draw(some),
        games=3,
    )


def renumbered(story: Story, numbers: Sequence[int]) -> Story:
    """The same, with entrant `one` called `numbers[one]`."""
    return Story(
        field=story.field,
        pairings=tuple(
            Pairing(
                key=pairing.key,
                round=pairing.round,
                title=pairing.title,
                teams=tuple(tuple(numbers[one] for one in team) for team in pairing.teams),
            )
            for pairing in story.pairings
        ),
        scores=story.scores,
        gone={numbers[one]: departure for one, departure in story.gone.items()},
    )


def by_entrant(rows: Sequence[Row]) -> dict[int, tuple[object, ...]]:
    return {row.entrant: (row.place, row.points, row.played, row.breaks, row.note) for row in rows}


@settings(max_examples=80, deadline=None)
@given(stories(), scorings(), st.randoms(use_true_random=False))
def test_numbers_of_entrants_decide_nothing(
    story: Story, scoring: Scoring, rng: random.Random
) -> None:
    numbers = list(story.entrants)
    rng.shuffle(numbers)
    before = by_entrant(standings(story, scoring))
    after = by_entrant(standings(renumbered(story, numbers), scoring))
    assert after == {numbers[one]: line for one, line in before.items()}


@settings(max_examples=50, deadline=None)
@given(stories(), scorings(lots=True), st.randoms(use_true_random=False))
def test_order_of_what_is_known_decides_nothing(
    story: Story, scoring: Scoring, rng: random.Random
) -> None:
    pairings, scores, gone = (
        list(story.pairings),
        list(story.scores.items()),
        list(story.gone.items()),
    )
    for some in (pairings, scores, gone):
        rng.shuffle(some)
    shuffled = Story(
        field=story.field, pairings=tuple(pairings), scores=dict(scores), gone=dict(gone)
    )
    assert standings(shuffled, scoring) == standings(story, scoring)


@settings(max_examples=50, deadline=None)
@given(stories(), scorings(lots=True))
def test_table_has_everybody_once_and_no_ties_after_a_lot(story: Story, scoring: Scoring) -> None:
    rows = standings(story, scoring)
    assert sorted(row.entrant for row in rows) == list(story.entrants)
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))


@settings(max_examples=50, deadline=None)
@given(stories(), scorings())
def test_places_are_shared_by_those_in_between(story: Story, scoring: Scoring) -> None:
    """A place is one more than how many stand before; and no one with fewer points stands above."""
    rows = standings(story, scoring)
    places = [row.place for row in rows]
    assert places == [1 + sum(other < place for other in places) for place in places]
    there = [row.points for row in rows if row.entrant not in story.gone]
    assert there == sorted(there, reverse=True)
    assert {row.entrant for row in rows[len(there) :]} == story.gone.keys()


@settings(max_examples=50, deadline=None)
@given(stories(sizes=[(1, 1)]))
def test_match_points_of_two_seats_are_as_many_as_matches(story: Story) -> None:
    """But for those that nobody won, since both were gone."""
    rows = standings(story, Scoring(), annuls=False)
    unwon = sum(
        score.way is Way.WALKOVER and score.ranks == (1, 1) for score in story.scores.values()
    )
    assert sum(row.points for row in rows) == len(story.scores) - unwon


@settings(max_examples=50, deadline=None)
@given(stories(sizes=[(1, 1, 1, 1)], most_gone=0))
def test_match_points_of_four_are_half_of_the_seats(story: Story) -> None:
    """Everybody's share is one half in the mean; a bye is one whole match."""
    rows = standings(story, Scoring(), annuls=False)
    byes = sum(pairing.is_bye for pairing, _ in story.decided())
    total = 2 * (len(story.scores) - byes) + byes
    assert round(sum(row.points for row in rows) * 120) == total * 120
