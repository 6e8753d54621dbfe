"""What goes wrong at competitions, and that there is a way on; each was found by somebody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.storage.facts import Level, MatchKind, Moment, Receipt
from arena.tournament.competition import events
from arena.tournament.competition.conductor import plays_alone
from arena.tournament.competition.state import Phase
from arena.tournament.competition.views import table_of
from arena.tournament.refusals import WrongPhase
from tests.storage.worlds import MINUTE
from tests.tournament.competition.house import OPERATOR, House, house_in, regulations
from tests.tournament.competition.test_conductor import (
    BOTS,
    KNOCK_OUT,
    ROUND_ROBIN,
    SWISS,
    begin,
    enter,
    open_keys,
    organiser,
)

GROUPS = 'format = "groups"\ngroups = 4'


@pytest.fixture(name="house")
def with_eight_bots(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as house:
        yield house


def frozen(house: House, text: str, bots: list[str]) -> None:
    organiser(house).announce(text, OPERATOR)
    house.conductor.step()
    for title in bots:
        enter(house, title)
    organiser(house).freeze("cup", OPERATOR)
    house.conductor.step()


# -- there is a way on ---------------------------------------------------------------------------


def test_results_are_released_at_their_moment_although_it_is_finished(house: House) -> None:
    more = '[release]\nduring = "hidden"\n[schedule]\nrelease = 2027-01-16T08:00:00Z\n'
    begin(house, regulations(ROUND_ROBIN, more=more), BOTS[:2])
    house.play(house.by_name)
    organiser(house).finish("cup", OPERATOR)
    house.conductor.step()
    assert house.here().level is Level.HIDDEN
    house.clock.now += 2 * 24 * 3600 * 1000
    house.conductor.step()
    assert house.here().level is Level.PUBLIC
    assert house.keeping.running() == ()


def test_nobody_freezes_what_cannot_be_played(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations('format = "swiss"\nrounds = 3', GROUPS), OPERATOR)
    house.conductor.step()
    with pytest.raises(WrongPhase, match="stage 1, Swiss, cannot be played with the 0"):
        verbs.freeze("cup", OPERATOR)
    for title in BOTS[:3]:
        enter(house, title)
    with pytest.raises(WrongPhase, match="stage 2, Groups, cannot be played with the 3"):
        verbs.freeze("cup", OPERATOR)
    assert house.here().phase is Phase.OPEN


def test_who_leaves_before_the_start_is_counted(house: House) -> None:
    frozen(house, regulations(ROUND_ROBIN), BOTS[:2])
    organiser(house).withdraw("cup", OPERATOR, BOTS[0], "ill")
    with pytest.raises(WrongPhase, match="cannot be played with the 1"):
        organiser(house).start("cup", OPERATOR)


def test_a_stage_to_which_too_few_come_ends_the_competition(house: House) -> None:
    begin(house, regulations('format = "swiss"\nrounds = 3', GROUPS))
    organiser(house).withdraw("cup", OPERATOR, BOTS[7], "its author has gone home")
    house.play(house.by_name)
    here = house.here()
    assert here.why_no_next.startswith("stage 2, Groups: groups")
    assert here.is_played
    assert not house.told.events
    organiser(house).finish("cup", OPERATOR)
    assert house.here().phase is Phase.FINISHED


def test_a_file_whose_freeze_is_over_is_refused(house: House) -> None:
    text = regulations(ROUND_ROBIN, more="[schedule]\nfreeze = 2026-01-01T00:00:00Z\n")
    with pytest.raises(InputError, match=r"freeze: 2026-01-01 .* is over already"):
        organiser(house).announce(text, OPERATOR)


def test_a_scheduled_freeze_waits_for_enough_entries(house: House) -> None:
    text = regulations(ROUND_ROBIN, more="[schedule]\nfreeze = 2027-01-15T08:01:00Z\n")
    organiser(house).announce(text, OPERATOR)
    house.conductor.step()
    enter(house, BOTS[0])
    house.clock.now += 3_600_000
    for _ in range(2):
        house.conductor.step()
    assert house.here().phase is Phase.OPEN
    assert len(house.told.events) == 1, "told once"
    organiser(house).add("cup", OPERATOR, BOTS[1])
    house.conductor.step()
    house.conductor.step()
    assert house.here().phase is Phase.FROZEN


def test_an_operator_takes_out_who_has_entered_by_mistake(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    for title in BOTS[:3]:
        enter(house, title)
    verbs.disqualify("cup", OPERATOR, BOTS[0], "no pupil of this school")
    assert BOTS[0] not in house.here().applicants


def test_two_hundred_cancelled_matches_hide_no_result(house: House) -> None:
    begin(house, regulations('format = "round-robin"\ntimes = 10'))
    for match in house.matches()[:210]:
        house.store.matches.cancel(match.number, "a test")
    for _ in range(3):
        lease = house.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
        assert lease is not None
        report = house.report(lease, house.by_name)
        assert house.store.matches.record(report) is Receipt.RECORDED
    house.conductor.step()
    assert len(house.here().stages[0].results) == 3


# -- nobody gets away with it --------------------------------------------------------------------


def test_leaving_is_no_way_out_of_being_disqualified(house: House) -> None:
    begin(house, regulations(KNOCK_OUT), BOTS[:4])
    house.play(house.by_name)
    organiser(house).withdraw("cup", OPERATOR, BOTS[0], "it has seen enough")
    organiser(house).disqualify("cup", OPERATOR, BOTS[0], "it was copied")
    last = table_of(house.here(), house.here().stages[0])[-1]
    assert last.title == BOTS[0]
    assert "disqualified" in last.note
    with pytest.raises(WrongPhase, match="plays no more already"):
        organiser(house).withdraw("cup", OPERATOR, BOTS[0], "again")


def test_nobody_chooses_another_version_after_the_closing(house: House) -> None:
    second = house.world.upload("o00", label="2")
    house.clock.now += 1000
    verbs = organiser(house)
    verbs.announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    for title in BOTS[:2]:
        enter(house, title)
    verbs.freeze("cup", OPERATOR)
    house.clock.now += 1000
    house.store.entrants.activate(second.entrant, 1)
    other = house.store.entrants.find("o01", "bot")
    assert other is not None
    house.store.entrants.pause(other.number, "its owner has paused it")
    house.conductor.step()
    assert {one.title: one.ordinal for one in house.here().entries} == {BOTS[0]: 2, BOTS[1]: 1}


# -- what is counted -----------------------------------------------------------------------------


def test_a_decision_is_worth_what_a_match_is_where_boards_count(house: House) -> None:
    begin(house, regulations('format = "round-robin"\npoints = "board"'), BOTS[:3])
    house.play(house.by_name)
    stage = house.here().stages[0]
    before = {line.title: line.points for line in table_of(house.here(), stage)}
    key, pairing = next(
        (key, one)
        for key, one in stage.pairings.items()
        if {stage.entries[place] for place in one.entrants} == {0, 1}
    )
    ranks = tuple(1 + stage.entries[team[0]] for team in pairing.teams)
    organiser(house).decide("cup", OPERATOR, 1, key, ranks, "the record was lost")
    after = {line.title: line.points for line in table_of(house.here(), house.here().stages[0])}
    assert after[BOTS[0]] >= before[BOTS[0]]
    assert after[BOTS[1]] < before[BOTS[1]]


def test_nothing_is_finished_while_an_old_pairing_is_played_again(house: House) -> None:
    begin(house, regulations(SWISS, KNOCK_OUT))
    house.play(house.by_name)
    organiser(house).rerun("cup", OPERATOR, 1, "1.1", "a doubt")
    with pytest.raises(WrongPhase, match="stage 1, round 1, table 1: is not played yet"):
        organiser(house).finish("cup", OPERATOR)
    assert open_keys(house) == ["1/1.1/2"]


def test_what_was_played_by_somebody_who_is_gone_is_not_played_again(house: House) -> None:
    begin(house, regulations('format = "swiss"\nrounds = 3'))
    house.play(house.by_name, most=4)
    house.conductor.step()
    stage = house.here().stages[0]
    key, pairing = next(iter(stage.pairings.items()))
    title = house.here().entries[stage.entries[pairing.entrants[0]]].title
    organiser(house).withdraw("cup", OPERATOR, title, "ill")
    with pytest.raises(WrongPhase, match="plays no more, so it cannot be played again"):
        organiser(house).rerun("cup", OPERATOR, 1, key, "a doubt")


def test_nobody_joins_when_no_round_is_left(house: House) -> None:
    begin(house, regulations('format = "swiss"\nrounds = 2'), BOTS[:6])
    house.play(house.by_name, most=4)
    house.conductor.step()
    with pytest.raises(WrongPhase, match="no round left"):
        organiser(house).add("cup", OPERATOR, BOTS[7])


def test_the_ladder_stands_still_in_a_pause_too(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN))
    organiser(house).pause("cup", OPERATOR, "coffee")
    assert plays_alone(house.keeping.running())
    organiser(house).resume("cup", OPERATOR)
    house.play(house.by_name)
    assert not plays_alone(house.keeping.running())


def test_a_clock_that_is_set_back_while_it_is_written_makes_no_line_too_early(
    house: House,
) -> None:
    more = "[schedule]\ngrace = 0\nstart = 2027-01-16T08:00:00Z\n"
    frozen(house, regulations(ROUND_ROBIN, more=more), BOTS[:3])
    start = house.here().regulations.schedule.start
    assert start is not None
    house.clock.now = start + 1
    house.keeping._clock = lambda: Moment(house.clock.now - 3_600_000)
    house.conductor.step()
    (line,) = [one for one in house.kept().lines if isinstance(one.event, events.Started)]
    assert line.at == start + 1


def test_a_result_that_makes_no_sense_keeps_nobody_from_acting(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:3])
    lease = house.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
    assert lease is not None
    report = replace(house.report(lease, house.by_name), ranks=(0, 5))
    assert house.store.matches.record(report) is Receipt.RECORDED
    house.conductor.step()
    (told,) = [facts for event, facts in house.told.events if event == "competition stuck"]
    assert "has 2 teams" in str(told["why"])
    organiser(house).pause("cup", OPERATOR, "what is this?")
    (key,) = [
        pairing.key
        for stage in house.here().stages
        for pairing in stage.to_play()
        if stage.name_of(pairing.key) not in house.keeping.open_runs(house.kept())
    ]
    organiser(house).decide("cup", OPERATOR, 1, key, (1, 2), "by its record")
    organiser(house).resume("cup", OPERATOR)
    house.play(house.by_name)
    assert house.here().is_played
