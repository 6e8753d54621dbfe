"""`arena verify`: a line a file, an exit code for all, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.recordcommands import MAIN, ROOT, arena, sample, write
from tests.referee.recorded import chained, said_by

LINES = sample()
HEAD = json.loads(LINES[-1])["chain"]


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    return write(tmp_path / "whole.jsonl", LINES)


@pytest.fixture
def forged(tmp_path: Path) -> Path:
    said = said_by(LINES)
    said[10] = said[10] | {"bank": 1}
    return write(tmp_path / "forged.jsonl", chained(said))


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    return write(tmp_path / "cut.jsonl", LINES[:20])


def test_a_record_that_holds_is_ok(whole: Path) -> None:
    done = arena("verify", whole)
    actions = sum(line["t"] == "play" for line in said_by(LINES))
    assert done == (0, f"ok   {whole}: COMPLETED, 2 games, {actions} actions, head {HEAD}\n", "")


def test_a_forged_record_names_its_first_wrong_line(forged: Path) -> None:
    done = arena("verify", forged)
    assert done.code == 1
    assert done.out.startswith(f"FAIL {forged}: line 11: bank is 1, must be ")
    assert done.err == ""


def test_an_attempt_that_was_broken_off_is_no_forgery(cut: Path) -> None:
    done = arena("verify", cut)
    message = "ends after line 20 without a verdict: the attempt was broken off"
    assert done == (1, f"CUT  {cut}: {message}\n", "")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"PK\x03\x04", "not a record: "),
        (b'{"t":"header","format":"mille-arena-record/9","chain":"', None),
    ],
)
def test_what_is_no_record_is_bad_input(
    tmp_path: Path, content: bytes | None, message: str | None
) -> None:
    path = tmp_path / "odd\x1b[31m.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = arena("verify", path)
    if message is None:
        assert (done.code, done.out.startswith("CUT ")) == (1, True)
        return
    assert done.code == 2
    assert done.out.startswith(f"???? {tmp_path}/odd\\x1b[31m.jsonl: {message}")


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    done = arena("verify", tmp_path)
    assert done.code == 2
    assert done.out == f"???? {tmp_path}: is a folder; name its files, e.g. {tmp_path}/*.jsonl\n"


def test_several_files_are_counted(whole: Path, forged: Path, cut: Path) -> None:
    done = arena("verify", whole, forged, cut, whole)
    assert done.code == 1
    assert [line[:4] for line in done.out.splitlines()] == ["ok  ", "FAIL", "CUT ", "ok  ", "4 re"]
    assert done.out.splitlines()[-1] == "4 records: 2 ok, 1 wrong, 1 broken off"


def test_bad_input_counts_more_than_a_wrong_record(forged: Path, tmp_path: Path) -> None:
    assert arena("verify", forged, tmp_path / "none").code == 2


def test_json_has_what_a_program_needs(whole: Path, forged: Path, cut: Path) -> None:
    done = arena("verify", "--json", whole, forged, cut, "nowhere")
    facts = json.loads(done.out)
    assert done.code == 2
    assert [facts[name] for name in ("ok", "failed", "broken_off", "refused")] == [1, 1, 1, 1]
    right, wrong, broken, refused = facts["records"]
    assert right["head"] == HEAD
    assert (right["verdict"], right["games"], right["lines"]) == ("COMPLETED", 2, len(LINES))
    assert (wrong["state"], wrong["line"]) == ("failed", 11)
    assert (broken["state"], broken["line"]) == ("broken_off", 20)
    assert (refused["state"], refused["line"]) == ("refused", None)


# -- a published head -------------------------------------------------------------------------


def test_the_published_head_is_compared(whole: Path) -> None:
    assert arena("verify", whole, "--head", HEAD.upper()).code == 0


def test_another_head_is_another_record(tmp_path: Path) -> None:
    """What a forger did so well that playing it again shows nothing."""
    said = said_by(LINES)
    said[0] = said[0] | {"created": "the day before"}
    path = write(tmp_path / "perfect.jsonl", chained(said))
    assert arena("verify", path).code == 0
    done = arena("verify", path, "--head", HEAD)
    assert done.code == 1
    assert f"not the published {HEAD}: another record" in done.out


def test_a_head_goes_with_one_file(whole: Path) -> None:
    done = arena("verify", whole, whole, "--head", HEAD)
    assert (done.code, done.out) == (2, "")
    assert "goes with one FILE" in done.err


@pytest.mark.parametrize("head", ["", "abc", "g" * 64, HEAD + "0"])
def test_a_head_is_64_digits(whole: Path, head: str) -> None:
    done = arena("verify", whole, "--head", head)
    assert (done.code, done.out) == (2, "")
    assert "is not 64 hexadecimal digits" in done.err


# -- odd ways to be given a record ------------------------------------------------------------


def test_a_record_may_come_through_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"".join(LINES),))
    writer.start()
    done = arena("verify", pipe)
    writer.join()
    assert done.code == 0


def test_an_endless_device_is_refused_at_once() -> None:
    done = arena("verify", "/dev/zero")
    assert done.code == 2
    assert "not a record" in done.out


def test_as_a_process(whole: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", MAIN, "verify", str(whole)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ok ")
