"""Killed at every place that has a name, as often as it is come by: afterwards all counts once."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from arena.app.rated import calendar
from arena.errors import HostFault
from arena.storage import failpoints
from arena.storage.backup import back_up
from arena.storage.check import check_data
from arena.storage.facts import UploadState
from arena.storage.store import open_store
from tests.faults.deeds import MATCHES, OWNERS, put_back, run, whole

IN_DEEDS: Final = (
    failpoints.AFTER_LEASE,
    failpoints.BEFORE_SPOOL_FSYNC,
    failpoints.AFTER_SPOOL_FSYNC,
    failpoints.BEFORE_RECORD,
    failpoints.AFTER_RESULT_INSERT,
    failpoints.AFTER_LEDGER_INSERT,
    failpoints.BEFORE_COMMIT,
    failpoints.AFTER_COMMIT,
    failpoints.BEFORE_ACK,
    failpoints.AFTER_ACK,
    failpoints.AFTER_UPLOAD_INSERT,
    failpoints.DURING_BUILD,
    failpoints.AFTER_VERSION_INSERT,
    failpoints.BEFORE_FILE_RENAME,
    failpoints.AFTER_FILE_RENAME,
)
"""What a ladder comes by between the first upload and the last result."""

ELSEWHERE: Final = {
    failpoints.DURING_MATCH: "tests/tournament/ladder/test_failpoints.py",
    failpoints.DURING_UPLOAD: "tests/faults/test_server.py",
    failpoints.IN_MIGRATION: "tests/storage/test_migrating.py",
    failpoints.AFTER_MIGRATION: "tests/storage/test_migrating.py",
    failpoints.DURING_BACKUP: "tests/storage/test_backup.py",
    failpoints.DURING_RESTORE: "tests/faults/test_failpoints.py",
}
"""The others, and the file whose tests name them."""

MOST: Final = 200
"""So often nothing is come by."""

FIRST_AND_STEP: Final = {failpoints.BEFORE_COMMIT: (2, 3), failpoints.AFTER_COMMIT: (3, 3)}
"""There are some 40 commits: a third of them before, another third after they are done."""

ROOT: Final = Path(__file__).parents[2]


def wrong(root: Path) -> Iterator[str]:
    """What does not hold once everything is done."""
    data = root / "data"
    checked = check_data(data)
    yield from (one.what for one in checked.violations)
    counts = (checked.matches, checked.results, checked.events)
    if counts != (MATCHES, MATCHES, 2 * MATCHES):
        yield f"matches, results, rating events: {counts}"
    for folder in ("spool", "work", "archives/.incoming", "artefacts/.incoming", "records", "logs"):
        left = [one.name for one in (data / folder).rglob("*") if one.is_file()]
        yield from (f"left: {folder}/{name}" for name in left if len(name) != 64)
    with open_store(data, calendar) as store:
        states = [one.state for one in store.uploads.list().items]
        if states != [UploadState.ACCEPTED] * len(OWNERS):
            yield f"uploads: {states}"
        for owner in OWNERS:
            entrant = store.entrants.find(owner, "mine")
            if entrant is None or len(store.entrants.versions(entrant.number).items) != 1:
                yield f"the bot of {owner}: {entrant}"


def test_every_fail_point_has_a_test_and_a_place() -> None:
    assert {*IN_DEEDS, *ELSEWHERE} == failpoints.FAIL_POINTS
    sources = "".join(one.read_text() for one in (ROOT / "arena").rglob("*.py"))
    for name in failpoints.FAIL_POINTS:
        constant = name.upper()
        assert f"reached({constant})" in sources.replace("failpoints.", ""), constant
        if name in ELSEWHERE:
            assert constant in (ROOT / ELSEWHERE[name]).read_text(), constant


def test_without_a_kill_all_is_done_in_one_go(tmp_path: Path) -> None:
    assert run(whole, tmp_path) == 0
    assert list(wrong(tmp_path)) == []


def killed_at(root: Path, point: str, time: int) -> bool:
    """Kill at a place when it is come by for the n-th time; False: it never is so often."""
    root.mkdir()
    code = run(whole, root, f"{point}:{time}")
    if code == 0:
        return False
    assert code == -signal.SIGKILL, (point, time)
    assert run(whole, root) == 0, (point, time)
    assert list(wrong(root)) == [], (point, time)
    return True


@pytest.mark.parametrize("point", IN_DEEDS)
def test_killed_there_it_goes_on_where_it_was(tmp_path: Path, point: str) -> None:
    assert killed_at(tmp_path / "root", point, 1)


@pytest.mark.slow
@pytest.mark.parametrize("point", IN_DEEDS)
def test_killed_there_at_any_time_it_goes_on_where_it_was(tmp_path: Path, point: str) -> None:
    # As often as a ladder that is never killed comes by; every time on a folder of its own.
    times, step = FIRST_AND_STEP.get(point, (2, 1))
    while killed_at(tmp_path / str(times), point, times):
        times += step
        assert times < MOST


def test_a_restore_that_is_killed_makes_no_data_folder(tmp_path: Path) -> None:
    assert run(whole, tmp_path) == 0
    back_up(tmp_path / "data", tmp_path / "backup", calendar)
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / "backup").rename(other / "backup")
    assert run(put_back, other, failpoints.DURING_RESTORE) == -signal.SIGKILL
    with pytest.raises(HostFault, match="is missing"):
        open_store(other / "data", calendar)
