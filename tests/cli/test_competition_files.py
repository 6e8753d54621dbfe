"""`arena competition init` and `validate`: what is written, asked and told."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.competitioninit import Example, example_text
from arena.cli.competitiontemplate import MOST, Wishes, plans_for, written
from arena.tournament.competition.regulationsfile import regulations_from
from arena.tournament.competition.regulationsoutline import outline
from tests.cli.matchroom import Room

GOLDEN = Path(__file__).parent / "competition"


# -- init ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", Example)
def test_examples_are_written_as_they_are_and_are_right(room: Room, example: Example) -> None:
    done = room.call("competition", "init", "--example", example)
    assert done.code == 0, done.err
    assert (room.folder / "competition.toml").read_text("utf-8") == example_text(example)
    assert "check  arena competition validate competition.toml" in done.out
    assert room.call("competition", "validate").code == 0


def test_nothing_is_overwritten_unless_that_is_said(room: Room) -> None:
    file = room.folder / "cup.toml"
    file.write_text("mine")
    done = room.call("competition", "init", "cup.toml", "--example", "final")
    assert (done.code, file.read_text()) == (2, "mine")
    assert done.message == ("cup.toml: exists already; --force overwrites it, or name another file")
    done = room.call("competition", "init", "cup.toml", "--example", "final", "--force")
    assert done.code == 0
    assert file.read_text("utf-8") == example_text(Example.FINAL)
    assert sorted(one.name for one in room.folder.iterdir()) == ["bots.py", "cup.toml", "temporary"]


def test_a_link_to_nowhere_is_a_file_that_exists(room: Room) -> None:
    (room.folder / "cup.toml").symlink_to("nowhere")
    assert room.call("competition", "init", "cup.toml", "--example", "final").code == 2
    assert not (room.folder / "nowhere").exists()


def test_without_a_terminal_an_example_has_to_be_named(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        done = room.call("competition", "init")
    assert done.code == 2
    assert done.message.endswith("--example school, company, final, tables")
    assert not (room.folder / "competition.toml").exists()


def test_where_nothing_can_be_written_that_is_said(room: Room) -> None:
    done = room.call("competition", "init", "no/where.toml", "--example", "final")
    assert (done.code, done.message) == (
        2,
        "no/where.toml: cannot be written: No such file or directory",
    )


def test_init_as_json(room: Room) -> None:
    done = room.call("competition", "init", "--example", "tables", "--json")
    assert done.json == {
        "file": "competition.toml",
        "name": "table-event",
        "title": "Table event",
        "next": "arena competition validate competition.toml",
    }


def test_on_a_terminal_it_asks_until_the_answers_are_right(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-c", "from arena.cli import main; main()", "competition", "init"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        stdin=slave,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as asking:
        os.close(slave)
        os.write(master, 'Herbst "Cup" ä\n1\n20\nmonth\nweek\ngr\n'.encode())
        out, err = asking.communicate(timeout=60)
    os.close(master)
    assert asking.returncode == 0, err
    assert "must be a number from 2 to 512, not '1'" in err
    assert "must be one of afternoon, week, not 'month'" in err
    assert "What is it called [School afternoon]: " in err
    assert out.startswith("competition.toml has the regulations of 'Herbst \"Cup\" ä'.")
    made = regulations_from((tmp_path / "competition.toml").read_text("utf-8"), "c")
    assert (made.name, made.title, made.entrants.most) == ("herbst-cup-a", 'Herbst "Cup" ä', 20)
    assert [str(stage.kind) for stage in made.stages] == ["groups", "elimination"]


@pytest.mark.parametrize("is_week", [False, True])
@pytest.mark.parametrize("entrants", [2, 3, 4, 5, 6, 8, 9, 15, 16, 33, 64, 65, 128, 300, MOST])
def test_whatever_is_answered_makes_a_file_that_is_right(entrants: int, is_week: bool) -> None:
    for plan in plans_for(entrants).values():
        wishes = Wishes(title="Ä \\ 'x' \"", entrants=entrants, is_week=is_week, plan=plan)
        text = written(wishes)
        made = regulations_from(text, "c.toml")
        assert (made.name, made.title, made.entrants.most) == ("a-x", wishes.title, entrants)
        assert outline(made)[0].entrants == entrants
        assert all(len(line) <= 100 for line in text.splitlines())


def test_a_title_without_letters_has_a_name_all_the_same() -> None:
    plan = plans_for(4)["league"]
    text = written(Wishes(title="大会", entrants=4, is_week=False, plan=plan))
    assert regulations_from(text, "c").name == "competition"


# -- validate -----------------------------------------------------------------------------------


@pytest.mark.parametrize("example", Example)
def test_what_will_happen_is_told_in_plain_words(room: Room, example: Example) -> None:
    """With ARENA_GOLDEN=write the texts are written anew, to be read before they are kept."""
    (room.folder / "cup.toml").write_text(example_text(example), "utf-8")
    done = room.call("competition", "validate", "cup.toml")
    told = "".join(f"{line.rstrip()}\n" for line in done.out.splitlines())
    golden = GOLDEN / f"{example}.txt"
    if os.environ.get("ARENA_GOLDEN") == "write":
        golden.write_text(told, "utf-8")
    assert (done.code, done.err) == (0, "")
    assert told == golden.read_text("utf-8")


def test_the_same_for_another_number_of_entrants(room: Room) -> None:
    (room.folder / "cup.toml").write_text(example_text(Example.SCHOOL), "utf-8")
    done = room.call("competition", "validate", "cup.toml", "--entrants", "7", "--json")
    swiss, final = done.json["stages"]
    assert (swiss["entrants"], swiss["rounds"], swiss["matches"]) == (7, 5, 15)
    assert (swiss["games"], swiss["advance"]) == (360, 4)
    assert (final["format"], final["entrants"], final["advance"]) == ("elimination", 4, 0)
    assert done.json["release"] == {"during": "public", "after": "public"}
    assert len(done.json["digest"]) == 64


def test_too_few_entrants_are_refused(room: Room) -> None:
    (room.folder / "cup.toml").write_text(example_text(Example.TABLES), "utf-8")
    done = room.call("competition", "validate", "cup.toml", "--entrants", "3")
    assert done.code == 2
    assert done.message.startswith("Round of tables with 3 entrants: tables: from 4 to ")


WRONG = 'name = "cup"\n[[stage]]\nformat = "swis"\n[entrants]\nmost = "\x1b"\n'


def test_every_mistake_has_a_line_of_its_own(room: Room) -> None:
    (room.folder / "cup.toml").write_text(WRONG.replace("\x1b", "\\u001b"))
    done = room.call("competition", "validate", "cup.toml")
    assert done.code == 2
    assert done.out.splitlines() == [
        'cup.toml: line 1: title: is missing, such as title = "School 2026"',
        "cup.toml: line 3: stage.format: there is no format 'swis'; did you mean swiss?",
        "cup.toml: line 5: entrants.most: must be a whole number, not '\\x1b'",
    ]
    assert done.message == "cup.toml: 3 mistakes"


def test_mistakes_as_json(room: Room) -> None:
    (room.folder / "cup.toml").write_text('name = "cup"\ntitle = "Cup"\n')
    done = room.call("competition", "validate", "cup.toml", "--json")
    problem = 'there is none; give one, such as [[stage]] with format = "swiss"'
    assert done.code == 2
    assert done.json == {
        "error": {
            "kind": "input",
            "message": f"cup.toml: line 1: stage: {problem}",
            "mistakes": [{"line": 1, "key": "stage", "problem": problem}],
        }
    }


def test_a_file_that_is_not_there(room: Room) -> None:
    done = room.call("competition", "validate")
    assert (done.code, done.message) == (2, "competition.toml: No such file or directory")


def test_the_group_of_commands_has_help(room: Room) -> None:
    done = room.call("competition")
    assert done.code == 0
    assert "validate" in done.out
