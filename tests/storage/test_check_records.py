"""`check_data` with the records of matches that were really played: rows that belie them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from arena.app.rated import run_and_report
from arena.cli.recordfacts import agreed_in, said_by
from arena.storage.attempts import commitment
from arena.storage.check import RecordCheck, check_data
from arena.storage.facts import Receipt
from arena.storage.inputs import digest_of
from arena.storage.recording import result_payload
from arena.tournament.ladder.recording import Recorder
from tests.tournament.ladder.playing import Grounds


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one rated match, played by bots that are processes."""
    data = tmp_path_factory.mktemp("records") / "data"
    grounds = Grounds(data)
    try:
        grounds.queue()
        lease = grounds.book.lease("here", 600_000)
        assert lease is not None
        run_and_report(lambda _: None, grounds.prepare(lease))
        recorder = Recorder(
            grounds.book, grounds.store.records, grounds.store.logs, grounds.spool, grounds.tell
        )
        settled = recorder.settle(lease.match, lease.attempt, lease.token, "")
        assert settled.receipt is Receipt.RECORDED
    finally:
        grounds.close()
    return data


Told = Callable[[str, RecordCheck], list[str]]


@pytest.fixture
def forged(original: Path, tmp_path: Path) -> Told:
    """Tells what is found after a statement, with all digests in the rows made to fit again."""
    for place in original.iterdir():
        if place.is_dir():
            (tmp_path / place.name).symlink_to(place)

    def forge(statement: str, read: RecordCheck) -> list[str]:
        before = sqlite3.connect(original / "arena.sqlite")
        with closing(before) as source, closing(sqlite3.connect(tmp_path / "arena.sqlite")) as file:
            source.backup(file)
            assert not statement or file.execute(statement).rowcount == 1
            _make_fit(file)
            file.commit()
        told = [one.what for one in check_data(tmp_path, verify=read).violations]
        # These bots were not uploaded.
        return [line for line in told if not line.startswith(f"{tmp_path / 'archives'}/")]

    return forge


def _make_fit(file: sqlite3.Connection) -> None:
    """As an attacker would who knows how digests are made."""
    file.row_factory = sqlite3.Row
    row = dict(file.execute("SELECT * FROM results").fetchone())
    row |= {name: json.loads(row[name]) for name in ("ranks", "seats")}
    digest = digest_of(result_payload(row))  # type: ignore[arg-type]  # it is read as a row is
    file.execute("UPDATE results SET payload_sha256 = ?", (digest,))
    file.execute(
        "UPDATE attempts SET report_sha256 = ?, why = ?, record = ?",
        (digest, row["why"], row["record"]),
    )
    (seed,) = file.execute("SELECT seed FROM attempts").fetchone()
    file.execute("UPDATE attempts SET commitment = ?", (commitment(1, 1, seed),))


@pytest.mark.parametrize("read", [said_by, agreed_in])
def test_what_was_played_breaks_nothing(forged: Told, read: RecordCheck) -> None:
    assert forged("", read) == []


AGREED = {
    "kind": ("UPDATE matches SET kind = 'challenge'", "another kind"),
    "table": ("UPDATE matches SET \"table\" = 'classic-2'", "another table"),
    "boards": (
        "UPDATE matches SET terms = json_set(terms, '$.boards', 2)",
        "by other terms or teams: boards, games",
    ),
    "preset": (
        "UPDATE matches SET terms = json_set(terms, '$.preset', 'classic')",
        "teams: preset",
    ),
    "hands": ("UPDATE matches SET terms = json_set(terms, '$.hands', 2)", "teams: hands"),
    "striped": (
        "UPDATE matches SET terms = json_set(terms, '$.striped', json('false'))",
        "teams: striped",
    ),
    "turn": ("UPDATE matches SET terms = json_set(terms, '$.limits.turn', 7)", "teams: times"),
    "strikes": (
        "UPDATE matches SET terms = json_set(terms, '$.limits.max_strikes', 99)",
        "teams: faults",
    ),
    "no terms": ("UPDATE matches SET terms = '{\"luck\": 1}'", "there are only"),
    "odd terms": ('UPDATE matches SET terms = \'{"boards": "x"}\'', "by other terms or teams: "),
    "teams": ("UPDATE matches SET teams = '[[1], [0]]'", "by other terms or teams: "),
    "versions": ("UPDATE match_seats SET version = 2 WHERE seat = 0", "another versions"),
    "entrants": ("UPDATE match_seats SET entrant = 2 WHERE seat = 0", "another entrants"),
    "seed": (f"UPDATE attempts SET seed = X'{'ab' * 32}'", "another commitment"),
}
PLAYED = {
    "verdict": ("UPDATE results SET verdict = 'FORFEIT'", "another verdict"),
    "why": ("UPDATE results SET why = 'it was mine'", "another why"),
    "ranks": ("UPDATE results SET ranks = '[5, 0]'", "another ranks"),
    "games": ("UPDATE results SET games = 3", "another games"),
    "points": ("UPDATE results SET seats = json_set(seats, '$[1].points', 5)", "another points"),
    "wins": ("UPDATE results SET seats = json_set(seats, '$[0].wins', 7.5)", "another wins"),
    "forfeit": (
        "UPDATE results SET seats = json_set(seats, '$[0].forfeit', 'CRASH')",
        "another forfeit",
    ),
    "head": ("UPDATE results SET head = 'abc'", "the row says abc"),
}


@pytest.mark.parametrize(("statement", "what"), AGREED.values(), ids=AGREED)
def test_what_was_agreed_is_compared_also_without_playing_again(
    forged: Told, statement: str, what: str
) -> None:
    for read in (said_by, agreed_in):
        found = forged(statement, read)
        assert any(line.startswith("match 1: its record") and what in line for line in found), found


@pytest.mark.parametrize(("statement", "what"), PLAYED.values(), ids=PLAYED)
def test_what_was_played_is_compared(forged: Told, statement: str, what: str) -> None:
    found = forged(statement, said_by)
    assert any(line.startswith("match 1: its record") and what in line for line in found), found


def test_what_is_no_record_says_nothing_until_it_is_played_again(
    forged: Told, original: Path
) -> None:
    (artefact, *_) = (original / "artefacts").glob("??/*")

    def other(_: Path) -> Path:
        return artefact

    assert forged("", lambda place: agreed_in(other(place))) == []
    (line,) = forged("", lambda place: said_by(other(place)))
    assert line.startswith("match 1: its record does not hold: not a record")
