"""Elimination as a whole: it ends with as many duels as it must, keeps what it announced, seeds."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.elimination import Elimination
from arena.formats.elimination_bracket import Exit
from arena.formats.story import Field, Pairing, Score, Story, Way
from tests.formats.play import Chances, Leaving, field_of, leavings, play_out


def duel_of(pairing: Pairing) -> str:
    return pairing.key.rpartition("-")[0]


def duels(story: Story) -> dict[str, frozenset[int]]:
    """By name, who met."""
    return {duel_of(one): frozenset(one.entrants) for one in story.pairings}


def forms(*, double: bool) -> st.SearchStrategy[Elimination]:
    return st.builds(
        Elimination,
        double=st.just(double),
        best_of=st.sampled_from((1, 1, 3, 5)),
        third_place=st.just(False) if double else st.booleans(),
        extra_boards=st.integers(0, 3),
        most_extra=st.integers(0, 3),
    )


def require_bracket(form: Elimination, story: Story) -> None:
    """Whoever is in a duel came there from the right one, and winner and loser are two."""
    bouts = form.bouts(story)
    for duel in form.bracket(story.field).duels:
        bout = bouts.get(duel.name)
        if bout is None:
            continue
        assert all({*pairing.entrants} == {*bout.pair} for pairing, _ in bout.matches)
        for side, entrant in zip(duel.sides, bout.pair, strict=True):
            if isinstance(side, Exit):
                before = bouts[side.duel]
                assert before.outcome is not None
                assert entrant == (before.outcome.winner if side.wins else before.outcome.loser)
            else:
                assert entrant == side


def require_table(form: Elimination, story: Story) -> None:
    rows = form.table(story)
    assert sorted(row.entrant for row in rows) == list(story.entrants)
    assert [row.place for row in rows] == sorted(row.place for row in rows)
    assert sum(row.place == 1 for row in rows) == 1 or story.gone, "two are first"
    assert all(row.note for row in rows)


@settings(max_examples=40)
@given(data=st.data(), entrants=st.integers(2, 40), seed=st.integers(0, 99))
def test_single_ends_after_one_duel_less_than_entrants(
    data: st.DataObject, entrants: int, seed: int
) -> None:
    form = data.draw(forms(double=False))
    gone = data.draw(leavings(entrants, 2 * entrants))
    chances = Chances(draws=0.3, reruns=0.2, at_once=data.draw(st.integers(1, 12)))
    field = field_of(entrants)

    story = play_out(form, field, seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field, seed=seed, chances=chances, withdrawals=gone)
    met = duels(story)
    has_third = form.third_place and entrants > 3
    assert len(met) == entrants - 1 + has_third
    assert len({who for name, who in met.items() if name != "t1.1"}) == entrants - 1
    assert max(Counter(map(duel_of, story.pairings)).values()) <= form.best_of + form.most_extra
    require_bracket(form, story)
    require_table(form, story)


@settings(max_examples=30)
@given(data=st.data(), entrants=st.integers(2, 24), seed=st.integers(0, 99))
def test_double_ends_after_two_losses_of_all_but_one(
    data: st.DataObject, entrants: int, seed: int
) -> None:
    form = data.draw(forms(double=True))
    gone = data.draw(leavings(entrants, 3 * entrants))
    chances = Chances(draws=0.3, reruns=0.2, at_once=data.draw(st.integers(1, 12)))
    field = field_of(entrants)

    story = play_out(form, field, seed=seed, chances=chances, withdrawals=gone)

    assert story == play_out(form, field, seed=seed, chances=chances, withdrawals=gone)
    assert 2 * entrants - 2 <= len(duels(story)) <= 2 * entrants - 1
    losses = Counter(
        bout.outcome.loser for bout in form.bouts(story).values() if bout.outcome is not None
    )
    assert sorted(losses[entrant] for entrant in range(entrants))[1:] == [2] * (entrants - 1)
    assert min(losses[entrant] for entrant in range(entrants)) <= 1
    require_bracket(form, story)
    require_table(form, story)


@pytest.mark.parametrize(
    ("form", "least", "most"),
    [
        (Elimination(), 299, 299),
        (Elimination(best_of=3, third_place=True), 300, 300),
        (Elimination(double=True), 598, 599),
    ],
)
def test_three_hundred_entrants_of_whom_some_leave(
    form: Elimination, least: int, most: int
) -> None:
    leaving = [Leaving(0, 100), Leaving(1, 0), Leaving(299, 50, is_disqualified=True)]
    story = play_out(form, field_of(300), chances=Chances(at_once=60), withdrawals=leaving)
    assert least <= len(duels(story)) <= most
    require_table(form, story)
    assert form.table(story)[-1].entrant == 299


# -- seeding ----------------------------------------------------------------------------------


@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 7, 8, 11, 16, 31, 32])
def test_if_the_better_always_wins_the_best_meet_last(entrants: int) -> None:
    form = Elimination(third_place=True)
    strengths = Chances(strengths=range(entrants, 0, -1), draws=0)
    story = play_out(form, field_of(entrants), chances=strengths)
    met = duels(story)
    depth = (entrants - 1).bit_length()
    for name, who in met.items():
        number = int(name[1 : name.index(".")])
        if name[0] == "w":
            assert sum(who) == (1 << (depth - number + 1)) - 1, "places do not add up"
    assert met[f"w{depth}.1"] == {0, 1}
    places = [(row.entrant, row.place) for row in form.table(story)]
    assert places[:4] == [(0, 1), (1, 2), (2, 3), (3, 4)][:entrants]


@settings(max_examples=25)
@given(
    entrants=st.integers(2, 40),
    double=st.booleans(),
    seed=st.integers(0, 99),
    grouped=st.booleans(),
)
def test_the_best_two_of_the_seeding_meet_in_a_final_at_the_earliest(
    entrants: int, double: bool, seed: int, grouped: bool
) -> None:
    groups = tuple(one % 3 for one in range(entrants)) if grouped else ()
    form = Elimination(double=double)
    # Both beat everybody else, and no duel is drawn for good, so that they do meet.
    strengths = Chances(strengths=[2, 2, *[0] * (entrants - 2)], at_once=6, draws=0)
    story = play_out(form, field_of(entrants, groups=groups), seed=seed, chances=strengths)
    meeting = next(one for one in story.pairings if set(one.entrants) == {0, 1})
    assert meeting.title.endswith("final") or meeting.title.startswith("final")
    assert "semi" not in meeting.title


def test_after_groups_first_duels_are_between_groups() -> None:
    """Four groups of which two each go on; without a change two duels would be within one."""
    field = field_of(8, groups=(0, 1, 2, 3, 3, 2, 1, 0))
    first = Elimination().due(Story(field=field))
    assert len(first) == 4
    assert all(len({field.groups[one] for one in pairing.entrants}) == 2 for pairing in first)
    plain = Elimination().due(Story(field=field_of(8)))
    assert [one.teams for one in plain] == [((0,), (7,)), ((3,), (4,)), ((1,), (6,)), ((2,), (5,))]


# -- what was announced stays -----------------------------------------------------------------


def turned(story: Story, pairing: Pairing) -> Story:
    """The story with the other result of one match."""
    old = story.scores[pairing.key]
    new = Score(
        ranks=old.ranks[::-1], boards=old.boards[::-1], faults=old.faults[::-1], games=old.games
    )
    return dataclasses.replace(story, scores={**story.scores, pairing.key: new})


def prefixes(form: Elimination, field: Field) -> Iterator[Story]:
    """The states of a stage in which every match ends by itself, the better winning."""
    story = Story(field=field)
    while not form.is_over(story):
        story = dataclasses.replace(story, pairings=(*story.pairings, *form.due(story)))
        pairing = next(one for one in story.pairings if one.key not in story.scores)
        winner = pairing.teams.index((min(pairing.entrants),))
        score = Score(ranks=(1, 2)[:: 1 - 2 * winner], boards=(2, 2), faults=(0, 0), games=4)
        story = dataclasses.replace(story, scores={**story.scores, pairing.key: score})
        yield story


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("best_of", [1, 3])
def test_another_result_of_an_old_match_changes_nobody_announced(
    double: bool, best_of: int
) -> None:
    form = Elimination(double=double, best_of=best_of, third_place=not double)
    for story in prefixes(form, field_of(6)):
        for pairing, _ in story.decided():
            other = turned(story, pairing)
            known = duels(other)
            more = dataclasses.replace(other, pairings=(*other.pairings, *form.due(other)))
            assert len({one.key for one in more.pairings}) == len(more.pairings)
            assert known.items() <= duels(more).items()
            require_bracket(form, more)
            assert sorted(row.entrant for row in form.table(more)) == list(range(6))


def test_a_later_duel_settles_the_earlier_one() -> None:
    """The first semi-final gets another result after the final was announced."""
    form = Elimination()
    begun = Story(field=field_of(4))
    semis = form.due(begun)
    scores = {one.key: Score(ranks=(1, 2), boards=(4, 0), faults=(0, 0)) for one in semis}
    story = dataclasses.replace(begun, pairings=tuple(semis), scores=scores)
    final = form.due(story)
    assert [one.teams for one in final] == [((0,), (1,))]

    before = turned(story, semis[0])
    assert [one.teams for one in form.due(before)] == [((3,), (1,))], "nothing was announced yet"

    after = turned(dataclasses.replace(story, pairings=(*semis, *final)), semis[0])
    assert not form.due(after)
    notes = {row.entrant: row.note for row in form.table(after)}
    assert notes[3] == "out in semi-final 1 as it was when the next was announced"
    assert notes[0] == "still in"


def test_the_first_that_is_announced_settles_winner_and_loser() -> None:
    """Double, four entrants: 3 goes to the losers' bracket, announced before the winners' final
    is, which waits for nobody else; then the first duel gets another result."""
    form = Elimination(double=True, best_of=1)
    begun = Story(field=field_of(4))
    first = tuple(form.due(begun))
    win = Score(ranks=(1, 2), boards=(4, 0), faults=(0, 0))
    story = dataclasses.replace(begun, pairings=first, scores={one.key: win for one in first})
    losers = tuple(one for one in form.due(story) if one.key.startswith("l"))
    assert [one.teams for one in losers] == [((3,), (2,))]
    after = turned(dataclasses.replace(story, pairings=(*first, *losers)), first[0])
    assert [(one.key, one.teams) for one in form.due(after)] == [("w2.1-1", ((0,), (1,)))]


def test_a_result_that_is_taken_back_holds_up_only_what_was_not_announced() -> None:
    form = Elimination()
    stories = list(prefixes(form, field_of(4)))
    semi = stories[1].pairings[0]
    without = {key: score for key, score in stories[1].scores.items() if key != semi.key}
    assert not form.due(dataclasses.replace(stories[1], scores=without))
    final = form.due(stories[1])
    told = dataclasses.replace(stories[1], pairings=(*stories[1].pairings, *final), scores=without)
    assert not form.due(told)
    assert form.bouts(told)["w2.1"].pair == (0, 1)


# -- the grand final --------------------------------------------------------------------------


def grand_final(*, lower_wins: bool) -> Story:
    """Double with two entrants, up to the grand final: 0 has won the winners' bracket."""
    form = Elimination(double=True)
    story = Story(field=field_of(2))
    for winner in (0, int(lower_wins)):
        (pairing,) = form.due(story)
        ranks = (1, 2) if pairing.teams[0] == (winner,) else (2, 1)
        score = Score(ranks=ranks, boards=(2, 2), faults=(0, 0))
        story = Story(
            field=story.field,
            pairings=(*story.pairings, pairing),
            scores={**story.scores, pairing.key: score},
        )
    return story


def test_no_reset_if_the_winners_bracket_wins() -> None:
    form = Elimination(double=True)
    story = grand_final(lower_wins=False)
    assert form.is_over(story)
    assert [(row.place, row.entrant, row.note) for row in form.table(story)] == [
        (1, 0, "won the grand final"),
        (2, 1, "out in the grand final"),
    ]


def test_a_reset_if_the_losers_bracket_wins() -> None:
    form = Elimination(double=True)
    story = grand_final(lower_wins=True)
    assert not form.is_over(story)
    assert {row.note for row in form.table(story)} == {"still in"}
    (reset,) = form.due(story)
    assert (reset.key, reset.title) == ("g2.1-1", "grand final (reset)")
    assert reset.teams == ((0,), (1,))
    win = Score(ranks=(2, 1), boards=(0, 4), faults=(0, 0))
    ended = dataclasses.replace(
        story, pairings=(*story.pairings, reset), scores={**story.scores, reset.key: win}
    )
    assert form.is_over(ended)
    assert [(row.place, row.entrant, row.note) for row in form.table(ended)] == [
        (1, 1, "won the grand final (reset)"),
        (2, 0, "out in the grand final (reset)"),
    ]
    again = turned(ended, story.pairings[1])
    assert form.is_over(again), "the reset was announced and counts"
    assert form.table(again)[0].entrant == 1


# -- the table --------------------------------------------------------------------------------


def test_places_are_shared_by_those_who_left_in_the_same_round() -> None:
    strengths = Chances(strengths=range(8, 0, -1), draws=0)
    single = Elimination()
    rows = single.table(play_out(single, field_of(8), chances=strengths))
    assert [(row.place, row.points) for row in rows] == [
        *[(1, 3), (2, 2), (3, 1), (3, 1)],
        *[(5, 0), (5, 0), (5, 0), (5, 0)],
    ]
    double = Elimination(double=True)
    rows = double.table(play_out(double, field_of(8), chances=strengths))
    assert [row.place for row in rows] == [1, 2, 3, 4, 5, 5, 7, 7]
    assert [row.note for row in rows[:3]] == [
        "won the grand final",
        "out in the grand final",
        "out in the losers' final",
    ]


def test_the_table_while_it_is_played() -> None:
    form = Elimination(third_place=True)
    *_, almost, _ = prefixes(form, field_of(5))
    notes = {row.entrant: (row.place, row.note) for row in form.table(almost)}
    assert notes == {
        0: (1, "won the final"),
        1: (2, "out in the final"),
        2: (3, "plays for third place"),
        3: (3, "plays for third place"),
        4: (5, "out in quarter-final 2"),
    }
    assert {row.note for row in form.table(Story(field=field_of(5)))} == {"still in"}


def test_who_leaves_in_the_tournament_stands_last() -> None:
    form = Elimination()
    strengths = Chances(strengths=range(8, 0, -1), draws=0)
    leaving = [Leaving(0, 6), Leaving(2, 0), Leaving(1, 0, is_disqualified=True)]
    story = play_out(form, field_of(8), chances=strengths, withdrawals=leaving)
    assert [row.entrant for row in form.table(story)[-2:]] == [2, 1]
    walkovers = [one for one, score in story.decided() if score.way is Way.WALKOVER]
    assert all(not story.gone.keys().isdisjoint(one.entrants) for one in walkovers)


# -- refusals ---------------------------------------------------------------------------------


def test_settings_that_cannot_be() -> None:
    for best_of in (0, 2, -1, 17):
        with pytest.raises(InputError, match=f"best_of {best_of}: must be odd, and from 1 to 15"):
            Elimination(best_of=best_of)
    with pytest.raises(InputError, match="extra_boards -1: must be from 0 to 10000"):
        Elimination(extra_boards=-1)
    with pytest.raises(InputError, match="most_extra 10: must be from 0 to 9"):
        Elimination(most_extra=10)
    with pytest.raises(InputError, match="third_place: is for an elimination that is not double"):
        Elimination(double=True, third_place=True)


@pytest.mark.parametrize(
    ("form", "entrants", "teams", "message"),
    [
        (Elimination(), 1, (1, 1), "^elimination: needs 2 entrants or more, not 1"),
        (Elimination(double=True), 1, (1, 1), "^double elimination: needs 2 entrants or more"),
        (Elimination(), 8, (1, 1, 1), "^elimination: is played one against one"),
        (Elimination(), 5000, (1, 1), "^elimination: 5000 entrants; at most 4096 can be"),
    ],
)
def test_fields_that_cannot_be(
    form: Elimination, entrants: int, teams: tuple[int, ...], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        form.check(field_of(entrants, teams))


def test_nobody_comes_late() -> None:
    assert not Elimination().takes_latecomers
