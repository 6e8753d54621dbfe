"""Verifying an archive whose journal, matches, regulations or tables a forger has changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.tournament.competition.archiveforging import (
    Check,
    Facts,
    changed_matches,
    event_of,
    has,
    rechained,
    resealed,
)

pytest_plugins = ["tests.tournament.competition.archivefixtures"]


# -- the journal --------------------------------------------------------------------------------


def test_a_line_that_was_dropped(copy: Path, check: Check) -> None:
    path = copy / "journal.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:11] + lines[12:]))
    resealed(copy)
    has(check(copy), "journal.jsonl: line 12: has the number 13")


def test_a_last_line_that_was_dropped(copy: Path, check: Check) -> None:
    path = copy / "journal.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    has(check(copy), "journal.jsonl: was changed", "MANIFEST.json: head is")


def test_a_line_that_was_changed(copy: Path, check: Check) -> None:
    path = copy / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b"lunch", b"dinner"))
    resealed(copy)
    has(check(copy), "was changed, or one before it: its chain does not fit")


def test_a_rerun_that_was_hidden(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: facts.remove(event_of(facts, "rerun")))
    resealed(copy)
    has(check(copy), "pairing 1.2 of stage 1: run 2 does not count")


def test_a_rerun_that_was_hidden_with_its_first_result(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        facts.remove(event_of(facts, "rerun"))
        first, second = (one for one in facts if one.get("key") == "1.2")
        facts.remove(first)
        second["run"] = 1

    rechained(copy, change)
    changed_matches(copy, _only_second_run)
    resealed(copy)
    has(check(copy), "its seed does not come from the secret seed", "by the attempt's seed,")


def _only_second_run(facts: Facts) -> None:
    facts.remove(next(one for one in facts if one["pairing"] == "1/1.2/1"))
    next(one for one in facts if one["pairing"] == "1/1.2/2")["pairing"] = "1/1.2/1"


def test_an_attempt_that_was_hidden(copy: Path, check: Check) -> None:
    changed_matches(copy, lambda facts: facts[0]["attempts"].pop(0))
    resealed(copy)
    has(check(copy), "match 41: attempt 1 is missing; 2 is there", "records/41-1.jsonl: belongs")


def test_an_attempt_that_was_hidden_by_giving_its_number_to_another(
    copy: Path, check: Check
) -> None:
    def change(facts: Facts) -> None:
        facts[0]["attempts"].pop(0)
        facts[0]["attempts"][0]["number"] = facts[0]["result"]["attempt"] = 1

    changed_matches(copy, change)
    (copy / "records" / "41-2.jsonl").replace(copy / "records" / "41-1.jsonl")
    rechained(copy, lambda facts: event_of(facts, "scored").update(attempt=1))
    resealed(copy)
    has(
        check(copy),
        "matches.jsonl: line 1: match 41: attempt 1: its seed does not come from the secret seed",
        "records/41-1.jsonl: line 1: its attempt must be 1, not 2",
    )


def test_scores_that_were_swapped(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        one, other = event_of(facts, "scored", 0), event_of(facts, "scored", 1)
        one["score"], other["score"] = other["score"], one["score"]

    rechained(copy, change)
    resealed(copy)
    has(
        check(copy),
        "line 12: 1/1.1/1: the score is ranks",
        "line 13: 1/1.2/1: the score is ranks",
        "it makes the score ranks",
    )


def test_a_result_that_was_changed_wherever_it_stands(copy: Path, check: Check) -> None:
    def turned(facts: Facts) -> None:
        result = facts[0]["result"]
        result["ranks"].reverse()
        result["seats"].reverse()

    def scored(facts: Facts) -> None:
        score = event_of(facts, "scored")["score"]
        for name in ("ranks", "boards", "faults"):
            score[name].reverse()

    changed_matches(copy, turned)
    rechained(copy, scored)
    resealed(copy)
    has(
        check(copy),
        "records/41-2.jsonl: line",
        "it comes to the ranks",
        "it makes the score ranks",
    )


def test_a_result_that_makes_no_score(copy: Path, check: Check) -> None:
    changed_matches(copy, lambda facts: facts[0]["result"]["ranks"].pop())
    resealed(copy)
    has(check(copy), "its result makes none (score: 1 ranks, 2 board points")


def test_pairings_that_do_not_follow(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        pairing = event_of(facts, "paired")["pairings"][0]
        pairing["teams"].reverse()

    rechained(copy, change)
    resealed(copy)
    has(check(copy), "line 11: announces 6 pairings in stage 1; pairing '1.1' is", "it must be")


def test_a_stage_whose_order_does_not_follow(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "stage_begun")["entries"].reverse())
    resealed(copy)
    has(check(copy), "line 10: begins stage 1; its entries must be")


def test_a_stage_whose_lots_are_others(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "stage_begun").update(seed="00" * 32))
    resealed(copy)
    has(check(copy), "line 10: begins stage 1; its seed must be")


def test_what_somebody_else_has_written_in_the_name_of_the_arena(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "paired").update(who="admin token 1f2e"))
    resealed(copy)
    has(
        check(copy), "line 11: was written by 'admin token 1f2e'; the arena alone writes such lines"
    )


@pytest.mark.parametrize(
    ("kind", "who", "found"),
    [
        ("frozen", "admin token 1f2e", "'admin token 1f2e'; the arena alone writes such lines"),
        ("scored", "owner ann", "was written by 'owner ann'; the arena alone writes such lines"),
        ("announced", "arena", "was written by the arena itself; only people write such lines"),
        ("announced", "owner ann", "was written by 'owner ann'; only operators write such lines"),
        ("entered", "arena", "was written by the arena itself; only people write such lines"),
        ("rerun", "arena", "was written by the arena itself; only people write such lines"),
        ("withdrawn", "arena", "was written by the arena itself; only people write such lines"),
        ("finished", "arena", "was written by the arena itself; only people write such lines"),
        ("rerun", "owner ann", "was written by 'owner ann'; only operators write such lines"),
        ("started", "owner ann", "was written by 'owner ann'; only operators write such lines"),
        ("entered", "owner dot", "was written by 'owner dot', and is about 'ann/keeper'"),
        ("withdrawn", "owner ann", "was written by 'owner ann', and is about 'cem/sum'"),
        ("closed", "arena", "was written by the arena itself, though the schedule has no freeze"),
        ("started", "arena", "was written by the arena itself, though the schedule has no start"),
        ("released", "arena", "the arena itself, though the schedule has no release"),
    ],
)
def test_a_line_of_somebody_who_writes_no_such_lines(
    copy: Path, check: Check, kind: str, who: str, found: str
) -> None:
    rechained(copy, lambda facts: event_of(facts, kind).update(who=who))
    resealed(copy)
    has(check(copy), found)


@pytest.mark.parametrize(
    ("kind", "who"), [("withdrawn", "owner cem"), ("entered", "admin token f")]
)
def test_a_line_of_somebody_else_who_may_write_it(
    copy: Path, check: Check, kind: str, who: str
) -> None:
    rechained(copy, lambda facts: event_of(facts, kind).update(who=who))
    resealed(copy)
    assert not any("was written by" in one for one in check(copy))


@pytest.mark.parametrize("who", ["", "ann", "owner ", "owner Ann", "admin:1f2e", "arena\n"])
def test_a_line_of_nobody(copy: Path, check: Check, who: str) -> None:
    rechained(copy, lambda facts: facts[2].update(who=who))
    resealed(copy)
    has(check(copy), f"journal.jsonl: line 3: who {who!r}: must be arena, owner NAME, or admin")


@pytest.mark.parametrize(
    ("at", "found"),
    [
        (1_790_000_000_000, "at 1790000000000: is before the line above it, at 1790000009000"),
        (-1, "at -1: must be from 0 to 253370764799999"),
        (253_370_764_800_000, "at 253370764800000: must be from 0 to 253370764799999"),
        (10**30, "must be from 0 to 253370764799999"),
    ],
)
def test_a_line_of_a_moment_that_cannot_be(copy: Path, check: Check, at: int, found: str) -> None:
    rechained(copy, lambda facts: facts[9].update(at=at))
    resealed(copy)
    has(check(copy), f"journal.jsonl: line 10: {found}" if at != 10**30 else found)


def test_another_secret_seed(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "finished").update(secret="ab" * 32))
    resealed(copy)
    has(
        check(copy),
        "the secret seed that it reveals has the commitment",
        "its seed does not come from the secret seed",
        "line 10: begins stage 1; its seed must be",
        "by the attempt's seed,",
    )


def test_an_entry_that_was_left_out(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "frozen")["entries"].pop())
    resealed(copy)
    has(check(copy), "line 8: says nothing of dot/slow, who wanted to take part")


def test_another_version_than_was_frozen(copy: Path, check: Check) -> None:
    rechained(copy, lambda facts: event_of(facts, "frozen")["entries"][0].update(digest="0" * 64))
    resealed(copy)
    has(check(copy), "frozen was version 2, 000000000000...", "sits there with version 2")


def test_a_match_that_was_left_out_and_one_too_many(copy: Path, check: Check) -> None:
    def change(facts: Facts) -> None:
        del facts[2]
        facts.append(facts[0] | {"number": 99, "pairing": "1/9.9/1"})
        facts.append(facts[0])

    changed_matches(copy, change)
    resealed(copy)
    has(
        check(copy),
        "has no match for 1/2.1/1",
        "match 99: is for '1/9.9/1', which never had to be played",
        "match 41: there is another match for 1/1.1/1",
    )


def test_regulations_that_were_changed(copy: Path, check: Check) -> None:
    path = copy / "competition.toml"
    path.write_text(path.read_text().replace("boards = 1", "boards = 2"))
    resealed(copy)
    assert check(copy) == [
        "competition.toml: is not the file that the first line of the journal announces"
    ]


def test_regulations_that_were_changed_in_the_journal_too(copy: Path, check: Check) -> None:
    path = copy / "competition.toml"
    text = path.read_text().replace("hands = 1", "hands = 2")
    path.write_text(text)
    rechained(copy, lambda facts: facts[0].update(text=text))
    resealed(copy)
    has(check(copy), "match 41: terms are", "records/41-2.jsonl: line 1: its hands must be 2")


@pytest.mark.parametrize(
    ("table", "old", "new"),
    [
        ("1-standings.csv", "ben/racer", "cem/racer"),
        ("1-standings.json", '"place": 1', '"place": 2'),
        ("1-pairings.json", '"done"', '"waiting"'),
        ("2-pairings.csv", "final", "finale"),
        ("1-groups.csv", "Year 9,1", "Year 9,2"),
        ("entries.csv", "dot/slow", "dot/fast"),
    ],
)
def test_a_table_that_was_changed(copy: Path, check: Check, table: str, old: str, new: str) -> None:
    path = copy / "tables" / table
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())
    resealed(copy)
    (finding,) = check(copy)
    assert finding.startswith(f"tables/{table}: line ")
    assert "; the journal makes it " in finding


def test_strengths_that_were_changed(copy: Path, check: Check) -> None:
    path = copy / "tables" / "fit.json"
    facts = json.loads(path.read_bytes())
    facts["rows"][0]["elo"] += 0.1
    path.write_text(json.dumps(facts))
    resealed(copy)
    assert check(copy) == []  # another machine's arithmetic
    facts["rows"][0]["elo"] += 10
    path.write_text(json.dumps(facts))
    resealed(copy)
    has(check(copy), f"tables/fit.json: elo of {facts['rows'][0]['bot']} is")
