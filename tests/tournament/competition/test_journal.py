"""A journal: what is written can be read, and its moments never go back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest

from arena.errors import InputError
from arena.referee.record import Chain
from arena.storage.facts import Moment
from arena.tournament.competition.events import Opened, Paused, Resumed
from arena.tournament.competition.journal import ITSELF, Journal
from tests.tournament.competition.house import OPERATOR, house_in, regulations
from tests.tournament.competition.test_conductor import ROUND_ROBIN, organiser

LATEST: Final = 253_370_764_799_999


def chained(*lines: tuple[object, object]) -> list[bytes]:
    """Lines that open, by moment and by who has written each, whatever that is."""
    chain = Chain()
    stored = []
    for number, (at, who) in enumerate(lines, 1):
        body = json.dumps({"number": number, "at": at, "who": who, "kind": "opened"}).encode()
        stored.append(body[:-1] + f',"chain":"{chain.add(body)}"}}'.encode())
    return stored


def test_what_was_written_is_read() -> None:
    journal = Journal()
    written = [
        journal.write(Moment(5), OPERATOR, Opened()),
        journal.write(Moment(5), "owner a-b_c", Paused("lunch")),
        journal.write(Moment(9), ITSELF, Resumed()),
    ]
    again = Journal()
    assert list(again.read_all(stored for _, stored in written)) == [line for line, _ in written]
    assert (again.length, again.head) == (3, journal.head)


def test_a_clock_that_was_set_back_takes_no_line_back() -> None:
    journal = Journal()
    lines = [journal.write(Moment(at), ITSELF, Opened())[0] for at in (7, 3, 8)]
    # One that goes on from there knows how late it is, and the other stays as it was.
    on = Journal.at(journal)
    lines.append(on.write(Moment(2), ITSELF, Opened())[0])
    assert [line.at for line in lines] == [7, 7, 8, 8]
    assert journal.length == 3
    assert Journal().write(Moment(-1), ITSELF, Opened())[0].at == 0


def test_a_journal_that_was_read_goes_on_from_its_last_moment() -> None:
    journal = Journal()
    list(journal.read_all(chained((7, ITSELF), (9, OPERATOR))))
    assert journal.write(Moment(1), ITSELF, Opened())[0].at == 9


def test_a_servers_clock_that_was_set_back_stops_no_competition(tmp_path: Path) -> None:
    with house_in(tmp_path) as house:
        house.clock.now += 3_600_000
        organiser(house).announce(regulations(ROUND_ROBIN), OPERATOR)
        house.conductor.step()
        house.clock.now -= 3_500_000
        house.verbs.enter("cup", "o00", "bot")
        # As after a restart: read from the store, not remembered.
        stored = house.keeping.stored_lines(house.kept())
        moments = [line.at for line in Journal().read_all(stored)]
    assert len(moments) == 3
    assert moments == sorted(moments)
    assert moments[-1] == moments[-2] > house.clock.now


@pytest.mark.parametrize("at", [0, LATEST])
def test_moments_that_can_be_shown_everywhere_are_read(at: int) -> None:
    (line,) = Journal().read_all(chained((at, ITSELF)))
    assert line.at == at


@pytest.mark.parametrize("at", [-1, LATEST + 1, 10**30])
def test_a_moment_that_no_date_can_be_shown_for_is_refused(at: int) -> None:
    with pytest.raises(InputError, match=f"line 1: at {at}: must be from 0 to {LATEST}"):
        list(Journal().read_all(chained((at, ITSELF))))


@pytest.mark.parametrize("at", [1.0, True, "1", None])
def test_a_moment_that_is_no_whole_number_is_refused(at: object) -> None:
    with pytest.raises(InputError, match="line 1: is no line of a journal"):
        list(Journal().read_all(chained((at, ITSELF))))


def test_a_moment_before_that_of_the_line_above_is_refused() -> None:
    with pytest.raises(InputError, match="line 2: at 4: is before the line above it, at 5"):
        list(Journal().read_all(chained((5, ITSELF), (4, ITSELF))))


NOBODIES: Final = (
    "",
    "tester",
    "Arena",
    "arena ",
    "arena\n",
    "owner",
    "owner ",
    "owner Ann",
    "owner ann bob",
    "owner " + "a" * 65,
    "admin:1f2e",
    "admin token",
    "admin token ",
    "admin token ann of bob",
    "owner token 1f2e of ann",
)


@pytest.mark.parametrize("who", NOBODIES)
def test_a_line_of_nobody_is_neither_read_nor_written(who: str) -> None:
    with pytest.raises(InputError, match=r"line 1: who .*: must be arena, owner NAME, or admin"):
        list(Journal().read_all(chained((5, who))))
    journal = Journal()
    with pytest.raises(InputError, match=r"journal: who .*: must be arena, owner NAME, or admin"):
        journal.write(Moment(5), who, Opened())
    assert (journal.length, journal.head) == (0, "")
