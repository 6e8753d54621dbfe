"""Places at which a test can have this process killed, as by a loss of power.

With `ARENA_FAIL_POINT=before_commit` in the environment the process ends itself with SIGKILL when
it comes to that place, with `before_commit:3` when it comes there for the third time. Without the
variable, or with the name of another place, nothing happens.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from typing import Final

from arena.errors import InputError, quoted

__all__ = ["FAIL_POINTS", "VARIABLE", "check_fail_point", "reached"]

VARIABLE: Final = "ARENA_FAIL_POINT"

# A match, in the order in which it comes to them.
AFTER_LEASE: Final = "after_lease"
DURING_MATCH: Final = "during_match"
BEFORE_SPOOL_FSYNC: Final = "before_spool_fsync"
AFTER_SPOOL_FSYNC: Final = "after_spool_fsync"
BEFORE_RECORD: Final = "before_record"
AFTER_RESULT_INSERT: Final = "after_result_insert"
AFTER_LEDGER_INSERT: Final = "after_ledger_insert"
BEFORE_COMMIT: Final = "before_commit"
AFTER_COMMIT: Final = "after_commit"
BEFORE_ACK: Final = "before_ack"
AFTER_ACK: Final = "after_ack"

# An upload.
DURING_UPLOAD: Final = "during_upload"
AFTER_UPLOAD_INSERT: Final = "after_upload_insert"
DURING_BUILD: Final = "during_build"
AFTER_VERSION_INSERT: Final = "after_version_insert"

# A file of the store.
BEFORE_FILE_RENAME: Final = "before_file_rename"
AFTER_FILE_RENAME: Final = "after_file_rename"

# The data folder.
IN_MIGRATION: Final = "in_migration"
AFTER_MIGRATION: Final = "after_migration"
DURING_BACKUP: Final = "during_backup"
DURING_RESTORE: Final = "during_restore"

FAIL_POINTS: Final = frozenset(
    value for name, value in list(globals().items()) if name.isupper() and name != "VARIABLE"
)
"""The names of them all."""

_LOCK: Final = threading.Lock()
_COUNTS: Final[Counter[str]] = Counter()


def reached(name: str) -> None:
    """Say that this process has come to the place `name`; may not return."""
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    place, _, count = wanted.partition(":")
    if place != name:
        return
    with _LOCK:
        _COUNTS[name] += 1
        times = _COUNTS[name]
    if times == int(count or 1):
        os.kill(os.getpid(), signal.SIGKILL)


def check_fail_point() -> None:
    """See to it that what the environment asks for is a place that there is.

    Raises:
        InputError: it is not, so that a test would wait in vain.
    """
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        return
    place, colon, count = wanted.partition(":")
    if place not in FAIL_POINTS:
        names = ", ".join(sorted(FAIL_POINTS))
        raise InputError(f"{VARIABLE}: {quoted(place)} is no fail point; there are {names}")
    if colon and not (count.isascii() and count.isdecimal() and int(count[:9]) > 0):
        raise InputError(f"{VARIABLE}: {quoted(count)} must say at which time, from 1")
