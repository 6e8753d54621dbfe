"""`arena rerun`: a recorded game put to real programs over the real protocol."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.cli import rerunning
from arena.cli.records import load_record
from arena.referee.events import BotNo, HandOver, Prompt
from arena.referee.limits import FaultBudget, Nanos, TimeControl, WindowMode
from arena.referee.replay import load
from arena.referee.scripted import Script, ScriptedSeat, eager
from arena.submissions.manifest import read_manifest
from tests.cli.recordcommands import arena, write
from tests.referee.plans import MS, after, hostile, make_plan, patient
from tests.referee.recorded import chained, erratic, recorded, said_by

BOT = Path(__file__).with_name("answering_bot.py")
GENEROUS = TimeControl(
    start_up=Nanos(60_000 * MS),
    turn=Nanos(5_000 * MS),
    bank=Nanos(5_000 * MS),
    response_window=Nanos(5_000 * MS),
)
"""For programs on a busy machine."""


def bot(tmp_path: Path, behaviour: str) -> Path:
    """The folder of a bot that behaves so."""
    folder = tmp_path / behaviour
    folder.mkdir()
    (folder / "bot.toml").write_text(
        f'name = "{behaviour}"\nversion = "2"\nlanguage = "python"\n'
        f'run = ["python", "{BOT}", "{behaviour}"]\n'
    )
    return folder


def record(tmp_path: Path, *scripts: Script, time: TimeControl = GENEROUS, **options: Any) -> Path:
    plan = make_plan("classic", len(scripts), seed="rerun", time=time, **options)
    return write(tmp_path / "record.jsonl", recorded(plan, *scripts))


def facts(*args: str | Path) -> dict[str, Any]:
    done = arena("rerun", "--json", *args)
    found: dict[str, Any] = json.loads(done.out)
    assert done.code == (1 if found["broken_off"] else 0)
    return found


def test_a_command_that_the_shell_took_apart_is_told_to_be_quoted(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager)
    done = arena("rerun", path, "--seat", "0", "--bot", "--", "python", "bot.py")
    assert done.code == 2
    assert "quote it, '-- command ...'" in done.err.splitlines()[-1]


# -- what is asked ----------------------------------------------------------------------------


@pytest.mark.parametrize("mode", WindowMode)
def test_the_prompts_are_those_that_the_recorded_bot_had(mode: WindowMode) -> None:
    """Every one of them to the letter, withdrawn ones too, and every result of a hand."""
    plan = make_plan("classic", 4, games=3, hands=2, seed="rerun", window=mode)
    scripts = (hostile, patient, erratic(1, 0.05, grave=False), after(10 * MS, patient))
    seats = [ScriptedSeat(script) for script in scripts]
    replay = load(io.BytesIO(b"".join(recorded(plan, *seats))))
    for number, seat in enumerate(seats):
        told = [one for one in seat.told if isinstance(one, Prompt | HandOver)]
        asked = [
            one for game in range(3) for one in rerunning.script_of(replay, game, BotNo(number))
        ]
        assert len(asked) == len(told)
        for question, message in zip(asked, told, strict=True):
            if isinstance(message, HandOver):
                assert question == message
            else:
                assert isinstance(question, rerunning.Question)
                assert (question.number, question.hand) == (message.number, message.hand)
                assert question.view == message.view
                assert question.default is message.default


# -- what comes of it -------------------------------------------------------------------------


def test_the_same_bot_agrees_with_itself(tmp_path: Path) -> None:
    path = record(tmp_path, eager, patient, hands=2)
    done = facts(path, "--seat", "0", "--bot", bot(tmp_path, "first"))
    assert done["agree"] == done["answered"] == done["prompts"] > 20
    assert {answer["kind"] for answer in done["answers"]} >= {"PLAY"}
    assert all(answer["now"]["spent"] > 0 for answer in done["answers"])
    assert done["bot"] == {"name": "first", "version": "2"}
    assert done["recorded"]["name"] == "bot 0"


def test_responses_are_asked_too(tmp_path: Path) -> None:
    path = record(tmp_path, hostile, eager, window=WindowMode.SEALED)
    done = facts(path, "--seat", "1", "--bot", bot(tmp_path, "first"))
    lines = said_by(path.read_bytes().splitlines(keepends=True))
    responses = [one for one in lines if one.get("kind") == "RESPOND" and one["seat"] == 1]
    assert sum(one["kind"] == "RESPOND" for one in done["answers"]) == len(responses) > 0
    assert done["agree"] == done["prompts"]


def test_differences_are_shown_with_both_actions_and_what_was_legal(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager)
    done = arena("rerun", path, "--seat", "0", "--bot", bot(tmp_path, "last"))
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "00000-0, game 0, seat 0: bot 0 1 as recorded, last 2 now"
    assert lines[1].startswith("prompt 1, line 5, hand 0, play: recorded ")
    assert ", now discard " in lines[1]
    assert lines[2].startswith("    legal: ")
    assert any(line.endswith(" answers agree") for line in lines)
    assert lines[-2].startswith("recorded: median 1.0 ms, longest ")
    assert lines[-1].startswith("now: median ")


def test_the_game_goes_on_as_recorded_whatever_the_bot_says(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager)
    answers = [
        facts(path, "--seat", "0", "--bot", bot(tmp_path, behaviour))["answers"]
        for behaviour in ("first", "last")
    ]
    first, last = ([(one["prompt"], one["legal"]) for one in each] for each in answers)
    assert first == last


def test_another_game_has_another_seat(tmp_path: Path) -> None:
    path = record(tmp_path, eager, patient, games=2)
    folder = bot(tmp_path, "first")
    done = facts(path, "--seat", "1", "--game", "1", "--bot", folder)
    assert done["recorded"]["name"] == "bot 0"
    assert done["agree"] == done["prompts"]


def test_default_actions_of_the_record_are_marked(tmp_path: Path) -> None:
    path = record(tmp_path, erratic(2, 0.3, grave=False), eager)
    folder = bot(tmp_path, "last")
    answers = facts(path, "--seat", "0", "--bot", folder)["answers"]
    defaults = [one["recorded"] for one in answers if not one["recorded"]["answered"]]
    assert defaults
    assert all(one["fault"] for one in defaults)
    assert (
        "(the default action, because " in arena("rerun", path, "--seat", "0", "--bot", folder).out
    )


def test_a_bot_gets_the_seed_that_the_record_has(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager)
    said = said_by(path.read_bytes().splitlines(keepends=True))
    folder = bot(tmp_path, "chance")
    chosen = []
    for seed in (7, 7, 8):
        said[0] = said[0] | {"bot_seeds": [[seed, 1]]}
        write(path, chained(said))
        answers = facts(path, "--seat", "0", "--bot", folder)["answers"]
        chosen.append([one["now"]["action"] for one in answers])
    assert chosen[0] == chosen[1] != chosen[2]


# -- bots that fail ---------------------------------------------------------------------------


def test_a_bot_that_leaves_is_said_in_one_line(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager)
    done = arena("rerun", path, "--seat", "0", "--bot", bot(tmp_path, "leave"))
    assert done.code == 1
    assert done.out.splitlines()[-1] == "ended after 3 prompts: exited with code 3"
    assert done.err == "its log: out of petrol\n"


def test_a_bot_that_is_silent_loses_by_its_strikes(tmp_path: Path) -> None:
    quick = replace(GENEROUS, turn=Nanos(20 * MS), bank=Nanos(0), response_window=Nanos(20 * MS))
    path = record(tmp_path, eager, eager, time=quick, faults=FaultBudget())
    done = facts(path, "--seat", "0", "--bot", bot(tmp_path, "mute"))
    assert [one["now"]["fault"] for one in done["answers"]] == ["timed_out"] * 3
    assert [one["now"]["spent"] for one in done["answers"]] == [20 * MS] * 3
    assert done["broken_off"] == "strike 3 of 3: it would have lost the match"


@pytest.mark.parametrize(("behaviour", "fault"), [("illegal", "illegal"), ("empty", "malformed")])
def test_illegal_answers_are_strikes_too(tmp_path: Path, behaviour: str, fault: str) -> None:
    path = record(tmp_path, eager, eager, faults=FaultBudget(max_strikes=2))
    done = facts(path, "--seat", "0", "--bot", bot(tmp_path, behaviour))
    assert [one["now"]["fault"] for one in done["answers"]] == [fault] * 2
    assert done["broken_off"] == "strike 2 of 2: it would have lost the match"


def test_a_bot_that_never_joins_is_not_waited_for_longer_than_agreed(tmp_path: Path) -> None:
    quick = replace(GENEROUS, start_up=Nanos(300 * MS))
    path = record(tmp_path, eager, eager, time=quick)
    done = arena("rerun", path, "--seat", "0", "--bot", bot(tmp_path, "absent"))
    assert done.code == 1
    assert done.out.splitlines()[-1] == "ended after 0 prompts: did not join within 300 ms"


def test_a_missed_window_is_no_strike(tmp_path: Path) -> None:
    quick = replace(GENEROUS, response_window=Nanos(1))
    path = record(tmp_path, hostile, eager, time=quick, faults=FaultBudget(max_strikes=1))
    done = facts(path, "--seat", "1", "--bot", bot(tmp_path, "first"))
    responses = [one for one in done["answers"] if one["kind"] == "RESPOND"]
    assert responses
    assert {one["now"]["fault"] for one in responses} == {"missed_window"}
    assert done["broken_off"] == ""


def test_the_bot_hears_everything_that_the_recorded_one_heard(tmp_path: Path) -> None:
    path = record(tmp_path, eager, eager, hands=2)
    replay = load_record(path)
    seat = replay.games[0].seat_of(0)
    told = rerunning.rerun_game(replay, 0, seat, read_manifest(bot(tmp_path, "echo")))
    kinds = told.log.split()
    assert kinds[0] == "welcome"
    assert kinds.count("prompt") == told.asked
    assert kinds.count("hand_over") == 2


# -- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--seat", "5"], "seat 5 is not at the table; the seats are 0 to 1"),
        (["--seat", "0", "--game", "3"], "game 3: the record has game 0"),
    ],
)
def test_a_seat_or_a_game_that_is_not_there(tmp_path: Path, args: list[str], message: str) -> None:
    path = record(tmp_path, eager, eager)
    done = arena("rerun", path, "--bot", "cautious", *args)
    assert (done.code, done.out, done.err) == (2, "", f"arena: {message}\n")


def test_an_unknown_bot_is_named(tmp_path: Path) -> None:
    done = arena("rerun", record(tmp_path, eager, eager), "--seat", "0", "--bot", "nobody")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("arena: unknown bot 'nobody': ")
