"""When a server may not begin: addresses in the clear, sandboxes that keep nobody in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.app import trust
from arena.app.trust import require_addresses, require_sandbox
from arena.errors import HostFault, InputError
from arena.sandbox.doctor import Report
from arena.sandbox.probes.checks import Result, State
from arena.settings import SandboxSettings, ServerSettings, Settings
from arena.tournament.matches import Sandbox


def server(**values: object) -> Settings:
    return Settings(server=ServerSettings(**values))  # type: ignore[arg-type]


def sandbox(kind: Sandbox, *accept: str, public: str = "127.0.0.1:1") -> Settings:
    return Settings(
        server=ServerSettings(public=public), sandbox=SandboxSettings(kind=kind, accept=accept)
    )


@pytest.mark.parametrize("name", ["public", "operators"])
@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "10.0.0.1", "arena.example"])
def test_nothing_is_plain_beyond_loopback(name: str, host: str) -> None:
    address = f"{host}:1"
    with pytest.raises(InputError, match=f"^{name} .*in the clear"):
        require_addresses(server(**{name: address}))
    require_addresses(server(**{name: address}, certificate="c", key="k"))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.5.5.5", "localhost", "[::1]"])
def test_loopback_may_be_plain(host: str) -> None:
    require_addresses(server(public=f"{host}:1", operators=f"{host}:2", metrics=f"{host}:3"))


def test_a_proxy_does_tls_for_authors_only() -> None:
    require_addresses(server(public="0.0.0.0:1", proxied=True))
    with pytest.raises(InputError, match=r"operators 0\.0\.0\.0:1"):
        require_addresses(server(operators="0.0.0.0:1", proxied=True))


def test_metrics_stay_on_loopback() -> None:
    with pytest.raises(InputError, match="must be on loopback"):
        require_addresses(server(metrics="0.0.0.0:1", certificate="c", key="k"))
    require_addresses(server(metrics=""))


@pytest.mark.parametrize("kind", [Sandbox.PROCESS, Sandbox.BUBBLEWRAP])
def test_a_sandbox_for_development_needs_trust_and_loopback(kind: Sandbox) -> None:
    with pytest.raises(InputError, match=r"accepts uploads.*--trust-authors"):
        require_sandbox(sandbox(kind), trusts_authors=False)
    told = require_sandbox(sandbox(kind), trusts_authors=True)
    assert f"--sandbox {kind}" in told[0]
    assert "whoever has a token may do here whatever you may" in told[1]
    with pytest.raises(InputError, match="listens beyond loopback"):
        require_sandbox(sandbox(kind, public="0.0.0.0:1"), trusts_authors=True)


def test_a_proxy_brings_strangers_too() -> None:
    settings = Settings(
        server=ServerSettings(proxied=True), sandbox=SandboxSettings(kind=Sandbox.PROCESS)
    )
    with pytest.raises(InputError, match="listens beyond loopback"):
        require_sandbox(settings, trusts_authors=True)


def failing(name: str) -> Result:
    return Result(
        name=name,
        threat="A1",
        promise="Bots are held still.",
        remedy="Mend it.",
        needed=True,
        state=State.FAIL,
        seen="they are not",
    )


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """What the doctor finds."""
    found: list[Result] = []

    async def examine(image: str, *, runtime: str = "") -> Report:
        del image, runtime
        return Report(host=found, container=())

    monkeypatch.setattr("arena.sandbox.doctor.examine", examine)
    return found


def told(settings: Settings) -> Sequence[str]:
    return require_sandbox(settings, trusts_authors=False)


def test_containers_need_what_the_doctor_looks_for(doctor: list[Result]) -> None:
    assert told(sandbox(Sandbox.DOCKER)) == ()
    doctor.append(failing("freezer"))
    with pytest.raises(HostFault, match=r"may not run here: freezer \(.*--accept NAME"):
        told(sandbox(Sandbox.DOCKER))


def test_what_is_accepted_is_said_at_every_start(doctor: list[Result]) -> None:
    doctor.append(failing("freezer"))
    (line,) = told(sandbox(Sandbox.DOCKER, "freezer"))
    assert line == "accepted: freezer (A1): Bots are held still. Not so: they are not"
    doctor.append(failing("network"))
    with pytest.raises(HostFault, match="may not run here: network"):
        told(sandbox(Sandbox.DOCKER, "freezer"))


def test_only_checks_that_there_are_can_be_accepted(doctor: list[Result]) -> None:
    with pytest.raises(InputError, match="no check is called 'freezr'; did you mean freezer"):
        told(sandbox(Sandbox.DOCKER, "freezr"))
    assert trust.TRUST == "--trust-authors"
    assert doctor == []
