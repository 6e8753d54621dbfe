"""The committed stubs are what the .proto files say, and the .proto files keep to our habits."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from tests.dumps import BEGIN, END, README, dumps

ROOT = Path(__file__).parents[1]
PROTO = ROOT / "proto"
STUBS = ROOT / "sdk" / "python"
FILES = sorted(PROTO.glob("millearena/v1/*.proto"))


def test_the_stubs_are_what_the_proto_files_make(tmp_path: Path) -> None:
    out = [f"--{kind}_out={tmp_path}" for kind in ("python", "pyi", "grpc_python")]
    subprocess.run(
        [sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}", *out, *FILES], check=True
    )
    package = STUBS / "millearena"
    committed = {path.relative_to(STUBS): path.read_text() for path in package.glob("v1/*_pb2*")}
    made = {path.relative_to(tmp_path): path.read_text() for path in tmp_path.rglob("*_pb2*")}
    # Files without a service make empty service stubs, which are not kept.
    made = {
        path: text
        for path, text in made.items()
        if "_service" in path.name or "_grpc" not in path.name
    }
    assert committed.keys() == made.keys(), "run `make proto`"
    assert committed == made, "run `make proto`"
    assert (package / "py.typed").exists()


def test_the_oldest_grpc_that_we_ask_for_can_load_the_stubs() -> None:
    (made_for,) = {
        found[1]
        for path in STUBS.rglob("*_pb2_grpc.py")
        if (found := re.search(r"GRPC_GENERATED_VERSION = '(.+)'", path.read_text()))
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"grpcio>={made_for}" in project["dependencies"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_everything_in_a_proto_file_has_a_comment(path: Path) -> None:
    lines = path.read_text().splitlines()
    declared = re.compile(r"\s*(message|enum|service|rpc|oneof) |.* = \d+;$|\s+[A-Z0-9_]+ = \d+;")
    for before, line in pairwise(lines):
        if declared.match(line):
            assert before.lstrip().startswith("//"), f"{path.name}: {line.strip()}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_zero_in_an_enumeration_means_unspecified(path: Path) -> None:
    for name, body in re.findall(r"enum (\w+) \{(.*?)\n\}", path.read_text(), flags=re.DOTALL):
        prefix = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).upper()
        values = re.findall(r"^\s+(\w+) = (\d+);", body, flags=re.MULTILINE)
        assert values[0] == (f"{prefix}_UNSPECIFIED", "0")
        assert all(value.startswith(f"{prefix}_") for value, _ in values)


SERVICES = [path for path in FILES if path.stem.endswith("_service")]


def messages(path: Path) -> dict[str, str]:
    text = path.read_text()
    found = re.findall(r"^message (\w+) \{(\}|.*?^\})", text, flags=re.DOTALL | re.MULTILINE)
    return dict(found)


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_each_method_has_a_request_and_a_response_of_its_own(path: Path) -> None:
    calls = re.findall(
        r"rpc (\w+)\((?:stream )?(\w+)\) returns \((?:stream )?(\w+)\)", path.read_text()
    )
    assert calls
    for name, request, response in calls:
        assert (request, response) == (f"{name}Request", f"{name}Response")
        assert {request, response} <= messages(path).keys()


@pytest.mark.parametrize("path", SERVICES, ids=lambda path: path.stem)
def test_lists_have_pages_and_what_creates_has_a_request_id(path: Path) -> None:
    for name, body in messages(path).items():
        if name.startswith("List"):
            fields = (
                ("page_size", "page_token") if name.endswith("Request") else ("next_page_token",)
            )
            assert all(f" {field} = " in body for field in fields), name
        if re.fullmatch(r"(Create|Issue)\w+Request", name):
            assert " request_id = " in body, name


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_times_are_messages_and_ids_are_strings(path: Path) -> None:
    for kind, name in re.findall(
        r"^\s+(?:optional |repeated )?(\S+) (\w+) = \d+;", path.read_text(), re.M
    ):
        if name.endswith("_id"):
            assert kind == "string", name
        if name.endswith("_time"):
            assert kind in ("google.protobuf.Timestamp", "google.protobuf.Duration"), name


def test_the_readme_names_every_file() -> None:
    text = README.read_text(encoding="utf-8")
    assert [path.name for path in FILES if f"`{path.name}`" not in text] == []


def test_the_messages_shown_in_the_readme_are_real() -> None:
    text = README.read_text(encoding="utf-8")
    shown = text.split(BEGIN)[1].split(END)[0]
    assert shown.strip() == dumps().strip(), "run `python -m tests.dumps`"
