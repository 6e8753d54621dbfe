"""Commands that speak to a server, as far as none is needed."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from inspect import get_annotations, signature
from itertools import chain
from pathlib import Path

import pytest
import typer

from arena.app.operator import OperatorLogin, read_operator_login
from arena.cli import admin
from arena.cli.app import app
from arena.cli.bots import reasons
from arena.cli.operating import split_version
from arena.cli.talking import CaOption, ServerOption, ago, as_facts, first, rating_text
from arena.cli.uploadreport import report_lines
from arena.errors import InputError
from arena.ladder.rating import Rating
from arena.storage.facts import Moment, Owner, VersionState
from arena.tournament.answers import PublicVersion
from tests.cli.matchroom import Room


@pytest.mark.parametrize(
    "command",
    [
        ("status",),
        ("ladder",),
        ("bots",),
        ("matches",),
        ("watch", "1"),
        ("logs", "1"),
        ("fetch-record", "1"),
        ("challenge", "a", "b/c"),
        ("admin", "owner", "list"),
    ],
)
def test_without_a_server_every_command_says_what_to_do(
    room: Room, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(room.folder / "none"))
    for name in ("ARENA_SERVER", "ARENA_TOKEN", "ARENA_OPERATORS", "ARENA_OPERATOR_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    done = room.call(*command)
    assert done.code == 2
    assert ("arena login HOST:PORT" in done.err) or ("operator.json: is not there" in done.err)
    assert len(done.err.splitlines()) == 1


def test_a_server_that_is_not_there_is_named(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SERVER", "127.0.0.1:1")
    done = room.call("ladder")
    assert done.code == 1
    assert "127.0.0.1:1" in done.err
    assert len(done.err.splitlines()) == 1


def test_a_token_that_is_none_is_refused_before_it_is_sent(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Piped:
        def isatty(self) -> bool:
            return False

        def readline(self, limit: int) -> str:
            return "hunter2\n"

    monkeypatch.setattr("sys.stdin", Piped())
    done = room.call("login", "127.0.0.1:1")
    assert done.code == 2
    assert "that is no author's token" in done.err
    assert "hunter2" not in done.err


def test_an_operators_login_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "operator.json"
    values = {"server": "a:1", "public": "a:2", "token": "t", "token_id": "i", "ca": ""}
    path.write_text(json.dumps(values))
    path.chmod(0o644)
    with pytest.raises(InputError, match="others may read it"):
        read_operator_login(tmp_path)
    path.chmod(0o600)
    assert read_operator_login(tmp_path) == OperatorLogin(**values)
    assert "token='t'" not in repr(read_operator_login(tmp_path))
    path.write_text("{}")
    with pytest.raises(InputError, match="damaged"):
        read_operator_login(tmp_path)


@pytest.mark.parametrize("text", ["ann", "ann/racer", "racer:3", "ann/racer:", "ann/racer:x"])
def test_a_version_is_named_in_full(text: str) -> None:
    assert split_version("ann/racer:3") == ("ann/racer", 3)
    with pytest.raises(InputError, match="must be OWNER/NAME:VERSION"):
        split_version(text)


def test_values_become_json() -> None:
    owner = Owner(number=1, name="ann", created=Moment(5))
    assert json.loads(json.dumps(as_facts([owner]))) == [
        {"number": 1, "name": "ann", "created": 5, "suspended": "", "machine_time": 0}
    ]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (1, "1 s ago"),
        (119, "119 s ago"),
        (120, "2 min ago"),
        (7200, "2 h ago"),
        (200_000, "2 d ago"),
        (-90, "in 90 s"),
    ],
)
def test_how_long_ago(monkeypatch: pytest.MonkeyPatch, seconds: int, text: str) -> None:
    monkeypatch.setattr(time, "time", lambda: 1_000_000.0)
    assert ago(1_000_000_000 - 1000 * seconds) == text


def test_a_list_is_gone_through_no_further_than_needed() -> None:
    asked = iter(range(10))
    assert first(asked, 3) == ([0, 1, 2], True)
    assert next(asked) == 4
    assert first(iter([1]), 3) == ([1], False)


def test_a_rating_is_shown() -> None:
    assert rating_text(Rating(25, 25 / 3)) == "25.00±8.33"


def test_a_report_is_told_with_its_moment() -> None:
    report = {
        "findings": [
            {
                "table": "classic, 2 players",
                "problems": ["it timed out"],
                "warnings": ["slow"],
                "moment": {"seat": 1, "prompt": 3, "asked": "PLAY", "answered": "nothing"},
                "log": ["Traceback"],
            }
        ],
        "not_played": 2,
    }
    assert list(report_lines(report)) == [
        "classic, 2 players: it timed out",
        "  in seat 1, at prompt 3, PLAY",
        "  it answered: nothing",
        "  it wrote: Traceback",
        "warning: classic, 2 players: slow",
        "2 tables were not played after that",
    ]


@pytest.mark.parametrize("report", [None, 3, {}, {"findings": [1]}, {"findings": None}])
def test_a_report_of_another_kind_is_left_out(report: object) -> None:
    assert list(report_lines(report)) == []


def test_an_author_is_told_why_a_version_is_held_back_and_what_follows() -> None:
    version = PublicVersion(
        title="ann/hasty",
        ordinal=2,
        label="1.1",
        digest="",
        created=Moment(0),
        state=VersionState.PROBATION,
        players=(2,),
        rulesets=("classic",),
        matches=3,
        forfeits=3,
        voids=0,
        why="it forfeits",
    )
    (text,) = map(str, reasons([version, replace(version, state=VersionState.ACTIVE)]))
    assert text.startswith("version 2 (1.1): it forfeits; it plays no rated match before")
    assert "a new version that you submit plays at once" in text


def test_more_lines_than_there_can_be_is_bad_input(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SERVER", "127.0.0.1:1")
    for command in (("ladder",), ("matches",)):
        done = room.call(*command, "-n", "9" * 21)
        assert done.code == 2
        assert "1000000" in done.err


def leaves(group: typer.Typer) -> list[Callable[..., None]]:
    own = [one.callback for one in group.registered_commands if one.callback is not None]
    below = [leaves(one.typer_instance) for one in group.registered_groups if one.typer_instance]
    return [*own, *chain.from_iterable(below)]


@pytest.mark.parametrize("command", leaves(admin.app), ids=lambda one: str(one.__name__).strip("_"))
def test_every_command_for_operators_answers_programs_too(command: Callable[..., None]) -> None:
    assert "as_json" in signature(command).parameters


def test_every_command_that_asks_a_server_can_be_told_which_and_how_to_trust_it() -> None:
    asking = [one for one in leaves(app) if "server" in signature(one).parameters]
    assert len(asking) == 14
    for one in asking:
        options = get_annotations(one, eval_str=True)
        assert (options["server"], options["ca"]) == (ServerOption, CaOption)
