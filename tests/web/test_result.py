"""Who has which place in the whole, and in a group."""

from __future__ import annotations

from dataclasses import replace

from arena.tournament.competition import events
from arena.web.competition import CompetitionPages
from arena.web.competitionresult import final_lines, meetings, of_group
from tests.web.demo import NAMES, Play, regulations

SWISS = 'format = "swiss"\nrounds = 3\nadvance = 4'
FINAL = 'format = "elimination"'


def test_those_of_the_last_stage_come_first_then_who_was_out_before(
    kinds: dict[str, CompetitionPages],
) -> None:
    pages = kinds["school"]
    lines = final_lines(pages)
    swiss, finals = pages.stages
    assert [line.title for line in lines[:8]] == [line.title for line in finals.table]
    through = {line.title for line in finals.table}
    assert [line.title for line in lines[8:]] == [
        line.title for line in swiss.table if line.title not in through
    ]
    assert [line.place for line in lines[:9]] == [1, 2, 3, 4, 5, 5, 5, 5, 9]
    assert {line.stage for line in lines[8:]} == {"Swiss"}


def test_nobody_has_a_place_before_a_stage_has_begun(kinds: dict[str, CompetitionPages]) -> None:
    assert final_lines(kinds["not-begun"]) == ()
    assert final_lines(kinds["hidden"]) == ()


def test_who_is_disqualified_in_a_final_is_behind_all_others() -> None:
    play = Play(regulations(SWISS, FINAL), NAMES[:8]).go(12)
    play.go(1)
    final = play.here.stages[1]
    out = final.entries[0]
    play.tell(events.Disqualified(out, "it read what it must not"))
    play.go().finish()
    lines = final_lines(play.pages())
    assert (lines[-1].title, lines[-1].place, lines[-1].note) == (
        play.titles[out],
        None,
        "disqualified",
    )
    assert [line.place for line in lines[:4]] == [1, 2, 2, 4]
    assert len(lines) == 8


def test_places_in_a_group_are_counted_anew_and_stay_shared(
    kinds: dict[str, CompetitionPages],
) -> None:
    lines = [
        replace(line, group="y" if number in {1, 4, 5, 9} else "z")
        for number, line in enumerate(final_lines(kinds["school"]))
    ]
    assert [line.place for line in of_group(lines, "y")] == [1, 2, 2, 4]
    assert of_group(lines, "nobody") == ()


def test_meetings_of_partners_name_partner_and_opponents(
    kinds: dict[str, CompetitionPages],
) -> None:
    stage = kinds["partners"].stages[0]
    found = meetings(stage)
    assert list(found)[: len(stage.table)] == [line.title for line in stage.table]
    assert sum(map(len, found.values())) == 4 * len(stage.pairings)
    for title, own in found.items():
        for one in own:
            assert len(one.partners) == 1
            assert len(one.against) == 2
            assert title not in (*one.partners, *one.against)
