"""The spool in bad hands and on a bad disk: forged, cut and swapped reports (H4, H6, H27)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.storage.facts import MatchState, Receipt
from tests.faults.invariants import broken
from tests.tournament.ladder.house import PACE, House

SEED = 20_261_130


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    yield house
    house.close()
    assert broken(tmp_path / "data") == []


def receipts(house: House) -> list[object]:
    return [facts["receipt"] for event, facts in house.told if event == "report sent"]


def restarted(house: House) -> None:
    """What a kill and a start of the server are for the director."""
    house.crew.jobs.clear()
    house.director = house.make_director()
    house.steps()


def test_a_forged_report_of_a_recorded_attempt_is_refused_and_kept_with_an_alert(
    house: House,
) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.write(house.crew.job)
    honest = house.spool.read(number, 1)
    assert honest is not None
    record = house.spool.record_path(number, 1).read_bytes()
    restarted(house)
    before = house.match(number).result
    assert before is not None

    # Somebody who has read the spool, token and all, swaps who has won.
    house.spool.record_path(number, 1).write_bytes(record)
    house.spool.write(replace(honest, report=replace(honest.report, ranks=(1, 0))))
    restarted(house)
    assert receipts(house) == [Receipt.RECORDED, Receipt.CONFLICT]
    assert house.alerts == ["report sent"]
    assert house.match(number).result == before
    (kept,) = house.book.refused().items
    assert (kept.match, kept.attempt, kept.receipt) == (number, 1, Receipt.CONFLICT)
    assert house.spool.all() == ()


def test_with_a_guessed_token_nothing_is_recorded(house: House) -> None:
    (number,) = house.queue()
    house.steps()
    house.crew.write(house.crew.job)
    honest = house.spool.read(number, 1)
    assert honest is not None
    house.spool.write(replace(honest, report=replace(honest.report, token="0" * 64)))
    house.crew.job.future.set_result(None)  # type: ignore[arg-type]
    house.steps()
    assert receipts(house) == [Receipt.STALE]
    assert house.match(number).result is None
    house.wait(PACE.lease // 1000 + 2 * PACE.look)
    assert house.crew.job.key == (number, 2)
    house.crew.finish()
    house.steps()
    assert house.match(number).state is MatchState.DONE


@pytest.mark.parametrize("turn", range(12))
def test_a_report_that_is_cut_or_changed_anywhere_is_set_aside_and_the_match_played_again(
    house: House, turn: int
) -> None:
    chance = random.Random(SEED + turn)
    damaged, good = house.queue(2)
    house.steps()
    house.crew.write(house.crew.job)
    path = house.spool.folder / f"{damaged}-1.report"
    content = path.read_bytes()
    at = chance.randrange(len(content))
    if turn % 2:
        path.write_bytes(content[:at])
    else:
        flipped = bytes([content[at] ^ 1 << chance.randrange(8)])
        path.write_bytes(content[:at] + flipped + content[at + 1 :])
    restarted(house)
    assert house.alerts == ["spool damaged"], (SEED, turn, at)
    while (match := house.match(good)).state is not MatchState.DONE:
        for job in house.crew.open:
            house.crew.finish(job)
        house.wait(1)
    assert match.result is not None
    again = house.match(damaged)
    assert (again.state, len(again.attempts)) == (MatchState.DONE, 2), (SEED, turn, at)
    assert len(list((house.spool.folder / "set-aside").iterdir())) == 1
