"""Who was withdrawn or disqualified by mistake plays on, as if it had never left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from arena.formats.story import Pairing
from arena.storage.facts import Lease, MatchKind, MatchState, Receipt
from arena.tournament.competition import events
from arena.tournament.competition.notes import note_of, spoils
from arena.tournament.competition.state import Stage
from arena.tournament.competition.views import EntryState, TableLine, entries_of, table_of
from arena.tournament.refusals import WrongPhase
from tests.storage.worlds import MINUTE
from tests.tournament.competition.house import OPERATOR, House, house_in, regulations
from tests.tournament.competition.test_conductor import (
    BOTS,
    KNOCK_OUT,
    ROUND_ROBIN,
    begin,
    open_keys,
    organiser,
)
from tests.tournament.competition.test_mishaps import frozen

SWISS: Final = 'format = "swiss"\nrounds = 4'
DUELS: Final = 'format = "elimination"\nbest_of = 3'
FORMATS: Final = {
    "round robin": (ROUND_ROBIN,),
    "groups, then elimination": ('format = "groups"\ngroups = 2\nadvance = 4', DUELS),
    "gauntlet": ('format = "gauntlet"',),
    "swiss": (SWISS,),
    "double elimination": ('format = "double-elimination"',),
}


@contextmanager
def same_house(folder: Path) -> Iterator[House]:
    """A house whose competitions have always the same secret, and so the same lots."""
    with house_in(folder) as house:
        create = house.store.competitions.create

        def told(name: str, lines: Sequence[bytes], secret: bytes) -> Any:
            return create(name, lines, bytes(len(secret)))

        house.store.competitions.create = told  # type: ignore[method-assign]
        yield house


@pytest.fixture(name="house")
def with_eight_bots(tmp_path: Path) -> Iterator[House]:
    with same_house(tmp_path / "one") as house:
        yield house


def tables(house: House) -> list[tuple[TableLine, ...]]:
    here = house.here()
    return [table_of(here, stage) for stage in here.stages]


def undisturbed(folder: Path, text: str) -> list[tuple[TableLine, ...]]:
    """The tables of the same competition in which nobody has left."""
    with same_house(folder / "other") as house:
        begin(house, text)
        house.play(house.by_name)
        assert house.here().is_played
        return tables(house)


def title_of(house: House, lease: Lease) -> str:
    """Who sits first at a table."""
    entrant = lease.new.seats[0].entrant
    return next(one.title for one in house.here().entries if one.entrant == entrant)


def leased(house: House) -> Lease:
    lease = house.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
    assert lease is not None
    return lease


def of(house: House, title: str) -> list[tuple[Stage, Pairing]]:
    """The pairings of an entry."""
    here = house.here()
    number = here.entry(title)
    return [
        (stage, pairing)
        for stage in here.stages
        for pairing in stage.pairings.values()
        if number in {stage.entries[place] for place in pairing.entrants}
    ]


def withdraw(house: House, title: str) -> None:
    organiser(house).withdraw("cup", OPERATOR, title, "it was said so")


def disqualify(house: House, title: str) -> None:
    organiser(house).disqualify("cup", OPERATOR, title, "a suspicion")


def both(house: House, title: str) -> None:
    withdraw(house, title)
    disqualify(house, title)


def reinstate(house: House, title: str) -> None:
    organiser(house).reinstate("cup", OPERATOR, title, "it was another")


# -- nothing doubled, nothing lost ---------------------------------------------------------------


@pytest.mark.parametrize("leave", [withdraw, both])
@pytest.mark.parametrize("what", FORMATS)
def test_the_tables_are_those_of_a_competition_in_which_nobody_left(
    house: House, tmp_path: Path, what: str, leave: Callable[[House, str], None]
) -> None:
    """It has a match that is over, one that is being played and, in most, some that wait."""
    text = regulations(*FORMATS[what])
    begin(house, text)
    house.play(house.by_name, most=3)
    house.conductor.step()
    lease = leased(house)
    title = title_of(house, lease)
    scored = {
        (stage.number, pairing.key)
        for stage, pairing in of(house, title)
        if pairing.key in stage.results
    }
    waiting = {stage.name_of(one.key) for stage, one in of(house, title)} & set(open_keys(house))
    leave(house, title)
    assert house.here().out
    assert not waiting & set(open_keys(house))
    assert house.store.matches.record(house.report(lease, house.by_name)) is Receipt.STALE
    reinstate(house, title)
    house.play(house.by_name)

    here = house.here()
    assert here.is_played
    assert not here.out
    assert tables(house) == undisturbed(tmp_path, text)
    by_state = Counter(match.state for match in house.matches())
    announced = sum(len(stage.pairings) for stage in here.stages)
    byes = sum(one.is_bye for stage in here.stages for one in stage.pairings.values())
    assert by_state[MatchState.DONE] == announced - byes, "every pairing once"
    assert by_state[MatchState.CANCELLED] == len(waiting)
    assert len({match.pairing for match in house.matches()}) == len(house.matches())
    again = {f"{name.rpartition('/')[0]}/2" for name in waiting}
    assert {one.pairing for one in house.matches() if one.pairing.endswith("/2")} == again
    for number, key in scored:
        assert here.stages[number - 1].runs[key] == 1, "what was played stands"


def test_what_is_over_and_nobody_has_looked_at_counts_before_its_entry_leaves(
    house: House, tmp_path: Path
) -> None:
    text = regulations(ROUND_ROBIN)
    begin(house, text)
    house.conductor.step()
    lease = leased(house)
    title = title_of(house, lease)
    assert house.store.matches.record(house.report(lease, house.by_name)) is Receipt.RECORDED
    withdraw(house, title)
    *_, scored, _ = [line.event for line in house.kept().lines]
    assert isinstance(scored, events.Scored)
    assert scored.match == lease.match
    reinstate(house, title)
    house.play(house.by_name)
    assert house.here().stages[0].runs[scored.key] == 1, "it is not played again"
    assert tables(house) == undisturbed(tmp_path, text)


def test_what_its_opponents_play_meanwhile_counts(house: House, tmp_path: Path) -> None:
    text = regulations(ROUND_ROBIN)
    begin(house, text)
    house.play(house.by_name, most=4)
    house.conductor.step()
    withdraw(house, BOTS[2])
    house.play(house.by_name, most=6)
    house.conductor.step()
    before = {match.number for match in house.matches() if match.state is MatchState.DONE}
    reinstate(house, BOTS[2])
    house.play(house.by_name)
    done = [match for match in house.matches() if match.state is MatchState.DONE]
    assert before <= {match.number for match in done}
    assert len(done) == 28
    assert tables(house) == undisturbed(tmp_path, text)


def test_two_who_left_meet_again_when_both_are_back(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:3])
    for title in BOTS[:2]:
        withdraw(house, title)
    (stage, pairing) = next(
        (stage, one)
        for stage, one in of(house, BOTS[0])
        if house.here().entry(BOTS[1]) in {stage.entries[place] for place in one.entrants}
    )
    reinstate(house, BOTS[0])
    assert house.here().stages[0].runs[pairing.key] == 1, "one of them is still gone"
    assert len(open_keys(house)) == 1
    reinstate(house, BOTS[1])
    assert house.here().stages[0].runs[pairing.key] == 2
    assert f"{stage.number}/{pairing.key}/2" in open_keys(house)
    assert house.play(house.by_name) == 3


def test_a_decision_made_meanwhile_stands(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:3])
    withdraw(house, BOTS[0])
    (_, first), (_, second) = of(house, BOTS[0])
    organiser(house).decide("cup", OPERATOR, 1, first.key, (1, 2), "both agree")
    reinstate(house, BOTS[0])
    stage = house.here().stages[0]
    assert (stage.runs[first.key], stage.runs[second.key]) == (1, 2)
    assert isinstance(stage.results[first.key].by, events.Decided)


def test_a_match_that_was_set_aside_is_played_again(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:2])
    for _ in range(3):
        lease = leased(house)
        assert house.store.matches.release(lease.match, lease.attempt, lease.token, "no engine")
    withdraw(house, BOTS[0])
    reinstate(house, BOTS[0])
    assert house.play(house.by_name) == 1
    assert house.here().is_played


def test_it_can_leave_again_and_come_back_again(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:2])
    for run in (2, 3, 4):
        withdraw(house, BOTS[0])
        reinstate(house, BOTS[0])
        assert open_keys(house) == [f"1/{next(iter(house.here().stages[0].pairings))}/{run}"]
    withdraw(house, BOTS[0])
    house.conductor.step()
    assert house.here().is_played


def test_in_a_pause_its_matches_wait_with_the_others(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:3])
    organiser(house).pause("cup", OPERATOR, "a protest")
    disqualify(house, BOTS[0])
    reinstate(house, BOTS[0])
    assert house.store.matches.lease("worker", MINUTE) is None
    organiser(house).resume("cup", OPERATOR)
    assert house.play(house.by_name) == 3


# -- when it is too late -------------------------------------------------------------------------


def test_in_a_swiss_until_the_next_round_is_announced(house: House) -> None:
    begin(house, regulations(SWISS))
    disqualify(house, BOTS[5])
    house.play(house.by_name, most=2)
    house.conductor.step()
    reinstate(house, BOTS[5])
    disqualify(house, BOTS[5])
    house.play(house.by_name, most=1)
    house.conductor.step()
    assert house.here().stages[0].rounds == 2
    with pytest.raises(
        WrongPhase,
        match=r"o05/bot: it is too late to take that back: \d pairings from round 2, table 1 on of "
        "stage 1 were announced since, and others were paired without it",
    ):
        reinstate(house, BOTS[5])


def test_in_an_elimination_until_the_next_duel_is_announced(house: House) -> None:
    begin(house, regulations(KNOCK_OUT), BOTS[:4])
    withdraw(house, BOTS[0])
    house.conductor.step()
    reinstate(house, BOTS[0])
    house.play(house.by_name, most=1)
    withdraw(house, BOTS[0])
    while len(house.here().stages[0].pairings) == 2:
        house.play(house.by_name, most=1)
        house.conductor.step()
    with pytest.raises(WrongPhase, match="final of stage 1 was announced since"):
        reinstate(house, BOTS[0])
    assert house.here().out


def test_not_once_the_next_stage_has_begun(house: House) -> None:
    begin(house, regulations('format = "round-robin"\nadvance = 2', KNOCK_OUT), BOTS[:3])
    withdraw(house, BOTS[0])
    while len(house.here().stages) == 1:
        house.play(house.by_name, most=1)
        house.conductor.step()
    with pytest.raises(WrongPhase, match="stage 2, Knock-out, has begun since it left"):
        reinstate(house, BOTS[0])


def test_a_disqualification_after_the_fact_makes_it_no_earlier(house: House) -> None:
    """What was announced between the withdrawal and that has been without it all the same."""
    begin(house, regulations(SWISS))
    withdraw(house, BOTS[0])
    while house.here().stages[0].rounds == 1:
        house.play(house.by_name, most=1)
        house.conductor.step()
    disqualify(house, BOTS[0])
    with pytest.raises(WrongPhase, match="were announced since"):
        reinstate(house, BOTS[0])


def test_before_the_start(house: House) -> None:
    frozen(house, regulations(ROUND_ROBIN), BOTS[:3])
    disqualify(house, BOTS[1])
    reinstate(house, BOTS[1])
    organiser(house).start("cup", OPERATOR)
    assert house.play(house.by_name) == 3


def test_not_who_was_out_when_play_began(house: House) -> None:
    frozen(house, regulations(ROUND_ROBIN), BOTS[:3])
    withdraw(house, BOTS[1])
    organiser(house).start("cup", OPERATOR)
    house.conductor.step()
    with pytest.raises(WrongPhase, match="stage 1, Round robin, has begun since it left"):
        reinstate(house, BOTS[1])


def test_nobody_who_plays(house: House) -> None:
    organiser(house).announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    with pytest.raises(WrongPhase, match=r"o00/bot'?: nobody is out before the freeze"):
        reinstate(house, BOTS[0])
    with house_in(house.store.records.folder.parent / "more") as other:
        begin(other, regulations(ROUND_ROBIN), BOTS[:3])
        with pytest.raises(WrongPhase, match="o00/bot: plays; there is nothing to take back"):
            reinstate(other, BOTS[0])
        withdraw(other, BOTS[0])
        reinstate(other, BOTS[0])
        with pytest.raises(WrongPhase, match="o00/bot: plays; there is nothing to take back"):
            reinstate(other, BOTS[0])
        with pytest.raises(WrongPhase, match=r"o07/bot'?: is not among the 3 entries"):
            reinstate(other, BOTS[7])
        other.play(other.by_name)
        organiser(other).finish("cup", OPERATOR)
        with pytest.raises(WrongPhase, match="reinstated: the competition is finished"):
            reinstate(other, BOTS[0])


def test_who_may_see_results_hears_of_it(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:3])
    withdraw(house, BOTS[0])
    reinstate(house, BOTS[0])
    kept = house.kept()
    last = kept.lines[-1]
    words = "o00/bot plays on, as if it had never left: it was another"
    assert note_of(kept.competition, last).text == words
    assert spoils(last.event)
    states = {one.state for one in entries_of(kept.competition, is_visible=True)}
    assert states == {EntryState.PLAYS}
