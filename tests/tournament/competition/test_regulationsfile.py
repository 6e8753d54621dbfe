"""Regulations from files: what a file says is in force, and all that is wrong in it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.formats.elimination import Elimination
from arena.formats.roundrobin import RoundRobin
from arena.formats.scoring import Points, TieBreak
from arena.formats.swiss import LatePoints, Swiss
from arena.referee.limits import WindowMode
from arena.tournament import competition
from arena.tournament.competition.events import Level
from arena.tournament.competition.regulations import (
    EligibilityGroup,
    Regulations,
    RegulationsError,
    Rotations,
    Seeding,
    Source,
    StageKind,
)
from arena.tournament.competition.regulationsfile import read_regulations, regulations_from

EXAMPLES = sorted((Path(competition.__path__[0]) / "examples").glob("*.toml"))

LEAST = """\
name = "cup"
title = "Cup"
[[stage]]
format = "swiss"
"""

ALL = """\
name = "cup"
title = "The \\"Cup\\""

[game]
ruleset = "classic"
options = { target = 700 }
players = 2
teams = false
hands = 0
boards = 8
rotations = "one"

[limits]
turn = 2
max_strikes = 1
window = "standing"

[entrants]
from = "invited"
invited = ["ann/a", "ben/b", "ann/c"]
most = 3
per_owner = 2
seeding = "listed"

[[group]]
name = "Year 9"
owners = ["ann", "ben"]

[schedule]
opens = 2026-12-01T08:00:00+01:00
freeze = 2026-12-02 08:00:00Z
grace = 60
start = 2026-12-02T08:01:00.5Z
release = 2026-12-03T08:00:00-05:30

[[stage]]
name = "Round"
format = "swiss"
rounds = 2
late_points = "half"
advance = 2
boards = 4
tie_breaks = ["faults"]

[[stage]]
format = "round-robin"
times = 2
points = "board"

[[stage]]
format = "elimination"
best_of = 3
extra_boards = 2
most_extra = 1

[scoring]
points = "match"
tie_breaks = ["wins", "lot"]
annul = false

[release]
during = "hidden"
after = "participants"

[seed]
public = "a lottery"

[ladder]
beside = true
"""


def mistakes(text: str) -> list[str]:
    with pytest.raises(RegulationsError) as caught:
        regulations_from(text, "c.toml")
    return [str(one) for one in caught.value.mistakes]


def test_a_name_a_title_and_a_stage_are_enough() -> None:
    made = regulations_from(LEAST, "c.toml")
    assert (made.name, made.title, made.text) == ("cup", "Cup", LEAST)
    assert made == Regulations(name="cup", title="Cup", stages=made.stages)
    assert made.stages[0].format == Swiss(scoring=made.stages[0].scoring)
    assert made.release.during is Level.PARTICIPANTS


def test_what_a_file_says_is_in_force() -> None:
    made = regulations_from(ALL, "c.toml")
    assert made.title == 'The "Cup"'
    assert made.game.options == {"target": 700}
    assert (made.game.hands, made.game.boards) == (0, 8)
    assert made.game.rotations is Rotations.ONE
    assert made.limits.time.turn == 2_000_000_000
    assert made.limits.faults.max_strikes == 1
    assert made.limits.window is WindowMode.STANDING
    assert made.entrants.source is Source.INVITED
    assert made.entrants.invited == ("ann/a", "ben/b", "ann/c")
    assert made.entrants.seeding is Seeding.LISTED
    assert made.groups == (EligibilityGroup(name="Year 9", owners=("ann", "ben")),)
    assert (made.release.during, made.release.after) == (Level.HIDDEN, Level.PARTICIPANTS)
    assert made.seed.public == "a lottery"
    assert made.ladder.beside


def test_moments_are_milliseconds_in_utc_and_keep_how_they_were_written() -> None:
    schedule = regulations_from(ALL, "c.toml").schedule
    assert schedule.opens == 1_796_108_400_000
    assert schedule.freeze is not None
    assert schedule.freeze - schedule.opens == 25 * 3_600_000
    assert schedule.start == schedule.freeze + 60_500
    assert schedule.release == schedule.freeze + (24 * 60 + 330) * 60_000
    assert schedule.written["release"] == "2026-12-03 08:00:00-05:30"


def test_stages_have_their_own_scoring_or_that_of_all() -> None:
    swiss, league, final = regulations_from(ALL, "c.toml").stages
    assert isinstance(swiss.format, Swiss)
    assert swiss.format.late_points is LatePoints.HALF
    assert (swiss.scoring.breaks, swiss.scoring.annul) == ((TieBreak.FAULTS,), False)
    assert (swiss.name, swiss.boards, swiss.advance) == ("Round", 4, 2)
    assert league.kind is StageKind.ROUND_ROBIN
    assert isinstance(league.format, RoundRobin)
    assert league.format.scoring.points is Points.BOARD
    assert TieBreak.BOARD_POINTS not in league.scoring.breaks
    assert TieBreak.MATCH_POINTS in league.scoring.breaks
    assert final.format == Elimination(best_of=3, extra_boards=2, most_extra=1)


def test_windows_line_ends_and_mark_change_nothing_but_the_text() -> None:
    text = "\ufeff" + ALL.replace("\n", "\r\n")
    assert regulations_from(text, "c.toml") == regulations_from(ALL, "c.toml")
    assert regulations_from(text, "c.toml").digest != regulations_from(ALL, "c.toml").digest
    assert mistakes("\ufeff" + LEAST.replace("\n", "\r\n") + "x = 1") == [
        "line 5: stage.x: unknown key; there are "
        "name, format, advance, boards, points, tie_breaks, annul, rounds, late_points"
    ]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_right(path: Path) -> None:
    made = read_regulations(path)
    assert made.text == path.read_text("utf-8")
    assert regulations_from(made.text, "journal").digest == made.digest


# -- what is wrong ------------------------------------------------------------------------------


def test_every_mistake_is_told_with_its_line() -> None:
    assert mistakes(
        """\
title = 3
titel = "x"
[game]
ruleset = "clasic"
boards = 0
hands = "1"
[entrants]
from = "invited"
invited = [
  "ann/keeper",
  "ann",  # whose?
  "ann/keeper",
]
[limits]
turn = "x"
turms = 1
[[stage]]
format = "swis"
[[stage]]
[[stage]]
format = "swiss"
groups = 3
tie_breaks = ["faults", "lots"]
"""
    ) == [
        'line 1: name: is missing, such as name = "school-2026"',
        'line 1: title: must be a text in quotes, such as title = "School 2026"',
        "line 2: titel: unknown section or key; did you mean title?",
        "line 4: game.ruleset: there is no rule set 'clasic'; did you mean classic?",
        "line 5: game.boards: must be from 1 to 1,000, not 0",
        "line 6: game.hands: must be a whole number, not '1'",
        "line 11: entrants.invited: must be OWNER/NAME, such as \"ann/keeper\", not 'ann'",
        "line 12: entrants.invited: 'ann/keeper' is there twice",
        "line 15: limits.turn: 'x': must be a number",
        "line 16: limits.turms: unknown key; did you mean turn?",
        "line 18: stage.format: there is no format 'swis'; did you mean swiss?",
        "line 19: stage: has no format; give it one of round-robin, swiss, elimination, "
        "double-elimination, groups, gauntlet, tables, partners, complete",
        "line 22: stage.groups: goes with the format groups; swiss has rounds, late_points",
        "line 23: stage.tie_breaks: there is no tie-break 'lots'; did you mean lot?",
    ]


def test_the_message_is_the_first_and_how_many_more_there_are() -> None:
    with pytest.raises(InputError) as caught:
        regulations_from(LEAST + "rounds = -1\nadvance = 5\n", "c.toml")
    assert str(caught.value) == ("c.toml: line 5: stage.rounds: must be from 0 to 200, not -1")
    with pytest.raises(InputError) as caught:
        regulations_from(LEAST.replace("cup", "Cup") + "rounds = -1\n", "c.toml")
    assert str(caught.value).endswith("not 'Cup' (and 1 more)")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("stage = 3", "line 3: stage: is a list of tables: write [[stage]] with two brackets"),
        ('[stage]\nformat = "swiss"', "line 3: stage: is a list of tables: write [[stage]]"),
        ('[[stage]]\nformat = "swiss"\n[[game]]', "line 5: game: must be a table, [game], once"),
        (
            '[sandbox]\nmemory = 1024\n[[stage]]\nformat = "swiss"',
            "line 4: sandbox.memory: must be from 64 to 512, not 1024",
        ),
        (
            '[sandbox]\nprocessors = 0\n[[stage]]\nformat = "swiss"',
            "line 4: sandbox.processors: must be from 0.1 to 1.0, not 0",
        ),
        (
            '[sandbox]\ndisk = 3\n[[stage]]\nformat = "swiss"',
            "line 4: sandbox.disk: unknown key; there are memory, processors, processes",
        ),
        ("stage = [3]", "line 3: stage: must be a table, [[stage]]"),
        ("stage = []", "line 3: stage: there is none; give one, such as [[stage]]"),
        ("", "line 1: stage: there is none; give one, such as [[stage]]"),
        ('[[stage]]\nformat = ["swiss"]', "line 4: stage.format: must be one of round-robin"),
        (
            '[[stage]]\nformat = "swiss"\n[[group]]\nowners = ["ann"]',
            "line 5: group: has no name; give it one",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[entrants]\nfrom = "all"',
            "line 6: entrants.from: must be one of open, invited, ladder, not 'all'",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = "2026-12-01T08:00:00+01:00"',
            "line 6: schedule.freeze: must be a date and a time with its offset from UTC, such as "
            "2026-12-01T08:00:00+01:00, without quotes",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = 2026-12-01T08:00:00',
            "line 6: schedule.freeze: 2026-12-01 08:00:00 does not say in which time zone",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = 2026-12-01',
            "line 6: schedule.freeze: must be a date and a time with its offset",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = 08:00:00',
            "line 6: schedule.freeze: must be a date and a time with its offset from UTC, such as "
            "2026-12-01T08:00:00+01:00, not 08:00:00",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = 0x' + "f" * 5000,
            "line 6: schedule.freeze: must be a date and a time with its offset",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nopens = 0001-01-01T00:00:00+23:59',
            "line 6: schedule.opens: must be in the years 2000 to 2199 in UTC, not "
            "0001-01-01 00:00:00+23:59",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nrelease = 9999-12-31T23:59:59.999999-23:59',
            "line 6: schedule.release: must be in the years 2000 to 2199 in UTC, not "
            "9999-12-31 23:59:59.999999-23:59",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nstart = 0001-01-01T00:00:00',
            "line 6: schedule.start: 0001-01-01 00:00:00 does not say in which time zone",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[schedule]\nfreeze = 2026-12-01T08:00:00Z\n\n'
            "start = 2026-12-01T09:00:00+02:00",
            "line 8: schedule.start: must be after freeze 2026-12-01 08:00:00+00:00",
        ),
        (
            '[[stage]]\nformat = "elimination"\npoints = "board"',
            "line 5: stage.points: elimination has no points and no ties",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[scoring]\ntie_breaks = ["wins", "wins"]',
            "line 6: scoring.tie_breaks: 'wins' is named twice; once is enough",
        ),
        (
            '[[stage]]\nformat = "swiss"\n[scoring]\npoints = "board"\ntie_breaks = '
            '["faults",\n"board-points"]',
            "line 3: stage.tie_breaks: 'board-points' never decides anything",
        ),
        ("[[stage]]\nformat = swiss", "line 4: not TOML: Invalid value; a text stands in quotes"),
        ("[[stage]]\nrounds = 1\nrounds = 2", "line 5: not TOML: Cannot overwrite a value"),
        ("x" + ".x" * 300 + " = 1", "line 3: has more than 200 dots"),
        ("# \ud800", "line 3: not UTF-8 text"),
        ("# " + "x" * 65_536, "longer than 65,536 bytes"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(text: str, told: str) -> None:
    found = mistakes(f'name = "cup"\ntitle = "Cup"\n{text}\n')
    assert len(found) == 1
    assert found[0].startswith(told)


def test_a_file_full_of_mistakes_is_told_in_part() -> None:
    text = LEAST + "".join(f"key{number} = 1\n" for number in range(500))
    assert len(mistakes(text)) == 100


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    with pytest.raises(InputError, match=r"c\.toml: No such file"):
        read_regulations(path)
    path.write_bytes(b"name = 'a'\n\n# \xff")
    with pytest.raises(InputError, match=r"c\.toml: line 3: not UTF-8 text"):
        read_regulations(path)
    path.write_bytes(b"#" * 65_537)
    with pytest.raises(InputError, match="these are no regulations"):
        read_regulations(path)
    with pytest.raises(InputError, match="directory"):
        read_regulations(tmp_path)


# -- whatever is written ------------------------------------------------------------------------

TEXTS = [ALL, *(path.read_text("utf-8") for path in EXAMPLES)]
LINES = [(text, number) for text in TEXTS for number in range(len(text.splitlines()))]


def is_right(text: str) -> bool:
    """Whether a text is taken; anything but that and a refusal is an error of ours."""
    lines = text.replace("\r\n", "\n").count("\n") + 1
    refusal = _refusal(text)
    if refusal is None:
        return True
    assert all(0 <= one.line <= lines for one in refusal.mistakes)
    assert "\n" not in str(refusal)
    return False


def _refusal(text: str) -> RegulationsError | None:
    try:
        regulations_from(text, "c.toml")
    except RegulationsError as error:
        return error
    return None


def test_any_line_may_be_missing() -> None:
    wrong = 0
    for text, number in LINES:
        lines = text.splitlines(keepends=True)
        kept = "".join(lines[:number] + lines[number + 1 :])
        wrong += not is_right(kept)
    assert 0 < wrong < len(LINES)


VALUES = st.one_of(
    st.sampled_from(
        (
            *("", "0", "-1", "1e400", "nan", "inf", "9" * 400, "true", '""', '"x"', "[]", "{}"),
            *("[[]]", "{a = {b = 1}}", "[1, 'x', {}]", "1979-05-27", "07:32:00", "1.5", "2"),
            *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "[" * 2000, '"swiss"'),
            *('"\\u0000"', '"\\n"', "'''\nx\n'''", "[{name = 1}]", '["lot"]', '["lot", "lot"]'),
        )
    ),
    st.text(max_size=12),
    st.integers().map(str),
)


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(LINES), VALUES)
def test_any_value_may_be_anything(place: tuple[str, int], value: str) -> None:
    text, number = place
    lines = text.splitlines(keepends=True)
    key = lines[number].partition("=")[0]
    lines[number] = f"{key}= {value}\n"
    text = "".join(lines)
    assert is_right(text) or mistakes(text)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(LINES), st.integers(0, 60), st.integers(0, 8), st.text(max_size=4))
def test_any_line_may_be_garbled(
    place: tuple[str, int], at: int, length: int, instead: str
) -> None:
    text, number = place
    lines = text.splitlines(keepends=True)
    lines[number] = lines[number][:at] + instead + lines[number][at + length :]
    text = "".join(lines)
    assert is_right(text) or mistakes(text)
