"""For bots in containers: what they do beside their play, and what they try in vain.

Whatever is done beside begins in a process that is forked before gRPC is there, which would not
survive a fork.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable

from tests.hostile import wire

__all__ = ["Beside", "attempt", "attempts", "hold_up", "until_refused", "works"]


class Beside:
    """A process that does something as soon as it is told to."""

    def __init__(self, act: Callable[[], object]) -> None:
        waiting, self._go = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(waiting)
            return
        os.close(self._go)
        os.read(waiting, 1)
        try:
            act()
        finally:
            os._exit(0)

    def go(self) -> None:
        """Have it begin."""
        os.write(self._go, b"!")

    def ended(self) -> int:
        """Wait for its end: its exit code, or minus the number of a signal."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def until_refused(act: Callable[[int], object], most: int = 1_000_000) -> str:
    """Do something again and again; how often it was done, and why not once more."""
    for count in range(most):
        try:
            act(count)
        except OSError as error:
            return f"{count}, then {errno.errorcode.get(error.errno or 0, error)}"
        except RuntimeError as error:
            return f"{count}, then {error}"
    return f"{most} and no end"


def attempt(what: str, act: Callable[[], object]) -> bool:
    """Try something that must not work; say so if it does."""
    try:
        found = act()
    except Exception as error:
        wire.log(f"{what}: {type(error).__name__} {error}"[:160])
        return False
    wire.log(f"WORKED: {what}: {found!r}"[:300])
    return True


def works(act: Callable[[], object]) -> bool:
    """Try something that must not work, one of many."""
    try:
        act()
    except Exception:
        return False
    return True


def attempts(tries: Iterable[tuple[str, Callable[[], object]]]) -> None:
    """Try several things, and say how many, and how many worked."""
    outcomes = [attempt(what, act) for what, act in tries]
    wire.log(f"{len(outcomes)} tried, {sum(outcomes)} worked")


def hold_up(seat: wire.Seat, seconds: float, *first: Callable[[], object]) -> None:
    """Play as one should, so slowly that the game lasts `seconds`; do `first` when first asked."""
    prompts = seat.prompts()
    prompt = next(prompts)
    for act in first:
        act()
    until = time.monotonic() + seconds
    seat.answer(prompt)
    for prompt in prompts:
        if time.monotonic() < until:
            time.sleep(0.05)
        seat.answer(prompt)
