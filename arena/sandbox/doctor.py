"""May strangers' programs run here? The checks of the host and of a container, and what to do.

A promise that untrusted uploads need and that does not hold, or of which that cannot be told, is a
failure. An organiser who knows better accepts it by name (`Exceptions`), and is told so at every
start.
"""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from arena.errors import BotError, HostFault, InputError, quoted
from arena.sandbox.docker import DockerLauncher
from arena.sandbox.engine import connect
from arena.sandbox.hostchecks import host_names, host_results
from arena.sandbox.hostfacts import read_facts
from arena.sandbox.images import resolve
from arena.sandbox.probes.checks import CHECKS, Check, Finding, Result, State
from arena.sandbox.probing import NAMES_OF_THE_LAUNCHER, run_probe
from arena.sandbox.slots import life

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["NO_EXCEPTIONS", "Exceptions", "Report", "examine", "failures", "known_names"]


_INDISPENSABLE: Final = ("engine", "container")


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found: about this machine, and from inside a container."""

    host: Sequence[Result]
    container: Sequence[Result]

    @property
    def results(self) -> tuple[Result, ...]:
        """All of it."""
        return (*self.host, *self.container)


@dataclass(frozen=True, slots=True)
class Exceptions:
    """The checks that an organiser has accepted to fail."""

    names: frozenset[str] = frozenset()

    @classmethod
    def of(cls, names: Iterable[str]) -> Exceptions:
        """The exceptions of these names.

        Raises:
            InputError: there is no check of a name, or none may be accepted of that name.
        """
        wanted, known = frozenset(names), known_names()
        for name in sorted(wanted):
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]}? " if near else ""
                raise InputError(
                    f"no check is called {quoted(name)}; {hint}the checks are {', '.join(known)}"
                )
            if name in _INDISPENSABLE:
                raise InputError(
                    f"the check {name} cannot be accepted to fail: without it nothing is known"
                )
        return cls(wanted)

    def remarks(self, results: Sequence[Result]) -> list[str]:
        """A line for each, to be said at every start: what the organiser goes without."""
        found = {one.name: one for one in results}
        return [_remark(name, found.get(name)) for name in sorted(self.names)]


NO_EXCEPTIONS: Final = Exceptions()


def _remark(name: str, result: Result | None) -> str:
    if result is None:
        return f"accepted: {name}, which was not looked at"
    if not _is_failure(result):
        return f"accepted without need: {name} is {result.state.value}"
    return f"accepted: {name} ({result.threat}): {result.promise} Not so: {result.seen}"


def failures(results: Iterable[Result], exceptions: Exceptions = NO_EXCEPTIONS) -> list[Result]:
    """The results for which strangers' programs may not run here."""
    return [one for one in results if _is_failure(one) and one.name not in exceptions.names]


def _is_failure(result: Result) -> bool:
    # What nobody can tell is no promise that holds.
    return result.needed and result.state in (State.FAIL, State.UNKNOWN)


def known_names() -> list[str]:
    """The names of all checks."""
    inside = [one.name for one in CHECKS]
    return [*host_names(), _container(_NOTHING).name, *NAMES_OF_THE_LAUNCHER, *inside]


async def examine(
    image: str, *, runtime: str = "", say: Callable[[str], None] = lambda _: None
) -> Report:
    """Look at this machine, and from inside a container.

    `image` is a language, or an image's name or id; it needs Python 3. `runtime` is the engine's
    runtime for bots. `say` is told what is being done.
    """
    say("looking at this machine and its engine")
    engine, problem = _connected()
    if engine is None:
        nowhere = _container(Finding(holds=False, seen="there is no engine"))
        return Report(host=host_results(read_facts(None, problem)), container=[nowhere])
    with contextlib.closing(engine):
        host = host_results(read_facts(engine))
        say(f"making {len(CHECKS)} checks in a container")
        return Report(host=host, container=await _inside(engine, image, runtime))


async def _inside(engine: APIClient, image: str, runtime: str) -> list[Result]:
    try:
        ident = resolve(engine, image).id
        with life() as owner:
            made = await run_probe(DockerLauncher(engine, owner, runtime=runtime), ident)
    except (BotError, HostFault) as error:
        return [_container(Finding(holds=False, seen=str(error)))]
    return [_container(Finding(holds=True, seen=f"{len(made)} checks were made")), *made]


def _connected() -> tuple[APIClient | None, str]:
    try:
        return connect(), ""
    except HostFault as error:
        return None, str(error)


def _container(finding: Finding) -> Result:
    """Whether there was a container to look from."""
    return Check(
        name="container",
        threat="A18",
        promise="The checks can be made in a container that is like a bot's.",
        remedy="The reason says what is missing; what follows cannot be told without it.",
        needed=True,
        look=lambda: finding,
    ).result()


_NOTHING: Final = Finding(holds=None, seen="")
