"""The private copy of a bot's files that a sandbox gets.

Nobody else has these files open: a lock or a cache on a file that two bots share would let them
talk to each other.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.errors import BotError
from arena.sandbox.policy import MIB

__all__ = ["NOT_THE_BOTS", "copy_files"]

NOT_THE_BOTS: Final = frozenset({".git", ".hg", ".svn", ".venv", "__pycache__"})
"""Names of what lies in an author's folder and is no part of a bot."""

_MOST_FILES: Final = 10_000
_MOST_BYTES: Final = 256 * MIB


def copy_files(source: Path, into: Path) -> None:
    """Copy a bot's files, which nobody changes meanwhile, so that a container may read them.

    Links are left out, and folders that belong to the author's tools (`NOT_THE_BOTS`).

    Raises:
        BotError: there are too many, or they are too large, or one cannot be read.
    """
    count = size = 0
    try:
        for path in _files_of(source):
            target = into / path.relative_to(source)
            for folder in reversed(target.relative_to(into).parents[:-1]):
                (into / folder).mkdir(exist_ok=True)
                (into / folder).chmod(0o755)  # whatever the umask: another user has to read it
            count, size = count + 1, size + path.stat().st_size
            if count > _MOST_FILES or size > _MOST_BYTES:
                raise BotError(
                    f"{source}: more than {_MOST_FILES} files or {_MOST_BYTES // MIB} MiB"
                )
            shutil.copyfile(path, target, follow_symlinks=False)
            target.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    except OSError as error:
        raise BotError(f"{source}: its files cannot be copied: {error.strerror}") from None


def _files_of(folder: Path) -> Iterator[Path]:
    """The regular files below a folder, in the order of their names."""
    for path in sorted(folder.iterdir()):
        if path.name in NOT_THE_BOTS or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_of(path)
        elif path.is_file():
            yield path
