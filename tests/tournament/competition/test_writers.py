"""Lines that the arena writes by a schedule: not before its moments, and nothing else."""

from __future__ import annotations

from typing import Final

import pytest

from arena.storage.facts import Level, Moment
from arena.tournament.competition.events import Announced, Closed, Event, Opened, Released, Started
from arena.tournament.competition.journal import ITSELF, Journal
from arena.tournament.competition.state import Competition
from arena.tournament.competition.writers import wrong_writer
from tests.tournament.competition.house import OPERATOR, regulations

DAY: Final = 86_400_000
OPENS: Final = 1_796_083_200_000
"""2026-12-01; the other moments come a day later each."""

SCHEDULE: Final = """\
[schedule]
opens = 2026-12-01T00:00:00Z
freeze = 2026-12-02T00:00:00Z
start = 2026-12-03T00:00:00Z
release = 2026-12-04T00:00:00Z
"""


def found(at: int, who: str, event: Event, schedule: str = SCHEDULE) -> str:
    """What is wrong in who has written a line right after the announcement."""
    journal = Journal()
    text = regulations('format = "round-robin"', more=schedule)
    first, _ = journal.write(Moment(1), OPERATOR, Announced(text))
    line, _ = journal.write(Moment(at), who, event)
    return wrong_writer(Competition(first), line)


MOMENTS: Final = (
    (OPENS, "opens", Opened()),
    (OPENS + DAY, "freeze", Closed(OPENS + DAY)),
    (OPENS + 2 * DAY, "start", Started()),
    (OPENS + 3 * DAY, "release", Released(Level.PUBLIC)),
)


@pytest.mark.parametrize(("moment", "name", "event"), MOMENTS)
def test_the_schedule_is_followed_from_its_moment_on(moment: int, name: str, event: Event) -> None:
    early = f"was written by the arena itself at {moment - 1}, before {name} at {moment}"
    assert found(moment - 1, ITSELF, event) == early
    assert found(moment, ITSELF, event) == ""
    assert found(moment + DAY, ITSELF, event) == ""
    # An operator need not wait for it.
    assert found(moment - 1, OPERATOR, event) == ""


@pytest.mark.parametrize(("moment", "name", "event"), MOMENTS[1:])
def test_without_a_moment_the_arena_waits(moment: int, name: str, event: Event) -> None:
    told = f"was written by the arena itself, though the schedule has no {name}"
    assert found(moment, ITSELF, event, "") == told
    assert found(moment, OPERATOR, event, "") == ""


def test_without_a_moment_it_opens_at_once() -> None:
    assert found(2, ITSELF, Opened(), "") == ""


def test_what_the_schedule_says_is_what_happens() -> None:
    late = found(OPENS + 2 * DAY, ITSELF, Closed(OPENS + 2 * DAY))
    assert late == f"its moment is {OPENS + 2 * DAY}; the schedule has {OPENS + DAY}"
    hidden = found(OPENS + 3 * DAY, ITSELF, Released(Level.PARTICIPANTS))
    assert hidden == 'its level is "participants"; the schedule releases to "public"'
