"""The seccomp profile: what it says, and that programs of every language run under it."""

from __future__ import annotations

import asyncio
import errno
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from arena.sandbox.docker import DockerLauncher
from arena.sandbox.launcher import CappedLog, Program
from arena.sandbox.seccomp import ALLOWED, CONDITIONAL, LEFT_OUT, profile, profile_text
from arena.sandbox.slots import life
from tests.sandbox.doctored import image_or_skip, run_inside

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "deploy" / "seccomp" / "arena-seccomp.json"
HEADERS = (
    Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    Path("/usr/include/asm/unistd_64.h"),
    Path("/usr/include/asm-generic/unistd.h"),
)

FORBIDDEN = (
    *("io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("keyctl", "add_key", "request_key"),
    *("userfaultfd", "bpf", "perf_event_open"),
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    *("mq_open", "mq_unlink", "mq_timedsend", "mq_timedreceive", "mq_notify", "mq_getsetattr"),
    *("mount", "umount", "umount2", "pivot_root", "mount_setattr", "move_mount", "open_tree"),
    *("fsopen", "fsconfig", "fsmount", "fspick", "chroot"),
    *("unshare", "setns", "open_by_handle_at", "name_to_handle_at"),
    *("syslog", "quotactl", "quotactl_fd", "memfd_secret", "socketcall"),
    *("init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot"),
    *("iopl", "ioperm", "swapon", "swapoff", "acct", "settimeofday", "clock_settime"),
)


def rules_of(name: str) -> list[dict[str, Any]]:
    return [rule for rule in profile()["syscalls"] if name in rule["names"]]


# -- what it says -----------------------------------------------------------------------------


def test_what_is_not_named_is_refused() -> None:
    assert profile()["defaultAction"] == "SCMP_ACT_ERRNO"
    assert profile()["defaultErrnoRet"] == errno.EPERM


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden_calls_are_in_no_rule(name: str) -> None:
    assert rules_of(name) == []


def test_only_native_architectures() -> None:
    machines = profile()["archMap"]
    assert {one["architecture"] for one in machines} == {"SCMP_ARCH_X86_64", "SCMP_ARCH_AARCH64"}
    assert all(one["subArchitectures"] == [] for one in machines)
    assert "architectures" not in profile()


@pytest.mark.parametrize("name", ["socket", "socketpair"])
def test_sockets_are_unix_sockets(name: str) -> None:
    (rule,) = rules_of(name)
    assert rule["args"] == [{"index": 0, "value": 1, "op": "SCMP_CMP_EQ"}]


def test_clone_makes_no_namespace() -> None:
    (rule,) = rules_of("clone")
    (condition,) = rule["args"]
    assert (condition["op"], condition["index"]) == ("SCMP_CMP_MASKED_EQ", 0)
    assert condition["valueTwo"] == 0
    # Every bit that linux/sched.h calls CLONE_NEW..., and none that a thread needs.
    assert condition["value"] == 0x7E021000


def test_clone3_does_not_exist() -> None:
    (rule,) = rules_of("clone3")
    assert (rule["action"], rule["errnoRet"]) == ("SCMP_ACT_ERRNO", errno.ENOSYS)


def test_only_named_pipes_are_made() -> None:
    for name, argument in (("mknod", 1), ("mknodat", 2)):
        (rule,) = rules_of(name)
        (condition,) = rule["args"]
        assert condition["index"] == argument
        assert (condition["value"], condition["valueTwo"]) == (0o170000, 0o010000)


def test_personality_changes_nothing() -> None:
    allowed = [condition["value"] for rule in rules_of("personality") for condition in rule["args"]]
    assert allowed == [0, 0xFFFFFFFF]


@pytest.mark.parametrize(
    "name",
    ["prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler"],
)
def test_nobody_s_limits_and_processor_but_one_s_own_are_changed(name: str) -> None:
    (rule,) = rules_of(name)
    assert rule["args"] == [{"index": 0, "value": 0, "op": "SCMP_CMP_EQ"}]


def test_memory_is_not_filled_at_once_and_no_cache_is_thrown_away() -> None:
    ((mmap,), (madvise,), (fadvise,)) = (
        rule["args"] for name in ("mmap", "madvise", "fadvise64") for rule in rules_of(name)
    )
    assert mmap == {"index": 3, "value": 0xA000, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"}
    assert madvise == {"index": 2, "value": 22, "op": "SCMP_CMP_LT"}
    assert fadvise == {"index": 3, "value": 4, "op": "SCMP_CMP_LT"}


def test_nobody_s_priority_but_one_s_own_is_changed() -> None:
    (rule,) = rules_of("setpriority")
    assert [(one["index"], one["value"]) for one in rule["args"]] == [(0, 0), (1, 0)]


def test_no_call_is_named_twice() -> None:
    names = [name for group in (*ALLOWED.values(), *LEFT_OUT.values()) for name in group.split()]
    twice = [name for name, count in Counter([*names, *CONDITIONAL]).items() if count > 1]
    assert twice == []


def test_every_call_of_this_kernel_is_decided() -> None:
    """A newer kernel's calls are refused as it is; this shows that somebody has looked at them."""
    found = [header for header in HEADERS if header.is_file()]
    if not found:
        pytest.skip("needs the kernel's headers (package linux-libc-dev)")
    names = set(re.findall(r"#define __NR(?:3264)?_(\w+)\s+\d+", found[0].read_text()))
    decided = {name for group in (*ALLOWED.values(), *LEFT_OUT.values()) for name in group.split()}
    assert len(names) > 250
    assert sorted(names - decided - set(CONDITIONAL) - {"syscalls", "arch_specific_syscall"}) == []


def test_the_shipped_file_is_what_the_module_says() -> None:
    assert SHIPPED.read_text() == profile_text()
    assert json.loads(SHIPPED.read_text()) == profile()


def test_the_module_prints_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "arena.sandbox.seccomp"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
        timeout=60,
    )
    assert done.stdout == profile_text()


# -- programs under it ------------------------------------------------------------------------


THREADS = """\
import asyncio, concurrent.futures, multiprocessing, os, socket, tempfile

async def main():
    pair = socket.socketpair()
    child = await asyncio.create_subprocess_exec("cat", stdin=-1, stdout=-1)
    said, _ = await child.communicate(b"child ")
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        squares = list(threads.map(lambda number: number * number, range(4)))
    print(said.decode(), squares, flush=True)

if __name__ == "__main__":
    asyncio.run(main())
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(abs, [-1, -2]))
    os.mkfifo(tempfile.mktemp())
    print("pipe")
"""

NODE = """\
const { Worker } = require("worker_threads");
const net = require("net");
const { execFileSync } = require("child_process");
console.log(execFileSync("echo", ["child"]).toString().trim());
new Worker("require('worker_threads').parentPort.postMessage(6 * 7)", { eval: true })
  .on("message", (answer) => {
    console.log("thread", answer);
    const server = net.createServer((one) => one.end("socket")).listen("/tmp/own.sock", () =>
      net.connect("/tmp/own.sock").on("data", (text) => {
        console.log(text.toString());
        server.close();
      }));
  });
"""

JAVA = """\
import java.util.stream.IntStream;
public class Hello {
    public static void main(String[] arguments) throws Exception {
        var child = new ProcessBuilder("echo", "child").start();
        System.out.print(new String(child.getInputStream().readAllBytes()));
        System.out.println("threads " + IntStream.range(0, 1000).parallel().sum());
        Thread.ofVirtual().start(() -> System.out.println("virtual")).join();
    }
}
"""

COMPILED = "int main() { return 0; }\n"

PROGRAMS = {
    # language: file, its content, the command, what it has to write
    "python": ("bot.py", THREADS, ("python3", "bot.py"), ("child  [0, 1, 4, 9]", "[1, 2]", "pipe")),
    "javascript": ("bot.js", NODE, ("node", "bot.js"), ("child", "thread 42", "socket")),
    "java": ("Hello.java", JAVA, ("java", "Hello.java"), ("child", "threads 499500", "virtual")),
    "go": ("go.mod", "module bot\n", ("go", "version"), ("go version go",)),
    "rust": (
        *("bot.rs", "fn main() {}\n"),
        ("rustc", "--emit=obj", "-o", "/tmp/bot.o", "-v", "bot.rs"),
        (),
    ),
    "cpp": ("bot.cpp", COMPILED, ("g++", "-v", "-o", "/tmp/bot", "bot.cpp"), ("COLLECT_GCC",)),
}


@pytest.mark.slow
@pytest.mark.parametrize("language", PROGRAMS)
def test_programs_of_every_language_run(docker_engine: Any, tmp_path: Path, language: str) -> None:
    name, content, command, expected = PROGRAMS[language]
    (tmp_path / name).write_text(content)
    how, said = run_inside(
        docker_engine, image_or_skip(docker_engine, language), tmp_path, *command
    )
    assert how == "exited with code 0", said
    for text in expected:
        assert text in said


CLIENT = """\
import asyncio, grpc

async def main():
    async with grpc.aio.insecure_channel("unix:/run/arena/seat.sock") as channel:
        talk = channel.stream_stream("/test.Echo/Talk")()
        for word in (b"one", b"two"):
            await talk.write(word)
            print((await talk.read()).decode())
        await talk.done_writing()

asyncio.run(main())
"""


async def echo(requests: AsyncIterator[bytes], _: Any) -> AsyncIterator[bytes]:
    async for word in requests:
        yield b"heard " + word


@pytest.mark.slow
def test_grpc_talks_over_the_seat_s_socket(docker_engine: Any, tmp_path: Path) -> None:
    image = image_or_skip(docker_engine, "python")
    (tmp_path / "client.py").write_text(CLIENT)
    handlers: dict[str, Any] = {"Talk": grpc.stream_stream_rpc_method_handler(echo)}

    async def talk() -> tuple[str, str]:
        with life() as owner:
            program = Program(command=("python3", "client.py"), folder=tmp_path, image=image)
            slot = await DockerLauncher(docker_engine, owner).make_ready(program)
            server = grpc.aio.server()
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler("test.Echo", handlers),)
            )
            assert slot.socket is not None
            server.add_insecure_port(f"unix:{slot.socket}")
            await server.start()
            slot.socket.chmod(0o666)
            log = CappedLog()
            try:
                async with asyncio.timeout(60), slot.run({}, log) as running:
                    ended = await running.wait()
            finally:
                await server.stop(grace=None)
                await slot.close()
            return ended.how, log.text()

    how, said = asyncio.run(talk())
    assert how == "exited with code 0", said
    assert said.split("\n")[:2] == ["heard one", "heard two"]
