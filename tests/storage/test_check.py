"""`check_data`: each promise that is broken is named, and what holds is not."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import sqlite3
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from arena.errors import InputError
from arena.storage.check import Violation, check_data
from arena.storage.facts import Lease, Receipt, Version
from arena.storage.store import Store, open_store
from tests.storage.conftest import FakeClock
from tests.storage.worlds import World, digest, new_version, report_on


class Whole(World):
    """A world in which all holds: files are there, and versions are what their digests say."""

    def upload(self, owner: str, name: str = "bot", label: str = "1") -> Version:
        store = self.store
        if store.owners.find(owner) is None:
            store.owners.create(owner)
        archive = store.folder.store("archives").put(f"archive {name} {label}".encode())
        artefact = store.folder.store("artefacts").put(f"artefact {name} {label}".encode())
        new = replace(new_version(name, label), archive=archive, artefact=artefact)
        bot = {"name": name, "version": label, "players": new.players, "rulesets": new.rulesets}
        said = {"archive": archive, "artefact": artefact, "image": new.image, "manifest": bot}
        content = json.dumps(said).encode()
        new = replace(new, content=content, digest=hashlib.sha256(content).hexdigest())
        request = f"{owner} {name} {label} {len(store.uploads.list(owner).items)}"
        store.uploads.add(owner, request, archive, 1000)
        upload = store.uploads.begin()
        assert upload is not None
        return store.uploads.finish_accepted(upload.number, new)

    def report(self, lease: Lease, **how: Any) -> Receipt:
        """Record what `report_on` says, with its files."""
        self.store.records.put(f"record {lease.match}-{lease.attempt}".encode())
        log = self.store.logs.put(f"log {lease.match}".encode())
        report = report_on(lease, **how)
        seats = (replace(report.seats[0], log=log), *report.seats[1:])
        return self.store.matches.record(replace(report, seats=seats))


def play(store: Store, *names: str) -> Whole:
    """A world with rated matches between new owners' bots, each with its neighbour."""
    world = Whole(store)
    for first, second in itertools.pairwise(world.bots(*names)):
        assert world.report(world.lease(first, second)) is Receipt.RECORDED
    return world


def _head(record: Path) -> str:
    """What stands for verifying a record: here its bytes are `record MATCH-ATTEMPT`."""
    return digest(record.read_text().replace("record", "head"))


def _broken(tmp_path: Path, url: str) -> tuple[Violation, ...]:
    return check_data(tmp_path / "data", url=url, verify=_head).violations


def _spoil(store: Store, statement: str) -> None:
    with store.database.writing() as connection:
        assert connection.execute(text(statement)).rowcount >= 1


def test_what_holds_is_not_named(store: Store, url: str, tmp_path: Path) -> None:
    play(store, "ann", "bob", "cid")
    checked = check_data(tmp_path / "data", url=url, verify=_head)
    assert checked.violations == ()
    assert (checked.matches, checked.results, checked.files) == (2, 2, 6)
    # Two for each match, and none for a first version, which moves no rating.
    assert checked.events == 4


def test_an_annulled_result_breaks_nothing(store: Store, url: str, tmp_path: Path) -> None:
    play(store, "ann", "bob", "cid")
    store.ledger.annul(1, "a test wants it")
    assert _broken(tmp_path, url) == ()


@pytest.mark.parametrize(
    ("statement", "promise", "what"),
    [
        ("DELETE FROM results WHERE match = 1", 1, "match 1: is done and has no result"),
        (
            "UPDATE matches SET state = 'queued' WHERE number = 2",
            1,
            "match 2: has a result and is not done",
        ),
        (
            "UPDATE attempts SET state = 'lost'",
            1,
            "match 2: is done, and not by exactly one attempt",
        ),
        (
            "UPDATE attempts SET state = 'leased' WHERE match = 2",
            1,
            "match 2: has a leased attempt and is not leased",
        ),
        (
            "UPDATE matches SET state = 'leased' WHERE number = 1",
            1,
            "match 1: is leased, and not as exactly one attempt",
        ),
        ("UPDATE matches SET state = 'dreamt'", 1, "match 2: is in no state that there is"),
        (
            "DELETE FROM rating_events WHERE entry = (SELECT entry FROM results WHERE match = 2)"
            " AND entrant = 2",
            2,
            "match 2: has not one rating event for each of its seats",
        ),
        (
            "UPDATE results SET annulled = 'x' WHERE match = 1",
            2,
            "match 1: has rating events and does not count",
        ),
        ("UPDATE entrants SET mu = mu + 1e-13 WHERE number = 2", 3, "entrant 2"),
        ("UPDATE rating_events SET after_sigma = 5", 3, "rating event of entrant"),
        (f"UPDATE ledger SET chain = '{digest('')}' WHERE number = 1", 3, "chain of entry 1"),
        ("UPDATE ledger SET chain = 'abc' WHERE number = 1", 3, "cannot be worked out again"),
        ("UPDATE results SET head = 'abc' WHERE match = 1", 5, "the row says abc"),
        (
            "UPDATE results SET record = 'abc' WHERE match = 1",
            5,
            "records: digest: 'abc' is not 64 hexadecimal digits",
        ),
    ],
)
def test_a_broken_promise_is_named(
    store: Store, url: str, tmp_path: Path, statement: str, promise: int, what: str
) -> None:
    play(store, "ann", "bob", "cid")
    _spoil(store, statement)
    found = _broken(tmp_path, url)
    assert any(one.promise == promise and what in one.what for one in found), found
    assert not any("\n" in one.what for one in found)


def test_a_missing_and_a_changed_file_are_named(store: Store, url: str, tmp_path: Path) -> None:
    play(store, "ann", "bob", "cid")
    store.records.place(digest("record 1-1")).unlink()
    changed = store.records.place(digest("record 2-1"))
    changed.chmod(0o644)
    changed.write_text("record 2-2")
    found = _broken(tmp_path, url)
    assert {one.promise for one in found} == {5}
    assert any(f"{digest('record 1-1')}: No such file" in one.what for one in found)
    assert any(f"{changed}: has changed" in one.what for one in found)


def test_a_record_that_does_not_hold_is_named(store: Store, url: str, tmp_path: Path) -> None:
    play(store, "ann", "bob")

    def refuse(record: Path) -> str:
        raise InputError(f"line 3: {record.name[:4]} is made up")

    found = check_data(tmp_path / "data", url=url, verify=refuse).violations
    assert [one.promise for one in found] == [5]
    assert found[0].what.startswith("match 1: its record does not hold: line 3")


def test_a_row_that_refers_to_nothing_is_named(tmp_path: Path, clock: FakeClock) -> None:
    with open_store(tmp_path / "data", clock) as store:
        play(store, "ann", "bob")
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "arena.sqlite")) as file:
        file.execute("DELETE FROM owners WHERE name = 'ann'")
        file.commit()
    found = _broken(tmp_path, "")
    assert any(one.promise == 7 and "refers to one of owners" in one.what for one in found), found


def test_a_damaged_file_of_the_database_is_named(tmp_path: Path, clock: FakeClock) -> None:
    with open_store(tmp_path / "data", clock) as store:
        play(store, "ann", "bob")
    place = tmp_path / "data" / "arena.sqlite"
    with contextlib.closing(sqlite3.connect(place)) as file:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_state_number'"
        page = file.execute(query).fetchone()[0]
        size = file.execute("PRAGMA page_size").fetchone()[0]
    content = bytearray(place.read_bytes())
    content[(page - 1) * size + 8 : page * size] = bytes(size - 8)
    place.write_bytes(bytes(content))
    found = _broken(tmp_path, "")
    assert any(one.promise == 7 for one in found), found


def test_what_is_no_data_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no arena\.sqlite"):
        check_data(tmp_path)
