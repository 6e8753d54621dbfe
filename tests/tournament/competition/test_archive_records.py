"""Verifying an archive with records and lines that no arena has written."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Final

import pytest

from arena.referee.record import CHAIN_BYTES, Chain
from arena.tournament.competition import events
from arena.tournament.competition.archive import write_archive
from arena.tournament.competition.archiveformat import MANIFEST
from tests.referee.recorded import chained, said_by
from tests.tournament.competition.archiveforging import (
    Check,
    Facts,
    changed_matches,
    has,
    rechained,
    resealed,
)
from tests.tournament.competition.archiveworld import World

pytest_plugins = ["tests.tournament.competition.archivefixtures"]


# -- records ------------------------------------------------------------------------------------


def replace_record(folder: Path, match: int, attempt: int, lines: list[bytes]) -> None:
    """Put another record in the place of one, wherever its digest and head stand."""
    content = b"".join(lines)
    (folder / "records" / f"{match}-{attempt}.jsonl").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    head = json.loads(lines[-1])["chain"]

    def in_matches(facts: Facts) -> None:
        one = next(one for one in facts if one["number"] == match)
        one["attempts"][attempt - 1]["record"] = digest
        one["result"] |= {"record": digest, "head": head}

    def in_journal(facts: Facts) -> None:
        for one in facts:
            if one["kind"] == "scored" and one["match"] == match:
                one |= {"record": digest, "head": head}

    changed_matches(folder, in_matches)
    rechained(folder, in_journal)
    resealed(folder)


def test_a_record_that_breaks_the_rules(copy: Path, check: Check) -> None:
    lines = (copy / "records" / "43-1.jsonl").read_bytes().splitlines(keepends=True)
    said = said_by(lines)
    number = next(at for at, one in enumerate(said) if one["t"] == "play")
    said[number] |= {"bank": 1}
    replace_record(copy, 43, 1, chained(said))
    assert check(copy)[0].startswith(f"records/43-1.jsonl: line {number + 1}: bank is 1, must be ")


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [
        ("match", "44", "its match must be '43', not '44'"),
        ("kind", "rated", "its kind must be 'competition', not 'rated'"),
        ("table", "classic-2", "its table must be 'school-afternoon/1', not 'classic-2'"),
        ("entrants", [1, 2], "its entrants must be"),
        ("versions", ["", ""], "its versions must be"),
        ("commitment", "0" * 64, "its commitment must be"),
        ("bot_seeds", [[1, 2], [3, 4]], "its bots' seeds must be"),
    ],
)
def test_a_record_of_something_else(
    copy: Path, check: Check, member: str, value: object, words: str
) -> None:
    lines = (copy / "records" / "43-1.jsonl").read_bytes().splitlines(keepends=True)
    said = said_by(lines)
    said[0][member] = value
    replace_record(copy, 43, 1, chained(said))
    (finding,) = check(copy)
    assert finding.startswith("records/43-1.jsonl: line 1: ")
    assert words in finding


def test_a_match_that_was_played_with_deals_that_somebody_liked(
    tmp_path: Path, check: Check
) -> None:
    liked = World()
    liked.freeze()
    liked.say(events.Started())
    liked.go_on()
    liked.go_on()
    honest = liked.seed_of
    liked.seed_of = (  # type: ignore[method-assign]
        lambda what, attempt: bytes(32) if what == "1/2.1/1" else honest(what, attempt)
    )
    liked.play_all()
    liked.finish()
    write_archive(liked, tmp_path / "a")
    assert check(tmp_path / "a") == [
        "matches.jsonl: line 3: match 43: attempt 1: its seed does not come from the secret seed",
        "matches.jsonl: line 3: match 43: attempt 1: its commitment is not that of its seed",
        *_wrong_board(check(tmp_path / "a")),
    ]


def _wrong_board(findings: list[str]) -> list[str]:
    found = [one for one in findings if one.startswith("records/43-1.jsonl: line 1: its ")]
    assert [("board 0" in one, "bots' seeds" in one) for one in found] == [
        (True, False),
        (False, True),
    ]
    return found


def test_what_was_played_by_hidden_strikes(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        for one in facts:
            for seat in one["result"]["seats"] if one["result"] else ():
                seat["tally"]["strikes"] = 0

    changed_matches(copy, change)
    resealed(copy)
    has(check(copy), "strikes 2; matches.jsonl, line", "says 0")


# -- what no arena has written ------------------------------------------------------------------


NONSENSE: Final = {
    "empty": b"",
    "object": b"{}",
    "list": b"[]",
    "null": b"null",
    "bytes": b"\xff\xfe",
    "nan": b'{"number":NaN}',
    "deep": b"[" * 200_000,
    "deeper": b'{"a":' * 100_000,
    "long": b"9" * 10_000,
    "half": b'{"number":1,"at":1,"who":"\\ud800","kind":"opened","chain":"x"}',
    "twice": b'{"number":1,"number":1}',
}


@pytest.mark.parametrize("what", NONSENSE)
def test_a_line_of_the_journal_that_makes_no_sense(copy: Path, check: Check, what: str) -> None:
    path = copy / "journal.jsonl"
    count = len(path.read_bytes().splitlines())
    path.write_bytes(path.read_bytes() + NONSENSE[what] + b"\n")
    resealed_anyhow(copy)
    has(check(copy), f"journal.jsonl: line {count + 1}: ")


def test_lines_of_matches_that_make_no_sense(copy: Path, check: Check) -> None:
    path = copy / "matches.jsonl"
    count = len(path.read_bytes().splitlines())
    path.write_bytes(path.read_bytes() + b"".join(line + b"\n" for line in NONSENSE.values()))
    resealed_anyhow(copy)
    findings = check(copy)
    assert [one.split(": ")[:2] for one in findings] == [
        ["matches.jsonl", f"line {count + number}"] for number in range(1, len(NONSENSE) + 1)
    ]


def resealed_anyhow(folder: Path) -> None:
    """A manifest for files whose journal may have no last line."""
    manifest = json.loads((folder / MANIFEST).read_bytes())
    for name in manifest["files"]:
        manifest["files"][name] = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    (folder / MANIFEST).write_text(json.dumps(manifest))


def test_a_title_with_half_a_character_is_a_finding(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        facts[2]["title"] = "MARK"

    rechained(copy, change)
    path = copy / "journal.jsonl"
    lines = path.read_bytes().replace(b"MARK", b"\\ud800/x").splitlines()
    chain = Chain()
    bodies = [line[:-CHAIN_BYTES] + b"}" for line in lines]
    path.write_bytes(
        b"".join(b'%b,"chain":"%b"}\n' % (one[:-1], chain.add(one).encode()) for one in bodies)
    )
    resealed(copy)
    has(check(copy), "journal.jsonl: line ")


def test_a_last_line_without_an_end(copy: Path, check: Check) -> None:
    for name in ("journal.jsonl", "matches.jsonl"):
        path = copy / name
        path.write_bytes(path.read_bytes()[:-1])
    resealed_anyhow(copy)
    findings = check(copy)
    count = len((copy / "journal.jsonl").read_bytes().splitlines())
    has(findings, f"journal.jsonl: line {count}: has no line end")


def test_many_findings_of_a_file_are_cut_short(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        facts += [facts[0] | {"number": 100 + n, "pairing": f"9/{n}/1"} for n in range(80)]

    changed_matches(copy, change)
    resealed(copy)
    findings = check(copy)
    assert sum(one.startswith("matches.jsonl: line") for one in findings) == 50
    has(findings, "matches.jsonl: and 30 more")
