"""`arena doctor`: the table, the JSON, the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.cli.app import app
from arena.cli.exits import run
from arena.sandbox import doctor
from arena.sandbox.doctor import Report
from arena.sandbox.probes.checks import Result, State


def a_result(name: str, state: State, *, needed: bool = True, seen: str = "something") -> Result:
    promise, remedy = f"The promise of {name}.", f"The remedy of {name}."
    return Result(name, "A18", promise, remedy, needed, state, seen)


GOOD = Report(
    host=[a_result("engine", State.OK), a_result("smt", State.WARN, needed=False)],
    container=[a_result("user", State.OK)],
)
BAD = Report(
    host=[a_result("engine", State.OK)],
    container=[
        a_result("bpf", State.FAIL, seen="a \x1b[31mred\x1b[0m lie"),
        a_result("perf", State.UNKNOWN),
        a_result("kernel", State.UNKNOWN, needed=False),
    ],
)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Callable[[Report], list[tuple[str, str]]]:
    """Let the doctor find a report; what it was asked for."""

    def let(report: Report) -> list[tuple[str, str]]:
        asked = []

        async def examine(image: str, *, runtime: str, say: Callable[[str], None]) -> Report:
            say("looking")
            asked.append((image, runtime))
            return report

        monkeypatch.setattr(doctor, "examine", examine)
        monkeypatch.setenv("COLUMNS", "200")
        return asked

    return let


Found = Callable[[Report], list[tuple[str, str]]]


def test_a_good_machine(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    asked = found(GOOD)
    assert run(app, ["doctor"]) == 0
    out = capsys.readouterr().out
    assert asked == [("python", "")]
    assert "2 ok, 1 warn" in out.splitlines()
    assert out.splitlines()[-1] == "strangers' programs may run here"
    assert out.count("The promise of ") == out.count("-> The remedy of ") == 1


def test_what_is_fine_is_listed_if_asked_for(
    found: Found, capsys: pytest.CaptureFixture[str]
) -> None:
    found(GOOD)
    assert run(app, ["doctor", "--all"]) == 0
    assert capsys.readouterr().out.count("The promise of ") == 3


def test_a_bad_machine(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    found(BAD)
    assert run(app, ["doctor"]) == 1
    out = capsys.readouterr().out
    assert out.splitlines()[-2:] == [
        "1 ok, 1 fail, 2 cannot tell",
        "strangers' programs may not run here: bpf, perf",
    ]
    assert "\x1b[31m" not in out
    assert r"a \x1b[31mred\x1b[0m lie" in out


def test_what_is_accepted_is_said(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    found(BAD)
    assert run(app, ["doctor", "--accept", "bpf"]) == 1
    assert "accepted: bpf (A18): The promise of bpf. Not so: a " in capsys.readouterr().out
    assert run(app, ["doctor", "--accept", "bpf", "--accept", "perf"]) == 0


def test_a_mistyped_name_is_refused(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    asked = found(GOOD)
    assert run(app, ["doctor", "--accept", "bfp"]) == 2
    assert capsys.readouterr().err.startswith("arena: no check is called 'bfp'; did you mean bpf?")
    assert asked == []


def test_json_has_what_a_program_needs(found: Found, capsys: pytest.CaptureFixture[str]) -> None:
    asked = found(BAD)
    assert run(app, ["doctor", "--json", "--image", "go", "--runtime", "runsc"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert asked == [("go", "runsc")]
    assert (facts["failed"], facts["accepted"]) == (["bpf", "perf"], [])
    assert [one["name"] for one in facts["host"]] == ["engine"]
    assert facts["container"][1] == {
        "name": "perf",
        "threat": "A18",
        "promise": "The promise of perf.",
        "remedy": "The remedy of perf.",
        "needed": True,
        "state": "cannot tell",
        "seen": "something",
    }


def test_without_an_engine() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "doctor", "--json"],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "DOCKER_HOST": "unix:///nowhere/docker.sock"},
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (1, "")
    facts = json.loads(done.stdout)
    (engine,) = [one for one in facts["host"] if one["name"] == "engine"]
    assert engine["state"] == "fail"
    assert {"engine", "container"} <= set(facts["failed"])
