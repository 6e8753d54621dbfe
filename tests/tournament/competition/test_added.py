"""Who is added between the freeze and the start plays like all others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.storage.facts import Moment
from arena.tournament.competition import events
from arena.tournament.competition.events import FrozenEntry
from arena.tournament.competition.notes import note_of, spoils
from arena.tournament.competition.views import EntryState, entries_of, table_of
from arena.tournament.refusals import WrongPhase
from tests.tournament.competition.house import OPERATOR, House, house_in, regulations
from tests.tournament.competition.test_conductor import (
    BOTS,
    KNOCK_OUT,
    ROUND_ROBIN,
    enter,
    organiser,
)
from tests.tournament.competition.test_mishaps import frozen

SWISS = 'format = "swiss"\nrounds = 2'


@pytest.fixture(name="house")
def with_eight_bots(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as house:
        yield house


@pytest.mark.parametrize(("stage", "matches"), [(ROUND_ROBIN, 6), (KNOCK_OUT, 3), (SWISS, 4)])
def test_who_is_added_after_the_freeze_plays_from_the_first_stage_on(
    house: House, stage: str, matches: int
) -> None:
    frozen(house, regulations(stage), BOTS[:3])
    organiser(house).add("cup", OPERATOR, BOTS[3])
    last = house.kept().lines[-1]
    assert last.event == events.Joined(0, house.here().entries[3])
    assert note_of(house.here(), last).text == "o03/bot is added to the entries"
    assert not spoils(last.event), "who plays is no secret, and there are no results yet"
    organiser(house).start("cup", OPERATOR)
    house.play(house.by_name)
    here = house.here()
    assert here.is_played
    assert not here.stages[0].joined
    assert sorted(here.stages[0].entries) == [0, 1, 2, 3]
    assert len(house.matches()) == matches
    assert {line.title for line in table_of(here, here.stages[0])} == set(BOTS[:4])


def test_who_had_nothing_at_the_freeze_can_be_added(house: House) -> None:
    house.store.owners.create("late")
    house.store.entrants.create("late", "bot")
    more = '[entrants]\nfrom = "invited"\ninvited = ["o00/bot", "o01/bot", "late/bot"]\n'
    organiser(house).announce(regulations(ROUND_ROBIN, more=more), OPERATOR)
    house.conductor.step()
    organiser(house).freeze("cup", OPERATOR)
    house.conductor.step()
    assert dict(house.here().absent) == {"late/bot": "it has no version"}
    with pytest.raises(WrongPhase, match=r"late/bot'?: it has no version"):
        organiser(house).add("cup", OPERATOR, "late/bot")
    house.world.upload("late")
    organiser(house).add("cup", OPERATOR, "late/bot")
    states = {one.title: one.state for one in entries_of(house.here(), is_visible=True)}
    assert states == dict.fromkeys(("o00/bot", "o01/bot", "late/bot"), EntryState.PLAYS)


def test_nobody_is_added_twice_or_from_outside_the_groups(house: House) -> None:
    more = '[[group]]\nname = "Year 9"\nowners = ["o00", "o01", "o02"]\n'
    frozen(house, regulations(ROUND_ROBIN, more=more), BOTS[:2])
    with pytest.raises(WrongPhase, match="o00/bot: plays already"):
        organiser(house).add("cup", OPERATOR, BOTS[0])
    with pytest.raises(WrongPhase, match="is in none of its groups"):
        organiser(house).add("cup", OPERATOR, BOTS[5])
    organiser(house).add("cup", OPERATOR, BOTS[2])
    assert house.here().entries[2].group == "Year 9"
    stranger = FrozenEntry(title="o03/bot", entrant=4, version=4, ordinal=1, digest="d", group="A")
    with pytest.raises(InputError, match="o03/bot: is not of the group 'A'"):
        house.here().require(events.Joined(0, stranger))


def test_a_stage_that_has_not_begun_cannot_be_joined(house: House) -> None:
    frozen(house, regulations(SWISS), BOTS[:4])
    entry = house.freezer.entry(house.here(), BOTS[5], Moment(house.clock.now))
    with pytest.raises(InputError, match="stage 1: none has begun, and only that one"):
        house.here().require(events.Joined(1, entry))
    organiser(house).start("cup", OPERATOR)
    house.conductor.step()
    with pytest.raises(InputError, match="stage 0: the last that has begun is 1"):
        house.here().require(events.Joined(0, entry))


def test_who_is_added_plays_with_the_version_that_it_has_then(house: House) -> None:
    """Not with the one that was active when entries closed: it had left before the freeze."""
    organiser(house).announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    for title in BOTS[:4]:
        enter(house, title)
    organiser(house).freeze("cup", OPERATOR)
    house.verbs.leave("cup", "o03", "bot", "a fault was found")
    house.conductor.step()
    house.clock.now += 1000
    house.world.upload("o03", label="2")
    organiser(house).add("cup", OPERATOR, BOTS[3])
    assert house.here().entries[3].ordinal == 2
    paused = house.store.entrants.find("o04", "bot")
    assert paused is not None
    house.store.entrants.pause(paused.number, "holidays")
    with pytest.raises(WrongPhase, match=r"o04/bot'?: it is paused: holidays"):
        organiser(house).add("cup", OPERATOR, BOTS[4])


def test_the_limits_of_entries_hold_for_who_is_added(house: House) -> None:
    frozen(house, regulations(ROUND_ROBIN, more="[entrants]\nmost = 3\n"), BOTS[:3])
    with pytest.raises(WrongPhase, match="o03/bot: all 3 places are taken"):
        organiser(house).add("cup", OPERATOR, BOTS[3])
    organiser(house).withdraw("cup", OPERATOR, BOTS[0], "it is ill")
    organiser(house).add("cup", OPERATOR, BOTS[3])
    house.world.upload("o03", "second")
    with pytest.raises(WrongPhase, match="o03/second: o03 has 1 of 1 entries: o03/bot"):
        organiser(house).add("cup", OPERATOR, "o03/second")
