"""The commands on the engine, as real processes: results, bad input, JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.engine.rulesets import make_ruleset

ROOT = Path(__file__).parents[2]
SHARED = ROOT / "tests" / "conformance" / "shared"


def arena(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", *args],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
        timeout=120,
    )


def as_json(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


def case_file(tmp_path: Path, **changes: object) -> Path:
    case = {
        "name": "deck",
        "source": "X01",
        "ruleset": "express",
        "teams": [[0], [1]],
        "deck": {"D25": 6},
    } | changes
    path = tmp_path / "cases.json"
    path.write_text(json.dumps({"format": "mille-conformance/1", "cases": [case]}))
    return path


def test_conformance_passes_the_rule_book_s_cases() -> None:
    done = arena("conformance", *map(str, sorted(SHARED.glob("*.json"))))
    lines = done.stdout.splitlines()
    assert done.returncode == 0
    assert lines[-1] == "54 passed, 0 failed"
    assert sum(line.startswith("ok ") for line in lines) == 54


def test_conformance_shows_expected_and_actual_of_a_failure(tmp_path: Path) -> None:
    done = arena("conformance", str(case_file(tmp_path)))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "FAIL cases: deck: deck.D50: expected 0, actual 6",
        "0 passed, 1 failed",
    ]


def test_conformance_json_of_a_failure(tmp_path: Path) -> None:
    done = arena("conformance", "--json", str(case_file(tmp_path)))
    report = as_json(done)
    assert done.returncode == 1
    assert (report["passed"], report["failed"]) == (0, 1)
    assert report["cases"][0]["field"] == "deck.D50"
    assert (report["cases"][0]["expected"], report["cases"][0]["actual"]) == (0, 6)


@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_conformance_refuses_a_malformed_file_and_runs_nothing(
    tmp_path: Path, flags: list[str]
) -> None:
    bad = case_file(tmp_path, deck={"D25": 6, "D30": 1})
    good = sorted(SHARED.glob("*.json"))[0]
    done = arena("conformance", *flags, str(good), str(bad))
    assert done.returncode == 2
    assert done.stderr.startswith(f"arena: {bad}: case 'deck': deck: unknown key 'D30'; ")
    assert len(done.stderr.splitlines()) == 1
    if flags:
        assert as_json(done)["error"]["kind"] == "input"
    else:
        assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"{", "not valid JSON: "),
        (b"\xff", "not UTF-8 text (byte 0)"),
        (b"[" * 100_000, "not valid JSON: "),
        (b"[]", "file: a list is not an object"),
        (b'{"format": "mille-conformance/2", "cases": []}', "format: 'mille-conformance/2' is not"),
    ],
)
def test_conformance_names_the_file_that_cannot_be_read(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / "cases.json"
    if content is not None:
        path.write_bytes(content)
    done = arena("conformance", str(path))
    assert done.returncode == 2
    assert done.stderr.startswith(f"arena: {path}: {message}")
    assert len(done.stderr.splitlines()) == 1


def test_conformance_refuses_a_folder(tmp_path: Path) -> None:
    done = arena("conformance", str(tmp_path))
    assert done.returncode == 2
    assert (
        done.stderr == f"arena: {tmp_path}: is a folder; name its files, e.g. {tmp_path}/*.json\n"
    )


def test_sim_is_the_same_for_the_same_seed_and_adds_up() -> None:
    args = ("sim", "--ruleset", "leaflet", "--players", "3", "--hands", "50", "--json")
    first, again = arena(*args, "--seed", "7"), arena(*args, "--seed", "7")
    other = arena(*args, "--seed", "8")
    facts = as_json(first)
    assert first.returncode == 0
    assert first.stdout == again.stdout != other.stdout
    assert facts["hands"] == 50
    assert sum(facts["share_by_reason"].values()) == pytest.approx(1)
    # A point a kilometre (K44).
    assert facts["points_per_team"]["distance"] == pytest.approx(facts["km_per_team"])
    spread = facts["decisions_per_hand"]
    assert spread["shortest"] <= spread["mean"] <= spread["longest"]


def test_sim_shows_a_table() -> None:
    done = arena("sim", "-r", "express", "-p", "4", "--hands", "20")
    assert done.returncode == 0
    assert "coups fourrés per hand" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["-r", "poker"], "unknown preset 'poker'; the presets are classic, express, plateau"),
        (["-p", "5"], "5 players: classic is for 2 or 3 players individually, 4 in two teams"),
        (["-r", "express", "-p", "6"], "6 players: express is for 2, 3 or 4 players"),
        (["-o", "target=800"], "option target: 800 is not allowed; allowed: 1000 or 700 (R31"),
        (["-o", "extension=true"], "option extension: true goes only with target 700"),
        (["-o", "top_choice=true"], "option top_choice: true is not allowed, classic has no such"),
        (["-o", "colour=red"], "unknown option 'colour'; the options are target, "),
        (["-o", "taget=700"], "unknown option 'taget'; did you mean target?"),
        (["-o", "target"], "option 'target' is not of the form name=value"),
    ],
)
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_bad_rules_are_refused_in_one_line(args: list[str], message: str, flags: list[str]) -> None:
    done = arena("sim", *args, *flags)
    assert done.returncode == 2
    assert done.stderr.startswith(f"arena: {message}")
    assert len(done.stderr.splitlines()) == 1
    if flags:
        assert as_json(done)["error"]["message"].startswith(message)


@pytest.mark.parametrize("args", [["--hands", "0"], ["--hands", "many"], ["--what"]])
def test_bad_usage_is_refused_in_one_line(args: list[str]) -> None:
    done = arena("sim", *args)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert args[-1] in done.stderr


@pytest.mark.slow
def test_bench_referee_compares_every_pair_in_turn() -> None:
    size = ("--rounds", "2", "--hands", "1", "--games", "20")
    report = as_json(arena("bench", "referee", *size, "--json"))
    targets = [row["target"] for row in report["rows"]]
    assert targets == ["<= 1.30", ">= 0.85", ">= 1.6", ">= 0.5", ">= 1.8"]
    for row in report["rows"]:
        ours, theirs, ratio = row["ours"], row["theirs"], row["ratio"]
        assert 0 < ours["low"] / theirs["high"] <= ratio["median"] <= ours["high"] / theirs["low"]
    assert 0 < report["memory"]["early_kib"] <= report["memory"]["late_kib"]


def test_bench_engine_measures_every_table() -> None:
    done = arena("bench", "engine", "--rounds", "1", "--seconds", "0.01", "--json")
    report = as_json(done)
    tables = {(row["preset"], row["players"]) for row in report["rows"]}
    assert done.returncode == 0
    assert tables >= {
        *(("classic", players) for players in (2, 3, 4, 6)),
        *((preset, players) for preset in ("express", "plateau") for players in (2, 3, 4)),
    }
    for row in report["rows"]:
        assert row["decisions"]["low"] > 0
        assert row["ratio"]["median"] > 0
        assert row["copy_us"] > 0
        assert row["determinize_us"] > 0


def test_a_state_of_two_players_takes_less_than_two_kilobytes() -> None:
    report = as_json(arena("bench", "engine", "--rounds", "1", "--seconds", "0.01", "--json"))
    sizes = {(row["preset"], row["players"]): row["state_bytes"] for row in report["rows"]}
    assert 1000 < sizes["classic", 2] < 2048


@pytest.mark.parametrize("preset", ["classic", "express", "plateau", "leaflet"])
def test_rules_lists_every_option_of_a_rule_set(preset: str) -> None:
    listed = as_json(arena("rules", preset, "--json"))
    chosen = make_ruleset(preset)
    assert {row["name"]: row["value"] for row in listed["options"]} == chosen.options()
    shown = arena("rules", preset)
    assert shown.returncode == 0
    assert all(name in shown.stdout for name in chosen.options())


def test_rules_of_an_unknown_preset() -> None:
    done = arena("rules", "poker")
    assert done.returncode == 2
    assert done.stderr.startswith("arena: unknown preset 'poker'; the presets are classic, ")


def test_option_given_twice_is_refused() -> None:
    done = arena("sim", "-o", "target=700", "-o", "target=1000")
    assert done.returncode == 2
    assert done.stderr == "arena: option target is given twice; say which one is meant\n"


@pytest.mark.parametrize(
    ("args", "path"),
    [
        (["sim", "--hands"], "arena sim"),
        (["bench", "engine", "--rounds", "x"], "arena bench engine"),
        (["bench", "nonsense"], "arena bench"),
        (["nonsense"], "arena"),
    ],
)
def test_usage_error_points_to_the_help_of_its_command(args: list[str], path: str) -> None:
    assert arena(*args).stderr.endswith(f"(see '{path} --help')\n")


def test_a_group_alone_shows_its_help() -> None:
    done = arena("bench")
    assert (done.returncode, done.stderr) == (0, "")
    assert "engine" in done.stdout


@pytest.mark.parametrize("seed", ["[/x]", "[bold]", "\udcff", "a\nb", "\x1b[31m", "", "é" * 500])
@pytest.mark.parametrize("flags", [[], ["--json"]])
def test_a_seed_may_be_any_text(seed: str, flags: list[str]) -> None:
    done = arena("sim", "--hands", "5", "--seed", seed, *flags)
    assert done.returncode == 0, done.stderr
    if flags:
        assert as_json(done)["seed"] == seed


def test_a_seed_is_shown_as_it_is_and_not_as_markup() -> None:
    assert "seed [/x]" in " ".join(arena("sim", "--hands", "5", "--seed", "[/x]").stdout.split())


def test_a_file_without_end_is_refused() -> None:
    done = arena("conformance", "/dev/zero")
    assert done.returncode == 2
    assert done.stderr == "arena: /dev/zero: larger than 64 MiB\n"


@pytest.mark.parametrize("digits", [10, 400, 4300, 5000])
def test_endless_numbers_in_a_case_are_refused_in_one_line(tmp_path: Path, digits: int) -> None:
    number = "9" * digits
    document = (
        '{"format": "mille-conformance/1", "cases": [{"name": "n", "source": "s", '
        '"ruleset": "classic", "teams": [[0], [1]], "match": {"scores": [NUMBER, NUMBER], '
        '"hands": [{"points": [NUMBER, 0]}]}}]}'
    )
    path = tmp_path / "cases.json"
    path.write_text(document.replace("NUMBER", number))
    done = arena("conformance", str(path))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
