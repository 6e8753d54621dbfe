"""The director: every way that an attempt can go, with a real store and scripted play."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import HostFault
from arena.storage.facts import AttemptState, Lease, MatchState, Receipt, VersionState
from arena.storage.matches import Matches
from arena.tournament.ladder.attempt import News, RatedSpec
from arena.tournament.ladder.company import Pace
from arena.tournament.ladder.discipline import HoldsBack
from arena.tournament.ladder.pantry import ArtefactGone
from tests.tournament.ladder.house import PACE, House


def states(house: House, number: int) -> list[AttemptState]:
    return [attempt.state for attempt in house.match(number).attempts]


def is_over(house: House) -> bool:
    return house.director.is_over


def watched(house: House) -> list[int]:
    return list(house.live.matches)


def test_a_queued_match_is_leased_played_and_recorded_once(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    job = house.crew.job
    assert job.key == (number, 1)
    assert house.match(number).state is MatchState.LEASED
    house.crew.finish()
    house.steps()
    match = house.match(number)
    assert match.state is MatchState.DONE
    assert match.result is not None
    assert match.result.ranks == (0, 1)
    assert house.store.records.read(match.result.record) == f"record of {number}-1\n".encode()
    assert house.store.logs.read(match.result.seats[1].log) == b"bot 1\n"
    assert house.spool.all() == ()
    assert [report.match for report in house.judge.heard] == [number]
    assert [lease.match for lease in house.released] == [number]


def test_the_planner_is_asked_when_nothing_waits(house: House) -> None:
    house.steps()
    assert house.planner.asked == 1
    house.steps()
    assert house.planner.asked == 1  # not before it is looked again
    house.planner.wanted = [house.new_match(), house.new_match()]
    house.wait(PACE.look)
    assert len(house.crew.open) == 1
    house.crew.finish()
    house.steps()
    assert len(house.crew.open) == 1  # at once: a place has become free


def test_so_many_are_played_at_once_and_more_are_made_ready(house: House) -> None:
    house.director = house.make_director(Pace(worker="here", at_once=2, ahead=1, floor=0))
    house.queue(5)
    house.steps()
    assert len(house.crew.open) == 3
    house.crew.finish(house.crew.open[1])
    house.steps()
    assert len(house.crew.open) == 3


def test_signs_of_life_renew_a_lease_and_nothing_else_does(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.wait(200, beating=True)
    assert states(house, number) == [AttemptState.LEASED]
    house.wait(PACE.lease // 1000 + PACE.renewal + PACE.look + 1)
    assert states(house, number)[0] is AttemptState.LOST
    assert house.crew.jobs[0].is_ended


def test_a_zombies_report_is_stale_and_only_the_newer_attempt_counts(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    zombie = house.crew.job
    house.wait(PACE.lease // 1000 + 2 * PACE.look)
    assert zombie.is_ended
    house.crew.finish(zombie)  # it was stopped meanwhile, and goes on now
    house.steps()
    second = house.crew.job
    assert second.key == (number, 2)
    house.crew.finish(second)
    house.steps()
    assert states(house, number) == [AttemptState.LOST, AttemptState.DONE]
    receipts = [facts["receipt"] for event, facts in house.told if event == "report sent"]
    assert receipts == [Receipt.STALE, Receipt.RECORDED]
    assert len(house.book.refused().items) == 1
    assert house.spool.all() == ()


def test_a_lost_process_costs_an_attempt(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.lose()
    house.steps()
    assert house.crew.job.key == (number, 2)
    house.crew.finish()
    house.steps()
    assert states(house, number) == [AttemptState.VOID, AttemptState.DONE]


def test_what_a_lost_process_has_left_whole_counts(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    job = house.crew.job
    house.crew.write(job)
    house.crew.lose(job)  # after the report was on the disk
    house.steps()
    assert states(house, number) == [AttemptState.DONE]


def test_a_poison_match_is_set_aside_and_the_queue_moves_on(house: House) -> None:
    poison, good = house.queue(2)
    house.steps()
    for _ in range(3):
        assert house.crew.job.key[0] == poison
        house.crew.lose()
        house.wait(10)
    assert house.match(poison).state is MatchState.SET_ASIDE
    assert house.crew.job.key[0] == good
    assert house.alerts == ["match set aside"]
    assert house.judge.failures == [(poison, attempt) for attempt in (1, 2, 3)]


def test_void_matches_are_played_again_and_slow_down_what_begins(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.finish(verdict="VOID", why="VOID: the referee stood still")
    house.steps()
    assert house.crew.job.key == (number, 2)  # one is no reason to wait
    house.crew.finish(verdict="VOID")
    house.steps()
    assert house.crew.open == []
    house.wait(3)
    assert house.crew.job.key == (number, 3)
    house.crew.finish()
    house.steps()
    assert states(house, number) == [AttemptState.VOID, AttemptState.VOID, AttemptState.DONE]
    assert house.director.status().why_unhealthy == ""


def test_without_an_engine_nothing_begins_and_it_recovers_by_itself(house: House) -> None:
    first, second = house.queue(2)
    house.steps()
    house.fault = "the Docker engine cannot answer"
    house.crew.finish(verdict="VOID", why="VOID: the Docker engine cannot run")
    house.wait(300)
    assert house.crew.open == []
    assert house.director.status().why_unhealthy == house.fault
    assert len(house.match(first).attempts) == 1
    house.fault = ""
    house.wait(61)
    assert house.crew.job.key == (first, 2)
    assert house.director.status().why_unhealthy == ""
    assert house.match(second).attempts == ()


def test_what_cannot_be_prepared_is_void_with_its_reason(house: House) -> None:
    (number,) = house.queue()

    def prepare(lease: object) -> object:
        raise HostFault("image sha256:1: is gone")

    house.director = house.make_director(prepare=prepare)
    house.fault = "image sha256:1: is gone"
    house.steps()
    (attempt,) = house.match(number).attempts
    # What is inside is for the log; everybody sees the match.
    assert (attempt.state, attempt.why) == (AttemptState.VOID, "the server could not make it ready")
    assert ("attempt failed", "image sha256:1: is gone") in [
        (event, facts.get("why")) for event, facts in house.told
    ]
    assert house.director.status().why_unhealthy == "image sha256:1: is gone"


def test_a_match_of_which_a_bot_is_gone_is_given_up(house: House) -> None:
    """E17: once, with the version held back, while all others play on."""
    first, second, other = house.queue(3)
    gone = house.entrants.version(house.seats[0].version)
    assert gone is not None
    hold_back = HoldsBack(house.entrants, house.tell)

    def prepare(lease: Lease) -> RatedSpec:
        if lease.match != other:
            hold_back(gone, "artefact 1111: no archive 1111 is stored")
            raise ArtefactGone("artefact 1111: no archive 1111 is stored")
        return house.prepare(lease)

    house.director = house.make_director(prepare=prepare)
    house.steps(6)
    assert house.crew.job.key == (other, 1)
    for number in (first, second):
        match = house.match(number)
        assert match.state is MatchState.CANCELLED
        assert len(match.attempts) == 1
        assert "1111" not in f"{match.why} {match.attempts[0].why}"
    held = house.entrants.version(gone.number)
    assert held is not None
    assert (held.state, held.why) == (
        VersionState.QUARANTINED,
        "what was built is gone; upload it again",
    )
    assert gone.number not in {one.version for one in house.entrants.candidates()}
    assert house.alerts == ["version quarantined"]
    assert house.director.status().why_unhealthy == ""
    assert house.judge.failures == []


def test_a_mistake_of_ours_ends_an_attempt_and_not_the_director(house: House) -> None:
    (number,) = house.queue()

    def prepare(lease: object) -> object:
        raise KeyError("seat")

    house.director = house.make_director(prepare=prepare)
    house.steps()
    assert house.match(number).attempts[0].why == "the server could not make it ready"
    assert ("attempt failed", "a mistake of the arena: KeyError('seat')") in [
        (event, facts.get("why")) for event, facts in house.told
    ]


def test_paused_nothing_begins_and_what_is_played_goes_on(house: House) -> None:
    house.queue(2)
    house.steps()
    house.paused = "maintenance"
    house.crew.finish()
    house.wait(20)
    assert house.crew.open == []
    assert house.director.status().why_paused == "maintenance"
    house.paused = ""
    house.wait(5)
    assert len(house.crew.open) == 1


def test_below_the_floor_of_free_space_nothing_begins_until_there_is_some(house: House) -> None:
    house.free = PACE.floor - 1
    house.queue()
    house.wait(20)
    assert house.crew.jobs == []
    assert "999 bytes are free" in house.director.status().why_no_space
    assert house.alerts == ["free space"]
    house.free = PACE.floor
    house.wait(5)
    assert len(house.crew.open) == 1
    assert house.director.status().why_no_space == ""


def test_when_the_store_fails_reports_wait_in_the_spool(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.finish()

    def full(path: Path) -> str:
        raise HostFault("records: No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(house.store.records, "put_file", full)
        house.wait(300)
        assert house.spool.whole() == ((number, 1),)
        assert house.director.status().unrecorded == 1
        assert states(house, number) == [AttemptState.LEASED]  # what has been played is not lost
    house.wait(31)
    assert house.spool.all() == ()
    assert states(house, number) == [AttemptState.DONE]


def test_a_restart_records_what_is_whole_and_gives_back_the_rest(house: House) -> None:
    house.director = house.make_director(Pace(worker="here", at_once=2, floor=0))
    whole, broken_off = house.queue(2)
    house.steps()
    first, second = house.crew.open
    house.crew.write(first)
    # The server is killed here. The next one has the same name:
    house.crew.jobs.clear()
    house.director = house.make_director(Pace(worker="here", at_once=2, floor=0))
    house.steps()
    assert house.match(whole).state is MatchState.DONE
    assert states(house, broken_off)[0] is AttemptState.VOID
    assert house.match(broken_off).attempts[0].why == "the server that played it was ended"
    assert house.crew.job.key == (broken_off, 2)
    assert house.spool.all() == ((broken_off, 2),)
    assert second.key == (broken_off, 1)


def test_a_restart_after_a_commit_without_a_receipt_is_a_duplicate(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.write(house.crew.job)
    report = house.spool.read(number, 1)
    assert report is not None
    assert house.book.record(report.report) is Receipt.RECORDED  # and killed before it was told
    house.director = house.make_director()
    house.steps()
    receipts = [facts["receipt"] for event, facts in house.told if event == "report sent"]
    assert receipts == [Receipt.DUPLICATE]
    assert house.spool.all() == ()
    assert house.judge.heard == []


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "record", "no record"])
def test_a_damaged_spool_is_set_aside_with_an_alert(house: House, damage: str) -> None:
    damaged, good = house.queue(2)
    house.director = house.make_director(Pace(worker="here", at_once=2, floor=0))
    house.steps()
    for job in house.crew.open:
        house.crew.write(job)
    house.crew.jobs.clear()
    path = house.spool.folder / f"{damaged}-1.report"
    record = house.spool.record_path(damaged, 1)
    content = path.read_bytes()
    if damage == "cut":
        path.write_bytes(content[:-7])
    elif damage == "flipped":
        path.write_bytes(content.replace(b"COMPLETED", b"COMPLETEE"))
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "record":
        record.write_bytes(record.read_bytes()[:-1])
    else:
        record.unlink()
    house.director = house.make_director()
    house.steps()
    assert house.alerts == ["spool damaged"]
    assert states(house, damaged)[0] is AttemptState.VOID
    assert house.match(good).state is MatchState.DONE
    assert len(list((house.spool.folder / "set-aside").iterdir())) == 1
    assert house.crew.job.key == (damaged, 2)


def test_a_report_of_another_match_is_set_aside(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    job = house.crew.job
    house.crew.write(job)
    path = house.spool.folder / f"{number}-1.report"
    path.rename(house.spool.folder / f"{number + 7}-1.report")
    house.crew.jobs.clear()
    house.director = house.make_director()
    house.steps()
    assert house.alerts == ["spool damaged"]
    assert house.crew.job.key == (number, 2)


def test_what_an_ended_process_leaves_late_is_found_and_refused(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    zombie = house.crew.job
    house.crew.jobs.clear()
    house.director = house.make_director()
    house.steps()
    house.crew.write(zombie)  # its keeper had not ended it yet
    house.wait(PACE.look)
    house.steps()
    assert house.spool.whole() == ()
    receipts = [facts["receipt"] for event, facts in house.told if event == "report sent"]
    assert receipts == [Receipt.STALE]
    assert house.match(number).result is None


def test_stopped_it_begins_nothing_and_waits_for_what_is_played(house: House) -> None:
    first, second = house.queue(2)
    house.steps()
    house.crew.job.hear(News())
    house.steps()
    house.director.stop()
    house.wait(PACE.drain - 1, beating=True)
    assert not house.crew.job.is_ended
    assert not is_over(house)
    house.crew.finish()
    house.steps()
    assert is_over(house)
    assert house.match(first).state is MatchState.DONE
    assert house.match(second).attempts == ()


@pytest.mark.parametrize("how", ["late", "again", "not begun"])
def test_what_is_not_over_in_time_is_handed_back_and_costs_its_match_nothing(
    house: House, how: str
) -> None:
    (number,) = house.queue()
    house.steps()
    job = house.crew.job
    job.hear(News(has_turn=how != "not begun"))
    house.steps()
    house.director.stop()
    house.steps()
    if how == "late":
        assert not job.is_ended
        house.wait(PACE.drain + 1, beating=True)
    elif how == "again":
        assert not job.is_ended
        house.director.stop()
        house.steps()
    assert job.is_ended
    house.crew.lose(job, "a task was ended by KeyboardInterrupt")
    house.steps()
    assert is_over(house)
    match = house.match(number)
    assert match.state is MatchState.QUEUED
    assert match.attempts[0].why == "the server was shut down while it was played"


def test_stopped_while_the_store_fails_it_ends_all_the_same(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.finish()

    def gone(book: Matches, report: object) -> Receipt:
        raise HostFault("database: is gone")

    monkeypatch.setattr(Matches, "record", gone)
    house.director.stop()
    house.steps()
    assert is_over(house)
    assert house.spool.whole() == ((number, 1),)


def test_a_cancelled_match_is_ended(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.book.cancel(number, "wrong terms")
    house.wait(PACE.renewal + 1, beating=True)
    assert house.crew.job.is_ended
    house.crew.lose()
    house.steps()
    assert house.match(number).state is MatchState.CANCELLED


def test_the_live_view_knows_what_has_its_turn(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    job = house.crew.job
    job.hear(News(has_turn=False))
    house.steps()
    assert watched(house) == []
    job.hear(News())
    house.steps()
    assert watched(house) == [number]
    assert [one.has_turn for one in house.director.status().playing] == [True]
    house.crew.finish()
    house.steps()
    assert watched(house) == []
