"""The checks in real containers: none fails as it should be, and what is left out is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox.doctor import failures
from arena.sandbox.probes.checks import CHECKS, State
from tests.sandbox.doctored import careless, image_or_skip, probed

MIB = 1024 * 1024


@pytest.fixture
def image(docker_engine: Any) -> str:
    return image_or_skip(docker_engine, "python")


@pytest.mark.slow
def test_nothing_fails_in_a_container_as_it_should_be(docker_engine: Any, image: str) -> None:
    found = probed(docker_engine, image)
    assert failures(found.values()) == []
    assert {one.name for one in CHECKS} <= found.keys()


UNFILTERED = """
    socket-inet socket-inet6 socket-netlink socket-key socket-bluetooth socket-alg socket-vsock
    io-uring keyctl add-key userfaultfd memfd-secret file-handle ptrace process-memory kcmp
    pidfd-getfd personality clone3 other-architecture seccomp system-v-ipc message-queue"""


def unfiltered(settings: dict[str, Any]) -> None:
    settings["SecurityOpt"] = ["no-new-privileges:true", "seccomp=unconfined"]
    settings["Ulimits"] = []  # one of which keeps message queues away as well


def with_the_engine_s_own_filter(settings: dict[str, Any]) -> None:
    settings["SecurityOpt"] = ["no-new-privileges:true"]


def with_new_privileges(settings: dict[str, Any]) -> None:
    settings["SecurityOpt"] = [one for one in settings["SecurityOpt"] if "seccomp" in one]


def writable(settings: dict[str, Any]) -> None:
    settings["ReadonlyRootfs"] = False


def unlimited(settings: dict[str, Any]) -> None:
    for name in ("PidsLimit", "Memory", "MemorySwap", "NanoCpus"):
        settings[name] = 0
    settings["Ulimits"] = [{"Name": "core", "Soft": -1, "Hard": -1}]
    settings["Tmpfs"] = {"/tmp": "rw,mode=1777"}
    settings["ShmSize"] = 4096 * MIB


def without_a_tmpfs(settings: dict[str, Any]) -> None:
    settings["Tmpfs"] = {}


def on_the_host_s_network(settings: dict[str, Any]) -> None:
    settings["NetworkMode"] = "host"


def on_a_bridge(settings: dict[str, Any]) -> None:
    settings["NetworkMode"] = "bridge"


def unmasked(settings: dict[str, Any]) -> None:
    settings["Mounts"] = [one for one in settings["Mounts"] if one["Target"] != "/proc/stat"]
    settings["MaskedPaths"] = []


def with_the_engine_s_socket(settings: dict[str, Any]) -> None:
    settings["Binds"] = ["/var/run/docker.sock:/var/run/docker.sock"]


def with_capabilities(settings: dict[str, Any]) -> None:
    settings["CapDrop"] = []


def as_an_administrator(settings: dict[str, Any]) -> None:
    settings["CapDrop"] = []
    settings["CapAdd"] = ["SYS_ADMIN", "SYS_CHROOT", "MKNOD", "NET_RAW", "SYSLOG"]
    settings["SecurityOpt"] = ["seccomp=unconfined", "apparmor=unconfined"]
    settings["ReadonlyPaths"] = []
    path = "/dev/kmsg"
    settings["Devices"] = [
        {"PathOnHost": path, "PathInContainer": path, "CgroupPermissions": "rwm"}
    ]


def without_a_seat(settings: dict[str, Any]) -> None:
    settings["Mounts"] = [one for one in settings["Mounts"] if one["Target"] != "/run/arena"]


def unchanged(settings: dict[str, Any]) -> None:
    pass


CARELESS = [
    # what is changed, options that are replaced, the checks that have to fail
    (unfiltered, {}, UNFILTERED),
    (with_the_engine_s_own_filter, {}, "socket-inet socket-inet6 socket-netlink ptrace"),
    (with_new_privileges, {}, "no-new-privileges"),
    (writable, {}, "root-read-only"),
    (
        *(unlimited, {}),
        "pids-limit memory-limit cpu-limit tmp-size shm-size rlimit-core rlimit-fsize "
        "rlimit-msgqueue rlimit-sigpending rlimit-nofile",
    ),
    (without_a_tmpfs, {}, "tmp-size"),
    (on_the_host_s_network, {}, "network abstract-sockets"),
    (on_a_bridge, {}, "network"),
    (unmasked, {}, "host-counters other-counters kernel-files"),
    (with_the_engine_s_socket, {}, "engine-socket unix-sockets"),
    (with_capabilities, {}, "capability-bound"),
    (with_capabilities, {"user": "0:0"}, "capability-bound capabilities user"),
    (
        *(as_an_administrator, {"user": "0:0"}),
        "proc-sys devices mount fsopen device-node bpf perf chroot setns unshare clone-namespace "
        "socket-packet kernel-log capabilities first-process",
    ),
    (without_a_seat, {}, "seat-socket"),
    (unchanged, {"hostname": "match-7"}, "host-name"),
    (unchanged, {"environment": {"ARENA_OPPONENT": "keeper"}}, "environment"),
]


BY_OTHER_TESTS = """
    descriptors first-process opaque-names oom-first processes rlimit-memlock
    setuid-files
    socket-unix swap-limit terminal tmp-noexec volumes"""
"""Checks that cannot be made to fail by an option, or that have a test of their own."""


def test_every_check_is_seen_to_fail() -> None:
    seen = {name for _, _, names in CARELESS for name in names.split()}
    assert {one.name for one in CHECKS} - seen - set(BY_OTHER_TESTS.split()) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "options", "expected"), CARELESS, ids=lambda one: getattr(one, "__name__", None)
)
def test_what_is_left_out_is_found(
    monkeypatch: pytest.MonkeyPatch,
    docker_engine: Any,
    image: str,
    change: Callable[[dict[str, Any]], None],
    options: dict[str, object],
    expected: str,
) -> None:
    careless(monkeypatch, docker_engine, change, **options)
    found = probed(docker_engine, image)
    # A kernel that lacks something refuses it in its own words, which is no promise.
    failed = {one.name for one in failures(found.values())}
    assert {name: found[name].seen for name in expected.split() if name not in failed} == {}


@pytest.mark.slow
def test_a_folder_that_can_be_written_to_is_found(
    monkeypatch: pytest.MonkeyPatch, docker_engine: Any, image: str, tmp_path: Path
) -> None:
    shared = tmp_path / "of-owner-smith"
    shared.mkdir()
    shared.chmod(0o777)

    def with_a_volume(settings: dict[str, Any]) -> None:
        settings["Binds"] = [f"{shared}:/mnt"]

    careless(monkeypatch, docker_engine, with_a_volume)
    found = probed(docker_engine, image)
    assert found["volumes"].state is State.FAIL
    assert found["root-read-only"].state is State.FAIL
    assert found["opaque-names"].state is State.FAIL
