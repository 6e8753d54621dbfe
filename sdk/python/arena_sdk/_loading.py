"""Finding a bot's class: by `module:Class`, or in a file that a `bot.toml` runs."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from arena.errors import BotError
from arena_sdk._bot import Bot

__all__ = ["class_in_file", "class_in_module"]


def class_in_module(text: str, folder: Path) -> type[Bot]:
    """The class that `module:Class` means, seen from `folder`.

    Raises:
        BotError: the module cannot be imported, or has no such class that is a `Bot`.
    """
    module_name, _, class_name = text.partition(":")
    with _first_in_path(folder), _refusing(text, folder):
        module = importlib.import_module(module_name)
    found = getattr(module, class_name, None)
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        raise BotError(f"bot {text}: {module_name} has no class {class_name} that is a Bot")
    return found


def class_in_file(path: Path) -> type[Bot]:
    """The only `Bot` that a file defines; the file is loaded anew, under a name of its own.

    Raises:
        BotError: it cannot be loaded, or defines no `Bot`, or several.
    """
    with _first_in_path(path.parent), _refusing(str(path), path.parent):
        module = _load(path)
    found = [
        one
        for one in vars(module).values()
        if inspect.isclass(one) and issubclass(one, Bot) and one.__module__ == module.__name__
    ]
    made = [one for one in found if not inspect.isabstract(one)]
    if len(made) != 1:
        names = ", ".join(one.__name__ for one in made) or "none"
        raise BotError(f"{path}: defines one Bot to play in this process, not {names}")
    return made[0]


def _load(path: Path) -> ModuleType:
    name = f"_arena_bot_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BotError(f"{path}: is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


@contextmanager
def _first_in_path(folder: Path) -> Iterator[None]:
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))


@contextmanager
def _refusing(what: str, folder: Path) -> Iterator[None]:
    """Turn whatever an author's file raises while it is loaded into one line."""
    try:
        yield
    except BotError:
        raise
    except SystemExit as error:
        raise BotError(f"bot {what}: ends by itself when it is loaded ({error})") from None
    except BaseException as error:
        where, why = _place(error, folder), f"{type(error).__name__}: {_message(error)}"
        raise BotError(f"bot {what}: cannot be loaded: {why}{where}") from None


def _message(error: BaseException) -> object:
    """What an error says; a syntax error without its place, which is told after it."""
    return error.msg if isinstance(error, SyntaxError) else error


def _place(error: BaseException, folder: Path) -> str:
    """Where in the author's files it happened: ` (hasty_bot.py, line 4)`; empty if not there."""
    if isinstance(error, SyntaxError):
        return f" ({error.filename}, line {error.lineno})" if error.filename else ""
    home = folder.resolve()
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if home in Path(frame.filename).resolve().parents
    ]
    # The innermost one: below it is what the author has called, and cannot mend.
    return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""
