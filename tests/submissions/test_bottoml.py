"""The keys of bot.toml that may be left out, and where messages say that something stands."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from arena.engine.rulesets import PRESETS
from arena.errors import BotError
from arena.submissions.bottoml import LANGUAGES, PLAYERS, Manifest, parse_manifest
from arena.submissions.limits import ArchiveLimits, Rule, shown_size
from arena.submissions.tomllines import lines_of_keys

GOOD = 'name = "mine"\nversion = "1"\nlanguage = "python"\nrun = ["python", "mine.py"]\n'
README = Path(__file__).parents[2] / "arena" / "submissions" / "README.md"


def parsed(text: str | bytes) -> Manifest:
    content = text if isinstance(text, bytes) else text.encode()
    return parse_manifest(content, "bot.toml", Path("bot"))


def refusal(text: str | bytes) -> str:
    with pytest.raises(BotError) as caught:
        parsed(text)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    return message


def test_what_is_left_out_is_everything_that_the_rules_have() -> None:
    bot = parsed(GOOD)
    assert (bot.image, bot.build, bot.protocol, bot.bridge) == ("", (), 1, "")
    assert bot.players == PLAYERS == (2, 3, 4, 5, 6)
    assert bot.rulesets == tuple(PRESETS)


def test_every_key_is_read() -> None:
    bot = parsed(
        GOOD + 'image = "python/3.11-slim"\nbuild = ["make", "-j2"]\nplayers = [4, 2]\n'
        'rulesets = ["express", "classic"]\nprotocol = 1\nbridge = "stdio-json"\n'
    )
    assert (bot.image, bot.build, bot.players) == ("python/3.11-slim", ("make", "-j2"), (2, 4))
    assert (bot.rulesets, bot.protocol) == (("express", "classic"), 1)
    assert bot.bridge == "stdio-json"
    assert parsed(GOOD + "build = []\n").build == ()


def test_the_image_of_a_bot_has_python_where_that_speaks_grpc_for_it() -> None:
    other = GOOD.replace('"python"', '"cpp"', 1)
    bridge = 'bridge = "stdio-json"\n'
    assert parsed(other).image_name == "cpp"
    assert parsed(other + bridge).image_name == "other"
    assert parsed(GOOD + bridge).image_name == "python"
    assert parsed(other + bridge + 'image = "house-blend"\n').image_name == "house-blend"


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('image = ""', "image '': must be the name of an image"),
        ('image = "Python"', "must be the name of an image"),
        ('image = "a b"', "must be the name of an image"),
        ('image = "/etc"', "must be the name of an image"),
        ('image = "a/../b"', "must be the name of an image"),
        ('image = "-rm"', "must be the name of an image"),
        ('image = "python\\n"', "must be the name of an image"),
        ('image = "sha256:ab"', "must be the name of an image"),
        (f'image = "{"a" * 65}"', "at most 64"),
        ("image = 3", "image 3: must be the name of an image"),
        ('build = "make"', "build 'make': must be a list of texts"),
        ("build = [1]", "build [1]: must be a list of texts"),
        ('build = [""]', "must be a list of texts"),
        ('build = ["a\\u0000"]', "must be a list of texts"),
        ('bridge = ""', "bridge '': must be \"stdio-json\", or left out by a program that speaks"),
        ('bridge = "grpc"', "bridge 'grpc': must be"),
        ("bridge = true", "bridge True: must be"),
        ('bridge = ["stdio-json"]', "bridge ['stdio-json']: must be"),
        ("players = 2", "players 2: must be a list of numbers from 2 to 6, each once"),
        ("players = []", "players []: must be a list of numbers"),
        ("players = [1]", "players [1]: must be"),
        ("players = [7]", "players [7]: must be"),
        ("players = [2, 2]", "players [2, 2]: must be"),
        ("players = [true]", "players [True]: must be"),
        ("players = [2.0]", "players [2.0]: must be"),
        ('players = ["2"]', "players ['2']: must be"),
        ("players = [[2]]", "players [[2]]: must be"),
        (f"players = {[2] * 3000}", "must be a list of numbers"),
        ("players = [5]", "none of the bot's rule sets is for so many"),
        ('rulesets = "classic"', "rulesets 'classic': must be a list of rule sets"),
        ("rulesets = []", "there are classic, express, plateau, leaflet"),
        ('rulesets = ["poker"]', "rulesets ['poker']: must be a list of rule sets"),
        ('rulesets = ["classic", "classic"]', "each once"),
        ("rulesets = [1]", "must be a list of rule sets"),
        ("protocol = 2", "protocol 2: must be 1, the only version that there is"),
        ("protocol = true", "protocol True: must be 1"),
        ("protocol = 1.0", "protocol 1.0: must be 1"),
        ('protocol = "1"', "protocol '1': must be 1"),
        ("speed = 3", "unknown key 'speed'; the keys are name, version, language, run, image, bui"),
        ("[speed]\nname = 3", "unknown key 'speed'"),
        ("[[speed]]\nname = 3", "unknown key 'speed'"),
        ('"s p" = 3', "unknown key 's p'"),
        ("speed.name = 3", "unknown key 'speed'"),
        ("[image]", "image {}: must be the name of an image"),
        ("[players.a]", "players {'a': {}}: must be"),
        ("speed = 3 x", "not TOML: "),
        ("name = 3", "not TOML: Cannot overwrite a value"),
    ],
)
def test_a_bad_line_is_told_with_its_number(line: str, problem: str) -> None:
    message = refusal(GOOD + "\n# a remark\n" + line + "\n")
    assert message.startswith("bot.toml: ")
    assert problem in message
    assert re.findall(r"line (\d+)", message) == ["7"]


def test_what_a_bot_cannot_play_together_is_refused_at_the_numbers() -> None:
    message = refusal(GOOD + 'rulesets = ["express"]\nplayers = [6]\n')
    assert "line 6: players [6]: must leave something to play" in message


@pytest.mark.parametrize(
    "value",
    ["9" * 5000, "0x" + "f" * 5000, "[" * 5000, "[" * 5000 + "]" * 5000, '"x', "["],
    ids=["number", "long hex", "open arrays", "arrays", "open text", "open array"],
)
def test_what_never_ends_has_the_line_on_which_it_stands(value: str) -> None:
    message = refusal(f"{GOOD}\n\na = {value}\nb = 1\n")
    assert re.fullmatch(
        r"bot\.toml: (line 7: not TOML: .*|.*\(at line [78], column \d+\))|"
        r"bot\.toml: line 7: unknown key 'a'.*",
        message,
    )


def test_arrays_without_end_have_the_line_that_is_one_too_deep() -> None:
    message = refusal(GOOD + "a = " + "[\n" * 5000)
    (line,) = re.findall(r"^bot\.toml: line (\d+): not TOML: ", message)
    assert 5 < int(line) < 5004


def test_a_reason_that_quotes_the_file_is_cut_short_but_not_its_place() -> None:
    message = refusal(GOOD + f"[{'a.' * 190}a]\n" * 2)
    assert len(message) < 300
    assert message.endswith("(at line 6, column 383)")


def test_a_key_of_dots_is_refused_before_it_costs_anything() -> None:
    assert refusal(GOOD + "a." * 201 + "a = 1") == "bot.toml: line 5: has more than 200 dots"
    assert "unknown key 'a'" in refusal(GOOD + "a." * 200 + "a = 1")


def test_a_file_that_is_too_long_is_refused() -> None:
    assert refusal("#" * (16 * 1024 + 1)) == "bot.toml: larger than 16 KiB"


def test_bytes_that_are_no_text_have_a_line() -> None:
    assert refusal(GOOD.encode() + b"a = '\xff'\n") == "bot.toml: line 5: not TOML: not UTF-8 text"


def test_a_missing_key_is_told() -> None:
    assert refusal(GOOD.replace("run", "# run")) == (
        "bot.toml: 'run' is missing; needed are name, version, language, run"
    )


def test_supports_says_what_the_bot_and_the_rules_have() -> None:
    bot = parsed(GOOD)
    assert bot.supports("classic", 6)
    assert not bot.supports("classic", 5)
    assert not bot.supports("express", 6)
    assert not bot.supports("poker", 2)
    fussy = parsed(GOOD + 'players = [3, 4]\nrulesets = ["classic", "plateau"]\n')
    tables = {(rules, count) for rules in PRESETS for count in range(8)}
    assert {table for table in tables if fussy.supports(*table)} == {
        ("classic", 3),
        ("classic", 4),
        ("plateau", 3),
        ("plateau", 4),
    }


# -- lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a = 1\nb = 2\n", {"a": 1, "b": 2}),
        ("\n\n# a = 1\n  a = 1", {"a": 3 + 1}),
        ("a = [\n 'b = 1',\n]\nb = 1", {"a": 1, "b": 4}),
        ("a = '''\nb = 1\n'''\nb = 2", {"a": 1, "b": 4}),
        ('a = """\nb = 1 \\"""\n"""\nb = 2', {"a": 1, "b": 4}),
        ('a = """x"""""\nb = 2', {"a": 1, "b": 2}),
        ("a = '''x''''\nb = 2", {"a": 1, "b": 2}),
        ('a = "# [" # "\nb = 1', {"a": 1, "b": 2}),
        ("a = {b = 1, c = [2]}\nc = 3", {"a": 1, "c": 2}),
        ("[t]\na = 1\n[t.u]\nb = 1\n[[v]]\na = 1", {"t": 1, "v": 5}),
        ("a.b = 1\na.c = 2\nb = 1", {"a": 1, "b": 3}),
        ('"a b" = 1\n\'c\' = 2\n"\\u0064" = 3', {"a b": 1, "c": 2, "d": 3}),
        ("[ 'x y' . z ]\n[w]", {"x y": 1, "w": 2}),
        ("1 = 2\n-_ = 3", {"1": 1, "-_": 2}),
        ("a = [ # ]\n [1], # [\n]\nb = 2021-01-01T00:00:00", {"a": 1, "b": 4}),
        ("", {}),
    ],
)
def test_lines_of_keys(text: str, lines: dict[str, int]) -> None:
    assert lines_of_keys(text) == lines


def test_a_file_with_the_line_ends_of_windows_counts_the_same() -> None:
    message = refusal((GOOD + "\nspeed = 3\n").replace("\n", "\r\n"))
    assert message.startswith("bot.toml: line 6: unknown key 'speed'")


# -- the README -------------------------------------------------------------------------------


def examples() -> list[str]:
    return re.findall(r"^```toml\n(.*?)^```$", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)


def test_the_readme_has_an_example_for_each_language() -> None:
    bots = [parsed(text) for text in examples()]
    assert {bot.language for bot in bots} == set(LANGUAGES)
    assert len({bot.name for bot in bots}) == len(bots)


def test_the_readme_names_every_rule_and_limit() -> None:
    text = README.read_text("utf-8")
    for rule in Rule:
        assert f"| `{rule}` |" in text
    limits = ArchiveLimits()
    for field in fields(limits):
        value = getattr(limits, field.name)
        shown = shown_size(value) if field.name in ("upload", "unpacked") else f"{value:,}"
        assert re.search(rf"\| {field.name} \| {shown}\b", text), field.name


def test_the_mark_that_some_editors_begin_a_file_with_is_no_part_of_it() -> None:
    assert parsed(b"\xef\xbb\xbf" + GOOD.encode()) == parsed(GOOD)
    assert "line 5: unknown key 'speed'" in refusal(b"\xef\xbb\xbf" + GOOD.encode() + b"speed = 1")
    assert "line 2: not TOML: not UTF-8 text" in refusal(b"\xef\xbb\xbf\n\xff")
