"""`python -m tests.firstmatch [LANGUAGE...]`: from `arena new-bot` to a first finished match.

For each language what a new user would type, in an empty folder, with the clock running: new-bot,
build-bot, the bot's own tests, and a match of one board against `random`. What the tools of a
language have fetched before stays where they keep it; `--cold` gives them an empty home instead.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Final

from arena.cli.kits import KITS

ARENA: Final = str(Path(sys.executable).with_name("arena"))
STEPS: Final = ("new-bot", "fetch", "build", "test", "match")
_NAME: Final = "first-steps"


@dataclass
class Course:
    """How it went in one language: seconds by step; why it ended early, if it did."""

    language: str
    seconds: dict[str, float] = field(default_factory=dict)
    problem: str = ""


def take(language: str, *, cold: bool) -> Course:
    """Do everything in one language."""
    course = Course(language)
    with tempfile.TemporaryDirectory(prefix="first-") as name:
        room, environment = Path(name), dict(os.environ)
        if cold:
            home = room / "home"
            home.mkdir()
            environment |= {
                "HOME": str(home),
                "GOPATH": str(home / "go"),
                "npm_config_cache": str(home / "npm"),
            }
            environment |= {"CARGO_HOME": str(home / "cargo"), "GOCACHE": str(home / "go-build")}
        place = room / "work"
        place.mkdir()
        begun = _run(
            "new-bot",
            course,
            place,
            environment,
            [ARENA, "new-bot", _NAME, "--lang", language, "--json"],
        )
        if begun is None:
            return course
        steps = json.loads(begun)["next"]
        commands = {
            "fetch": steps.get("fetch"),
            "build": steps.get("build"),
            "test": steps["test"],
            "match": re.sub(r"--boards \d+", "--boards 1", steps["play"]),
        }
        for step, command in commands.items():
            if command and _run(step, course, place, environment, ["sh", "-c", command]) is None:
                break
        _make_removable(room)
    return course


def _run(
    step: str, course: Course, place: Path, environment: dict[str, str], command: list[str]
) -> str | None:
    began = perf_counter()
    done = subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, check=False
    )
    course.seconds[step] = perf_counter() - began
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        course.problem = f"{step}: {shlex.join(command)} ended with {done.returncode}: {last}"
        return None
    return done.stdout


def _make_removable(room: Path) -> None:
    """Go makes what it has fetched read-only."""
    for path in room.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)


def main() -> None:
    """Print a line for each language; exit code 1 if one did not come to a match."""
    parser = argparse.ArgumentParser(prog="python -m tests.firstmatch", description=__doc__)
    parser.add_argument("languages", nargs="*", default=["python", *KITS])
    parser.add_argument("--cold", action="store_true", help="with nothing fetched beforehand")
    given = parser.parse_args()
    sys.stdout.write(f"| language | {' | '.join(f'{step} s' for step in STEPS)} | together s |\n")
    sys.stdout.write(f"|{'---|' * (len(STEPS) + 2)}\n")
    code = 0
    for language in given.languages:
        course = take(language, cold=given.cold)
        cells = [f"{course.seconds[step]:.1f}" if step in course.seconds else "-" for step in STEPS]
        whole = f"{sum(course.seconds.values()):.0f}"
        sys.stdout.write(f"| {language} | {' | '.join(cells)} | {whole} |\n")
        if course.problem:
            sys.stdout.write(f"{language}: {course.problem}\n")
            code = 1
        sys.stdout.flush()
    sys.exit(code)


if __name__ == "__main__":
    main()
