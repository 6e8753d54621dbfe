"""`arena check-bot`: what it puts to a bot, and what it finds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from google.protobuf.unknown_fields import UnknownFieldSet

from arena.cli.checking import Finding, Oddity, Scenario, check, scenarios
from arena.cli.sparring import with_newer_fields
from arena.engine.state import Stage
from arena.referee.events import MatchOver, OutcomeKind
from arena.referee.limits import TimeControl, WindowMode, nanos
from arena.submissions.manifest import read_manifest
from millearena.v1 import match_service_pb2 as pb
from tests.cli.matchroom import MANIFEST
from tests.cli.recordcommands import arena

TIME = TimeControl(start_up=nanos(60), turn=nanos(20), bank=nanos(20), response_window=nanos(20))
ONE_HAND = Scenario(name="one hand", hands=1)

pytestmark = pytest.mark.slow


def checked(
    tmp_path: Path, body: str, scenario: Scenario = ONE_HAND, time: TimeControl = TIME
) -> Finding:
    """What a scenario shows about a bot whose class has this body."""
    (tmp_path / "bot.toml").write_text(MANIFEST.format(name="checked", version="1"))
    (tmp_path / "bot.py").write_text(
        "import sys, time\n"
        "from arena_sdk import Bot, run\n\n\n"
        f"class Checked(Bot):\n{body}\n\n"
        "if __name__ == '__main__':\n    run(Checked())\n"
    )
    return check(None, read_manifest(tmp_path), scenario, time)


FIRST = "    def choose(self, prompt):\n        return prompt.legal[0]\n"


def test_every_table_window_and_oddity_is_played() -> None:
    all_of_them = list(scenarios(3))
    tables = {(one.preset, one.players) for one in all_of_them}
    assert tables == {
        *(("classic", players) for players in (2, 3, 4, 6)),
        *(("leaflet", players) for players in (2, 3, 4, 6)),
        *(("express", players) for players in (2, 3, 4)),
        *(("plateau", players) for players in (2, 3, 4)),
    }
    assert {one.window for one in all_of_them} == set(WindowMode)
    odd = [one.oddity for one in all_of_them]
    for name in ("loses_answers", "newer_fields", "pause", "no_notes", "against_itself"):
        assert any(getattr(one, name) for one in odd), name
    assert len({one.name for one in all_of_them}) == len(all_of_them)


def test_a_good_bot_passes_and_is_asked_everything() -> None:
    done = arena("check-bot", "keeper", "--pause", "0.1", "--json")
    found = json.loads(done.out)
    assert [one["problems"] for one in found["scenarios"] if one["problems"]] == []
    assert (done.code, found["passed"], found["kinds_never_asked"]) == (0, True, [])
    asked = {kind for one in found["scenarios"] for kind in one["kinds"]}
    assert asked == {stage.name for stage in Stage if stage is not Stage.OVER}


def test_an_illegal_answer_is_found(tmp_path: Path) -> None:
    body = (
        "    def choose(self, prompt):\n"
        "        from arena.engine.actions import ACTIONS\n"
        "        return next(one for one in ACTIONS if one not in prompt.legal)\n"
    )
    found = checked(tmp_path, body)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("illegal: ")
    assert not found.only_time


def test_an_exception_is_found_although_the_sdk_would_play_on(tmp_path: Path) -> None:
    found = checked(tmp_path, "    def choose(self, prompt):\n        raise ValueError('oh')\n")
    assert len(found.problems) == 1
    assert found.problems[0].startswith("FORFEIT")
    assert "ValueError: oh" in found.log


def test_who_is_late_is_told_from_who_is_wrong(tmp_path: Path) -> None:
    body = "    def choose(self, prompt):\n        time.sleep(0.3)\n        return prompt.default\n"
    short = replace(TIME, turn=nanos(0.05), bank=nanos(0), response_window=nanos(0.05))
    found = checked(tmp_path, body, time=short)
    assert any(problem.startswith("timed out: ") for problem in found.problems)
    assert found.only_time


def test_a_slow_start_is_a_warning(tmp_path: Path) -> None:
    body = f"    def __init__(self):\n        time.sleep(9)\n{FIRST}"
    found = checked(tmp_path, body, time=replace(TIME, start_up=nanos(12)))
    assert found.problems == ()
    (warning,) = found.warnings
    assert warning.startswith("started in ")
    assert warning.endswith(" of 12 s")


def test_answers_that_get_lost_are_rejected_to_the_bot_and_not_held_against_it(
    tmp_path: Path,
) -> None:
    body = f"{FIRST}\n    def rejected(self, rejection):\n        print('told', rejection.reason)\n"
    scenario = Scenario(name="lost", hands=1, oddity=Oddity(loses_answers=True))
    found = checked(tmp_path, body, scenario)
    assert found.problems == ()
    assert "told " in found.log


def test_a_bot_that_notes_more_than_there_is_room_for_passes(tmp_path: Path) -> None:
    body = (
        "    def choose(self, prompt):\n"
        "        for _ in range(50):\n            self.note('x' * 10000)\n"
        "        return prompt.legal[0]\n"
    )
    for odd in (Oddity(no_notes=True), Oddity()):
        assert checked(tmp_path, body, Scenario(name="notes", hands=1, oddity=odd)).problems == ()


def test_fields_of_a_newer_version_are_on_the_wire() -> None:
    raw = with_newer_fields(MatchOver(1, 1, 0, OutcomeKind.COMPLETED, ""))
    message = pb.PlayResponse.FromString(raw)
    assert message.HasField("match_over")
    unknown = UnknownFieldSet(message)
    assert (len(unknown), unknown[0].field_number) == (1, 2047)
