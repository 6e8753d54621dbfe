"""TLS: a server's certificate, whom a client trusts, and how commands are told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli.credentials import Login, keep
from arena.errors import InputError
from arena.transport.client import Client, OperatorClient, ServerFault
from arena.transport.server import Addresses
from arena.transport.tls import Tls
from tests.cli.matchroom import Room
from tests.transport.ladderserver import LadderServer, Template, made, running


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    folder = tmp_path_factory.mktemp("pem")
    tls = Tls(folder / "cert.pem", folder / "key.pem")
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"),
            *("-keyout", str(tls.key), "-out", str(tls.certificate)),
        ],
        check=True,
        capture_output=True,
    )
    return tls


@pytest.fixture
def encrypted(tmp_path: Path, template: Template, pem: Tls) -> Iterator[LadderServer]:
    where = Addresses(public="127.0.0.1:0", operators="127.0.0.1:0", tls=pem)
    with made(tmp_path, template) as server, running(server, where):
        yield server


def test_tls_is_spoken_with_whom_the_certificate_is_known_to(
    encrypted: LadderServer, pem: Tls
) -> None:
    with Client(encrypted.public, encrypted.tokens.ann, ca=pem.certificate) as client:
        assert client.who_am_i().owner == "ann"
    ca = pem.certificate
    with OperatorClient(encrypted.operators, encrypted.tokens.admin, ca=ca) as operator:
        assert len(list(operator.owners())) == 3
    with Client(encrypted.public, tls=True) as client:
        with pytest.raises(ServerFault, match="not trusted") as fault:
            client.ladder()
        assert "\n" not in str(fault.value)
    with (
        Client(encrypted.public, timeout=5) as client,
        pytest.raises(ServerFault, match="does it speak TLS"),
    ):
        client.ladder()


def test_tls_to_a_server_that_speaks_none_is_said(shared_ladder: LadderServer, pem: Tls) -> None:
    with (
        Client(shared_ladder.public, ca=pem.certificate) as client,
        pytest.raises(ServerFault, match="speaks no TLS"),
    ):
        client.ladder()


@pytest.mark.parametrize("what", ["certificate", "key"])
def test_files_that_are_no_certificate_are_said(
    tmp_path: Path, template: Template, pem: Tls, what: str
) -> None:
    odd = tmp_path / "odd.pem"
    odd.write_text("nothing")
    for path, problem in ((odd, "must be a PEM file"), (tmp_path / "none", "No such file")):
        tls = replace(pem, **{what: path})
        where = Addresses(public="127.0.0.1:0", operators="127.0.0.1:0", tls=tls)
        folder = tmp_path / path.name[:3]
        with (
            made(folder, template) as server,
            pytest.raises(InputError, match=problem),
            running(server, where),
        ):
            pass


def test_a_token_does_not_travel_in_the_clear() -> None:
    with pytest.raises(InputError, match="in the clear"):
        Client("192.0.2.1:7400", "arena_owner_x_y", tls=False)
    with pytest.raises(InputError, match="no token has"):
        Client("127.0.0.1:7400", "tok\nen")


@pytest.fixture
def stranger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Room:
    """Commands of somebody who is not logged in anywhere."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody"))
    for name in ("ARENA_SERVER", "ARENA_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return Room(tmp_path, capsys)


@pytest.mark.parametrize(
    "command", [("competition", "list"), ("ladder",), ("matches",)], ids=" ".join
)
def test_who_is_not_logged_in_names_the_certificate(
    encrypted: LadderServer, pem: Tls, stranger: Room, command: tuple[str, ...]
) -> None:
    asked = (*command, "--server", encrypted.public, "--json")
    done = stranger.call(*asked, "--ca", str(pem.certificate))
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)
    done = stranger.call(*asked)
    assert done.code == 1
    assert "Give the PEM file (--ca)" in done.err


def test_who_is_not_logged_in_may_look_at_a_competition(
    encrypted: LadderServer, pem: Tls, stranger: Room
) -> None:
    where = ("--server", encrypted.public, "--ca", str(pem.certificate))
    done = stranger.call("competition", "show", "cup", *where)
    assert done.code == 2
    assert "competition 'cup': there is none of this name" in done.err
    done = stranger.call("competition", "enter", "cup", "racer", *where)
    assert done.code == 2
    assert "token" in done.err


def test_a_certificate_that_is_named_comes_before_that_of_the_login(
    encrypted: LadderServer, pem: Tls, stranger: Room, tmp_path: Path
) -> None:
    other = tmp_path / "other.pem"
    other.write_bytes(pem.certificate.read_bytes())
    keep(Login(server=encrypted.public, token=encrypted.tokens.ann, ca=str(other)))
    assert stranger.call("ladder").code == 0
    other.write_text("nothing")
    assert "other.pem" in stranger.call("ladder").err
    assert stranger.call("ladder", "--ca", str(pem.certificate)).code == 0


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("none.pem", "does not exist"),
        (".", "is a directory"),
        ("odd.pem", "odd.pem: b'nothing'...: must be a PEM file with a CERTIFICATE"),
        ("broken.pem", "broken.pem: its CERTIFICATE cannot be read; must be a PEM file, whole"),
    ],
)
def test_a_certificate_that_cannot_be_used_is_one_line(
    stranger: Room, tmp_path: Path, name: str, problem: str
) -> None:
    (tmp_path / "odd.pem").write_text("nothing")
    (tmp_path / "broken.pem").write_text(
        "-----BEGIN CERTIFICATE-----\nno\n-----END CERTIFICATE-----"
    )
    path = str(tmp_path / name)
    done = stranger.call("competition", "list", "--server", "127.0.0.1:1", "--ca", path)
    assert done.code == 2
    assert problem in done.err
    assert len(done.err.splitlines()) == 1
