"""Playing a series from the command line: processes, progress, the state file, records and logs."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.cli.attempts import Attempts
from arena.cli.builds import remark_on
from arena.cli.labels import estimate_text, labels, sides
from arena.cli.matchlogs import alone_in, write_logs
from arena.cli.output import printable, remarks
from arena.cli.progress import MatchProgress
from arena.errors import HostFault, InputError
from arena.referee.events import GameResult
from arena.tournament.matches import MatchSpec, Sandbox
from arena.tournament.running import Run, run_all
from arena.tournament.series import FinishedMatch, Series, SeriesPlan, is_whole
from arena.tournament.standings import Standings, Stops
from arena.tournament.statefile import StateFile
from arena.workers.pool import MatchPool

if TYPE_CHECKING:
    from types import FrameType

__all__ = ["Files", "keep", "play", "play_all"]

_FILES: Final = 200
"""Files that this process needs open besides those of its series."""


@dataclass(frozen=True, kw_only=True)
class Files:
    """What a series writes besides its table, and the text of its seed, which a state tells."""

    state: Path | None = None
    logs: Path | None = None
    seed: str = ""


def play(
    plan: SeriesPlan,
    *,
    jobs: int = 1,
    stops: Stops | None = None,
    files: Files | None = None,
    on_break: Callable[[Standings, Series], None] = lambda standings, series: None,
) -> Standings:
    """Play a series, or what a state file lacks of it: `play_all` for one."""
    (standings,) = play_all(
        [plan],
        jobs=jobs,
        stops=stops,
        files=[files or Files()],
        on_break=lambda found: on_break(*found[0]),
    )
    return standings


def play_all(
    plans: Sequence[SeriesPlan],
    *,
    jobs: int = 1,
    stops: Stops | None = None,
    files: Sequence[Files],
    on_break: Callable[[list[tuple[Standings, Series]]], None],
) -> list[Standings]:
    """Play series, or what their state files lack of them, with progress on standard error.

    When it is broken off, by Ctrl-C or by a failure, `on_break` gets of each series what was
    counted until then and what is finished; nothing that was started is left by then.

    Raises:
        BotError: a bot cannot be started.
        HostFault: this machine failed.
        InputError: a state file belongs to another plan, or cannot be used.
    """
    stops = stops or Stops()
    remark_on(bot for plan in plans if _are_processes(plan) for bot in plan.bots)
    with contextlib.ExitStack() as stack:
        _allow_files(len(plans))
        ahead, attempts = _set_up(plans, jobs, stack)
        progress = MatchProgress(remarks(), sum(plan.games for plan in plans))
        stack.enter_context(progress)
        runs, listeners = [], []
        for plan, own in zip(plans, files, strict=True):
            for folder, option in ((plan.venue.records, "--record"), (own.logs, "--logs")):
                if folder is not None:
                    stack.enter_context(alone_in(folder, option))
            state = _opened(plan, own, stack)
            series = Series(plan, () if state is None else state.finished)
            progress.advance(sum(len(match.results) for match in series.finished.values()))
            listener = _Listener(counted(series, stops), state, own.logs, progress)
            listener.attempts = replace(attempts, run=listener.attempts.run)
            listeners.append(listener)
            runs.append(Run(series, listener.attempts.play, listener))
            # After the pool: what it had to kill could clean nothing up.
            stack.callback(listener.attempts.clear_all)
        heavy = "arena_sdk._local" if plans[0].venue.in_process else "arena.app"
        try:
            with MatchPool(jobs + ahead, preload=(heavy,)) as pool:
                run_all(runs, pool, jobs + ahead)
        except BaseException:
            with _undisturbed():
                # Counted anew: what broke it off may have come in the middle of counting.
                on_break([(counted(run.series, stops), run.series) for run in runs])
            raise
        return [listener.standings for listener in listeners]


def _allow_files(count: int) -> None:
    """Let this process have so many files open besides what it needs anyway, if it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(count + _FILES, hard) if hard >= 0 else count + _FILES
    if 0 <= soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def _set_up(
    plans: Sequence[SeriesPlan], jobs: int, stack: contextlib.ExitStack
) -> tuple[int, Attempts]:
    """What containers need: how many matches are made ready ahead, and what plays attempts.

    Raises:
        BotError: a bot cannot be built.
        HostFault: this machine is to blame.
    """
    venue = plans[0].venue
    if venue.sandbox is not Sandbox.DOCKER:
        return 0, Attempts()
    from arena.app.turns import make_turns
    from arena.sandbox.reaper import reaping
    from arena.sandbox.slots import life, owned_folder

    stack.enter_context(reaping(lambda text: remarks().print(printable(text), soft_wrap=True)))
    owner = stack.enter_context(life())
    turns = stack.enter_context(owned_folder(owner))
    make_turns(turns, jobs)
    return 1, Attempts(turns=turns, built=_built(plans, owner, stack))


def _built(
    plans: Sequence[SeriesPlan], owner: str, stack: contextlib.ExitStack
) -> dict[Path, Path]:
    """Build the bots that need it; of each the folder, and that of what was built."""
    images = {
        bot.folder: (bot, image)
        for plan in plans
        for bot, image in zip(plan.bots, plan.venue.images, strict=True)
        if bot.build
    }
    if not images:
        return {}
    from arena.app.signals import run_until_signalled
    from arena.sandbox.slots import owned_folder
    from arena.tournament.building import DockerBuilder
    from arena.tournament.prepared import built

    builder = DockerBuilder(runtime=plans[0].venue.runtime)
    bots, ids = zip(*images.values(), strict=True)
    work = stack.enter_context(owned_folder(owner))
    names = ", ".join(printable(bot.name) for bot in bots)
    with remarks().status(f"building {names}"):
        done = built(bots, ids, work, builder, run_until_signalled)
    return {bot.folder: one.folder for bot, one in zip(bots, done, strict=True)}


def _are_processes(plan: SeriesPlan) -> bool:
    """Whether bots are played as they lie there: a sandbox with containers builds them itself."""
    return not plan.venue.in_process and plan.venue.sandbox is not Sandbox.DOCKER


def _opened(plan: SeriesPlan, files: Files, stack: contextlib.ExitStack) -> StateFile | None:
    if files.state is None:
        return None
    state = stack.enter_context(StateFile(files.state, plan, files.seed))
    if state.changed:
        changed = ", ".join(map(printable, state.changed))
        # Not refused: some bots write into their own folder while they play.
        remarks().print(
            f"changed since {files.state} was begun: {changed}; the table is of both",
            soft_wrap=True,
        )
    return state


def counted(series: Series, stops: Stops) -> Standings:
    """What the finished matches of a series say."""
    standings = Standings(series.plan, stops)
    for match in sorted(series.finished.values(), key=lambda one: one.number):
        standings.add(match)
    return standings


def keep(series: Series, files: Files) -> None:
    """Say where what is finished of a series is; if no file was named for it, make one."""
    whole = [one for one in series.finished.values() if is_whole(series.plan, one)]
    finished = sorted(whole, key=lambda one: one.number)
    path = files.state
    if path is None:
        path = _kept(series.plan, finished, files.seed) if finished else None
        if path is None:
            return
    remarks().print(
        f"{len(finished)} of {series.plan.match_count} matches are finished and kept; "
        f"go on with the same command and --resume {path}",
        soft_wrap=True,
    )


def _kept(plan: SeriesPlan, finished: list[FinishedMatch], seed: str) -> Path | None:
    """Write finished matches to a new file in the present folder, or in that for temporary ones."""
    name = f"arena-{plan.seed.hex()[:8]}-{os.getpid()}.resume"
    why = ""
    for folder in (Path(), Path(tempfile.gettempdir())):
        try:
            with StateFile(folder / name, plan, seed) as state:
                state.write(finished)
        except (HostFault, InputError) as error:
            why = str(error)
        else:
            return folder / name
    remarks().print(f"what was finished is lost: {why}", soft_wrap=True)
    return None


class _Listener:
    """Counts what is finished of a series, keeps it, and shows how it stands."""

    def __init__(
        self,
        standings: Standings,
        state: StateFile | None,
        logs: Path | None,
        progress: MatchProgress,
    ) -> None:
        self.standings = standings
        self.attempts = Attempts()
        self._state = state
        self._logs = logs
        self._progress = progress
        self._labels = labels(standings.plan.bots)
        self._sides = sides(standings.plan)

    def game_ended(self, spec: MatchSpec, result: GameResult) -> None:
        self._progress.advance()

    def match_finished(self, match: FinishedMatch) -> None:
        # What was void in every attempt may go well when it is taken up again.
        if self._state is not None and is_whole(self.standings.plan, match):
            self._state.write([match])
        if self._logs is not None:
            names = [f"{label}-match{match.number}" for label in self._labels]
            write_logs(self._logs, names, match.logs)
        self.standings.add(match)
        self._progress.say(estimate_text(self.standings, self._sides))

    def attempt_lost(self, spec: MatchSpec) -> None:
        self.attempts.clear(spec)

    def is_enough(self) -> bool:
        return self.standings.enough


# -- signals ----------------------------------------------------------------------------------


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no signal break off what is done now: it takes no time to speak of."""
    with _handling((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), lambda number, frame: None):
        yield


@contextlib.contextmanager
def _handling(
    numbers: tuple[signal.Signals, ...], handler: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is told of signals
        return
    before = {number: signal.getsignal(number) for number in numbers}
    before = {number: one for number, one in before.items() if one is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number, one in before.items():
            signal.signal(number, one)
