"""Real images, where there is an engine and they have been built: nothing is built here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from arena.errors import HostFault
from arena.sandbox.images import Language, find, resolve

if TYPE_CHECKING:
    from docker import APIClient

HELLO: Final = {
    Language.PYTHON: """
        echo 'print("hello", "from", "python")' > hello.py
        python -m compileall -q . && python hello.py && python3 hello.py""",
    Language.JAVASCRIPT: """
        echo 'import grpc from "@grpc/grpc-js"; console.log("hello", "from", "javascript")' > a.mjs
        echo 'require("@grpc/proto-loader"); console.log("hello", "from", "javascript")' > b.js
        npm --version && tsc --version && node a.mjs && node b.js""",
    Language.GO: """
        printf 'module hello\\n' > go.mod
        printf 'package main\\nfunc main() { println("hello", "from", "go") }\\n' > hello.go
        go build -o hello && ./hello""",
    Language.RUST: """
        mkdir src && echo 'fn main() { println!("hello {} {}", "from", "rust"); }' > src/main.rs
        printf '[package]\\nname = "hello"\\nversion = "1.0.0"\\nedition = "2021"\\n' > Cargo.toml
        cargo build --release && target/release/hello""",
    Language.JAVA: """
        echo 'class Hello { public static void main(String[] words) {' > Hello.java
        echo 'System.out.println("hello" + " from" + " java"); } }' >> Hello.java
        javac Hello.java && java Hello""",
    Language.CPP: """
        echo '#include <grpcpp/version_info.h>' > hello.cpp
        echo '#include <iostream>' >> hello.cpp
        echo 'int main() { std::cout << "hello" << " from" << " cpp" << std::endl; }' >> hello.cpp
        cmake --version && protoc --version && command -v grpc_cpp_plugin
        g++ -o hello hello.cpp && ./hello""",
    Language.OTHER: """
        echo '#include <cjson/cJSON.h>' > hello.c
        echo '#include <stdio.h>' >> hello.c
        echo 'int main(void) { puts(cJSON_Parse("[]") ? "hello from other" : "none"); }' >> hello.c
        lua5.4 -e 'print(require("cjson").encode({}))' && echo {} | jq . && awk 'BEGIN { print }'
        perl -MJSON::PP -e 'decode_json("{}")' && php -r 'json_decode("{}");'
        ruby -r json -e 'JSON[%q({})]'
        make --version && gcc -o hello hello.c -lcjson && ./hello""",
}

# Everything that a bot's start loads is there compiled: it could not be written.
COMPILED: Final = """
import grpc.aio, arena_sdk.testing, arena_sdk._stream
import os, sys
named = [(name, getattr(module, "__cached__", None)) for name, module in sys.modules.items()]
lacking = [name for name, file in named if file and not os.path.exists(file)]
assert len(named) > 200 and not lacking, lacking
print("all compiled")
"""


def output(engine: APIClient, image: str, *command: str) -> str:
    """What a program says in a container like a bot's, if it ends with 0."""
    made = engine.create_container(
        image=image,
        command=list(command),
        entrypoint=["/usr/bin/env"],
        user="20001:20001",
        working_dir="/build",
        environment={"HOME": "/tmp"},
        host_config=engine.create_host_config(
            network_mode="none",
            read_only=True,
            cap_drop=["ALL"],
            security_opt=["no-new-privileges:true"],
            tmpfs={"/tmp": "rw,noexec,size=256m,mode=1777", "/build": "rw,exec,mode=1777"},
        ),
    )
    try:
        engine.start(made["Id"])
        ended = engine.wait(made["Id"], timeout=120)
        said = engine.logs(made["Id"]).decode()
    finally:
        engine.remove_container(made["Id"], force=True)
    assert ended["StatusCode"] == 0, said
    return str(said)


def built(engine: APIClient, language: Language) -> str:
    """The id of an image that is there."""
    try:
        return resolve(engine, language).id
    except HostFault as fault:
        pytest.skip(str(fault))


@pytest.mark.slow
@pytest.mark.parametrize("language", list(Language))
def test_hello_is_built_and_run_without_any_right(
    docker_engine: APIClient, language: Language
) -> None:
    said = output(docker_engine, built(docker_engine, language), "sh", "-ec", HELLO[language])
    assert said.splitlines()[-1] == f"hello from {language}"


@pytest.mark.parametrize("language", list(Language))
def test_nothing_in_an_image_gives_rights_and_the_keeper_is_roots(
    docker_engine: APIClient, language: Language
) -> None:
    image = built(docker_engine, language)
    look = "find / -xdev -perm /6000 -type f 2>/dev/null; stat -c '%u %a' /arena /arena/wrap"
    assert output(docker_engine, image, "sh", "-c", look).split("\n") == ["0 755", "0 755", ""]
    config = (find(docker_engine, image) or {})["Config"]
    assert config["Entrypoint"] == ["/arena/wrap"]
    assert not config["User"]
    assert not config.get("Healthcheck")


def test_the_bridge_starts_from_what_is_compiled(docker_engine: APIClient) -> None:
    image = built(docker_engine, Language.OTHER)
    program = COMPILED.replace("arena_sdk.testing, arena_sdk._stream", "arena_sdk._bridge_talk")
    assert output(docker_engine, image, "python3", "-c", program) == "all compiled\n"
    said = output(docker_engine, image, "sh", "-c", "python3 -P -m arena_sdk.bridge 2>&1 || true")
    assert said == "usage: python -m arena_sdk.bridge -- PROGRAM [ARGUMENT ...]\n"


def test_a_python_bot_starts_from_what_is_compiled(docker_engine: APIClient) -> None:
    image = built(docker_engine, Language.PYTHON)
    assert output(docker_engine, image, "python", "-c", COMPILED) == "all compiled\n"
    said = output(docker_engine, image, "sh", "-c", "python -m arena_sdk 2>&1 || true")
    assert said == "usage: python -m arena_sdk module:Class\n"
