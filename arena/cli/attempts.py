"""The tasks that play an attempt in a process of its own, and what is left if that is killed.

Programs that are left without anybody are ended by their guard (see `arena.sandbox.guard`). Sockets
and the like lie in one folder whose name the parent knows, and can remove.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from arena.errors import HostFault
from arena.sandbox.guard import remove_tree
from arena.submissions.manifest import Manifest
from arena.tournament.matches import MatchOutcome, MatchSpec

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Attempts"]


@dataclass(frozen=True, slots=True)
class Attempts:
    """Plays the attempts of one run: `play` is the task for a pool.

    Attributes:
        run: What tells this run from every other one.
        turns: Where attempts wait for their turn; None: they do not.
        built: Of bots that had to be built, by their folder: the folder of what was built.
    """

    run: str = field(default_factory=lambda: secrets.token_hex(4))
    turns: Path | None = None
    built: Mapping[Path, Path] = field(default_factory=dict)

    def play(self, report: Callable[[object], None], spec: MatchSpec) -> MatchOutcome:
        """Play an attempt in this process, which is there for nothing else."""
        os.dup2(2, 1)  # what a bot of this process prints behind Python's back is no result
        if spec.venue.in_process:
            from arena.cli.inprocess import play_in_process

            return play_in_process(report, spec)
        from arena.app import play_match  # gRPC: slow to load, and only in the process that plays

        with self._folder(spec):
            own = replace(
                spec,
                bots=tuple(self._built(bot) for bot in spec.bots),
                venue=replace(spec.venue, turns=self.turns),
            )
            return play_match(own, report)

    def _built(self, bot: Manifest) -> Manifest:
        return replace(bot, folder=self.built.get(bot.folder, bot.folder))

    def clear(self, spec: MatchSpec) -> None:
        """Remove what the process of an attempt, which was killed, has left."""
        remove_tree(str(self._path(spec)))

    def clear_all(self) -> None:
        """Remove what the attempts of this run have left that were ended: none is played now."""
        for path in Path(tempfile.gettempdir()).glob(f"arena-{self.run}-*"):
            remove_tree(str(path))

    def _path(self, spec: MatchSpec) -> Path:
        return Path(tempfile.gettempdir()) / f"arena-{self.run}-{spec.name}"

    @contextlib.contextmanager
    def _folder(self, spec: MatchSpec) -> Iterator[None]:
        """Have all temporary files of this process in one folder, this user's alone."""
        path = self._path(spec)
        try:
            path.mkdir(mode=0o700)
        except OSError as error:
            raise HostFault(f"{path}: cannot be made: {error.strerror}") from None
        tempfile.tempdir = str(path)
        try:
            yield
        finally:
            tempfile.tempdir = str(path.parent)
            remove_tree(str(path))
