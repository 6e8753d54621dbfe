"""The process in which a stranger's archive is read; `intake` starts one for each.

It limits itself before it looks at the first byte, and says on its standard output how it went:

    {"passed": {...}}     a `Submission`, the manifest without its folder
    {"refused": {...}}    the arguments of a `SubmissionError`
    {"failed": "..."}     this machine could not do its part

Standard input is the archive. It is read once, into memory: what has been checked is what is
unpacked, whatever becomes of the file meanwhile.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final

from arena.errors import SubmissionError
from arena.submissions.archive import Entry, check_size
from arena.submissions.checking import Sink, Submission, check_content
from arena.submissions.limits import ArchiveLimits, CheckBounds, Rule, shown_size
from arena.submissions.unpacking import Unpacker

__all__ = ["main"]

_ARCHIVE: Final = 0
_GRACE: Final = 5  # seconds that whoever started this is earlier


def main(limits: Mapping[str, int], bounds: Mapping[str, int], folder: int | None) -> None:
    """Check the archive on standard input, and unpack it into the folder of a descriptor if given.

    `limits` and `bounds` are the fields of `ArchiveLimits` and `CheckBounds`.
    """
    allowed = ArchiveLimits(**limits)
    _limit_itself(CheckBounds(**bounds), allowed)
    sink: Sink = _forget if folder is None else Unpacker(folder)
    report: dict[str, object]
    try:
        report = {"passed": _as_json(check_content(_read(allowed), allowed, sink))}
    except SubmissionError as error:
        refused = {"rule": error.rule, "problem": error.problem, "entry": error.entry}
        report = {"refused": refused}
    except MemoryError:
        problem = f"needs more than {shown_size(bounds['memory'])} of memory to be checked"
        report = {"refused": {"rule": Rule.EFFORT, "problem": problem, "entry": ""}}
    except OSError as error:
        report = {"failed": error.strerror or str(error)}
    sys.stdout.write(json.dumps(report))
    sys.stdout.flush()


def _limit_itself(bounds: CheckBounds, limits: ArchiveLimits) -> None:
    """Take from this process whatever a check does not need."""
    os.umask(0o077)
    for number in (signal.SIGXCPU, signal.SIGALRM):
        signal.signal(number, signal.SIG_DFL)  # it ends us; whoever started us may ignore it
    signal.alarm(bounds.wall + _GRACE)  # should whoever started us be gone
    # The second number of the processor's time is where SIGKILL comes, which would not say why.
    _limit(resource.RLIMIT_CPU, bounds.cpu, bounds.cpu + 1)
    _limit(resource.RLIMIT_CORE, 0, 0)
    _limit(resource.RLIMIT_FSIZE, limits.unpacked, limits.unpacked)
    _limit(resource.RLIMIT_NOFILE, bounds.open_files, bounds.open_files)
    _limit(resource.RLIMIT_AS, bounds.memory, bounds.memory)


def _limit(kind: int, soft: int, hard: int) -> None:
    """Set a limit, or keep the one that is set if it is lower."""
    most = resource.getrlimit(kind)[1]
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(kind, (soft, hard))


def _forget(_entry: Entry, pieces: Iterator[bytes]) -> None:
    for _ in pieces:
        pass


def _read(limits: ArchiveLimits) -> bytes:
    """The archive, if it is not too large to be looked at."""
    size = os.fstat(_ARCHIVE).st_size
    check_size(size, limits)
    return os.pread(_ARCHIVE, size, 0)


def _as_json(submission: Submission) -> dict[str, Any]:
    values = asdict(submission)
    del values["manifest"]["folder"]
    return values
