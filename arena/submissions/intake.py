"""Checking and unpacking a stranger's archive, in a short-lived process and never in this one.

    self -- archive, folder, limits -->  checker      limits itself, reads, checks, unpacks
    self <-- one JSON value -----------  checker

What is unpacked lies aside, in a folder with a name of its own, until all of it is right; then the
folder is renamed. Both processes hold a lock on it as long as they live, so that `remove_leftovers`
can tell what has been left behind from what is being made.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from arena.errors import HostFault, SubmissionError
from arena.submissions.bottoml import Manifest
from arena.submissions.checking import Submission
from arena.submissions.limits import ArchiveLimits, CheckBounds, Rule

__all__ = ["Intake", "remove_leftovers"]

_ASIDE: Final = ".unpacking-"
_NO_FOLDER: Final = Path()
_NEEDED: Final = ("LD_LIBRARY_PATH",)  # some interpreters do not start without it
_ITS_OWN_FAULT: Final = (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT, signal.SIGILL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Checks archives within limits: what they may hold, and what it may cost to find out."""

    limits: ArchiveLimits = field(default_factory=ArchiveLimits)
    bounds: CheckBounds = field(default_factory=CheckBounds)

    def check(self, archive: int, *, digest: str = "") -> Submission:
        """Check the archive of a descriptor that can be read; blocks.

        With a `digest` the bytes that are checked must be the ones that have it. The manifest of
        what has passed has no folder.

        Raises:
            SubmissionError: it is refused; the message names the entry and the rule.
            HostFault: this machine could not check it.
        """
        return self._run(archive, None, _NO_FOLDER, digest)

    def unpack(self, archive: int, folder: Path, *, digest: str = "") -> Submission:
        """Check an archive as `check` does, and unpack it into a folder that does not exist yet.

        Files get the modes 0644 and 0755. Unless all is well nothing of it stays.

        Raises:
            SubmissionError: it is refused.
            HostFault: this machine could not check or unpack it, or the folder exists.
        """
        if os.path.lexists(folder):
            raise HostFault(f"{folder}: exists already, and an archive is unpacked into a new one")
        with _aside(folder.parent) as (path, descriptor):
            submission = self._run(archive, descriptor, folder, digest)
            try:
                os.fchmod(descriptor, 0o755)
                os.rename(path, folder)
            except OSError as error:
                raise HostFault(f"{folder}: cannot be made: {error.strerror}") from None
        return submission

    def _run(self, archive: int, into: int | None, folder: Path, digest: str) -> Submission:
        report = _heard(self._start(archive, into), self.bounds)
        if "refused" in report:
            raise SubmissionError(**report["refused"])
        if "failed" in report:
            raise HostFault(f"an upload cannot be checked or unpacked: {report['failed']}")
        submission = _submission(report["passed"], folder)
        if digest and submission.digest != digest:
            raise HostFault(
                f"the archive {digest} has changed: its bytes now have the SHA-256 "
                f"{submission.digest}"
            )
        return submission

    def _start(self, archive: int, into: int | None) -> subprocess.Popen[bytes]:
        path = [os.path.abspath(folder) for folder in sys.path]
        call = f"main({asdict(self.limits)!r}, {asdict(self.bounds)!r}, {into!r})"
        code = f"import sys; sys.path[:] = {path!r}; from arena.submissions.checker import main; "
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-c", code + call],
                stdin=archive,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=() if into is None else (into,),
                cwd="/",
                env={name: value for name, value in os.environ.items() if name in _NEEDED},
                start_new_session=True,  # Ctrl-C is not for it
            )
        except OSError as error:
            raise HostFault(f"cannot start the check of an upload: {error.strerror}") from None


def _heard(process: subprocess.Popen[bytes], bounds: CheckBounds) -> dict[str, Any]:
    """What a checker reports; nothing of it is left after this."""
    try:
        told, complaint = process.communicate(timeout=bounds.wall)
    except subprocess.TimeoutExpired:
        raise _too_long(f"{bounds.wall} s") from None
    finally:
        process.kill()
        process.communicate()
    ended = -process.returncode
    if ended == signal.SIGXCPU:
        raise _too_long(f"{bounds.cpu} s of processor time")
    if ended == signal.SIGALRM:
        raise _too_long(f"{bounds.wall} s")
    if ended in _ITS_OWN_FAULT:
        name = signal.Signals(ended).name
        raise SubmissionError(Rule.EFFORT, f"the check of it was ended by {name}")
    try:
        report = json.loads(told)
    except ValueError:
        why = complaint.decode(errors="replace").strip().rpartition("\n")[2]
        raise HostFault(
            f"the check of an upload ended with code {process.returncode}: {why}"
        ) from None
    assert isinstance(report, dict)
    return report


def _too_long(bound: str) -> SubmissionError:
    return SubmissionError(Rule.EFFORT, f"takes more than {bound} to be checked")


def _submission(report: dict[str, Any], folder: Path) -> Submission:
    manifest: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in report.pop("manifest").items()
    }
    return Submission(manifest=Manifest(**manifest, folder=folder), **report)


@contextlib.contextmanager
def _aside(place: Path) -> Iterator[tuple[str, int]]:
    """A new folder in `place`, and its locked descriptor; it goes unless it has been renamed."""
    try:
        path = tempfile.mkdtemp(prefix=_ASIDE, dir=place)
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise HostFault(f"{place}: no folder can be made there: {error.strerror}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield path, descriptor
    finally:
        shutil.rmtree(path, ignore_errors=True)
        os.close(descriptor)


def remove_leftovers(place: Path) -> int:
    """Remove what an unpacking that was killed has left in `place`; how many folders that were."""
    removed = 0
    for path in place.glob(f"{_ASIDE}*"):
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path)
            removed += 1
        except OSError:  # somebody is at work there
            continue
        finally:
            os.close(descriptor)
    return removed
