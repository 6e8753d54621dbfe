"""`check_data` without any record: each row that somebody has edited is named."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.storage.backup import back_up, restore
from arena.storage.check import check_data
from arena.storage.facts import MatchKind, Receipt, VersionState
from arena.storage.store import Store, open_store
from tests.storage.conftest import FakeClock
from tests.storage.test_check import Whole
from tests.storage.worlds import MINUTE


def live(store: Store, clock: FakeClock) -> None:
    """All that may happen to a server's rows, and breaks no promise.

    Matches 1 to 3 are rated and done; 4 is a challenge; 5 was void with and without blame; 6 was
    lost; 7 was cancelled while it was played; 8 was voided by an operator; 9 was given back; 10 is
    rated, of a bot whose first version has never played.
    """
    world = Whole(store)
    ann, bob, cid = world.bots("ann", "bob", "cid")
    assert world.report(world.lease(ann, bob)) is Receipt.RECORDED
    assert world.report(world.lease(bob, cid), ranks=(1, 0)) is Receipt.RECORDED
    newer = world.upload("bob", label="2")
    forfeit = {"verdict": "FORFEIT", "forfeits": (1,)}
    assert world.report(world.lease(ann, newer), **forfeit) is Receipt.RECORDED
    assert world.report(world.lease(ann, cid, kind=MatchKind.CHALLENGE)) is Receipt.RECORDED
    _come_to_nothing(store, world, clock)
    store.ledger.annul(1, "a test wants it")
    world.upload("cid", label="2")
    store.entrants.activate(cid.entrant, 1)
    store.entrants.set_version_state(newer.number, VersionState.QUARANTINED, "it is bad")
    world.upload("bob", label="3")  # the other one stays held back
    store.entrants.create("ann", "not yet uploaded")
    world.upload("dan")
    second = world.upload("dan", label="2")
    assert world.report(world.lease(ann, second)) is Receipt.RECORDED
    world.upload("dan", label="3")


def _come_to_nothing(store: Store, world: Whole, clock: FakeClock) -> None:
    ann, bob, _ = (store.entrants.by_number(number) for number in (1, 2, 3))
    assert ann is not None
    assert bob is not None
    versions = [store.entrants.version(one.version or 0) for one in (ann, bob)]
    pair = [one for one in versions if one is not None]
    void = {"verdict": "VOID"}
    assert world.report(world.lease(*pair), blamed=1, **void) is Receipt.RECORDED
    again = store.matches.lease("worker", MINUTE)
    assert again is not None
    assert world.report(again, **void) is Receipt.RECORDED
    store.matches.cancel(again.match, "enough")
    lost = world.lease(*pair)
    clock.advance(2 * MINUTE)
    assert store.matches.expire() == ((lost.match, 1),)
    store.matches.cancel(lost.match, "enough")
    store.matches.cancel(world.lease(*pair).match, "while it is played")
    voided = world.lease(*pair).match
    store.matches.void(voided, "a test wants it")
    store.matches.cancel(voided, "enough")
    back = world.lease(*pair)
    assert store.matches.release(back.match, 1, back.token, "shut down", counts=False)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("check") / "data"
    clock = FakeClock()
    with open_store(data, clock) as store:
        live(store, clock)
    return data


@pytest.fixture
def edited(original: Path, tmp_path: Path) -> Callable[[str], list[str]]:
    """Tells what is found after a statement was run on a copy."""
    copy = tmp_path / "arena.sqlite"
    before = sqlite3.connect(original / copy.name)
    with closing(before) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    for place in original.iterdir():
        if place.is_dir():
            (tmp_path / place.name).symlink_to(place)

    def edit(statement: str) -> list[str]:
        with closing(sqlite3.connect(copy)) as file:
            assert file.execute(statement).rowcount >= 1
            file.commit()
        return [one.what for one in check_data(tmp_path).violations]

    return edit


def test_whatever_may_happen_breaks_nothing(
    store: Store, url: str, clock: FakeClock, tmp_path: Path
) -> None:
    live(store, clock)
    assert check_data(tmp_path / "data", url=url).violations == ()
    back_up(tmp_path / "data", tmp_path / "copy", clock, url=url)
    restore(tmp_path / "copy", tmp_path / "other")
    assert check_data(tmp_path / "other").violations == ()


OTHER_SEED = "X'" + "ab" * 32 + "'"
SEATS = "json_set(seats, '$[0].points', 5)"
FORFEIT = "json_set(seats, '$[0].forfeit', 'CRASH')"
CONTENT = "CAST(json_set(CAST(content AS TEXT), '$.artefact', 'abc') AS BLOB)"
WHO = "match = 1 AND number = 1"

EDITS = {
    "points": (f"UPDATE results SET seats = {SEATS} WHERE match = 1", "match 1: its result is not"),
    "forfeit": (f"UPDATE results SET seats = {FORFEIT} WHERE match = 3", "match 3: its result is"),
    "wins": (
        "UPDATE results SET seats = json_set(seats, '$[1].wins', 9) WHERE match = 4",
        "match 4: its result is not",
    ),
    "verdict": ("UPDATE results SET verdict = 'FORFEIT' WHERE match = 2", "match 2: its result is"),
    "no verdict": ("UPDATE results SET verdict = 'WON' WHERE match = 2", "no verdict that there"),
    "ranks": ("UPDATE results SET ranks = '[1, 0]' WHERE match = 4", "match 4: its result is not"),
    "games": ("UPDATE results SET games = 21 WHERE match = 2", "match 2: its result is not"),
    "why": ("UPDATE results SET why = 'x' WHERE match = 2", "match 2: its result is not"),
    "started": ("UPDATE results SET started = 1 WHERE match = 4", "match 4: its result is not"),
    "payload": (
        "UPDATE results SET payload_sha256 = 'abc' WHERE match = 4",
        "match 4: its result is not",
    ),
    "report's digest": (
        f"UPDATE attempts SET report_sha256 = 'abc' WHERE {WHO}",
        "match 1: its attempt names the digest of another report",
    ),
    "attempt's record": (f"UPDATE attempts SET record = '' WHERE {WHO}", "different records"),
    "seed": (
        f"UPDATE attempts SET seed = {OTHER_SEED} WHERE {WHO}",
        "match 1, attempt 1: its commitment is not",
    ),
    "commitment": (
        "UPDATE attempts SET commitment = 'abc' WHERE match = 6",
        "match 6, attempt 1: its commitment is not",
    ),
    "void report": (
        "UPDATE attempts SET report = json_set(report, '$.games', 3) WHERE match = 5 AND number=1",
        "match 5, attempt 1: its report is not the one",
    ),
    "blame": (
        "UPDATE attempts SET report = json_set(report, '$.blamed', 0) WHERE match = 5 AND number=1",
        "match 5, attempt 1: its report is not the one",
    ),
    "made up report": (
        "UPDATE attempts SET report = '{\"blamed\": 0}' WHERE match = 8",
        "match 8, attempt 1: has a report without a digest",
    ),
    "removed report": (
        "UPDATE attempts SET report = NULL WHERE match = 5 AND number = 1",
        "match 5, attempt 1: its report is not the one",
    ),
    "lost report": (
        "UPDATE attempts SET report = NULL, report_sha256 = '' WHERE match = 5 AND number = 1",
        "match 5, attempt 1: names a report or a record, and has none",
    ),
    "attempts": ("DELETE FROM attempts WHERE match = 5 AND number = 1", "match 5: has other att"),
    "count of attempts": ("UPDATE matches SET attempts = 2 WHERE number = 1", "match 1: has other"),
    "failed": ("UPDATE matches SET failed = 4 WHERE number = 9", "match 9: counts more failed"),
    "ended": ("UPDATE attempts SET ended = NULL WHERE match = 6", "has a time at which it ended"),
    "unrated": (
        "UPDATE matches SET kind = 'challenge' WHERE number = 2",
        "match 2: is not rated and done, and has an entry",
    ),
    "rated": (
        "UPDATE matches SET kind = 'rated' WHERE number = 4",
        "match 4: is rated and done, and has not one entry",
    ),
    "kind": ("UPDATE matches SET kind = 'fun' WHERE number = 9", "match 9: is of no kind"),
    "entry": ("UPDATE results SET entry = NULL WHERE match = 2", "match 2: is rated and done, and"),
    "other entry": ("UPDATE results SET entry = 77 WHERE match = 2", "match 2: its result names"),
    "teams": ("UPDATE matches SET teams = '[[0], [0]]' WHERE number = 4", "match 4: its teams do"),
    "one team": ("UPDATE matches SET teams = '[[0, 1]]' WHERE number = 4", "match 4: has fewer"),
    "terms": ("UPDATE matches SET terms = '3' WHERE number = 4", "match 4: its terms are none"),
    "no JSON": ("UPDATE matches SET terms = '{' WHERE number = 4", "match 4: its rows cannot be"),
    "no sense": ("UPDATE matches SET teams = '[3]' WHERE number = 4", "match 4: its rows make no"),
    "no files": ("UPDATE results SET seats = '[' WHERE match = 4", "which files there should be"),
    "seat": (
        "UPDATE match_seats SET version = 3 WHERE match = 4 AND seat = 0",
        "match 4: has a seat with a version of another entrant",
    ),
    "artefact": (
        "UPDATE versions SET artefact = (SELECT artefact FROM versions WHERE number = 4)"
        " WHERE number = 1",
        "version 1: its content says another artefact",
    ),
    "archive": ("UPDATE versions SET archive = 'abc' WHERE number = 1", "another archive"),
    "image": ("UPDATE versions SET image = 'abc' WHERE number = 1", "another image"),
    "label": ("UPDATE versions SET label = '9' WHERE number = 1", "another label"),
    "players": ("UPDATE versions SET players = '[3]' WHERE number = 1", "another players"),
    "rulesets": ("UPDATE versions SET rulesets = '[]' WHERE number = 1", "another rulesets"),
    "name": ("UPDATE entrants SET name = 'other' WHERE number = 1", "another name"),
    "content": (
        f"UPDATE versions SET content = {CONTENT} WHERE number = 1",
        "version 1: its content is not the one",
    ),
    "no content": (
        "UPDATE versions SET content = X'7b7d' WHERE number = 1",
        "is none of a version",
    ),
    "digest": ("UPDATE versions SET digest = 'abc' WHERE number = 1", "version 1: its content is"),
    "unreadable": (
        "UPDATE versions SET players = '[' WHERE number = 1",
        "version 1: its row cannot",
    ),
    "matches": (
        "UPDATE versions SET matches = 7 WHERE number = 2",
        "version 2: counts other match",
    ),
    "forfeits": (
        "UPDATE versions SET forfeits = 0 WHERE number = 4",
        "version 4: counts other for",
    ),
    "failing": ("UPDATE versions SET failing = 2 WHERE number = 4", "counts other forfeits in a"),
    "voids": ("UPDATE versions SET voids = 0 WHERE number = 1", "version 1: counts other void"),
    "active": (
        "UPDATE versions SET state = 'active' WHERE number = 4",
        "version 4: is active, and is not the one",
    ),
    "superseded": (
        "UPDATE versions SET state = 'superseded' WHERE number = 1",
        "version 1: is superseded, and is the one",
    ),
    "state": ("UPDATE versions SET state = 'good' WHERE number = 1", "version 1: is in no state"),
    "version": ("UPDATE entrants SET version = 1 WHERE number = 2", "entrant 2: plays with a vers"),
    "unknown version": (
        "UPDATE entrants SET version = 7 WHERE number = 5",
        "entrant 5: plays with a version that has not played, and the ledger knows no change",
    ),
    "no version": (
        "UPDATE entrants SET version = NULL WHERE number = 1",
        "entrant 1: has versions",
    ),
    "machine time": (
        "UPDATE owners SET machine_time = -1 WHERE name = 'ann'",
        "owner ann: has taken",
    ),
}


@pytest.mark.parametrize(("statement", "what"), EDITS.values(), ids=EDITS)
def test_an_edited_row_is_named(
    edited: Callable[[str], list[str]], statement: str, what: str
) -> None:
    found = edited(statement)
    assert any(what in line for line in found), found
    assert not any("\n" in line for line in found)


def test_many_of_a_kind_are_counted(edited: Callable[[str], list[str]]) -> None:
    many = "UPDATE attempts SET commitment = 'abc'"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("arena.storage.checkpieces._MOST_LINES", 2)
        found = [line for line in edited(many) if "its commitment" in line]
    assert found == [
        "match 1, attempt 1: its commitment is not that of its seed",
        "match 2, attempt 1: its commitment is not that of its seed",
        "and 9 more: its commitment is not that of its seed",
    ]


def test_pieces_are_put_together(
    original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("checkpieces", "checkversions"):
        monkeypatch.setattr(f"arena.storage.{name}.PIECE", 2)
    assert check_data(original).violations == ()
