"""`arena new-bot`: a folder with a bot that plays, and its test."""

from __future__ import annotations

import errno
import keyword
import os
import re
import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Annotated, Final

import typer

from arena.cli.kits import KITS, File, Kit, kit_of
from arena.cli.output import JsonOption, print_json, results
from arena.errors import BotError, quoted
from arena.submissions.manifest import LANGUAGES, example_bots

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["new_bot"]

LONGEST: Final = 64
PYTHON: Final = "python"
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*([-_][A-Za-z0-9]+)*")
_OURS: Final = ("arena", "arena_sdk", "millearena")
_OF_CARGO: Final = ("build", "deps", "examples", "incremental")
"""Folders of its own beside the program; it refuses a program that is called so."""


def new_bot(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="What the bot is called, and its folder: letters and digits, words joined by - "
            "or _, such as hasty or fast-car.",
        ),
    ],
    lang: Annotated[
        str, typer.Option(help=f"The language it is written in: {', '.join((PYTHON, *KITS))}.")
    ] = PYTHON,
    parent: Annotated[
        Path,
        typer.Option(
            "--dir", metavar="DIR", exists=True, file_okay=False, help="Where the folder is made."
        ),
    ] = Path(),
    as_json: JsonOption = False,
) -> None:
    """Write a bot to begin with: a folder with a bot.toml, a bot that plays, and its test.

    The bot is a dozen lines and wins against a random one. All of it is yours to change.
    In a language but Python, the folder has a copy of that language's SDK as well.
    """
    _check_language(lang)
    names = names_from(name, lang)
    folder = parent / name
    kit = _python_kit(names) if lang == PYTHON else kit_of(lang, names.words)
    _write(folder, kit.files)
    steps = _steps(folder, kit, lang)
    if as_json:
        print_json({"folder": str(folder), "files": sorted(kit.files), "next": steps})
        return
    console = results()
    console.print(f"{folder} is a bot that plays. What next:", soft_wrap=True)
    for what, how in steps.items():
        console.print(f"  {what}  {how}", soft_wrap=True)
    if kit.remark:
        console.print(kit.remark, soft_wrap=True)


# -- names ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Names:
    """What things are called in a new bot; without the ending, where they are files."""

    name: str
    stem: str
    module: str
    test: str
    class_name: str

    @property
    def words(self) -> dict[str, str]:
        """What stands for what in the templates."""
        return {
            "name": self.name,
            "stem": self.stem,
            "module": self.module,
            "Class": self.class_name,
        }


def names_from(name: str, lang: str = PYTHON) -> Names:
    """The names of everything in a bot called `name`: `fast-car` is FastCarBot in fast_car_bot.py.

    What a name must not be depends on the language, as no file or class is called just so in most.

    Raises:
        BotError: nothing should be called so; the message says why and what is right.
    """
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise BotError(
            f"name {quoted(name)}: must be at most {LONGEST} letters and digits, beginning with a "
            "letter, words joined by one - or _, such as fast-car; --dir says where it goes"
        )
    words = re.split("[-_]", name)
    stem = "_".join(words).lower()
    if why := _taken(stem, lang):
        raise BotError(f"name {quoted(name)}: {why}")
    if name in example_bots():
        raise BotError(f"name {quoted(name)}: an example bot is called so; take another")
    camel = "".join(word[:1].upper() + word[1:] for word in words)
    return Names(
        name=name,
        stem=stem,
        module=stem if stem.endswith("bot") else f"{stem}_bot",
        test=f"test_{stem}",
        class_name=camel if camel.endswith("Bot") and camel != "Bot" else f"{camel}Bot",
    )


def _taken(stem: str, lang: str) -> str:
    """Why something else is called so in a language already, and what to do; empty: it is free."""
    if stem in _OURS or (lang == PYTHON and stem in sys.stdlib_module_names):
        return f"a module that bots use is called {stem}; take another"
    if lang == PYTHON and (keyword.iskeyword(stem) or keyword.issoftkeyword(stem)):
        return f"{stem} is a word of Python's; take {stem}-bot"
    if lang == PYTHON and (stem == "test" or stem.startswith("test_")):
        return "its file would be taken for a test; take another"
    if lang == "rust" and stem in _OF_CARGO:
        return f"Cargo has a folder {stem} of its own; take {stem}-bot"
    return ""


def _check_language(lang: str) -> None:
    if lang == PYTHON or lang in KITS:
        return
    there = ", ".join((PYTHON, *KITS))
    if lang in LANGUAGES:
        raise BotError(
            f"language {quoted(lang)}: there is no template for it, only for {there}; "
            "sdk/bridge/README.md says how a program in any language plays by reading and "
            "printing lines"
        )
    raise BotError(f"language {quoted(lang)}: must be one of {there}")


# -- writing ----------------------------------------------------------------------------------


def _write(folder: Path, files: Mapping[str, File]) -> None:
    """Write the files of a new folder, all or none: aside, and then the folder is renamed.

    Raises:
        BotError: it exists, or nothing can be written there.
    """
    if os.path.lexists(folder):
        raise BotError(f"{folder}: exists already; take another name, or move it away")
    try:
        with tempfile.TemporaryDirectory(prefix=".new-bot-", dir=folder.parent) as aside:
            made = Path(aside) / folder.name
            made.mkdir()
            for name, file in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.content)
                if file.is_program:
                    path.chmod(path.stat().st_mode | 0o111)
            made.rename(folder)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise  # no fault of whoever typed it
        raise BotError(f"{folder}: cannot be written: {error.strerror}") from None


def _steps(folder: Path, kit: Kit, lang: str) -> dict[str, str]:
    """What to do next, as command lines of this very installation."""
    place = shlex.quote(str(folder))
    bot = place if folder.is_absolute() else shlex.quote(f"./{folder}")
    arena = _program("arena")
    steps = {"edit": shlex.quote(str(folder / kit.edit))}
    if lang == PYTHON:
        test = f"{_program('python')} -m {kit.test} {place}"
        return steps | {
            "test": test,
            "play": f"{arena} match {bot} random --boards 10 --in-process",
        }
    if kit.fetch:
        steps["fetch"] = f"(cd {place} && {kit.fetch})"
    return steps | {
        "build": f"{arena} build-bot {bot}",
        "test": f"(cd {place} && {kit.test})",
        "play": f"{arena} match {bot} random --boards 10",
    }


def _program(name: str) -> str:
    """A program beside our interpreter, named from here if it lies below."""
    path = Path(sys.executable).with_name(name)
    if path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return shlex.quote(str(path))


# -- what is written --------------------------------------------------------------------------


def _python_kit(names: Names) -> Kit:
    texts = {
        "bot.toml": BOT_TOML,
        f"{names.module}.py": BOT,
        f"{names.test}.py": TEST,
    }
    files = {name: Template(text).substitute(names.words).encode() for name, text in texts.items()}
    return Kit(
        files={name: File(content) for name, content in files.items()},
        edit=f"{names.module}.py",
        test="unittest discover",
    )


BOT_TOML: Final = """\
name = "$name"
version = "1.0"
language = "python"
run = ["python", "$module.py"]
"""

BOT: Final = '''\
"""$name: gets the car going, drives as far as it can, else attacks."""

from arena_sdk import Action, Bot, Prompt, run


class $Class(Bot):
    def choose(self, prompt: Prompt) -> Action:
        """Answer one question with one of `prompt.legal`."""
        if prompt.coup_fourre:
            return prompt.coup_fourre  # 300 points, and the turn
        if prompt.remedies:
            return prompt.remedies[0]
        if prompt.drives:
            return prompt.drives[-1]  # the longest
        if prompt.attacks:
            return prompt.attacks[0]
        return prompt.default  # throws away the lowest card, but no safety


if __name__ == "__main__":
    run($Class())
'''

TEST: Final = '''\
"""Run with `python -m unittest` in this folder, or with pytest."""

import unittest

from arena_sdk import Stage
from arena_sdk.testing import play_game, prompts

from $module import $Class

RULES = ("classic", "express", "plateau")


class Test$Class(unittest.TestCase):
    def test_every_answer_is_legal(self) -> None:
        for rules in RULES:
            for prompt in prompts(rules=rules):
                self.assertIn($Class().choose(prompt), prompt.legal)

    def test_attacks_are_answered(self) -> None:
        for prompt in prompts(Stage.RESPOND, hands=50):
            self.assertEqual($Class().respond(prompt), prompt.coup_fourre)

    def test_games_are_played_to_their_end(self) -> None:
        for rules in RULES:
            results = play_game([$Class(), $Class()], rules=rules)
            self.assertTrue(results[-1].game_over)


if __name__ == "__main__":
    unittest.main()
'''
