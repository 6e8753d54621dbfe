"""May strangers' programs run here? The checks of the host on facts that were made up, and what
follows from all results."""

from __future__ import annotations

import asyncio
import dataclasses
import os
from pathlib import Path
from typing import Any

import docker.errors
import pytest

from arena.errors import HostFault, InputError
from arena.sandbox import doctor, hostfacts
from arena.sandbox.doctor import Exceptions, examine, failures, known_names
from arena.sandbox.hostchecks import host_names, host_results
from arena.sandbox.hostchecks_machine import LEAST_FILES, LEAST_FREE, SLOT_TAIL
from arena.sandbox.hostfacts import EngineFacts, Facts, Space, read_facts
from arena.sandbox.images import Image, Language
from arena.sandbox.probes.checks import CHECKS, Result, State
from arena.sandbox.slots import life, slot

KEEPER = "ab" * 32


def an_image(language: Language, wrap: str = KEEPER) -> Image:
    return Image(id="sha256:1", language=language, size=1, wrap=wrap, created="2026-01-01")


GOOD_ENGINE = EngineFacts(
    version="29.3.1",
    runc="1.3.3",
    system="Debian GNU/Linux 13",
    kernel="7.0.1",
    cgroup="2",
    limits=frozenset({"memory", "swap", "pids", "cpu"}),
    security=frozenset({"seccomp", "userns"}),
    storage="overlay2",
    runtimes=frozenset({"runc", "runsc"}),
    root="/var/lib/docker",
    address="unix:///var/run/docker.sock",
    images={language: an_image(language) for language in Language},
)
GOOD = Facts(
    engine=GOOD_ENGINE,
    problem="",
    kernel="7.0.1",
    core_pattern="core",
    swap=1,
    clock_source="tsc",
    smt=False,
    sqlite=(3, 51, 3),
    spaces=(Space(path="/tmp", free=LEAST_FREE, files=LEAST_FILES, kind="ext4"),),
    slots="/run/arena-0/slots",
    keeper=KEEPER,
)


def judged(facts: Facts) -> dict[str, Result]:
    return {one.name: one for one in host_results(facts)}


def of_engine(**changes: Any) -> dict[str, Any]:
    return {"engine": dataclasses.replace(GOOD_ENGINE, **changes)}


def space(**changes: Any) -> dict[str, Any]:
    return {"spaces": (*GOOD.spaces, dataclasses.replace(GOOD.spaces[0], **changes))}


def test_a_good_machine_is_in_order() -> None:
    assert {one.name: one.state for one in host_results(GOOD) if one.state is not State.OK} == {}


WRONG = [
    # the check, what is otherwise, its state then
    ("engine-here", of_engine(address="tcp://elsewhere:2376"), "fail"),
    ("engine-here", of_engine(address="ssh://elsewhere"), "fail"),
    ("engine-here", of_engine(kernel="6.12.0-linuxkit"), "fail"),
    ("docker-desktop", of_engine(system="Docker Desktop"), "warn"),
    ("engine-version", of_engine(version="29.3.0"), "warn"),
    ("engine-version", of_engine(version="20.10.24+dfsg1"), "warn"),
    ("engine-version", of_engine(version="master"), "cannot tell"),
    ("runc-version", of_engine(runc="1.2.7"), "warn"),
    ("runc-version", of_engine(runc="1.3.2"), "warn"),
    ("runc-version", of_engine(runc="1.3.0-rc1"), "warn"),
    ("runc-version", of_engine(runc="1.1.15"), "warn"),
    ("runc-version", of_engine(runc=None), "cannot tell"),
    ("engine-seccomp", of_engine(security=frozenset({"apparmor"})), "fail"),
    ("engine-users", of_engine(security=frozenset({"seccomp"})), "warn"),
    ("controllers", of_engine(limits=frozenset({"memory", "cpu", "swap"})), "fail"),
    ("controllers", of_engine(limits=frozenset({"pids", "cpu", "swap"})), "fail"),
    ("controllers", of_engine(limits=frozenset({"pids", "memory", "swap"})), "fail"),
    ("swap-accounting", of_engine(limits=frozenset({"pids", "memory", "cpu"})), "fail"),
    ("storage-driver", of_engine(storage="vfs"), "warn"),
    ("gvisor", of_engine(runtimes=frozenset({"runc"})), "warn"),
    ("images-built", of_engine(images={}), "warn"),
    ("images-current", of_engine(images={Language.GO: an_image(Language.GO, "old")}), "fail"),
    ("images-current", of_engine(images={Language.GO: an_image(Language.GO, "")}), "fail"),
    ("images-current", {"keeper": None}, "cannot tell"),
    ("kernel", {"kernel": "6.18.21", **of_engine(kernel="6.18.21")}, "cannot tell"),
    ("kernel", {"kernel": "6.1.0-40", **of_engine(kernel="6.1.0-40")}, "cannot tell"),
    ("core-pattern", {"core_pattern": "|/usr/lib/systemd/systemd-coredump %P"}, "warn"),
    ("core-pattern", {"core_pattern": None}, "cannot tell"),
    ("disk-space", space(free=LEAST_FREE - 1), "fail"),
    ("disk-space", space(files=LEAST_FILES - 1), "fail"),
    ("disk-space", {"spaces": ()}, "cannot tell"),
    ("local-disk", space(kind="nfs4"), "warn"),
    ("socket-path", {"slots": f"/{'x' * 100}/slots"}, "fail"),
    ("clock-source", {"clock_source": "hpet"}, "warn"),
    ("clock-source", {"clock_source": None}, "cannot tell"),
    ("sqlite", {"sqlite": (3, 40, 1)}, "warn"),
    ("sqlite", {"sqlite": (3, 44, 5)}, "warn"),
    ("sqlite", {"sqlite": (3, 50, 6)}, "warn"),
    ("sqlite", {"sqlite": (3, 51, 2)}, "warn"),
    ("smt", {"smt": True}, "warn"),
    ("smt", {"smt": None}, "cannot tell"),
]


@pytest.mark.parametrize(("name", "changes", "state"), WRONG)
def test_what_is_wrong_is_found(name: str, changes: dict[str, Any], state: str) -> None:
    found = judged(dataclasses.replace(GOOD, **changes))
    assert found[name].state.value == state
    others = [one.name for one in found.values() if one.state is State.FAIL and one.name != name]
    assert others == []


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("engine-version", of_engine(version="30.0.0-beta.1")),
        ("runc-version", of_engine(runc="1.2.8")),
        ("runc-version", of_engine(runc="1.4.0-rc.1")),
        ("runc-version", of_engine(runc="1.2.9+ds1")),
        ("engine-users", of_engine(security=frozenset({"seccomp", "rootless"}))),
        ("kernel", {"kernel": "6.18.22"}),
        ("disk-space", space(files=None)),
        ("sqlite", {"sqlite": (3, 44, 6)}),
        ("sqlite", {"sqlite": (3, 50, 7)}),
        ("sqlite", {"sqlite": (3, 52, 0)}),
        ("swap-accounting", {"swap": 0, **of_engine(limits=frozenset({"memory", "pids", "cpu"}))}),
    ],
)
def test_what_is_right_is_no_worry(name: str, changes: dict[str, Any]) -> None:
    facts = dataclasses.replace(GOOD, **changes)
    assert judged(facts)[name].state is State.OK


def test_without_an_engine_nothing_of_it_can_be_told() -> None:
    found = judged(dataclasses.replace(GOOD, engine=None, problem="nobody answers"))
    assert (found["engine"].state, found["engine"].seen) == (State.FAIL, "nobody answers")
    assert {one.state for one in found.values()} == {State.OK, State.FAIL, State.UNKNOWN}
    assert found["controllers"].state is State.UNKNOWN


def test_every_check_of_the_host_is_seen_to_fail() -> None:
    assert set(host_names()) - {name for name, _, _ in WRONG} == {"engine"}


def test_a_slot_s_socket_has_the_path_that_is_counted() -> None:
    with life() as owner, slot(owner) as place:
        path = f"{place.run}/seat.sock"
        assert len(path) == len(f"{place.folder.parent}{SLOT_TAIL}")


# -- the facts --------------------------------------------------------------------------------


def test_facts_of_this_machine() -> None:
    facts = read_facts(None, "not asked")
    assert (facts.engine, facts.problem) == (None, "not asked")
    assert facts.kernel == os.uname().release
    assert all(one.free > 0 for one in facts.spaces)
    assert len(facts.spaces) >= 2
    assert facts.keeper is not None


def test_facts_that_are_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = hostfacts._line
    monkeypatch.setattr(hostfacts, "_line", lambda path: real(f"{tmp_path}{path}"))
    facts = read_facts(None)
    assert (facts.core_pattern, facts.swap, facts.clock_source, facts.smt) == (None,) * 4


class AnsweringEngine:
    """An engine that has nothing but answers."""

    def __init__(self, version: dict[str, Any], info: dict[str, Any]) -> None:
        self.version = lambda: version
        self.info = lambda: info

    def inspect_image(self, name: str) -> dict[str, Any]:
        raise docker.errors.ImageNotFound(name)


def test_facts_of_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://there")
    parts = [{"Name": "Engine", "Version": "29.4.0"}, {"Name": "runc", "Version": "1.3.4"}]
    info = {
        "OperatingSystem": "Docker Desktop",
        "CgroupVersion": "2",
        "MemoryLimit": True,
        "PidsLimit": False,
        "SecurityOptions": ["name=seccomp,profile=builtin", "name=cgroupns"],
        "Runtimes": {"runc": {}, "runsc": {}},
        "DockerRootDir": "/var/lib/docker",
    }
    engine: Any = AnsweringEngine({"Version": "29.4.0", "Components": parts}, info)
    facts = hostfacts.engine_facts(engine)
    assert (facts.version, facts.runc, facts.cgroup) == ("29.4.0", "1.3.4", "2")
    assert facts.security == {"seccomp", "cgroupns"}
    assert facts.limits == {"memory"}
    assert facts.runtimes == {"runc", "runsc"}
    assert facts.address == "tcp://there"
    assert facts.images == {}


def test_an_engine_that_says_little_is_not_trusted() -> None:
    engine: Any = AnsweringEngine({}, {})
    facts = dataclasses.replace(GOOD, engine=hostfacts.engine_facts(engine))
    failed = {one.name for one in failures(host_results(facts))}
    assert failed >= {"engine-here", "engine-seccomp", "controllers", "swap-accounting"}


# -- what follows -----------------------------------------------------------------------------


def a_result(name: str, state: State, *, needed: bool = True) -> Result:
    return Result(name, "A18", "It holds.", "Mend it.", needed, state, "something")


def test_what_is_needed_and_does_not_hold_or_cannot_be_told_is_a_failure() -> None:
    results = [
        a_result("smt", State.WARN, needed=False),
        a_result("kernel", State.UNKNOWN, needed=False),
        a_result("user", State.OK),
        a_result("bpf", State.FAIL),
        a_result("perf", State.UNKNOWN),
    ]
    assert [one.name for one in failures(results)] == ["bpf", "perf"]
    assert [one.name for one in failures(results, Exceptions.of(["perf"]))] == ["bpf"]


def test_an_exception_is_said_at_every_start() -> None:
    exceptions = Exceptions.of(["bpf", "user", "perf"])
    results = [a_result("bpf", State.FAIL), a_result("user", State.OK)]
    assert exceptions.remarks(results) == [
        "accepted: bpf (A18): It holds. Not so: something",
        "accepted: perf, which was not looked at",
        "accepted without need: user is ok",
    ]
    assert doctor.NO_EXCEPTIONS.remarks(results) == []


def test_an_unknown_exception_is_refused_with_the_names_that_there_are() -> None:
    with pytest.raises(InputError) as caught:
        Exceptions.of(["descriptor"])
    message = str(caught.value)
    assert message.startswith("no check is called 'descriptor'; did you mean descriptors? ")
    assert all(name in message for name in known_names())
    with pytest.raises(InputError, match="'zzz'; the checks are engine, "):
        Exceptions.of(["zzz"])


@pytest.mark.parametrize("name", ["engine", "container"])
def test_nobody_can_do_without_an_engine_and_a_look_inside(name: str) -> None:
    with pytest.raises(InputError, match=f"the check {name} cannot be accepted to fail"):
        Exceptions.of([name])


def test_names_of_all_checks_are_told_apart() -> None:
    names = known_names()
    assert len(names) == len(set(names))
    assert {*host_names(), "container", "freezer", *(one.name for one in CHECKS)} == set(names)


# -- all of it --------------------------------------------------------------------------------


def test_without_an_engine_the_host_is_looked_at_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(doctor, "connect", nobody)
    said: list[str] = []
    report = asyncio.run(examine("python", say=said.append))
    assert [one.name for one in report.host] == host_names()
    (inside,) = report.container
    assert (inside.name, inside.state) == ("container", State.FAIL)
    assert {"engine", "container"} <= {one.name for one in failures(report.results)}
    assert said == ["looking at this machine and its engine"]


def nobody() -> Any:
    raise HostFault("nobody answers")


@pytest.mark.usefixtures("docker_engine")
def test_an_image_that_is_not_there_is_a_failure() -> None:
    report = asyncio.run(examine("no-such-image"))
    (inside,) = report.container
    assert (inside.name, inside.state) == ("container", State.FAIL)
    assert "there is no image 'no-such-image'" in inside.seen


@pytest.mark.slow
@pytest.mark.usefixtures("docker_engine")
def test_a_container_of_this_machine() -> None:
    report = asyncio.run(examine("python"))
    (container, *inside) = report.container
    if "there is no image" in container.seen:
        pytest.skip(f"needs an image: {container.seen}")
    assert container.state is State.OK
    assert failures(inside) == []
    assert {one.name for one in report.results} == set(known_names())
