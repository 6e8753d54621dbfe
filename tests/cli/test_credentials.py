"""Which server a command speaks to, and with which token."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from arena.cli.credentials import Login, credentials_file, find_login, forget, keep
from arena.errors import InputError


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for configuration, and nothing in the environment."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    for name in ("ARENA_SERVER", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def test_the_last_login_is_the_one() -> None:
    keep(Login(server="a:1", token="one"))
    keep(Login(server="b:2", token="two", ca="/ca.pem"))
    assert find_login() == Login(server="b:2", token="two", ca="/ca.pem")
    assert find_login("a:1").token == "one"
    keep(Login(server="a:1", token="three"))
    assert find_login() == Login(server="a:1", token="three")
    assert find_login("b:2").token == "two"


def test_a_server_that_is_named_and_unknown_is_spoken_to_without_a_token() -> None:
    assert find_login("c:3") == Login(server="c:3")


def test_the_environment_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    keep(Login(server="a:1", token="one"))
    monkeypatch.setenv("ARENA_TOKEN", " other \n")
    assert find_login() == Login(server="a:1", token="other")
    monkeypatch.setenv("ARENA_SERVER", "b:2")
    assert find_login() == Login(server="b:2", token="other")
    monkeypatch.delenv("ARENA_TOKEN")
    assert find_login() == Login(server="b:2")
    assert find_login("a:1").token == "one"


def test_without_any_login_it_is_said_what_to_do() -> None:
    with pytest.raises(InputError, match="arena login HOST:PORT"):
        find_login()


def test_the_file_is_for_nobody_else(home: Path) -> None:
    path = keep(Login(server="a:1", token="one"))
    assert path == credentials_file() == home / "mille-arena" / "credentials.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    path.chmod(0o640)
    with pytest.raises(InputError, match="others may read it"):
        find_login()


@pytest.mark.parametrize("content", ["", "[]", '{"logins": [{"server": 1, "x": 2}]}', "[" * 99999])
def test_a_damaged_file_is_named(content: str) -> None:
    path = keep(Login(server="a:1"))
    path.write_text(content)
    with pytest.raises(InputError, match="damaged; remove it and log in again"):
        find_login()


def test_a_login_is_forgotten() -> None:
    keep(Login(server="a:1", token="one"))
    keep(Login(server="b:2", token="two"))
    assert forget("b:2")
    assert not forget("b:2")
    assert find_login().server == "a:1"


def test_a_token_is_in_no_message() -> None:
    assert "one" not in repr(Login(server="a:1", token="one"))
