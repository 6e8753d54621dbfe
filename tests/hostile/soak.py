"""`python -m tests.hostile.soak`: many short matches in containers, hostile ones among them.

Before the first and after the last one a normal match is played and this machine is looked at: what
one can count must not have grown, and the normal match must go as before.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Final

from arena.sandbox.containers import LABEL
from arena.sandbox.engine import connect
from arena.sandbox.slots import is_alive, state_folder
from arena.workers.pool import MatchPool
from tests.hostile import features
from tests.hostile.boxhouse import QUIET_BOX, observe_boxed
from tests.hostile.cases import BOXED, Case, all_cases
from tests.hostile.gauge import processes_of
from tests.hostile.house import Seen
from tests.hostile.judge import MEDIAN_MS, NINE_OF_TEN_MS, TIMES_SLOWER, others

__all__ = ["main"]

SHORT: Final = 40.0
"""Cases that may last longer are left out."""

MORE_MB: Final = 64.0
"""The engine's books and its memory may have grown by so much."""

OF_A_CONTAINER: Final = 12
"""File descriptors that the engine has for one that runs, which may be somebody else's."""

_SEATS: Final = range(20_000, 60_000)
_SHOWN: Final = 25


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is on this machine; of the arena's all that belongs to nobody who lives."""

    containers: int
    processes: int
    slots: int
    lives: int
    groups: int
    descriptors_of_engine: int
    memory_of_engine_mb: float
    engine_books_mb: float

    def grown(self, before: Figures) -> list[str]:
        """What is more than it was, and should not be."""
        found = []
        for one in fields(self):
            was, now = getattr(before, one.name), getattr(self, one.name)
            allowed = MORE_MB if one.name.endswith("_mb") else _TOLERATED.get(one.name, 0)
            if now > was + allowed:
                found.append(f"{one.name.replace('_', ' ')}: {was:g} before, {now:g} after")
        return found


_TOLERATED: Final = {"descriptors_of_engine": 16}
"""The engine opens and closes files for others as well."""


def main() -> int:
    """Play; 1 if anything was left or has grown, or a match did not end as it should."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="how many (300)")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="matches at once (2)")
    options = parser.parse_args()
    if why := features.why_not():
        sys.stderr.write(f"{options.matches} matches not played: {why}\n")
        return 2
    with MatchPool(options.jobs, preload=["tests.hostile.boxhouse", "docker"]) as pool:
        first = pool.submit(observe_boxed, QUIET_BOX).result()
        before = _shown("before", figures())
        begin = time.monotonic()
        wrong = _play(pool, options.matches)
        _say(f"{options.matches} matches in {time.monotonic() - begin:.0f} s")
        after = _shown("after", _settled(before))
        last = pool.submit(observe_boxed, QUIET_BOX).result()
    problems = [*wrong, *after.grown(before), *_compared(first, last)]
    for problem in problems:
        _say(f"WRONG: {problem}")
    _say("nothing is left, and all is as before" if not problems else f"{len(problems)} problems")
    return 1 if problems else 0


def _play(pool: MatchPool, count: int) -> list[str]:
    """Play a mix, every other one with an honest bot; what did not end as it should."""
    waiting = {pool.submit(observe_boxed, case.path): case for case in _mix(count)}
    verdicts: Counter[str] = Counter()
    wrong = []
    for number, future in enumerate(as_completed(waiting), 1):
        case, seen = waiting[future], future.result()
        verdicts[seen.verdict or "no verdict"] += 1
        wrong += _wrong(case, seen)
        if number % _SHOWN == 0 or number == count:
            told = ", ".join(f"{how} {times}" for how, times in verdicts.most_common())
            _say(f"{number} of {count}: {told}")
    return wrong


def _mix(count: int) -> Iterator[Case]:
    cases = all_cases(BOXED)
    hostile = [case for case in cases if case.path != QUIET_BOX and case.within <= SHORT]
    honest = [case for case in cases if case.path == QUIET_BOX]
    both = zip(itertools.cycle(hostile), itertools.cycle(honest), strict=False)
    return itertools.islice(itertools.chain.from_iterable(both), count)


def _wrong(case: Case, seen: Seen) -> list[str]:
    """What the host did wrong in a match; how well others played is judged elsewhere."""
    found = [f"{case.name}: left {what}" for what in seen.left]
    if seen.failure:
        found.append(f"{case.name}: {seen.failure.splitlines()[-1]}")
    elif seen.verdict not in (case.verdict, "VOID"):  # void is a busy machine's, and is counted
        found.append(f"{case.name}: {seen.text}, not {case.verdict}")
    if any(seen.who):
        found.append(f"{case.name}: an honest bot has forfeited: {seen.text}")
    if seen.descriptors:
        opened = ", ".join(seen.descriptors)
        found.append(f"{case.name}: file descriptors more than before: {opened}")
    return found


# -- this machine -------------------------------------------------------------------------------


def figures() -> Figures:
    """Count now."""
    with contextlib.closing(connect()) as engine:
        found = engine.containers(all=True, filters={"label": LABEL})
        root = Path(engine.info()["DockerRootDir"])
    engines = [int(one.parent.name) for one in Path("/proc").glob("[0-9]*/comm") if _is_engine(one)]
    state = state_folder()
    dead = [one["Id"] for one in found if not is_alive(one["Labels"][LABEL])]
    living = {one["Id"] for one in found} - set(dead)
    return Figures(
        containers=len(dead),
        processes=sum(
            not any(ident in groups for ident in living) for _, groups in processes_of(set(_SEATS))
        ),
        slots=sum(not is_alive(_owner_of(one)) for one in (state / "slots").iterdir()),
        lives=sum(not is_alive(one.name) for one in (state / "lives").iterdir()),
        groups=len({one.name for one in _groups()} - living),
        descriptors_of_engine=max(0, _descriptors(engines) - OF_A_CONTAINER * len(living)),
        memory_of_engine_mb=sum(map(_resident, engines)),
        engine_books_mb=_size(root / "containers") / 1e6,
    )


def _owner_of(place: Path) -> str:
    """The life that a slot belongs to; none if it has gone meanwhile."""
    try:
        return (place.parents[1] / "owners" / place.name).read_text()
    except FileNotFoundError:
        return ""


def _settled(before: Figures) -> Figures:
    """The figures once what is on its way out has gone."""
    until = time.monotonic() + 30
    while (now := figures()).grown(before) and time.monotonic() < until:
        time.sleep(0.5)
    return now


def _groups() -> Iterator[Path]:
    for parent in ("arena", "*/arena"):
        yield from (one for one in Path("/sys/fs/cgroup").glob(f"{parent}/*") if one.is_dir())


def _is_engine(comm: Path) -> bool:
    with contextlib.suppress(OSError):
        return comm.read_text().strip() in ("dockerd", "containerd")
    return False


def _descriptors(pids: list[int]) -> int:
    return sum(len(os.listdir(f"/proc/{pid}/fd")) for pid in pids)


def _resident(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_blocks * 512
    return total


def _shown(when: str, now: Figures) -> Figures:
    told = ", ".join(
        f"{one.name.replace('_', ' ')} {getattr(now, one.name):g}" for one in fields(now)
    )
    _say(f"{when}: {told}")
    return now


# -- the normal match ---------------------------------------------------------------------------


def _compared(first: Seen, last: Seen) -> list[str]:
    """What is not as before in a normal match."""
    found = [f"the last match: {one}" for one in last.left]
    if last.verdict != first.verdict:
        found.append(f"the last match: {last.text or last.failure}, the first: {first.text}")
        return found
    for what, share, more in (("median", 0.5, MEDIAN_MS), ("nine of ten", 0.9, NINE_OF_TEN_MS)):
        was, now = (others(one).quantile(share) / 1e6 for one in (first, last))
        _say(f"a normal match: think times, {what}: {was:.1f} ms before, {now:.1f} ms after")
        if now > TIMES_SLOWER * was + more:
            found.append(f"think times, {what}: {was:.1f} ms before, {now:.1f} ms after")
    _say(f"a normal match takes {first.seconds:.1f} s before, {last.seconds:.1f} s after")
    return found


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
