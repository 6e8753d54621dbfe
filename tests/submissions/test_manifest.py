"""bot.toml: strict, and every refusal says what would be right."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import BotError
from arena.submissions.manifest import (
    LANGUAGES,
    example_bots,
    find_bot,
    read_manifest,
    require_program,
)

GOOD = 'name = "mine"\nversion = "1"\nlanguage = "python"\nrun = ["python", "mine.py"]\n'


def folder_with(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "bot.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return tmp_path


def test_a_good_file_is_read(tmp_path: Path) -> None:
    manifest = read_manifest(folder_with(tmp_path, GOOD))
    assert (manifest.name, manifest.version, manifest.language) == ("mine", "1", "python")
    assert manifest.run == ("python", "mine.py")
    assert manifest.folder == tmp_path


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (GOOD + "speed = 3\n", "unknown key 'speed'; the keys are name, version, language, run"),
        (GOOD.replace('version = "1"\n', ""), "'version' is missing"),
        (GOOD.replace('"1"', "1"), "version 1: must be a printable text"),
        (GOOD.replace('"mine"', '" "'), "name ' ': must be a printable text"),
        (GOOD.replace('"mine"', '"a\\u001bb"'), "must be a printable text"),
        (GOOD.replace('"mine"', f'"{"a" * 65}"'), "1 to 64 characters"),
        (
            GOOD.replace('"python"\n', '"cobol"\n'),
            "language 'cobol': must be one of python, typescr",
        ),
        (GOOD.replace('"python"\n', "3\n"), "language 3: must be one of python, typescript, java"),
        (GOOD.replace('["python", "mine.py"]', '"python mine.py"'), "must be a list of texts"),
        (GOOD.replace('["python", "mine.py"]', "[]"), "must be a list of texts"),
        (GOOD.replace('"mine.py"', "3"), "must be a list of texts"),
        (GOOD.replace('"mine.py"', '"a\\u0000b"'), "must be a list of texts"),
        ("name = ", "not TOML"),
        (b"\xff\xfe", "not TOML"),
    ],
)
def test_a_bad_file_is_refused_with_file_key_and_what_is_right(
    text: str | bytes, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(BotError) as caught:
        read_manifest(folder_with(tmp_path, text))
    assert str(caught.value).startswith(f"{tmp_path / 'bot.toml'}: ")
    assert problem in str(caught.value)


def test_a_folder_without_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"bot\.toml: No such file"):
        read_manifest(tmp_path)


def test_an_example_is_found_by_its_name_and_any_bot_by_its_folder(tmp_path: Path) -> None:
    assert find_bot("random").folder.name == "random"
    assert find_bot(str(folder_with(tmp_path, GOOD))).name == "mine"


def test_who_is_not_there_is_told_which_examples_are() -> None:
    with pytest.raises(
        BotError, match=r"unknown bot 'nobody'.*the examples are .*cautious, .*keeper, "
    ):
        find_bot("nobody")
    with pytest.raises(BotError, match="unknown bot 'xxx"):
        find_bot("x" * 5000)


@pytest.mark.parametrize("name", ["bot.toml", "mine.py"])
def test_who_names_a_file_is_told_to_name_the_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hasty = tmp_path / "hasty"
    hasty.mkdir()
    (hasty / name).write_text(GOOD)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BotError, match=rf"^hasty/{name} is a file: name the folder hasty$"):
        find_bot(f"hasty/{name}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_is_accepted(language: str, tmp_path: Path) -> None:
    text = GOOD.replace('"python"\n', f'"{language}"\n')
    assert read_manifest(folder_with(tmp_path, text)).language == language


@pytest.mark.parametrize("name", example_bots())
def test_every_example_is_called_like_its_folder(name: str) -> None:
    assert find_bot(name).name == name


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"name = " + b"[" * 5000,
        b"name = " + b"[" * 5000 + b"]" * 5000,
        b"name = " + b"9" * 5000,
        b"name = 0x" + b"f" * 5000,
        b"run = [0x" + b"f" * 5000 + b"]\nname = 'n'\nversion = '1'\nlanguage = 'python'",
        b"#" * 100_000,
    ],
    ids=["no text", "open arrays", "closed arrays", "long", "long hex", "long hex in run", "large"],
)
def test_a_nasty_file_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bot.toml").write_bytes(content)
    with pytest.raises(BotError) as refusal:
        read_manifest(tmp_path)
    message = str(refusal.value)
    assert message.startswith(f"{tmp_path / 'bot.toml'}: ")
    assert len(message.splitlines()) == 1
    assert len(message) < 1000


@pytest.mark.parametrize("target", ["/dev/zero", "/dev/null", "."])
def test_what_is_no_file_is_not_read(tmp_path: Path, target: str) -> None:
    (tmp_path / "bot.toml").symlink_to(target)
    with pytest.raises(BotError, match="is no file"):
        read_manifest(tmp_path)


# -- other ways to name a bot -----------------------------------------------------------------


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The present folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("blank", ["", " "])
def test_a_command_is_run_in_the_present_folder(blank: str, here: Path) -> None:
    bot = find_bot(f"{blank}-- ./some/mybot --level 'very high'")
    assert bot.run == ("./some/mybot", "--level", "very high")
    assert bot.folder == here
    assert bot.name == "mybot --level very high"
    assert (bot.language, bot.version, bot.python_class) == ("other", "", "")


def test_the_name_of_a_command_is_harmless_and_short(here: Path) -> None:
    assert find_bot("-- ./a\x1b[31m").name == "command"
    assert find_bot(f"-- {'x' * 100} y").name == "x" * 64


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("-- ", "bot '-- ': must be '-- ' and a program with its arguments"),
        ("-- ''", "must be '-- ' and a program with its arguments"),
        ("-- 'a", 'bot "-- \'a": No closing quotation'),
    ],
)
def test_a_command_that_is_none_is_refused(text: str, message: str, here: Path) -> None:
    with pytest.raises(BotError) as caught:
        find_bot(text)
    assert message in str(caught.value)


def test_a_class_is_named_by_its_module_and_run_from_the_present_folder(here: Path) -> None:
    bot = find_bot("pack.age:MyBot")
    assert (bot.name, bot.python_class) == ("pack.age:MyBot", "pack.age:MyBot")
    assert bot.run == ("python", "-m", "arena_sdk", "pack.age:MyBot")
    assert (bot.folder, bot.language) == (here, "python")


@pytest.mark.parametrize("text", ["a:", ":b", "a:b:c", "a b:c", "a/b:c", "1a:b"])
def test_what_is_no_class_is_no_bot(text: str, here: Path) -> None:
    with pytest.raises(BotError, match="unknown bot"):
        find_bot(text)


def test_a_folder_comes_before_a_class(here: Path) -> None:
    (here / "a:b").mkdir()
    with pytest.raises(BotError, match=r"a:b/bot\.toml: No such file"):
        find_bot("a:b")


# -- programs ---------------------------------------------------------------------------------


def test_a_program_is_looked_for_where_it_will_be_run(here: Path) -> None:
    own = here / "bin"
    own.mkdir()
    (own / "special").touch(mode=0o755)
    (here / "mybot").touch(mode=0o755)
    for command in ("sh", "special", "./mybot", "bin/special", str(here / "mybot")):
        require_program(find_bot(f"-- {command}"), own)


@pytest.mark.parametrize("word", ["dist/main.js", "bot.jar", "@target/classpath"])
def test_what_a_build_makes_for_a_runtime_has_to_be_there(word: str, tmp_path: Path) -> None:
    toml = f'name = "x"\nversion = "1"\nlanguage = "other"\nrun = ["sh", "-c", "{word}"]\n'
    bot = find_bot(str(folder_with(tmp_path, toml)))
    require_program(bot, tmp_path)  # nobody builds it, so it may mean anything
    built = find_bot(str(folder_with(tmp_path, toml + 'build = ["make"]\n')))
    with pytest.raises(BotError, match=r"no such file; `arena build-bot .*` builds it"):
        require_program(built, tmp_path)
    made = built.folder / word.removeprefix("@")
    made.parent.mkdir(exist_ok=True)
    made.touch()
    require_program(built, tmp_path)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("special", "bot 'special': no program 'special' in PATH to run it with"),
        ("./special", "bot 'special': {here}/special: no such program"),
        ("./text", "bot 'text': {here}/text: cannot be executed; chmod +x makes it so"),
        ("./folder", "bot 'folder': {here}/folder: no such program"),
    ],
)
def test_a_program_that_is_not_there_is_told(command: str, message: str, here: Path) -> None:
    (here / "text").touch(mode=0o644)
    (here / "folder").mkdir()
    with pytest.raises(BotError) as caught:
        require_program(find_bot(f"-- {command}"), here / "nowhere")
    assert str(caught.value) == message.format(here=here)
