"""The settings of a server: defaults, what a file changes, and what is refused where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena.errors import InputError
from arena.referee.limits import WindowMode
from arena.settings import (
    MatchSettings,
    ServerSettings,
    Settings,
    TableSettings,
    as_toml,
    read_settings,
    settings_from,
)
from arena.tournament.matches import Sandbox

EXAMPLE = """\
[server]
public = "0.0.0.0:443"
certificate = "cert.pem"
key = 'key.pem'

[sandbox]
kind = "docker"
accept = [
  "freezer",  # everybody here is known
]

[matches]
at_once = 4
boards = 5
window = "standing"

[limits]
turn = 2
max_strikes = 1

[[table]]
name = "two"
players = 2

[[table]]
name = "teams"
players = 4
weight = 0.5
options = { match_points = 3000 }

[rating]
tau = 0

[quota]
uploads = 5
"""


def test_an_empty_file_is_the_defaults() -> None:
    assert settings_from("", "arena.toml") == Settings()
    assert Settings().limits.window is WindowMode.SEALED
    assert Settings().tables == (TableSettings(),)


def test_what_a_file_says_is_in_force() -> None:
    found = settings_from(EXAMPLE, "arena.toml")
    assert found.server == ServerSettings(
        public="0.0.0.0:443", certificate="cert.pem", key="key.pem"
    )
    assert found.sandbox.kind is Sandbox.DOCKER
    assert found.sandbox.accept == ("freezer",)
    assert (found.matches.at_once, found.matches.boards) == (4, 5)
    assert found.limits.window is WindowMode.STANDING
    assert (found.limits.time.turn, found.limits.faults.max_strikes) == (2_000_000_000, 1)
    assert [(one.name, one.players, one.weight) for one in found.tables] == [
        ("two", 2, 1.0),
        ("teams", 4, 0.5),
    ]
    assert found.tables[1].options == {"match_points": 3000}
    assert found.rating == replace(Settings().rating, tau=0.0)
    assert found.quota.uploads == 5


@pytest.mark.parametrize("text", ["", EXAMPLE])
def test_what_is_printed_is_read_again(text: str) -> None:
    found = settings_from(text, "arena.toml")
    assert settings_from(as_toml(found), "printed") == found


def test_every_key_that_is_printed_has_a_remark() -> None:
    lines = as_toml(Settings()).splitlines()
    keys = [at for at, line in enumerate(lines) if " = " in line and line[0] != "#"]
    assert len(keys) > 30
    assert all(lines[at - 1].startswith("# ") for at in keys)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[servr]\n", "line 1: servr: unknown section or key; did you mean server?"),
        ("boards = 3\n", "line 1: boards: unknown section or key; there are server, "),
        ("[matches]\n\nbords = 3\n", "line 3: matches.bords: unknown key; did you mean boards?"),
        ("[matches]\nboards = '3'\n", "line 2: matches.boards: must be a whole number, not '3'"),
        ("[matches]\nboards = true\n", "line 2: matches.boards: must be a whole number, not True"),
        ("[matches]\nboards = 0\n", "line 2: matches: boards 0: must be from 1 to 1000"),
        ("[matches]\nlive_delay = nan\n", "line 2: matches: live_delay nan: must be from 0 to"),
        (
            "[matches]\nhands = 1\nmatch_points = 500\n",
            "line 2: matches: hands and match_points both say how long a game is; give one",
        ),
        (
            "[matches]\n# x\nwindow = 'shut'\n",
            "line 3: matches.window: must be one of prompt, sealed, standing, not 'shut'",
        ),
        ("matches = { boards = 0 }\n", "line 1: matches: boards 0: must be from 1 to 1000"),
        ("[sandbox]\naccept = 'freezer'\n", "line 2: sandbox.accept: must be a list of texts"),
        ("[sandbox]\nkind = 'jail'\n", "line 2: sandbox.kind: must be one of process, bubblewrap"),
        ("[server]\npublic = 'here'\n", "line 2: server: public 'here': must be HOST:PORT"),
        ("[server]\npublic = 'h:99999'\n", "line 2: server: public 'h:99999': must be HOST:PORT"),
        ("[server]\nkey = 'k'\n", "line 1: server: certificate and key belong together"),
        ("[limits]\nturn = 0\n", "line 2: limits: turn 0 s: must be above 0"),
        ("[limits]\nwindow = 'sealed'\n", "line 2: limits.window: belongs into [matches]"),
        ("[limits]\nturns = 1\n", "line 2: limits: no limit is called 'turns'"),
        ("[rating]\nbeta = -1\n", "line 2: rating: beta -1: must be above 0"),
        ("[rating]\nbetta = 1\n", "line 2: rating.betta: unknown key; did you mean beta?"),
        ("[rating]\nbeta = 'x'\n", "line 2: rating.beta: must be a number, not 'x'"),
        ("[[table]]\nplayers = 2\n", "line 1: table: has no name; give it one"),
        ("[table]\nname = 'a'\n", "line 1: table: must be a table, [[table]]"),
        (
            "[[table]]\nname = 'a'\n\n[[table]]\nname = 'a'\n",
            "line 5: table.name: 'a' is there twice",
        ),
        (
            "[[table]]\nname = 'a'\n[[table]]\nname = 'b'\nplayers = 5\n",
            "line 3: table: 5 players: classic is for 2 or 3 players",
        ),
        (
            "[[table]]\nname = 'a'\nruleset = 'clasic'\n",
            "line 1: table: unknown preset 'clasic'",
        ),
        ("[server\n", "line 1: not TOML: Expected ']' at the end of a table declaration"),
        ("\n[server]\ndata = here\n", "line 3: not TOML: Invalid value; a text stands in quotes"),
        (
            "[[table]]\nname = 'a'\n[table.options]\n[[table]]\nname = 'b'\nplayers = 5\n",
            "line 4: table: 5 players: classic is for 2 or 3 players",
        ),
        ("[matches]\nboards = " + "9" * 5000 + "\n", "line 2: longer or deeper than can be read"),
        (
            '[server]\ndata = """\n[matches]\n"""\n[matches]\nboards = -1\n',
            "line 6: matches: boards -1: must be from 1 to 1000",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        settings_from(text, "arena.toml")
    assert str(caught.value).startswith(f"arena.toml: {message}")
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"arena\.toml: No such file"):
        read_settings(tmp_path / "arena.toml")
    (tmp_path / "arena.toml").write_bytes(b"\xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_settings(tmp_path / "arena.toml")
    (tmp_path / "arena.toml").write_bytes(b"#" * 1_048_577)
    with pytest.raises(InputError, match="no file of settings"):
        read_settings(tmp_path / "arena.toml")
    with pytest.raises(InputError, match="directory"):
        read_settings(tmp_path)


def test_settings_that_exist_are_valid() -> None:
    with pytest.raises(InputError, match="boards 0: must be from 1 to 1000"):
        MatchSettings(boards=0)
