"""A bot in a container: rated play. One container for each seat and leg, made ready beforehand.

    DockerLauncher.make_ready   slot, copy of the files, container with its keeper   (a thread)
    DockerSlot.run              the keeper gets the command, and speaks               (this loop)
    DockerSlot.close            container, user number and folder are given back      (a thread)

A container runs from the beginning, but only its keeper does: `deploy/images/wrap/wrap.c`. That is
what takes time; the program starts as fast as anywhere when the keeper is told its command. What
the program writes goes to the keeper, which sends us no more than we keep.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from arena.errors import BotError, HostFault, quoted
from arena.sandbox import containers, guarding
from arena.sandbox.botfiles import copy_files
from arena.sandbox.containers import Container, Recipe
from arena.sandbox.kept import Kept, Receive
from arena.sandbox.launcher import CappedLog, Exit, Program
from arena.sandbox.policy import PLAYING, Policy
from arena.sandbox.slots import Slot, slot
from arena.sandbox.waiting import to_its_end
from arena.sandbox.wrapframes import command_frame

if TYPE_CHECKING:
    from docker import APIClient

__all__ = ["Built", "DockerLauncher", "DockerSlot"]

ADDRESS: Final = "unix:/run/arena/seat.sock"
"""What a program in a container calls its referee."""

_CANNOT_HOLD: Final = (
    "bots cannot be held still: this user may not write to the freezer of a container's control "
    "group; run as root, or allow pondering"
)


@dataclass(frozen=True, slots=True)
class Built:
    """What came of a build.

    Attributes:
        exit: How its command ended.
        is_good: It ended with 0, in time, and all that it left was received.
        left_out, left_out_count: What it left that is no regular file, or too deep: the first
            names, and how many.
    """

    exit: Exit
    is_good: bool
    left_out: tuple[str, ...]
    left_out_count: int


class DockerLauncher:
    """Runs programs in containers of their own.

    `owner` is the life (`slots.life`) that they belong to, `runtime` the engine's runtime for
    them. With `holds_still` a place where a program cannot be held still is refused.
    """

    def __init__(
        self,
        engine: APIClient,
        owner: str,
        *,
        policy: Policy = PLAYING,
        runtime: str = "",
        holds_still: bool = False,
    ) -> None:
        self.engine = engine
        self._owner = owner
        self.policy = policy
        self._runtime = runtime
        self._holds_still = holds_still
        self._guard = guarding.Guard()

    async def make_ready(self, program: Program) -> DockerSlot:
        """See `launcher.Launcher`; the program's `image` is needed."""
        return await asyncio.to_thread(self._make, program)

    def _make(self, program: Program) -> DockerSlot:
        stack = contextlib.ExitStack()
        try:
            place = stack.enter_context(slot(self._owner))
            mark = place.folder.name
            stack.callback(self._let_go, mark)
            self._guard.take_on(mark, 0, str(place.folder))
            copy_files(program.folder, place.bot)
            recipe = Recipe(image=program.image, policy=self.policy, runtime=self._runtime)
            container = containers.create(self.engine, recipe, place, self._owner)
            stack.callback(containers.remove, self.engine, container.ident)
            stack.callback(container.connection.close)
            if self._holds_still and container.freezer is None:
                raise HostFault(_CANNOT_HOLD)
            if container.freezer is not None:
                stack.callback(container.freezer.close)
                self._guard.thaw(mark, container.freezer.path, container.freezer.thaw_word)
        except BaseException:
            stack.close()
            raise
        return DockerSlot(self, container, place, program, stack)

    def _let_go(self, mark: str) -> None:
        leaving = self._guard.let_go(mark)
        if leaving is not None:
            guarding.reap(leaving)


class DockerSlot:
    """See `launcher.Slot`."""

    def __init__(
        self,
        launcher: DockerLauncher,
        container: Container,
        place: Slot,
        program: Program,
        left: contextlib.ExitStack,
    ) -> None:
        self._launcher = launcher
        self._container = container
        self._program = program
        self._left = left
        self.socket: Path | None = place.run / "seat.sock"
        self.address = ADDRESS

    @contextlib.asynccontextmanager
    async def run(self, environment: Mapping[str, str], log: CappedLog) -> AsyncIterator[Kept]:
        """See `launcher.Slot`."""
        command = self._command("run", environment)
        running = Kept(
            self._launcher.engine, self._container, log, memory=self._launcher.policy.memory
        )
        try:
            await running.start(command, self._program.command[0])
            yield running
        finally:
            await to_its_end(running.end())

    async def build(self, limit: float, log: CappedLog, receive: Receive) -> Built:
        """Build in `/build`, from a copy of the files, instead of running a bot.

        Args:
            limit: Seconds that it may take, files and all.
            log: Gets what the build prints.
            receive: Gets the frames of the files that are there in the end. What it raises ends
                the build, and is raised.

        Raises:
            BotError: it cannot be started; the message says what is missing.
            HostFault: this machine is to blame.
        """
        policy = self._launcher.policy
        command = self._command("build", {})
        running = Kept(
            self._launcher.engine, self._container, log, memory=policy.memory, receive=receive
        )
        try:
            try:
                async with asyncio.timeout(limit):
                    await running.start(command, self._program.command[0])
                    found = await running.wait()
            except TimeoutError:
                found = Exit(how=f"was not over after {limit:g} s")
        finally:
            await to_its_end(running.end())
        return Built(
            exit=found,
            is_good=running.report.get("code", 1) == running.report.get("signal", 1) == 0
            and not running.report["stopped"],
            left_out=tuple(str(running.report.get("skipped_names", "")).splitlines()),
            left_out_count=int(running.report.get("skipped", 0)),
        )

    def _command(self, mode: str, environment: Mapping[str, str]) -> bytes:
        whole = {**self._program.environment, **environment}
        try:
            return command_frame(mode, self._program.command, whole)
        except ValueError as error:
            raise BotError(f"cannot start {quoted(self._program.command[0])}: {error}") from None

    @property
    def ident(self) -> str:
        """The id of its container."""
        return self._container.ident

    def freeze(self) -> None:
        """See `launcher.Slot`; does nothing where this user may not."""
        if self._container.freezer is not None:
            self._container.freezer.freeze()

    def thaw(self) -> None:
        """See `launcher.Slot`."""
        if self._container.freezer is not None:
            self._container.freezer.thaw()

    def look(self) -> None:
        """See `launcher.Slot`."""
        if self._container.freezer is not None:
            self._container.freezer.look()

    @property
    def can_freeze(self) -> bool:
        """Whether it can be held still by this user."""
        return self._container.freezer is not None

    async def close(self) -> None:
        """See `launcher.Slot`."""
        await to_its_end(asyncio.to_thread(self._left.close))
