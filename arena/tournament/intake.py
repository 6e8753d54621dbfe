"""Taking in an upload: checked, stored, built, validated, and then, not before, the one that plays.

    archive --check--> Submission --store--> digest --build--> artefact --validate--> Report --shelf

Whatever is wrong with the bot comes back as a value that names the step. Whatever is wrong with
this machine is raised. In both cases the version that played before still does.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from arena.errors import HostFault, SubmissionError
from arena.sandbox.guard import remove_tree
from arena.submissions.artefact import ARTEFACT_BOUNDS, ARTEFACT_LIMITS
from arena.submissions.bottoml import Manifest
from arena.submissions.checking import Submission
from arena.submissions.intake import Intake as ArchiveCheck
from arena.submissions.shelf import Entrant, Shelf, Version, check_owner
from arena.submissions.store import ArchiveStore
from arena.tournament.building import Build, Builder
from arena.tournament.validation import Contestant, Finding, Report
from arena.tournament.validation_run import Ring, validate

__all__ = [
    "Accepted",
    "Intake",
    "Listener",
    "Places",
    "Refused",
    "Runner",
    "Step",
    "Versions",
    "Workshop",
]

T = TypeVar("T")

_PIECE: Final = 1024 * 1024
_NOWHERE: Final = Path()


class Step(StrEnum):
    """The steps of an intake, in their order."""

    CHECK = "check"
    STORE = "store"
    BUILD = "build"
    VALIDATE = "validate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """The upload plays from now on; `build` is None where nothing had to be built."""

    entrant: Entrant
    version: Version
    build: Build | None
    report: Report


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """The upload does not play; `why` is for its author, one line or several.

    `build` and `report` are None for what was not reached.
    """

    step: Step
    why: tuple[str, ...]
    build: Build | None = None
    report: Report | None = None


class Listener(Protocol):
    """Hears how an intake goes."""

    def began(self, step: Step, bot: Manifest | None) -> None:
        """A step begins; the bot is known once its archive has been checked."""

    def ended(self, step: Step, told: str) -> None:
        """It went well; what it did, in a few words."""

    def table_done(self, finding: Finding, count: int) -> None:
        """A table of the validation is done, one of `count`."""


class Versions(Protocol):
    """Where it is written down which version plays: a `submissions.shelf.Shelf`, for example.

    A server has a database for that, where all that follows from an upload is one transaction.
    """

    def put(self, entrant: Entrant, version: Version, /) -> None:
        """Keep a version, and have it play from now on; raises HostFault."""

    def remove_leftovers(self) -> int:
        """Remove what those who were killed have left; how many files that were."""


class Runner(Protocol):
    """Runs something asynchronous to its end, as `app.run_until_signalled` does."""

    def __call__(self, work: Coroutine[Any, Any, T], /) -> T: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Where bots are built: the builder, the image of each bot, and what runs a build.

    `image_of` is the id of an image; empty where there is no sandbox. It raises `SubmissionError`
    if a bot asks for what is not offered.
    """

    builder: Builder
    image_of: Callable[[Manifest], str]
    run: Runner


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folders of an intake, all below one.

    Attributes:
        archives: What was uploaded.
        artefacts: What is played.
        shelf: Which versions there are.
        work: What is needed while an upload is taken in.
    """

    archives: ArchiveStore
    artefacts: ArchiveStore
    shelf: Versions
    work: Path

    def remove_leftovers(self) -> int:
        """Remove what intakes that were killed have left; how many files and folders that were."""
        removed = self.archives.remove_leftovers() + self.artefacts.remove_leftovers()
        removed += self.shelf.remove_leftovers()
        for path in self.work.iterdir():
            with contextlib.suppress(OSError):
                lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails if it is needed
                    remove_tree(str(path))
                    removed += 1
                finally:
                    os.close(lock)
        return removed

    @staticmethod
    def below(folder: Path) -> Places:
        """All of them, made if they are not there.

        Raises:
            HostFault: they cannot be made.
        """
        work = folder / "work"
        try:
            work.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise HostFault(f"{work}: cannot be made: {error.strerror}") from None
        return Places(
            archives=ArchiveStore(folder / "archives"),
            artefacts=ArchiveStore(folder / "artefacts", most=ARTEFACT_LIMITS.upload),
            shelf=Shelf(folder / "shelf"),
            work=work,
        )


class Intake:
    """Takes uploads in."""

    def __init__(self, places: Places, ring: Ring, workshop: Workshop) -> None:
        self._places = places
        self._ring = ring
        self._workshop = workshop
        self._of_uploads = ArchiveCheck()
        self._of_artefacts = ArchiveCheck(limits=ARTEFACT_LIMITS, bounds=ARTEFACT_BOUNDS)

    def take(
        self,
        archive: int,
        owner: str,
        listener: Listener,
        *,
        seed: bytes,
        admit: Callable[[Manifest], None] = lambda bot: None,
    ) -> Accepted | Refused:
        """Take in the archive of a descriptor that can be read; blocks.

        `seed` is 32 bytes of chance, from which the boards of the validation follow; `admit` raises
        SubmissionError for a bot that has no place here.

        Raises:
            InputError: that is no name for an owner.
            HostFault: this machine could not do its part.
        """
        check_owner(owner)
        try:
            with _work_folder(self._places.work) as work:
                return self._take(archive, owner, _Way(work, listener, seed, admit))
        except _Stop as stop:
            return stop.refused

    def _take(self, archive: int, owner: str, way: _Way) -> Accepted:
        submission, image = self._checked(archive, way)
        self._stored(archive, submission, way)
        build, artefact = self._built(submission, image, way)
        bot = replace(submission.manifest, folder=way.work / "bot")
        report = self._validated(Contestant(bot, image), artefact, build, way)
        entrant = Entrant(owner, bot.name)
        version = Version(
            archive=submission.digest,
            artefact=artefact,
            image=image,
            manifest=replace(bot, folder=_NOWHERE),
        )
        self._places.shelf.put(entrant, version)
        return Accepted(entrant=entrant, version=version, build=build, report=report)

    def _checked(self, archive: int, way: _Way) -> tuple[Submission, str]:
        """Check an archive and unpack it; what is in it, and its image."""
        way.listener.began(Step.CHECK, None)
        try:
            submission = self._of_uploads.unpack(archive, way.source)
            way.admit(submission.manifest)
            image = self._workshop.image_of(submission.manifest)
        except SubmissionError as error:
            raise _Stop(Refused(step=Step.CHECK, why=(str(error),))) from None
        files = f"{submission.files} files, {submission.unpacked:,} bytes"
        way.listener.ended(Step.CHECK, f"{files}, all names and sizes as they must be")
        return submission, image

    def _stored(self, archive: int, submission: Submission, way: _Way) -> None:
        way.listener.began(Step.STORE, submission.manifest)
        try:
            self._places.archives.add(_pieces(archive), digest=submission.digest)
        except SubmissionError as error:  # it has changed since it was checked
            raise _Stop(Refused(step=Step.STORE, why=(str(error),))) from None
        way.listener.ended(Step.STORE, f"SHA-256 {submission.digest}")

    def _built(self, submission: Submission, image: str, way: _Way) -> tuple[Build | None, str]:
        """What came of the build, if one is needed, and the digest of what is played."""
        bot, workshop = submission.manifest, self._workshop
        way.listener.began(Step.BUILD, bot)
        place = f"image {image[:19]}" if image else "no image"
        if not bot.build:
            way.listener.ended(Step.BUILD, f"nothing to build; {place}")
            with self._places.archives.open(submission.digest) as file:
                digest = self._places.artefacts.add(_pieces(file.fileno()))
            return None, digest
        build = workshop.run(workshop.builder.build(way.source, bot, image))
        if build.problem:
            raise _Stop(Refused(step=Step.BUILD, why=(build.problem,), build=build))
        digest = self._places.artefacts.add([build.artefact])
        way.listener.ended(Step.BUILD, f"{len(build.artefact):,} bytes packed; {place}")
        return build, digest

    def _validated(
        self, subject: Contestant, artefact: str, build: Build | None, way: _Way
    ) -> Report:
        """Unpack what is played, as an upload is unpacked, and let it play."""
        bot = subject.bot
        with self._places.artefacts.open(artefact) as file:
            try:
                self._of_artefacts.unpack(file.fileno(), bot.folder, digest=artefact)
            except SubmissionError as error:
                left = (f"what it leaves is refused: {error}",)
                raise _Stop(Refused(step=Step.BUILD, why=left, build=build)) from None
        way.listener.began(Step.VALIDATE, bot)
        report = validate(subject, self._ring, way.seed, way.listener.table_done)
        if not report.passed:
            why = tuple(
                dict.fromkeys(
                    f"{one.table}: {problem}" for one in report.failures for problem in one.problems
                )
            )
            refused = Refused(step=Step.VALIDATE, why=why, build=build, report=report)
            raise _Stop(refused)
        hands = sum(one.games for one in report.findings)
        told = f"{len(report.findings)} tables, {hands} hands, no fault"
        way.listener.ended(Step.VALIDATE, told)
        return report


@dataclass(frozen=True, slots=True)
class _Way:
    """What one upload needs on its way."""

    work: Path
    listener: Listener
    seed: bytes
    admit: Callable[[Manifest], None]

    @property
    def source(self) -> Path:
        return self.work / "source"


class _Stop(Exception):  # noqa: N818 - no error: the value that an intake ends with
    """A step has refused the upload."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.step)
        self.refused = refused


@contextlib.contextmanager
def _work_folder(place: Path) -> Iterator[Path]:
    """A folder for one upload, which is locked as long as it is needed, and goes then."""
    try:
        path = Path(tempfile.mkdtemp(dir=place))
        lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError as error:
        raise HostFault(f"{place}: no folder can be made there: {error.strerror}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield path
    finally:
        remove_tree(str(path))
        os.close(lock)


def _pieces(file: int) -> Iterator[bytes]:
    """All that is in a file, from its beginning, wherever it has been read to."""
    at = 0
    while piece := os.pread(file, _PIECE, at):
        yield piece
        at += len(piece)
