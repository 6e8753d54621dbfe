"""Competitions that go on by themselves: from the file to the last place, through every mishap."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import update

from arena.app.grounds import ground_of
from arena.errors import InputError
from arena.formats.story import Way
from arena.settings import Settings
from arena.storage.attempts import competition_commitment
from arena.storage.facts import MatchKind, MatchState, Moment, Receipt
from arena.storage.schema import COMPETITION_JOURNAL
from arena.tournament.competition import events
from arena.tournament.competition.events import EVENTS, Level
from arena.tournament.competition.happenings import CHANGES
from arena.tournament.competition.keeping import Keeping
from arena.tournament.competition.legal import LEGAL
from arena.tournament.competition.notes import notes_of
from arena.tournament.competition.state import Competition, Phase
from arena.tournament.competition.views import PairingState, pairings_of, table_of
from arena.tournament.ladder.liveview import Live
from arena.tournament.refusals import Forbidden, Unknown, WrongPhase
from arena.tournament.verbs import Ground, Lookup
from arena.tournament.verbs_competitions import Asker, OrganiserVerbs, may_see
from tests.storage.worlds import MINUTE
from tests.tournament.competition.house import OPERATOR, House, house_in, regulations

ROUND_ROBIN = 'format = "round-robin"'
SWISS = 'format = "swiss"\nrounds = 3\nadvance = 4'
KNOCK_OUT = 'format = "elimination"'
BOTS = [f"o{number:02}/bot" for number in range(8)]


@pytest.fixture(name="house")
def with_eight_bots(tmp_path: Path) -> Iterator[House]:
    with house_in(tmp_path) as house:
        yield house


def organiser(house: House) -> OrganiserVerbs:
    return OrganiserVerbs(house.desk, Lookup(ground(house)))


def ground(house: House) -> Ground:
    live = Live(lambda: 0.0, 0.0)
    return ground_of(Settings(), house.store, live, house.clock)


def enter(house: House, title: str, name: str = "cup") -> None:
    owner, _, bot = title.partition("/")
    house.verbs.enter(name, owner, bot)


def begin(house: House, text: str, bots: list[str] = BOTS) -> Competition:
    """Announce, enter, freeze and start a competition."""
    verbs = organiser(house)
    verbs.announce(text, OPERATOR)
    house.conductor.step()
    for title in bots:
        enter(house, title)
    verbs.freeze("cup", OPERATOR)
    house.conductor.step()
    verbs.start("cup", OPERATOR)
    house.conductor.step()
    return house.here()


def open_keys(house: House) -> list[str]:
    return list(house.keeping.open_runs(house.kept()))


# -- the whole way -----------------------------------------------------------------------------


def test_every_event_is_known_everywhere() -> None:
    assert set(CHANGES) == set(LEGAL) == set(EVENTS.values())


def test_swiss_then_knock_out_comes_to_its_end(house: House) -> None:
    begin(house, regulations(SWISS, KNOCK_OUT))
    assert house.play(house.by_name) == 3 * 4 + 3
    here = house.here()
    assert here.phase is Phase.RUNNING
    assert here.is_played
    first = table_of(here, here.stages[0])
    assert first[0].title == "o00/bot"
    last = table_of(here, here.stages[1])
    assert last[0].title == "o00/bot"
    assert {line.title for line in last} == {line.title for line in first[:4]}
    organiser(house).finish("cup", OPERATOR)
    here = house.here()
    assert here.phase is Phase.FINISHED
    assert here.level is Level.PUBLIC
    assert competition_commitment("cup", bytes.fromhex(here.secret)) == here.commitment


def test_a_server_that_dies_at_any_moment_goes_on_where_it_was(tmp_path: Path) -> None:
    """After each step the store is closed and opened again; nothing is lost and nothing doubled."""
    with house_in(tmp_path) as house:
        begin(house, regulations(SWISS, KNOCK_OUT))
        winner = house.at_random(7)
    results = []
    for _ in itertools.count():
        with house_in(tmp_path, owners=0) as house:
            if not house.play(winner, most=1):
                here = house.here()
                results = [len(stage.results) for stage in here.stages]
                assert here.is_played
                matches = house.matches()
                assert len({one.pairing for one in matches}) == len(matches)
                break
    assert results == [12, 3]


def test_all_seeds_follow_from_the_secret_and_differ(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN))
    house.play(house.by_name)
    seeds = [a.seed for one in house.matches() for a in one.attempts]
    seed_of = house.keeping.seed_of(house.kept())
    assert len(seeds) == len(set(seeds)) == 28
    for match in house.matches():
        assert match.attempts[0].seed == seed_of(match.pairing, 1).hex()


def test_a_public_value_is_waited_for_and_changes_every_seed(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations(ROUND_ROBIN, more='[seed]\npublic = "the lottery"\n'), OPERATOR)
    house.conductor.step()
    for title in BOTS[:3]:
        enter(house, title)
    verbs.freeze("cup", OPERATOR)
    house.conductor.step()
    with pytest.raises(WrongPhase, match="is not mixed in yet: the lottery"):
        verbs.start("cup", OPERATOR)
    before = house.keeping.seed_of(house.kept())("1/1.1/1", 1)
    verbs.mix("cup", OPERATOR, "3 8 15 21 40 44")
    assert house.keeping.seed_of(house.kept())("1/1.1/1", 1) != before
    with pytest.raises(WrongPhase, match="mixed in already"):
        verbs.mix("cup", OPERATOR, "1 2 3 4 5 6")
    verbs.start("cup", OPERATOR)
    assert house.play(house.by_name) == 3


# -- who plays ---------------------------------------------------------------------------------


def test_what_is_uploaded_after_the_freeze_does_not_play(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    for title in BOTS[:3]:
        enter(house, title)
    verbs.freeze("cup", OPERATOR)
    house.clock.now += 10
    house.world.upload("o01", label="2")
    house.conductor.step()
    entries = {one.title: one.ordinal for one in house.here().entries}
    assert entries == {"o00/bot": 1, "o01/bot": 1, "o02/bot": 1}
    verbs.start("cup", OPERATOR)
    house.conductor.step()
    house.world.upload("o02", label="3")
    house.play(house.by_name)
    sat = {seat.version for one in house.matches() for seat in one.seats}
    assert sat == {one.version for one in house.here().entries}


def test_an_upload_that_was_under_way_is_waited_for(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations(ROUND_ROBIN), OPERATOR)
    house.conductor.step()
    for title in BOTS[:2]:
        enter(house, title)
    house.store.uploads.add("o01", "a request", "ab" * 32, 10)
    verbs.freeze("cup", OPERATOR)
    house.clock.now += 1000
    house.conductor.step()
    assert house.here().phase is Phase.CLOSING
    house.clock.now += 300 * 1000
    house.conductor.step()
    assert house.here().phase is Phase.FROZEN


def test_who_has_nothing_to_play_with_is_named(house: House) -> None:
    house.store.owners.create("late")
    house.store.entrants.create("late", "bot")
    text = regulations(
        ROUND_ROBIN,
        more=(
            '[entrants]\nfrom = "invited"\ninvited = ["o00/bot", "o01/bot", "late/bot", "no/one"]\n'
        ),
    )
    verbs = organiser(house)
    verbs.announce(text, OPERATOR)
    house.conductor.step()
    with pytest.raises(WrongPhase, match="decided otherwise"):
        house.verbs.enter("cup", "o03", "bot")
    verbs.freeze("cup", OPERATOR)
    house.conductor.step()
    here = house.here()
    assert [one.title for one in here.entries] == ["o00/bot", "o01/bot"]
    assert dict(here.absent) == {"late/bot": "it has no version", "no/one": "there is no such bot"}


def test_the_schedule_is_kept(house: House) -> None:
    start = 1_800_000_060
    text = regulations(
        ROUND_ROBIN,
        more=(
            "[schedule]\nopens = 2027-01-15T08:00:30Z\nfreeze = 2027-01-15T08:01:00Z\ngrace = 0\n"
            "start = 2027-01-15T08:02:00Z\n"
        ),
    )
    organiser(house).announce(text, OPERATOR)
    house.conductor.step()
    assert house.here().phase is Phase.ANNOUNCED
    with pytest.raises(WrongPhase, match="not open yet"):
        house.verbs.enter("cup", "o00", "bot")
    house.clock.now = (start - 30) * 1000
    house.conductor.step()
    assert house.here().phase is Phase.OPEN
    for title in BOTS[:2]:
        enter(house, title)
    house.clock.now = start * 1000
    house.conductor.step()
    assert house.here().phase is Phase.FROZEN
    house.clock.now = (start + 60) * 1000
    house.conductor.step()
    assert house.here().phase is Phase.RUNNING
    assert len(open_keys(house)) == 1


# -- people step in ------------------------------------------------------------------------------


def test_disqualified_in_the_middle(house: House) -> None:
    begin(house, regulations(SWISS, KNOCK_OUT))
    house.play(house.by_name, most=5)
    house.conductor.step()
    organiser(house).disqualify("cup", OPERATOR, "o00/bot", "it was not its author's work")
    house.play(house.by_name)
    here = house.here()
    assert here.is_played
    assert here.entries[here.stages[0].entries[here.stages[0].story().active[0]]].title != "o00/bot"
    table = table_of(here, here.stages[0])
    assert table[-1].title == "o00/bot"
    assert "disqualified" in table[-1].note
    assert all(line.title != "o00/bot" for line in table_of(here, here.stages[1]))
    assert not open_keys(house)


def test_a_withdrawal_cancels_what_is_being_played(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN))
    lease = house.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
    assert lease is not None
    seat = lease.new.seats[0]
    title = next(one.title for one in house.here().entries if one.entrant == seat.entrant)
    house.verbs.leave("cup", title.partition("/")[0], "bot", "its laptop is broken")
    match = house.store.matches.find(lease.match)
    assert match is not None
    assert match.state is MatchState.CANCELLED
    assert house.store.matches.record(house.report(lease, house.by_name)) is Receipt.STALE
    house.play(house.by_name)
    ways = [score.way for score in house.here().stages[0].story().scores.values()]
    assert ways.count(Way.WALKOVER) == 7


def test_a_rerun_keeps_what_was_and_makes_another_match(house: House) -> None:
    begin(house, regulations(SWISS, KNOCK_OUT))
    house.play(house.by_name, most=4)
    house.conductor.step()
    stage = house.here().stages[0]
    announced = dict(stage.pairings)
    key = next(iter(stage.results))
    old = stage.results[key].by
    assert isinstance(old, events.Scored)
    organiser(house).rerun("cup", OPERATOR, 1, key, "the light went out")
    assert f"1/{key}/2" in open_keys(house)
    house.play(lambda lease: 1 - house.by_name(lease) if lease.new.pairing == f"1/{key}/2" else 0)
    stage = house.here().stages[0]
    new = stage.results[key].by
    assert isinstance(new, events.Scored)
    assert new.match != old.match
    assert new.run == 2
    assert [one.by for one in stage.earlier] == [old]
    assert {key: stage.pairings[key] for key in announced} == announced
    assert house.here().is_played


def test_a_match_that_was_set_aside_is_decided(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:2])
    for _ in range(3):
        lease = house.store.matches.lease("worker", MINUTE, (MatchKind.COMPETITION,))
        assert lease is not None
        assert house.store.matches.release(lease.match, lease.attempt, lease.token, "no engine")
    house.conductor.step()
    here = house.here()
    matches = {one.pairing: one for one in house.matches()}
    (pairing,) = pairings_of(here, here.stages[0], matches)
    assert pairing.state is PairingState.SET_ASIDE
    with pytest.raises(WrongPhase, match="2 teams"):
        organiser(house).decide("cup", OPERATOR, 1, pairing.key, (1, 2, 3), "why")
    organiser(house).decide("cup", OPERATOR, 1, pairing.key, (2, 1), "the machine was broken")
    assert house.here().is_played
    (pairing,) = house.verbs.pairings("cup", 1, Asker(is_operator=True))
    assert (pairing.way, pairing.ranks, pairing.why) == (
        Way.DECISION,
        (2, 1),
        "the machine was broken",
    )


def test_paused_competitions_begin_no_match(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN))
    organiser(house).pause("cup", OPERATOR, "lunch")
    assert house.store.matches.lease("worker", MINUTE) is None
    organiser(house).resume("cup", OPERATOR)
    assert house.store.matches.lease("worker", MINUTE) is not None


def test_a_latecomer_joins_a_swiss(house: House) -> None:
    begin(house, regulations('format = "swiss"\nrounds = 3'), BOTS[:5])
    house.play(house.by_name, most=1)
    organiser(house).add("cup", OPERATOR, BOTS[7])
    house.play(house.by_name)
    here = house.here()
    assert here.is_played
    assert BOTS[7] in {line.title for line in table_of(here, here.stages[0])}


def test_nobody_joins_a_round_robin(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN), BOTS[:4])
    with pytest.raises(WrongPhase, match="nobody can join"):
        organiser(house).add("cup", OPERATOR, BOTS[7])


def test_cancelled_competitions_leave_nothing_to_play(house: House) -> None:
    begin(house, regulations(ROUND_ROBIN))
    organiser(house).cancel("cup", OPERATOR, "the school is closed")
    assert not open_keys(house)
    assert house.store.matches.lease("worker", MINUTE) is None
    with pytest.raises(WrongPhase, match="the competition is cancelled"):
        organiser(house).start("cup", OPERATOR)


# -- what cannot be ------------------------------------------------------------------------------


def test_two_competitions_of_one_name_are_refused(house: House) -> None:
    organiser(house).announce(regulations(ROUND_ROBIN), OPERATOR)
    with pytest.raises(InputError, match="there is one of this name already"):
        organiser(house).announce(regulations(KNOCK_OUT), OPERATOR)


def test_every_competition_has_a_secret_of_its_own(house: House) -> None:
    for name in ("cup", "two", "three"):
        organiser(house).announce(regulations(ROUND_ROBIN, name=name), OPERATOR)
    secrets = {house.store.competitions.secret(number) for number in (1, 2, 3)}
    assert [len(one) for one in secrets] == [32, 32, 32]


def test_who_is_not_there_is_unknown(house: House) -> None:
    with pytest.raises(Unknown):
        house.verbs.info("cup", Asker())
    with pytest.raises(Unknown):
        organiser(house).start("cup", OPERATOR)


def test_a_wrong_file_is_refused_with_its_line(house: House) -> None:
    with pytest.raises(InputError, match=r"line \d+"):
        organiser(house).announce(regulations('format = "swis"'), OPERATOR)
    assert house.keeping.running() == ()


def test_one_that_cannot_be_read_does_not_keep_others_from_going_on(house: House) -> None:
    verbs = organiser(house)
    verbs.announce(regulations(KNOCK_OUT), OPERATOR)
    verbs.announce(regulations(ROUND_ROBIN, name="other"), OPERATOR)
    change = update(COMPETITION_JOURNAL).where(COMPETITION_JOURNAL.c.competition == 1)
    house.store.database.write(lambda connection: connection.execute(change.values(line=b"{}")))
    house.keeping = house.conductor._keeping = Keeping(house.store.competitions, house.clock)
    for _ in range(2):
        house.conductor.step()
    assert [facts["competition"] for event, facts in house.told.events] == ["cup"]
    assert house.here("other").phase is Phase.OPEN
    assert [one.stored.name for one in house.keeping.list(10, "").items] == ["other"]


def test_who_may_not_see_hears_nothing_of_results(house: House) -> None:
    begin(house, regulations(SWISS, KNOCK_OUT), BOTS[:6])
    house.play(house.by_name, most=7)
    house.conductor.step()
    here = house.here()
    assert here.level is Level.PARTICIPANTS
    assert may_see(here, Asker("o00"))
    assert may_see(here, Asker(is_operator=True))
    outsiders = (Asker(), Asker("o07"))
    for asker in outsiders:
        for ask in (house.verbs.stages, lambda name, who: house.verbs.table(name, 1, who)):
            with pytest.raises(Forbidden):
                ask("cup", asker)
        with pytest.raises(Forbidden):
            house.verbs.pairings("cup", 1, asker)
        assert house.verbs.info("cup", asker).is_played is False
        texts = [note.text for note in house.verbs.notes("cup", asker)]
        assert texts[-1] == "play begins"
    lookup = Lookup(ground(house))
    for match in house.matches():
        with pytest.raises(Unknown):
            lookup.match(match.number)
    organiser(house).release("cup", OPERATOR, Level.PUBLIC)
    assert house.verbs.table("cup", 1, Asker())
    number = house.matches()[0].number
    assert lookup.match(number).number == number


def test_the_journal_says_it_in_words(house: House) -> None:
    begin(house, regulations(KNOCK_OUT), BOTS[:2])
    house.play(house.by_name)
    kept = house.kept()
    texts = [note.text for note in notes_of(kept.competition, kept.lines, is_visible=True)]
    assert texts[0] == "announced, with these regulations"
    assert "o00/bot enters" in texts
    assert any("1. o00/bot, 2. o01/bot (match " in text for text in texts)
    assert [line.number for line in kept.lines] == list(range(1, len(texts) + 1))
    assert Moment(kept.lines[0].at) == Moment(1_800_000_001_000)
