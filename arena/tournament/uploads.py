"""Taking in what authors have uploaded, one upload after the other, whatever is killed meanwhile.

    Uploads.begin --> archive --> Intake.take --> finish_accepted | finish_refused | failed
                                     '--told--> Uploads.at, told

Nothing counts before `finish_accepted`, which is one transaction. An upload that was at work when
the server ended is put back into the queue at the next start and taken in from its beginning: the
same archive comes to the same version, and a version that there is already is that version.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from arena.errors import ArenaError, HostFault
from arena.storage.facts import NewVersion, Upload
from arena.storage.facts import Version as StoredVersion
from arena.storage.failpoints import DURING_BUILD, reached
from arena.submissions.artefact import ARTEFACT_LIMITS
from arena.submissions.bottoml import Manifest
from arena.submissions.shelf import Entrant, Version
from arena.submissions.store import ArchiveStore
from arena.tournament.intake import Accepted, Intake, Places, Refused, Step
from arena.tournament.ladder.health import Backoff, Health
from arena.tournament.ladder.ports import Tell
from arena.tournament.validation import Finding, Report

__all__ = ["Desk", "Reception", "UploadBook", "new_version", "server_places", "validation_facts"]

_LOOK: Final = 5.0
"""Seconds between looks for what nobody has told of."""


class UploadBook(Protocol):
    """The uploads in the store; every method is one transaction and raises HostFault."""

    def begin(self) -> Upload | None: ...
    def at(self, number: int, step: str, bot: str = "", /) -> object: ...
    def told(self, number: int, step: str, text: str, /) -> object: ...
    def finish_accepted(
        self, number: int, new: NewVersion, log: Sequence[str] = (), report: Any = None, /
    ) -> StoredVersion: ...
    def finish_refused(
        self,
        number: int,
        step: str,
        why: Sequence[str],
        log: Sequence[str] = (),
        report: Any = None,
        /,
    ) -> object: ...
    def failed(self, number: int, why: str, /) -> object: ...
    def requeue_interrupted(self) -> Sequence[Upload]: ...


class _TheDatabaseSays:
    """An `intake.Versions` that keeps nothing: `finish_accepted` does, with all that follows."""

    def put(self, entrant: Entrant, version: Version) -> None:
        """See `intake.Versions`."""

    def remove_leftovers(self) -> int:
        """See `intake.Versions`."""
        return 0


def server_places(archives: Path, artefacts: Path, work: Path) -> Places:
    """The places of an intake whose versions are in a database; the folders are made.

    Raises:
        HostFault: they cannot be made.
    """
    try:
        work.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise HostFault(f"{work}: cannot be made: {error.strerror}") from None
    return Places(
        archives=ArchiveStore(archives),
        artefacts=ArchiveStore(artefacts, most=ARTEFACT_LIMITS.upload),
        shelf=_TheDatabaseSays(),
        work=work,
    )


@dataclass(frozen=True, kw_only=True)
class Desk:
    """What a reception works with.

    Attributes:
        book, intake: See there; what the intake validates with is used by nobody else.
        archives: What was uploaded.
        health: Whether uploads can be built and validated at present.
        why_not: Why none is begun now, such as a full disk; empty: nothing keeps us.
        tell: Hears what happens.
        monotonic: Seconds on a clock that never goes back.
        changed: Is called when another version plays.
        admit: Raises SubmissionError for a bot of an owner that has no place here.
    """

    book: UploadBook
    intake: Intake
    archives: ArchiveStore
    health: Health
    why_not: Callable[[], str]
    tell: Tell
    monotonic: Callable[[], float]
    changed: Callable[[], None] = lambda: None
    admit: Callable[[str, Manifest], None] = lambda owner, bot: None


class Reception:
    """Takes uploads in until it is stopped. `run` is the body of its thread."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._backoff = Backoff(desk.monotonic, first=0.2, longest=30.0)
        self._bell = threading.Event()
        self._is_stopped = False
        self._has_begun = False

    def wake(self) -> None:
        """There is something to do: an upload has come, for example."""
        self._bell.set()

    def stop(self) -> None:
        """Begin no upload any more; the one at work is taken in to its end."""
        self._is_stopped = True
        self._bell.set()

    def run(self) -> None:
        """Take in what comes; returns when it was stopped and the last one is done."""
        while not self._is_stopped:
            self._bell.clear()
            if not self.step():
                waits = [one for one in (self._backoff.left, self._desk.health.wait) if one]
                self._bell.wait(max(0.01, min([_LOOK, *waits])))

    def step(self) -> bool:
        """Take in one upload, if one waits; whether there may be another one."""
        if self._backoff.left:
            return False
        try:
            self._begin()
            if self._desk.why_not() or not self._desk.health.may_play:
                return False
            upload = self._desk.book.begin()
        except HostFault as fault:
            self._backoff.failed()
            self._desk.tell("trouble", alert=True, part="uploads", why=str(fault))
            return False
        self._backoff.succeeded()
        if upload is None:
            return False
        self._take(upload)
        return True

    def _begin(self) -> None:
        """Put back what was at work when the server before this one ended."""
        if self._has_begun:
            return
        for upload in self._desk.book.requeue_interrupted():
            self._desk.tell("upload put back", upload=upload.number, state=str(upload.state))
        self._has_begun = True

    def _take(self, upload: Upload) -> None:
        """Take an upload in; whatever happens, it is known afterwards what has become of it."""
        desk = self._desk
        desk.tell("upload begun", upload=upload.number, owner=upload.owner)
        try:
            taken = self._taken(upload)
            self._finish(upload, taken)
        except Exception as error:  # also a mistake of ours is no reason to stop taking uploads in
            why = str(error) if isinstance(error, ArenaError) else f"a mistake: {error!r}"
            desk.tell("upload failed", alert=True, upload=upload.number, why=why)
            desk.health.failed(why)
            self._give_up(upload, why)
        else:
            desk.health.went_well()

    def _taken(self, upload: Upload) -> Accepted | Refused:
        with self._desk.archives.open(upload.archive) as archive:
            listener = _Listener(self._desk.book, upload.number)
            # Chance: nobody knows beforehand on which boards a bot is validated.
            return self._desk.intake.take(
                archive.fileno(),
                upload.owner,
                listener,
                seed=secrets.token_bytes(32),
                admit=partial(self._desk.admit, upload.owner),
            )

    def _finish(self, upload: Upload, taken: Accepted | Refused) -> None:
        book, number = self._desk.book, upload.number
        log = () if taken.build is None else taken.build.log
        report = None if taken.report is None else validation_facts(taken.report)
        if isinstance(taken, Refused):
            book.finish_refused(number, str(taken.step), taken.why, log, report)
            self._desk.tell("upload refused", upload=number, step=str(taken.step))
            return
        version = book.finish_accepted(number, new_version(taken), log, report)
        self._desk.tell("upload accepted", upload=number, version=version.number)
        self._desk.changed()

    def _give_up(self, upload: Upload, why: str) -> None:
        """Say that this machine has failed; if even that fails, the next start puts it back."""
        try:
            self._desk.book.failed(upload.number, why)
        except ArenaError as error:
            self._backoff.failed()
            self._has_begun = False
            self._desk.tell("trouble", alert=True, part="uploads", why=str(error))


class _Listener:
    """An `intake.Listener` that writes down how an upload gets on."""

    def __init__(self, book: UploadBook, number: int) -> None:
        self._book = book
        self._number = number
        self._tables = 0

    def began(self, step: Step, bot: Manifest | None) -> None:
        self._book.at(self._number, str(step), "" if bot is None else bot.name)
        if step is Step.BUILD:
            reached(DURING_BUILD)

    def ended(self, step: Step, told: str) -> None:
        self._book.told(self._number, str(step), told)

    def table_done(self, finding: Finding, count: int) -> None:
        self._tables += 1
        text = f"{self._tables} of {count} tables"
        # What only informs must not cost the upload: the database may be busy for a moment.
        with contextlib.suppress(HostFault):
            self._book.told(self._number, str(Step.VALIDATE), text)


def new_version(taken: Accepted) -> NewVersion:
    """What is stored of a version that was accepted."""
    version = taken.version
    bot = version.manifest
    return NewVersion(
        digest=version.digest,
        archive=version.archive,
        artefact=version.artefact,
        image=version.image,
        name=bot.name,
        label=bot.version,
        content=version.as_bytes(),
        players=bot.players,
        rulesets=bot.rulesets,
    )


def validation_facts(report: Report) -> Mapping[str, Any]:
    """A validation as JSON."""
    return {
        "passed": report.passed,
        "not_played": report.not_played,
        "findings": [asdict(one) for one in report.findings],
    }
