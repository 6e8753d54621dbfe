"""Verifying an archive: what holds, what is none, and files that were changed."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from arena.tournament.competition.archiveformat import MANIFEST
from arena.tournament.competition.archiveverify import Published
from tests.tournament.competition.archiveforging import Check, Report, has, resealed
from tests.tournament.competition.archiveworld import World

pytest_plugins = ["tests.tournament.competition.archivefixtures"]


# -- what holds ---------------------------------------------------------------------------------


def test_an_archive_that_was_not_changed_holds(whole: Path, world: World, report: Report) -> None:
    told: list[tuple[int, int]] = []
    found = report(whole, tell=lambda *done: told.append(done))
    assert found.findings == ()
    assert (found.name, found.phase) == ("school-afternoon", "finished")
    assert (found.lines, found.entries) == (len(world.stored), 4)
    assert found.records == len(world.records) == told[-1][0]
    assert found.head == json.loads(world.stored[-1])["chain"]
    assert found.games > found.records


def test_attempts_that_came_to_nothing_are_told_and_counted(whole: Path, report: Report) -> None:
    found = report(whole)
    has(
        list(found.notes),
        "match 41 (1/1.1/1): attempt 1 (void) came to nothing: VOID: out of memory",
    )
    assert sum(one.void for one in found.attempts) == 2
    assert sum(one.reruns for one in found.attempts) == 2


def test_a_published_head_may_be_that_of_any_line(
    whole: Path, world: World, report: Report
) -> None:
    chain = json.loads(world.stored[9])["chain"]
    promise = world.here.commitment
    found = report(whole, published=Published(chain, promise))
    assert found.findings == ()
    has(list(found.notes), f"the published head is that of line 10 of {len(world.stored)}")


def test_what_was_published_has_to_be_there(whole: Path, report: Report) -> None:
    found = report(whole, published=Published("0" * 64, "1" * 64))
    has(list(map(str, found.findings)), "no line has the published head", "not the published 1111")


def test_of_a_competition_that_goes_on_it_is_said_what_cannot_be_checked(
    tmp_path: Path, report: Report
) -> None:
    running = World()
    running.freeze()
    running.say(events.Started())
    running.go_on()
    running.go_on()
    running.play(2)
    write_archive(running, tmp_path / "a")
    found = report(tmp_path / "a")
    assert found.findings == ()
    assert found.phase == "running"
    assert found.records == 2
    has(list(found.notes), "its secret seed is not revealed")


def test_an_archive_of_nothing_but_an_announcement_holds(tmp_path: Path, report: Report) -> None:
    write_archive(World(), tmp_path / "a")
    found = report(tmp_path / "a")
    assert (found.findings, found.phase, found.matches) == ((), "announced", 0)


# -- what is no archive -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "is no archive of a competition: it has no MANIFEST.json"),
        (b"{}", "MANIFEST.json: its format is None; here mille-arena-competition/1 is read"),
        (b'{"format":"mille-arena-competition/2"}', "its format is 'mille-arena-competition/2'"),
        (b"[" * 100_000, "MANIFEST.json: is nested too deeply"),
        (b"\xff", "MANIFEST.json: is no JSON"),
        (b'{"format":"mille-arena-competition/1"}', "'files': is missing"),
    ],
)
def test_what_is_no_archive_is_refused(
    copy: Path, check: Check, content: bytes | None, words: str
) -> None:
    (copy / MANIFEST).unlink()
    if content is not None:
        (copy / MANIFEST).write_bytes(content)
    with pytest.raises(InputError) as error:
        check(copy)
    assert words in str(error.value)


def test_a_file_is_no_archive(copy: Path, check: Check) -> None:
    with pytest.raises(InputError, match="is no folder; name the folder of an archive"):
        check(copy / MANIFEST)


# -- files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["journal.jsonl", "matches.jsonl", "competition.toml", "tables/1-standings.csv"]
)
def test_a_byte_that_was_changed(copy: Path, check: Check, name: str) -> None:
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    (copy / name).write_bytes(content)
    has(check(copy), f"{name}: was changed: its SHA-256 is")


def test_a_byte_of_a_record_that_was_changed(copy: Path, check: Check) -> None:
    path = copy / "records" / "42-1.jsonl"
    content = path.read_bytes()
    path.write_bytes(content.replace(b'"spent":1', b'"spent":2', 1))
    has(check(copy), "records/42-1.jsonl: was changed", "records/42-1.jsonl: line", "chain hash")


def test_files_that_are_missing_and_files_too_many(copy: Path, check: Check) -> None:
    (copy / "records" / "42-1.jsonl").unlink()
    (copy / "tables" / "2-standings.json").unlink()
    (copy / "records" / "999-1.jsonl").write_text("{}")
    (copy / "note.txt").write_text("hello")
    findings = check(copy)
    has(
        findings,
        "records/42-1.jsonl: is missing",
        "tables/2-standings.json: is missing",
        "records/999-1.jsonl: does not belong there",
        "note.txt: does not belong there",
    )
    resealed(copy)
    findings = check(copy)
    has(
        findings,
        "records/42-1.jsonl: is missing; by the journal",
        "tables/2-standings.json: is missing; by the journal",
        "records/999-1.jsonl: belongs to nothing in the competition",
        "note.txt: belongs to nothing in the competition",
    )


def test_what_a_file_manager_leaves_is_no_finding(copy: Path, report: Report) -> None:
    (copy / ".DS_Store").write_text("x")
    (copy / "records" / "Thumbs.db").write_text("x")
    found = report(copy)
    assert found.findings == ()
    has(
        list(found.notes),
        ".DS_Store was left there by a file manager, and not looked at",
        "records/Thumbs.db was left there",
    )


def test_an_archive_without_a_journal(copy: Path, check: Check) -> None:
    (copy / "journal.jsonl").unlink()
    resealed_without_journal = json.loads((copy / MANIFEST).read_bytes())
    del resealed_without_journal["files"]["journal.jsonl"]
    (copy / MANIFEST).write_text(json.dumps(resealed_without_journal))
    has(check(copy), "journal.jsonl: is missing; every archive has it")


def test_links_are_not_followed(copy: Path, check: Check, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (copy / "records" / "42-1.jsonl").rename(outside)
    (copy / "records" / "42-1.jsonl").symlink_to(outside)
    (copy / "tables").rename(tmp_path / "tables")
    (copy / "tables").symlink_to(tmp_path / "tables")
    has(
        check(copy),
        "records/42-1.jsonl: is a link; an archive has none",
        "records/42-1.jsonl: is missing",
        "tables: is a link; an archive has none",
        "tables/1-standings.json: is missing",
    )


def test_what_is_no_file_is_not_opened(copy: Path, check: Check) -> None:
    (copy / "journal.jsonl").unlink()
    os.mkfifo(copy / "journal.jsonl")
    has(check(copy), "journal.jsonl: is neither a file nor a folder", "journal.jsonl: is missing")


def test_a_path_that_leads_outside_is_only_a_name(copy: Path, check: Check) -> None:
    manifest = json.loads((copy / MANIFEST).read_bytes())
    manifest["files"] |= {"../../etc/passwd": "0" * 64, "/etc/passwd": "0" * 64, "a\nb": "0" * 64}
    (copy / MANIFEST).write_text(json.dumps(manifest))
    has(
        check(copy),
        "../../etc/passwd: is missing; MANIFEST.json names it",
        "/etc/passwd: is missing",
        "'a\\nb': is missing",
    )
